package remote

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark is a mark of a model's format in a text.
type mark struct {
	kind markKind
	text string
	// end is the mark that ends what this one begins.
	end string
}

type markKind int

const (
	noMark markKind = iota
	// beginMark and closeMark are around thoughts.
	beginMark
	closeMark
	// wrapMark begins the answer behind thoughts, and lastMark ends a text.
	wrapMark
	lastMark
	// strikeMark is <s>, of which </s> may be the end.
	strikeMark
)

// fixedMarks are marks that are known as a whole.
var fixedMarks = map[string]markKind{
	"<|begin_of_solution|>": wrapMark, "<|end_of_solution|>": lastMark,
	"<|im_end|>": lastMark, "</s>": lastMark, "<s>": strikeMark, "<|eot_id|>": lastMark, "<|eom_id|>": lastMark,
	"<|endoftext|>": lastMark, "<|end_of_text|>": lastMark, "<|end|>": lastMark, "<|return|>": lastMark, "<eos>": lastMark,
	"<|eos|>": lastMark, "<end_of_turn>": lastMark, "<|END_OF_TURN_TOKEN|>": lastMark, "<｜end▁of▁sentence｜>": lastMark,
}

var (
	// ordinaryWords are names of marks around thoughts that an answer may have as elements, too.
	ordinaryWords = []string{"thought", "thoughts", "reasoning", "reflection"}
	// thoughtWords end the names of the marks around thoughts: think, seed:think, begin_of_thought.
	thoughtWords = append([]string{"think", "thinking"}, ordinaryWords...)
)

// finalChannel ends what the harmony format has before an answer: thoughts in other channels.
const finalChannel = "final<|message|>"

// isChannel reports whether a mark begins a text in the harmony format.
func (m mark) isChannel() bool { return m.end == finalChannel }

// hasCall reports whether what a mark has begun calls a tool in the harmony format.
func (m mark) hasCall(inside []byte) bool {
	return m.isChannel() && bytes.Contains(inside, []byte("<|call|>"))
}

// isOrdinary reports whether a mark is an ordinary word, which an answer may have as an element.
func (m mark) isOrdinary() bool {
	name := strings.ToLower(strings.Trim(m.text, "</>"))

	return strings.HasPrefix(m.text, "<") && slices.Contains(ordinaryWords, name)
}

// matchMark returns the mark with which a text begins; isPart reports whether the text may be the
// beginning of one.
func matchMark(text []byte) (m mark, isPart bool) {
	const longest = 48
	begin, end := "<", ">"
	switch {
	case text[0] == '[':
		begin, end = "[", "]"
	case bytes.HasPrefix(text, []byte("◁")):
		begin, end = "◁", "▷"
	case text[0] != '<':
		return mark{}, false
	}
	rest := text[len(begin):min(len(text), longest)]
	length := bytes.Index(rest, []byte(end))
	isOpen := length < 0 && len(text) < longest
	name := rest
	if length >= 0 {
		name = rest[:length]
	}
	if bytes.ContainsFunc(name, func(r rune) bool { return !isMarkRune(r, begin) }) {
		return mark{}, false
	}
	if length < 0 {
		return mark{}, isOpen
	}

	return markOf(begin, string(name), end), false
}

// isMarkRune reports whether a character can be in a mark that begins so.
func isMarkRune(r rune, begin string) bool {
	if begin == "[" {
		return r == '/' || r >= 'A' && r <= 'Z'
	}

	return r == utf8.RuneError || unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/|_:-.｜▁", r)
}

// markOf is the mark of a name.
func markOf(begin, name, end string) mark {
	text := begin + name + end
	kind := fixedMarks[text]
	if kind != noMark {
		return mark{kind: kind, text: text}
	}
	if text == "<|channel|>" || text == "<|start|>" {
		return mark{kind: beginMark, text: text, end: finalChannel}
	}
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) })
	if len(words) == 0 || strings.HasSuffix(name, "/") {
		return mark{}
	}
	last := words[len(words)-1]
	switch {
	case !slices.Contains(thoughtWords, last) && !strings.HasSuffix(last, "thinking"):
		return mark{}
	case strings.HasPrefix(strings.TrimLeft(name, "|｜"), "/"), words[0] == "end":
		return mark{kind: closeMark, text: text}
	case words[0] == "begin":
		return mark{kind: beginMark, text: text, end: strings.Replace(text, "begin", "end", 1)}
	}
	bars := name[:len(name)-len(strings.TrimLeft(name, "|｜"))]

	return mark{kind: beginMark, text: text, end: begin + bars + "/" + name[len(bars):] + end}
}

// codeState tracks whether a text that is read is in code, or in JSON that it begins with.
type codeState struct {
	isBegun bool
	// isBlank reports whether the line has nothing but space so far.
	isBlank bool
	// fence and inline count the backticks that have begun code.
	fence, inline int
	// depth counts the brackets of JSON that are open, in a string or not.
	depth              int
	inString, isEscape bool
}

func (c *codeState) isCode() bool { return c.fence > 0 || c.inline > 0 || c.depth > 0 }

// passPlain reads what is part of a line, or ends one.
func (c *codeState) passPlain(text []byte) {
	line := text[bytes.LastIndexByte(text, '\n')+1:]
	if len(line) < len(text) {
		c.inline, c.isBlank = 0, true
	}
	c.isBlank = c.isBlank && len(bytes.TrimSpace(line)) == 0
}

// read reads a character, a mark, space, or a run of backticks.
func (c *codeState) read(text []byte) {
	if !c.isBegun {
		c.isBlank = true
	}
	c.passJSON(text)
	isSpace := len(bytes.TrimSpace(text)) == 0
	c.isBegun = c.isBegun || !isSpace
	if text[0] == '`' && c.depth == 0 {
		c.passBackticks(len(text))
	}
}

// passBackticks begins or ends code: at the beginning of a line three backticks or more are a fence.
func (c *codeState) passBackticks(count int) {
	switch {
	case c.fence > 0 && c.isBlank && count >= c.fence:
		c.fence = 0
	case c.fence > 0:
	case c.isBlank && count >= 3:
		c.fence = count
	case c.inline == 0:
		c.inline = count
	case c.inline == count:
		c.inline = 0
	}
}

// passJSON counts the brackets of JSON that a text begins with.
func (c *codeState) passJSON(text []byte) {
	if len(text) != 1 || c.isBegun && c.depth == 0 {
		return
	}
	isEscaped := c.isEscape
	c.isEscape = false
	switch b := text[0]; {
	case isEscaped:
	case b == '\\':
		c.isEscape = c.inString
	case b == '"':
		c.inString = c.depth > 0 && !c.inString
	case c.inString:
	case b == '{' || b == '[':
		c.depth++
	case (b == '}' || b == ']') && c.depth > 0:
		c.depth--
	}
}

func isQuote(r rune) bool { return strings.ContainsRune("'\"`“‘«„", r) && r != 0 }
