package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// namedKey is a place in a prompt that names a key to finish with: the key, in bytes of the prompt.
type namedKey struct {
	start, end int
	key        string
	// whole is what the key stands in, if that is more than one, as in key="x|y".
	whole string
	way   way
	// list numbers the list that the key stands in, if way is inList.
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

// namedKeys returns the keys to finish with that a prompt names, in the order in which they stand there. Keys that it tells
// the model not to use, placeholders and keys of other things are none.
func namedKeys(prompt string) []namedKey {
	s := &keyScanner{text: prompt, finishes: finishesIn(prompt)}
	for _, f := range s.finishes {
		s.withFinish(f)
	}
	for _, at := range wordsOf(prompt, "key", "s") {
		s.keyAt(at[0], at[1])
	}
	slices.SortStableFunc(s.found, func(a, b namedKey) int { return a.start - b.start })

	return slices.CompactFunc(s.found, func(a, b namedKey) bool { return a.start == b.start })
}

// The patterns are matched against what stands before or behind a word, never against a whole prompt.
var (
	// opensCall is what stands between the word finish and its arguments.
	opensCall = regexp.MustCompile("^[`*]*\\(")
	// others is what stands before a finish that is not the model's own: "the editor calls", "it may", "the workers", "for it to".
	others = regexp.MustCompile("(?i)(?:\\bcall(?:s|ed)|(?:^|[^u\\s])\\s+(?:will|would|can|could|may|might|did|does)(?:\\s+call)?|" +
		"\\b(?:the|all|both|other|most|some|those|these)\\s+\\w+s|\\bfor\\s[^.,;:]{0,30}\\sto)\\s+[`*]*$")
	// avoided is what stands before a finish that another one is better than.
	avoided = regexp.MustCompile("(?i)\\b(?:instead of|rather than|avoid)(?:\\s+calling)?\\s+[`*]*$")
	// means is what stands between the word key and its value.
	means = regexp.MustCompile("(?i)^(?:[\"'`]?\\s*[=:]\\s*|\\s+(?:is|being|must be|should be|set to|called|named)\\s+|\\s+)")
	// assigns is the same where only a parameter can stand.
	assigns = regexp.MustCompile("^[\"'`]?\\s*[=:]\\s*")
	// begins is what stands between the word keys and the first of a list.
	begins = regexp.MustCompile(`(?i)^(?:\s+(?:are|is|below|here|to choose from|for finish|you may use|you can use))?\s*[:(=]?\s*(?:either\s+|one of\s+)?`)
	// with is what stands between the word finish and something that may be a key.
	with = regexp.MustCompile("(?i)^[`*'\")]*\\s+(?:with|as|using)\\s+(?:(?:either|one of)\\s+)?(?:the following\\s+)?:?\\s*")
	// withKey is what stands behind the word finish where the key that follows in its sentence is that of the call.
	withKey = regexp.MustCompile("(?i)^[`*'\"]*(?:,?\\s+(?:tool\\s+)?(?:once\\s+)?(?:with|using|under|and|by)\\b|\\s*[(:—-])")
	// asKey is what stands behind something that is a key then.
	asKey = regexp.MustCompile(`(?i)^\s+as\s+(?:the\s+|its\s+|your\s+)?key\b`)
	// or is what stands between two keys of a list.
	or = regexp.MustCompile(`(?i)^\s*(?:,?\s*\b(?:or|and)\b|[,/|])\s*`)
	// orInCall is the same in a call, where a comma begins the next argument.
	orInCall = regexp.MustCompile(`(?i)^\s*(?:\bor\b|[/|])\s*`)
	// refusedKey is what stands before a key that the prompt tells the model not to use.
	refusedKey = regexp.MustCompile(`(?i)(?:\b(?:not|never|no|without)|n['’]t)\b[^,;:.]{0,24}$`)
	// foreign are words before a key of something else.
	foreign = regexp.MustCompile(`(?i)\b(?:memory|memories|mem|stor(?:e|es|ed|ing|age)|stash|sav(?:e|es|ed|ing)|reads?|reading|` +
		`writ(?:e|es|ing|ten)|sets?|setting|gets?|getting|fetch|look(?:s|ing)?(?: up)?|lookup|append|entry|entries|` +
		`json|yaml|toml|csv|objects?|dict|dictionary|maps?|mapping|fields?|propert(?:y|ies)|attributes?|` +
		`api|env|environment|config|configuration|settings?|secret|access|primary|foreign|public|private|cache|redis|bucket|` +
		`tables?|columns?|rows?|database|db|index|records?|headers?|query|param|params|parameters?|` +
		`press|hit|tap|keyboard|music|musical|major|minor|encryption|license|sort|partition|hash|translation|session)\b|\w_\w*\(?`)
)

// finish is the word finish in a prompt, with the arguments in brackets behind it.
type finish struct {
	start, end int
	// args is where its arguments begin, past the bracket, and argsEnd where they end; 0 if it has none.
	args, argsEnd int
}

// isOther reports whether the prompt does not tell the model to call finish so.
func (f finish) isOther(prompt string) bool {
	before := prompt[max(0, f.start-refusedWithin):f.start]

	return refused.MatchString(before) || others.MatchString(before) || avoided.MatchString(before)
}

// maxArgs bounds the arguments of a call, and maxSentence what of a sentence is looked at before and behind a word, in bytes.
const (
	maxArgs     = 600
	maxSentence = 300
)

func finishesIn(prompt string) []finish {
	var found []finish
	for _, at := range wordsOf(prompt, "finish", "ing") {
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

// wordsOf returns where a word stands in a text, in any case, also with the ending, but not as a part of a compound.
func wordsOf(text, word, ending string) [][2]int {
	var found [][2]int
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 != word[0] || !strings.EqualFold(text[i:i+len(word)], word) || i > 0 && isWordByte(text[i-1]) {
			continue
		}
		end := i + len(word)
		if longer := end + len(ending); longer <= len(text) && strings.EqualFold(text[end:longer], ending) {
			end = longer
		}
		if (end == len(text) || !isWordByte(text[end])) && !partOfWord(text, i, end) {
			found = append(found, [2]int{i, end})
		}
	}

	return found
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// partOfWord reports whether what stands from start to end is a part of a compound, as in on-finish, api_key or race.finish.
func partOfWord(text string, start, end int) bool {
	return start > 0 && strings.IndexByte("-_.$", text[start-1]) >= 0 ||
		end < len(text) && strings.IndexByte("-_", text[end]) >= 0
}

type keyScanner struct {
	text     string
	finishes []finish
	found    []namedKey
	lists    int
	// finished is how many of the finishes stand before the place that is looked at.
	finished int
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

// isParameter reports whether a word can be the name of a parameter behind the arguments that stand before it: it is in no
// text and no placeholder.
func isParameter(before string) bool {
	before = strings.TrimRight(before, "\"'`")

	return strings.Count(before, `"`)%2 == 0 && strings.Count(before, "<") <= strings.Count(before, ">")
}

// inCall reads the parameter key of a finish.
func (s *keyScanner) inCall(end int) {
	sign := assigns.FindString(s.text[end:])
	if sign == "" {
		return
	}
	at := end + len(sign)
	if values, _ := s.quoted(at, orInCall); len(values) > 0 {
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
	values, _ := s.quoted(end+len(sign), orInCall)
	s.add(inJSON, values)
}

// leadsToObject is what stands between finish and the first member of the object that holds its arguments.
var leadsToObject = regexp.MustCompile("(?i)^(?:[\\s`*\"',:.{(]|\\b(?:with|like|this|these|the|following|json|argument|arguments|args|parameters|" +
	"input|as|and|so|looks|e\\.g|for|example|name|function|tool|object)\\b)*\\{\\s*[\"']$")

// titled is what stands behind a title in quotes: the key "Sources" section.
var titled = regexp.MustCompile(`(?i)^\s+(?:sections?|headings?|headers?|paragraphs?|parts?|chapters?|phrases?|terms?|words?|columns?|fields?)\b`)

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
	called := finished && withKey.MatchString(s.text[last.end:]) && !foreign.MatchString(s.text[last.end:start])
	if called {
		from = last.end
	}
	before := s.text[from:start]
	switch {
	case refusedKey.MatchString(before) || foreign.MatchString(before):
	case called:
		s.add(inSentence, values)
	case quoted:
		s.add(alone, values)
	}
}

// valueBehind returns the keys behind the word key, which ends at an offset: in quotes, or one without.
func (s *keyScanner) valueBehind(end int) (values []namedKey, quoted bool) {
	sign := means.FindString(s.text[end:])
	if sign == "" {
		return nil, false
	}
	at := end + len(sign)
	if values, next := s.quoted(at, or); len(values) > 0 && !titled.MatchString(s.text[next:]) {
		return values, true
	}
	if value, ok := s.bare(at); ok && (strings.ContainsAny(sign, "=:") || isName(value.key, s.text[value.end:])) {
		return []namedKey{value}, false
	}

	return nil, false
}

// inList reads the keys behind the word keys: in its sentence, or the items of the list below.
func (s *keyScanner) inList(start, end int) {
	values, _ := s.quoted(end+len(begins.FindString(s.text[end:])), or)
	if len(values) == 0 {
		values = s.items(end)
	}
	if len(values) == 0 {
		return
	}
	before := s.text[s.sentenceStart(start):start]
	if refusedKey.MatchString(before) || foreign.MatchString(before) && len(wordsOf(before, "finish", "ing")) == 0 {
		return
	}
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
	values, end := s.quoted(f.end+len(sign), or)
	if len(values) == 0 || f.isOther(s.text) {
		return
	}
	if asKey.MatchString(s.text[end:]) {
		s.add(inSentence, values)
	} else {
		s.add(withFinish, values)
	}
}

func (s *keyScanner) add(w way, values []namedKey) {
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

// holdsKey reports whether a prompt has the key as a word of its own, in any case.
func holdsKey(prompt, key string) bool {
	return holdsName([]byte(strings.ToLower(prompt)), strings.ToLower(strings.TrimSpace(key)))
}

// mentionsFinish reports whether a prompt has the word finish, or a word that begins with it.
func mentionsFinish(prompt string) bool { return mentions(prompt, "finish") }

// mentions reports whether a word of the text begins with the key. Signs between the words of a key make no difference, nor
// does case.
func mentions(text, key string) bool {
	words, key := plainWords(text), strings.TrimRight(plainWords(key), " ")

	return strings.Contains(" "+words, " "+strings.TrimLeft(key, " "))
}

// plainWords returns the words of a text in lower case with a space between them.
func plainWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}
