package check

import (
	"regexp"
	"slices"
	"strings"
)

// namedKey is a part of a prompt that names a key of finish. The offsets are in bytes of the
// prompt.
type namedKey struct {
	start, end int
	key        string
	// whole is the quoted text if it holds several keys, as in key="x|y".
	whole string
	form  keyForm
	// list is the number of the list that contains the key, if way is inList.
	list int
}

// keyForm is the way in which a prompt names a key.
type keyForm uint8

// These forms always mean a key of finish.
const (
	inCall     keyForm = iota // finish(key="x")
	inSentence                // finish with the text as the value and key "x"
	inJSON                    // finish with {"key": "x", "value": "…"}
	// The other forms count only if another key of the same form is legal: prompts use many kinds
	// of keys.
	bareInCall // finish(key=x)
	alone      // use key "x"
	withFinish // finish with "x"
	inList     // one of the keys "x" and "y"
)

func (w keyForm) isCertain() bool { return w < bareInCall }

// markdownComment matches a comment of Markdown, which is not a part of the prompt. An unclosed
// comment ends with the text.
var markdownComment = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)

// namedKeysIn returns the keys of finish that a prompt names, in order. It omits forbidden keys,
// placeholders and keys of other things.
func namedKeysIn(prompt string) []namedKey {
	text := string(markdownComment.ReplaceAllFunc([]byte(prompt), blankOut))
	s := &keyScanner{text: text, finishes: findFinishes(text)}
	for _, f := range s.finishes {
		s.readFinishWith(f)
	}
	for _, at := range wordsAt(text, keyWord) {
		s.readKeyWord(at[0], at[1])
	}
	s.readChoices()
	s.readOpenKeyItems()
	slices.SortStableFunc(s.found, func(a, b namedKey) int { return a.start - b.start })

	return slices.CompactFunc(s.found, func(a, b namedKey) bool { return a.start == b.start })
}

type keyScanner struct {
	text     string
	finishes []finish
	found    []namedKey
	lists    int
	// finished is the number of finishes before the current word.
	finished int
	// headings is the end of the headings of the last table that was read.
	headings int
}

// readKeyWord reads the key or the keys that the word key at an offset introduces.
func (s *keyScanner) readKeyWord(start, end int) {
	for s.finished < len(s.finishes) && s.finishes[s.finished].start < start {
		s.finished++
	}
	var last finish
	if s.finished > 0 {
		last = s.finishes[s.finished-1]
	}
	if start < s.headings {
		return // a heading of the table that was read
	}
	if column, ok := s.keyColumnAt(start); ok {
		s.readTableColumn(column)
		return
	}
	switch {
	case start < last.argsEnd:
		if isParameter(s.text[last.args:start]) && !last.isOther(s.text) {
			s.readCallParameter(end)
		}
	case isInQuotes(s.text, start, end):
		s.readJSONMember(last, start, end)
	case s.text[end-1]|0x20 == 's':
		s.readKeysAfter(start, end)
	default:
		s.readSentence(last, start, end)
	}
}

// isInQuotes reports whether quotes surround a part of a text directly.
func isInQuotes(text string, start, end int) bool {
	if start == 0 || end == len(text) {
		return false
	}

	return text[start-1] == text[end] && strings.IndexByte("\"'", text[end]) >= 0
}

// isParameter reports whether a word can be the name of a parameter after these arguments. The word
// must not be inside a text, a placeholder or a nested value. The arguments may form one object.
func isParameter(before string) bool {
	before = strings.TrimPrefix(strings.TrimSpace(strings.TrimRight(before, "\"'`")), "{")
	count := func(sign string) int { return strings.Count(before, sign) }

	return count("{")+count("(") == count("}")+count(")") && count(`"`)%2 == 0 && count("<") <= count(">")
}

// readCallParameter reads the parameter key of a call of finish.
func (s *keyScanner) readCallParameter(end int) {
	sign := assigns.FindString(s.text[end:])
	if sign == "" {
		return
	}
	at := end + len(sign)
	if values, _ := s.readList(at, orInCall, false); len(values) > 0 {
		s.addKeys(inCall, values)
	} else if value, ok := s.bareWord(at); ok {
		s.addKeys(bareInCall, []namedKey{value})
	}
}

// readJSONMember reads the member "key" of an object with the arguments of finish.
func (s *keyScanner) readJSONMember(last finish, start, end int) {
	sign := assigns.FindString(s.text[end:])
	isNear := last.end > 0 && start >= last.end && start-last.end <= maxSentence
	if sign == "" || !isNear {
		return
	}
	if !leadsToObject.MatchString(s.text[last.end:start]) || last.isOther(s.text) {
		return
	}
	values, _ := s.readList(end+len(sign), orInCall, false)
	s.addKeys(inJSON, values)
}

// leadsToObject matches between finish and the first member of the object with its arguments.
var leadsToObject = regexp.MustCompile("(?i)^(?:[\\s`*\"',:.{(]|\\b(?:with|like|this|these|the|following|json|argument|arguments|args|parameters|" +
	"input|as|and|so|looks|e\\.g|for|example|name|function|tool|object)\\b)*\\{\\s*" +
	"(?:[\"']value[\"']\\s*:\\s*(?:\"[^\"\\n]*\"|'[^'\\n]*'|<[^<>\\n]*>|[^\\s\"'<{}\\[\\],]+)\\s*,\\s*)?[\"']$")

// titled matches after a quoted title: the key "Sources" section.
var titled = regexp.MustCompile(`(?i)^\s+(?:section|heading|header|paragraph|part|chapter|phrase|term|word|column|field)s?\b`)

