package check

import (
	"regexp"
	"slices"
	"strings"
)

// namedKey is a place in a prompt that names a key to finish with: the key, in bytes of the prompt.
type namedKey struct {
	start, end int
	key        string
	// whole is what the key is in, if that is more than one, as in key="x|y".
	whole string
	way   way
	// list numbers the list that the key is in, if way is inList.
	list int
}

// way is how a prompt names a key.
type way uint8

// The ways that mean a key of finish and nothing else.
const (
	inCall     way = iota // finish(key="x")
	inSentence            // finish with the text as the value and key "x"
	inJSON                // finish with {"key": "x", "value": "…"}
	// The other ways mean one if another that is named so is legal: prompts speak of keys of many kinds.
	bareInCall // finish(key=x)
	alone      // use key "x"
	withFinish // finish with "x"
	inList     // one of the keys "x" and "y"
)

func (w way) certain() bool { return w < bareInCall }

// markdownComment is a comment of Markdown: a call in one is no part of the prompt. One that is never closed
// ends with the text.
var markdownComment = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)

// namedKeys returns the keys to finish with that a prompt names, in the order in which they are there. Keys that it forbids
// the model not to use, placeholders and keys of other things are none.
func namedKeys(prompt string) []namedKey {
	text := string(markdownComment.ReplaceAllFunc([]byte(prompt), blank))
	s := &keyScanner{text: text, finishes: finishesIn(text)}
	for _, f := range s.finishes {
		s.withFinish(f)
	}
	for _, at := range wordsAt(text, keyWord) {
		s.keyAt(at[0], at[1])
	}
	s.choices()
	s.itemsOfOpenKey()
	slices.SortStableFunc(s.found, func(a, b namedKey) int { return a.start - b.start })

	return slices.CompactFunc(s.found, func(a, b namedKey) bool { return a.start == b.start })
}

type keyScanner struct {
	text     string
	finishes []finish
	found    []namedKey
	lists    int
	// finished is how many of the finishes are before the place that is looked at.
	finished int
	// headings is where the headings of the last table end that has been read.
	headings int
}

// keyAt reads what the word key or keys from start to end says.
func (s *keyScanner) keyAt(start, end int) {
	for s.finished < len(s.finishes) && s.finishes[s.finished].start < start {
		s.finished++
	}
	var last finish
	if s.finished > 0 {
		last = s.finishes[s.finished-1]
	}
	switch {
	case start < s.headings || s.inTable(start):
	case start < last.argsEnd:
		if isParameter(s.text[last.args:start]) && !last.isOther(s.text) {
			s.inCall(end)
		}
	case start > 0 && end < len(s.text) && s.text[start-1] == s.text[end] && strings.IndexByte("\"'", s.text[end]) >= 0:
		s.inJSON(last, start, end)
	case s.text[end-1]|0x20 == 's':
		s.inList(start, end)
	default:
		s.inSentence(last, start, end)
	}
}

// isParameter reports whether a word can be the name of a parameter behind the arguments that are before it: it is in no
// text, no placeholder and no value, which may be an object or a call itself. The arguments may be in one object.
func isParameter(before string) bool {
	before = strings.TrimPrefix(strings.TrimSpace(strings.TrimRight(before, "\"'`")), "{")
	count := func(sign string) int { return strings.Count(before, sign) }

	return count("{")+count("(") == count("}")+count(")") && count(`"`)%2 == 0 && count("<") <= count(">")
}

// inCall reads the parameter key of a finish.
func (s *keyScanner) inCall(end int) {
	sign := assigns.FindString(s.text[end:])
	if sign == "" {
		return
	}
	at := end + len(sign)
	if values, _ := s.list(at, orInCall, false); len(values) > 0 {
		s.add(inCall, values)
	} else if value, ok := s.bare(at); ok {
		s.add(bareInCall, []namedKey{value})
	}
}

// inJSON reads the member "key" of an object that finish is to be called with.
func (s *keyScanner) inJSON(last finish, start, end int) {
	sign := assigns.FindString(s.text[end:])
	if sign == "" || last.end == 0 || start < last.end || start-last.end > maxSentence ||
		!leadsToObject.MatchString(s.text[last.end:start]) || last.isOther(s.text) {
		return
	}
	values, _ := s.list(end+len(sign), orInCall, false)
	s.add(inJSON, values)
}

// leadsToObject is what is between finish and the first member of the object that holds its arguments.
var leadsToObject = regexp.MustCompile("(?i)^(?:[\\s`*\"',:.{(]|\\b(?:with|like|this|these|the|following|json|argument|arguments|args|parameters|" +
	"input|as|and|so|looks|e\\.g|for|example|name|function|tool|object)\\b)*\\{\\s*" +
	"(?:[\"']value[\"']\\s*:\\s*(?:\"[^\"\\n]*\"|'[^'\\n]*'|<[^<>\\n]*>|[^\\s\"'<{}\\[\\],]+)\\s*,\\s*)?[\"']$")

// titled is what is behind a title in quotes: the key "Sources" section.
var titled = regexp.MustCompile(`(?i)^\s+(?:section|heading|header|paragraph|part|chapter|phrase|term|word|column|field)s?\b`)

