package rt

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// mostProse bounds the letters and digits outside of the calls in a text that is a call. Marks,
	// fences and arguments do not count.
	mostProse = 40
	// mostTries bounds the brackets and tags of a text behind which a call is looked for.
	mostTries = 100
)

// callScan reads a text from its beginning and finds the calls of offered tools that are written in
// it, in any format: what counts is that the name of a tool is followed by a bracket, a quotation
// mark or the end of the line, and that there is little else.
type callScan struct {
	text string
	at   int
	// offers reports whether a word is the name of a tool that is offered.
	offers func(word string) bool
	// hasCallForm reports whether a JSON value has the form of a call.
	hasCallForm func(value *JSON) bool

	// found reports whether there is a call, and quoted that all calls so far are in code that the
	// text may only show.
	found, quoted bool
	// structured reports whether the last call was JSON or a tag.
	structured bool
	// prose counts letters and digits, outside those of them that are in no code, and behind those
	// of outside after the last call.
	prose, outside, behind int
	// tries counts the brackets that may begin JSON, and the tags that begin a call.
	tries int
	// block reports whether the scan is in a fenced block, fenced that the block is code, and
	// inline that it is in code within a line.
	block, fenced, inline bool
	// announced reports whether the text announces what the model is about to do.
	announced bool
	// word is the last word of the line before the scan; apart reports whether more than quotes and
	// spaces is between them.
	word  string
	apart bool
	// tag is the name of the last tag that begins a call.
	tag string
}

// scanCalls reads the text as far as it can be a call.
func (s *callScan) scanCalls() {
	for s.at < len(s.text) && !s.isTooLong() {
		s.readNext()
	}
}

func (s *callScan) isTooLong() bool { return s.prose > mostProse || s.tries > mostTries }

// isCall reports whether the text is a call with little text around it. Code within a text is a
// call only where the text announces it and ends with it, or if it is JSON or a tag at the end.
func (s *callScan) isCall() bool {
	switch {
	case s.isTooLong():
		return false
	case !s.quoted || s.outside == 0:
		return s.found
	}

	return s.behind == 0 && (s.announced || s.structured)
}

// readNext reads a fence, a mark, a JSON value, a word or one other character.
func (s *callScan) readNext() {
	rest := s.text[s.at:]
	if s.at == 0 || s.text[s.at-1] == '\n' {
		s.word, s.apart, s.inline = "", false, false
		if line, _, _ := strings.Cut(rest, "\n"); isFence(line) {
			s.readFence(line)

			return
		}
	}
	if end := markEnd(rest); end > 0 {
		s.readMark(rest[:end])

		return
	}
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '{' || r == '[':
		s.readBracket()
	case isWordRune(r):
		s.readWord()
	case r == '`':
		s.inline = !s.inline
		s.at += size
	default:
		s.apart = s.apart || !unicode.IsSpace(r) && !strings.ContainsRune(`"'*`, r)
		s.at += size
	}
}

// readFence reads a line that begins or ends a fenced block. A block whose language is named after
// calls shows nothing: it is a call.
func (s *callScan) readFence(line string) {
	s.block = !s.block
	s.fenced = s.block && !namesCall(line)
	s.at += len(line)
}

// readMark reads a tag or another mark of a format. One that names a tool is a call, with what is
// in it.
func (s *callScan) readMark(mark string) {
	s.at += len(mark)
	s.word, s.apart = "", true
	name, inside, closes := splitMark(mark)
	if namesCall(name) {
		s.word = callWord
	}
	isCallOfTool := namesCall(name) && s.namesTool(inside)
	switch {
	case closes:
	case isCallOfTool, s.offers(name) && (s.beginsArguments(mark) || s.isWholeElement(name)):
		s.tries++
		s.noteCall(true)
		s.skipElement(name)
	case namesCall(name):
		s.tag = name
	}
}

// namesTool reports whether one of the words of a tag, behind its name, is the name of a tool.
func (s *callScan) namesTool(inside string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(inside, func(r rune) bool { return !isWordRune(r) }), s.isTool)
}

// beginsArguments reports whether a tag that is named like a tool has arguments, or nothing, behind
// it: an answer may have such a tag around its text.
func (s *callScan) beginsArguments(tag string) bool {
	rest := strings.TrimSpace(s.text[s.at:])

	return strings.HasSuffix(tag, "/>") || strings.HasPrefix(rest, "<") || strings.HasPrefix(rest, "{")
}

// isWholeElement reports whether the tag before the scan, of a tool whose name can be no word of an
// answer, has all of the text in it: <finish>42</finish>.
func (s *callScan) isWholeElement(name string) bool {
	rest := strings.TrimRight(s.text[s.at:], " \t\r\n`")

	return s.prose == 0 && isUnlikeWord(name) && strings.HasSuffix(rest, "</"+name+">")
}