// readSentence reads the key after the word key. If finish precedes it in the sentence, it is a key
// of finish.
func (s *keyScanner) readSentence(last finish, start, end int) {
	values, quoted := s.keysAfter(end)
	if len(values) == 0 {
		return
	}
	from := s.sentenceStart(start)
	finished := from < last.end && last.end <= start
	if finished && last.isOther(s.text) {
		return
	}
	isOfCall := finished && s.leadsToKey(s.text[last.end:start], end)
	called := isOfCall || quoted && s.isForFinish(values[len(values)-1].end)
	if called && finished {
		from = last.end
	}
	before := s.text[from:start]
	switch {
	case refusedKey.MatchString(before) || foreign.MatchString(before) || isOfValue(before):
	case called, quoted && ofFinish.MatchString(s.text[values[len(values)-1].end:]):
		s.addKeys(inSentence, values)
	case quoted:
		s.addKeys(alone, values)
	}
}

// leadsToKey reports whether the text between finish and the word key, which ends at an offset,
// makes it the key of finish.
func (s *keyScanner) leadsToKey(between string, end int) bool {
	if foreign.MatchString(between) {
		return false
	}

	return withKey.MatchString(between) || toKey.MatchString(between) && assigns.MatchString(s.text[end:])
}

// isOfValue reports whether the text before the word key assigns it to a value.
func isOfValue(before string) bool {
	at := ofValue.FindStringSubmatchIndex(before)

	return at != nil && at[2] < 0
}

// keysAfter returns the keys after the word key, which ends at an offset. quoted is false if they
// have no quotes.
func (s *keyScanner) keysAfter(end int) (values []namedKey, quoted bool) {
	sign := means.FindString(s.text[end:])
	if sign == "" {
		return nil, false
	}
	at := end + len(sign)
	if listed, next := s.readList(at, or, false); len(listed) > 0 && !titled.MatchString(s.text[next:]) {
		return listed, true
	}
	if bare := s.bareList(at); len(bare) > 1 {
		return bare, false
	}
	if value, ok := s.bareWord(at); ok && (strings.ContainsAny(sign, "=:") || isBareKey(value.key, s.text[value.end:])) {
		return []namedKey{value}, false
	}

	return nil, false
}

// readKeysAfter reads the keys after the word keys: in its sentence, or in the list below.
func (s *keyScanner) readKeysAfter(wordStart, wordEnd int) {
	values, _ := s.readList(wordEnd+len(begins.FindString(s.text[wordEnd:])), or, false)
	if len(values) == 0 {
		values = s.readItems(wordEnd)
	}
	if len(values) == 0 {
		return
	}
	before := s.text[s.sentenceStart(wordStart):wordStart]
	if refusedKey.MatchString(before) || isOfValue(before) ||
		foreign.MatchString(before) && len(wordsAt(before, finishWord)) == 0 {
		return
	}
	s.addKeyList(values)
}

// addKeyList adds the keys of a list as one group.
func (s *keyScanner) addKeyList(values []namedKey) {
	s.lists++
	for i := range values {
		values[i].list = s.lists
	}
	s.addKeys(inList, values)
}

// readFinishWith reads the quoted text after "finish with".
func (s *keyScanner) readFinishWith(f finish) {
	sign := with.FindString(s.text[f.end:])
	if sign == "" || f.args < f.argsEnd {
		return
	}
	values, end := s.readList(f.end+len(sign), orElse, false)
	if len(values) == 0 || f.isOther(s.text) {
		return
	}
	switch {
	case asKey.MatchString(s.text[end:]):
		s.addKeys(inSentence, values)
	case !inValue.MatchString(s.text[end:]) && !ought.MatchString(s.text[max(0, f.start-refusedWithin):f.start]):
		s.addKeys(withFinish, values)
	}
}

func (s *keyScanner) addKeys(w keyForm, values []namedKey) {
	if len(values) == 0 || isDenied(s.text[values[len(values)-1].end:]) {
		return
	}
	for _, value := range values {
		value.form = w
		if !isPlaceholder(value.key) {
			s.found = append(s.found, value)
		}
	}
}

// group is equal for keys that the prompt names in the same way.
func (k namedKey) group() any {
	switch {
	case k.whole != "":
		return k.whole
	case k.form == inList:
		return k.list
	}

	return k.form
}

// finish is the word finish in a prompt, with the arguments in brackets after it.
type finish struct {
	start, end int
	// args and argsEnd are the start and end of the arguments inside the brackets, or 0.
	args, argsEnd int
}

// isOther reports whether the prompt does not ask the model for this call of finish.
func (f finish) isOther(prompt string) bool {
	before := prompt[max(0, f.start-refusedWithin):f.start]

	return isRefused(before) || others.MatchString(clauseEnd(before)) || isDenied(prompt[f.end:])
}

// maxArgs limits the arguments of a call, and maxSentence the context around a word, in bytes.
const (
	maxArgs     = 600
	maxSentence = 300
)

func findFinishes(prompt string) []finish {
	var found []finish
	for _, at := range wordsAt(prompt, finishWord) {
		f := finish{start: at[0], end: at[1]}
		if open := opensCall.FindString(prompt[f.end:]); open != "" {
			f.args = f.end + len(open)
			f.argsEnd = f.args + argsLength(prompt[f.args:])
			f.end = min(f.argsEnd+1, len(prompt))
		}
		found = append(found, f)
	}

	return found
}

// argsLength returns the length of the arguments of a call. text begins after the bracket.
func argsLength(text string) int {
	depth, quote := 1, byte(0)
	for i := range min(len(text), maxArgs) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
		case c == '"':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			depth--
			if depth == 0 {
				return i
			}
		}
	}

	return min(len(text), maxArgs)
}