// inSentence reads the key behind the word key: with finish before it in its sentence it means a key of finish.
func (s *keyScanner) inSentence(last finish, start, end int) {
	values, quoted := s.valueBehind(end)
	if len(values) == 0 {
		return
	}
	from := s.sentenceStart(start)
	finished := from < last.end && last.end <= start
	if finished && last.isOther(s.text) {
		return
	}
	called := finished && s.leadsToKey(s.text[last.end:start], end) || quoted && s.throughFinish(values[len(values)-1].end)
	if called && finished {
		from = last.end
	}
	before := s.text[from:start]
	switch {
	case refusedKey.MatchString(before) || foreign.MatchString(before) || isOfValue(before):
	case called, quoted && ofFinish.MatchString(s.text[values[len(values)-1].end:]):
		s.add(inSentence, values)
	case quoted:
		s.add(alone, values)
	}
}

// leadsToKey reports whether what is between finish and the word key, which ends at an offset, makes it the key of finish.
func (s *keyScanner) leadsToKey(between string, end int) bool {
	if foreign.MatchString(between) {
		return false
	}

	return withKey.MatchString(between) || toKey.MatchString(between) && assigns.MatchString(s.text[end:])
}

// isOfValue reports whether what is before the word key or keys makes them those of a value.
func isOfValue(before string) bool {
	at := ofValue.FindStringSubmatchIndex(before)

	return at != nil && at[2] < 0
}

// valueBehind returns the keys behind the word key, which ends at an offset: in quotes, or one without.
func (s *keyScanner) valueBehind(end int) (values []namedKey, quoted bool) {
	sign := means.FindString(s.text[end:])
	if sign == "" {
		return nil, false
	}
	at := end + len(sign)
	if values, next := s.list(at, or, false); len(values) > 0 && !titled.MatchString(s.text[next:]) {
		return values, true
	}
	if values := s.bareList(at); len(values) > 1 {
		return values, false
	}
	if value, ok := s.bare(at); ok && (strings.ContainsAny(sign, "=:") || isName(value.key, s.text[value.end:])) {
		return []namedKey{value}, false
	}

	return nil, false
}

// inList reads the keys behind the word keys: in its sentence, or the items of the list below.
func (s *keyScanner) inList(start, end int) {
	values, _ := s.list(end+len(begins.FindString(s.text[end:])), or, false)
	if len(values) == 0 {
		values = s.items(end)
	}
	if len(values) == 0 {
		return
	}
	before := s.text[s.sentenceStart(start):start]
	if refusedKey.MatchString(before) || isOfValue(before) ||
		foreign.MatchString(before) && len(wordsAt(before, finishWord)) == 0 {
		return
	}
	s.addList(values)
}

// addList adds the keys of a list, which are named in the same way.
func (s *keyScanner) addList(values []namedKey) {
	s.lists++
	for i := range values {
		values[i].list = s.lists
	}
	s.add(inList, values)
}

// withFinish reads what finish is to be called with, if that is no more than a text in quotes.
func (s *keyScanner) withFinish(f finish) {
	sign := with.FindString(s.text[f.end:])
	if sign == "" || f.args < f.argsEnd {
		return
	}
	values, end := s.list(f.end+len(sign), orElse, false)
	if len(values) == 0 || f.isOther(s.text) {
		return
	}
	switch {
	case asKey.MatchString(s.text[end:]):
		s.add(inSentence, values)
	case !inValue.MatchString(s.text[end:]) && !ought.MatchString(s.text[max(0, f.start-refusedWithin):f.start]):
		s.add(withFinish, values)
	}
}

func (s *keyScanner) add(w way, values []namedKey) {
	if len(values) == 0 || isDenied(s.text[values[len(values)-1].end:]) {
		return
	}
	for _, value := range values {
		value.way = w
		if !placeholder(value.key) {
			s.found = append(s.found, value)
		}
	}
}

// kin is the same for keys that are named in the same way.
func (k namedKey) kin() any {
	switch {
	case k.whole != "":
		return k.whole
	case k.way == inList:
		return k.list
	}

	return k.way
}

// finish is the word finish in a prompt, with the arguments in brackets behind it.
type finish struct {
	start, end int
	// args is where its arguments begin, past the bracket, and argsEnd where they end; 0 if it has none.
	args, argsEnd int
}

// isOther reports whether the prompt does not ask the model to call finish so.
func (f finish) isOther(prompt string) bool {
	before := prompt[max(0, f.start-refusedWithin):f.start]

	return isRefused(before) || others.MatchString(clauseEnd(before)) || isDenied(prompt[f.end:])
}

// maxArgs bounds the arguments of a call, and maxSentence what of a sentence is looked at before and behind a word, in bytes.
const (
	maxArgs     = 600
	maxSentence = 300
)

func finishesIn(prompt string) []finish {
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

// argsLength returns how long the arguments of a call are whose text begins behind the bracket.
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
			if depth--; depth == 0 {
				return i
			}
		}
	}

	return min(len(text), maxArgs)
}