// skipElement goes on behind the end of a tag, if there is one.
func (s *callScan) skipElement(name string) {
	if name == "" {
		return
	}
	rest := s.text[s.at:]
	if end := strings.LastIndex(rest, "</"+name+">"); end >= 0 {
		s.at += end + len("</>") + len(name)
	}
}

// readBracket reads a JSON value. It is a call, the arguments of a call before it, or else prose.
func (s *callScan) readBracket() {
	s.tries++
	rest := s.text[s.at:]
	raw := firstJSON(rest)
	if raw == "" {
		s.apart = true
		s.at++

		return
	}
	s.at += len(raw)
	value, err := parseValue(raw)
	switch {
	case err == nil && s.hasCallForm(value):
		s.noteCall(true)
	case s.found && raw[0] == '{':
	default:
		s.addProse(raw)
	}
	s.word, s.apart = "", true
}

// readWord reads a word. It is a call if it is the name of a tool and its neighbours belong to a
// call.
func (s *callScan) readWord() {
	rest := s.text[s.at:]
	end := strings.IndexFunc(rest, func(r rune) bool { return !isWordRune(r) })
	if end < 0 {
		end = len(rest)
	}
	word := strings.TrimRight(rest[:end], ".-")
	if word == "" {
		s.at += end
		s.apart = true

		return
	}
	if s.isTool(word) {
		length := s.callLength(word, rest[len(word):])
		if length >= 0 {
			s.at += len(word) + length
			s.noteCall(false)
			s.skipElement(s.tag)
			s.tag = ""

			return
		}
	}
	s.at += len(word)
	s.addProse(word)
	s.word, s.apart = strings.ToLower(word), false
	if !s.fenced && !s.inline && slices.Contains(announcing, s.word) {
		s.announced = true
	}
}

// isTool reports whether a word is the name of a tool, with or without a namespace for tools.
func (s *callScan) isTool(word string) bool {
	if dot := strings.LastIndexByte(word, '.'); dot >= 0 && (namesCall(word[:dot]) || word[:dot] == "default_api") {
		word = word[dot+1:]
	}

	return s.offers(word)
}

// callLength is the length of what is behind the name of a tool and part of its call; -1 if the
// name is only mentioned.
func (s *callScan) callLength(word, rest string) int {
	marks := marksLength(rest)
	if isUnlikeWord(word) {
		marks += arrowBeforeObject(rest[marks:])
	}
	arguments := argumentsLength(rest[marks:])
	isApart := strings.ContainsAny(rest[:marks], " \t\r\n")
	switch {
	case arguments < 0, isApart && rest[marks] != '{':
		return s.bareLength(word, rest)
	case !s.canBegin() || goesOnAsProse(rest[marks+arguments:]):
		return -1
	}

	return marks + arguments
}

// canBegin reports whether a call with arguments can begin here: at the beginning of a line or a
// sentence, behind a mark or a sign, a word that speaks of calls, or an announcement.
func (s *callScan) canBegin() bool {
	if s.word == "" || s.apart || s.announced {
		return true
	}

	return slices.Contains(callWords, s.word) || s.isStatement()
}

// isStatement reports whether the text so far is the beginning of a statement of a program, such as
// await.
func (s *callScan) isStatement() bool {
	for _, word := range strings.Fields(s.text[:s.at]) {
		if word != "await" && word != "return" {
			return false
		}
	}

	return true
}

// bareLength is the length of what is behind a name that has no arguments; -1 if the name is only
// mentioned. It is a call where a member of JSON that cannot be read ends, or the line: behind a
// word that speaks of calls, in a block of calls, or where there is nothing but a name that can be
// no word of an answer.
func (s *callScan) bareLength(word, rest string) int {
	if s.endsMember(rest) {
		return len(rest)
	}
	line, _, _ := strings.Cut(rest, "\n")
	if marksLength(line) < len(line) {
		return -1
	}
	isAlone := s.prose == 0 && !strings.Contains(s.text[:s.at], "<") && !strings.ContainsFunc(rest, isProse)
	isCallBlock := s.block && !s.fenced
	if isAlone && (isCallBlock || hasNameForm(word)) || slices.Contains(callWords, s.word) {
		return len(line)
	}

	return -1
}

// endsMember reports whether the name of a tool is the text of a member of JSON that names the tool
// of a call.
func (s *callScan) endsMember(rest string) bool {
	isText := strings.HasSuffix(s.text[:s.at], `"`) && strings.HasPrefix(rest, `"`)

	return s.tries > 0 && s.apart && isText && slices.Contains(nameKeys, s.word)
}

// noteCall notes a call that ends before the scan.
func (s *callScan) noteCall(structured bool) {
	shown := s.fenced || s.inline
	s.quoted = shown && (s.quoted || !s.found)
	s.structured = structured && !s.inline
	s.found, s.behind = true, 0
	s.word, s.apart = "", true
}

func (s *callScan) addProse(text string) {
	count := 0
	for _, r := range text {
		if isProse(r) {
			count++
		}
	}
	s.prose += count
	if !s.fenced && !s.inline {
		s.outside += count
		s.behind += count
	}
}
