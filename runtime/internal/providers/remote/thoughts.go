package remote

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Thoughts takes the thoughts out of a text that comes in parts: blocks such as <think>…</think>, of
// any family of models, wherever they are, and marks such as <|im_end|> at its end. A block whose name
// is an ordinary word, such as <reasoning>, is one where it begins the text, or a line outside of all
// elements. A block that does not end is one if it begins a line. In code, and behind a quotation mark, a mark is
// text. Templates of some models put the first mark into the prompt, so that a text begins within its
// thoughts: where Inside is set, all is held until the mark that ends them, or until the end. The zero
// value is ready.
type Thoughts struct {
	// Inside reports whether the text may begin within thoughts.
	Inside bool
	// Some reports whether there were thoughts.
	Some bool

	// held is what is not decided yet, and seen how much of it has no end of the block that has begun.
	held []byte
	seen int
	// waits reports whether the text is held until a mark ends the thoughts that it may begin with.
	waits bool
	// out is what is text of the part that is read now, emitted the length of all that was text.
	out     []byte
	emitted int
	// tail is what is text only if something follows: space before the text, or marks that end it.
	tail []byte
	// begun reports whether there was text, and closed whether a block or a mark was last.
	begun, closed bool
	// block is the mark that has begun a block; its text is "" outside of one. sure reports whether
	// it is one even if it does not end.
	block mark
	sure  bool
	// trims reports whether space is left out, because a block was there.
	trims bool
	// last is the last character of the text.
	last rune
	// elements counts the elements that are open in the text, and kept those of them that are named as
	// thoughts are.
	elements, kept int
	code           codeState
	// struck reports whether the text has <s>, so that </s> belongs to it.
	struck bool
	// headEnd is where the text ends that was before the first mark that ends thoughts which nothing
	// has begun; 0 without one.
	headEnd int
}

// mostSpace bounds the white space before a text that is held.
const mostSpace = 1 << 10

// Part returns what is text after one more part.
func (t *Thoughts) Part(text string) string {
	if len(t.held) == 0 && t.isPlain() && plainLength([]byte(text)) == len(text) {
		t.passPlain([]byte(text))

		return text
	}
	t.held = append(t.held, text...)
	if t.waits && !strings.ContainsAny(text, ">]▷") {
		return ""
	}

	return t.read(false)
}

// Rest returns what is still held at the end, and is text.
func (t *Thoughts) Rest() string {
	text := t.read(true)
	switch { // a mark may be the end of the text
	case t.block.text == "":
	case t.sure:
		t.closeBlock()
	default:
		text += t.block.text
	}
	isSpace := len(bytes.TrimSpace(t.tail)) == 0
	if isSpace && !t.Some {
		text += string(t.tail)
	}
	t.tail = nil

	return text
}

// isPlain reports whether text follows that need not be looked at, up to the next mark or backtick.
func (t *Thoughts) isPlain() bool {
	isOpen := len(t.tail) > 0 || t.block.text != "" || t.code.depth > 0

	return !isOpen && t.begun && !t.trims
}

// plainLength is the length of what is before the next character that may begin a mark or code, in
// whole characters.
func plainLength(text []byte) int {
	const mayBegin = "<[`\xe2" // the last one is the first byte of ◁
	length := 0
	for length < len(text) && strings.IndexByte(mayBegin, text[length]) < 0 {
		length++
	}
	for length > 0 && text[length-1] >= utf8.RuneSelf {
		length-- // what may not be whole, or no character at all
	}

	return length
}

// passPlain notes what of plain text matters for what follows.
func (t *Thoughts) passPlain(text []byte) {
	t.last, _ = utf8.DecodeLastRune(text)
	t.code.passPlain(text)
	t.emitted += len(text)
	t.closed = false
}

// read reads what is held as far as it is decided; isEnd reports whether nothing follows.
func (t *Thoughts) read(isEnd bool) string {
	if t.Inside && !t.leaveHead(isEnd) {
		return ""
	}
	at := 0
	for at < len(t.held) {
		length := t.readNext(t.held[at:], isEnd)
		if length < 0 {
			break
		}
		at += length
	}
	if at > 0 {
		t.held = append(t.held[:0], t.held[at:]...)
	}
	text := string(t.out)
	t.out = t.out[:0]

	return text
}

// leaveHead drops the thoughts within which the text begins, and blocks before them. It reports
// whether the rest can be read.
func (t *Thoughts) leaveHead(isEnd bool) bool {
	for {
		length := firstBlock(t.held)
		if length == 0 {
			break
		}
		t.held, t.Some, t.trims = t.held[length:], true, true
	}
	text := trimSpace(t.held)
	end, isDecided := headEnd(text)
	isWaiting := !isDecided || len(text) > 0 && isOpenBlock(text)
	t.waits = isWaiting && !isEnd && len(text) > 0
	if isWaiting && !isEnd {
		return false
	}
	t.Inside = false
	if end > 0 {
		t.held, t.Some, t.trims = text[end:], true, true
	}

	return true
}

// firstBlock is the length of the whole block with which a text begins, and the space before it; 0
// without one.
func firstBlock(text []byte) int {
	begin := trimSpace(text)
	if len(begin) == 0 {
		return 0
	}
	m, _ := matchMark(begin)
	if m.kind != beginMark {
		return 0
	}
	end := bytes.Index(begin[len(m.text):], []byte(m.end))
	if end < 0 || m.hasCall(begin[:len(m.text)+end]) {
		return 0
	}

	return len(text) - len(begin) + len(m.text) + end + len(m.end)
}

// isOpenBlock reports whether a text begins with a block that has not ended, or may begin with one.
func isOpenBlock(text []byte) bool {
	m, isPart := matchMark(text)

	return isPart || m.kind == beginMark
}

// readNext reads what a text begins with and returns its length; -1 if more of the text has to come.
func (t *Thoughts) readNext(text []byte, isEnd bool) int {
	if t.block.text != "" {
		return t.readThought(text, isEnd)
	}
	if t.isPlain() {
		length := plainLength(text)
		if length > 0 {
			t.passPlain(text[:length])
			t.out = append(t.out, text[:length]...)

			return length
		}
	}
	if !isEnd && !utf8.FullRune(text) {
		return -1
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case t.trims && unicode.IsSpace(r):
		return size
	case r == '`':
		return t.readBackticks(text, isEnd)
	}
	if !t.code.isCode() && !isQuote(t.last) {
		m, isPart := matchMark(text)
		if isPart && !isEnd {
			return -1
		}
		if m.kind != noMark {
			t.readMark(m)

			return len(m.text)
		}
		t.countElement(text)
	}
	t.emit(text[:size])

	return size
}

// countElement counts the element that begins, or ends, where a text begins.
func (t *Thoughts) countElement(text []byte) {
	if text[0] != '<' || len(text) < 2 {
		return
	}
	switch {
	case text[1] == '/':
		t.elements = max(0, t.elements-1)
	case unicode.IsLetter(rune(text[1])):
		t.elements++
	}
}

// isElement reports whether a mark is an element of the answer.
func (t *Thoughts) isElement(m mark) bool {
	isOutside := t.code.isBlank && t.elements == 0 && t.kept == 0
	switch {
	case !t.begun:
		return false
	case m.isChannel():
		return true
	case m.kind == closeMark && t.kept > 0:
		return m.isOrdinary()
	}

	return m.isOrdinary() && !isOutside
}

// keepElement passes on a mark that is an element of the answer.
func (t *Thoughts) keepElement(m mark) {
	switch {
	case m.kind == closeMark:
		t.kept = max(0, t.kept-1)
	case !m.isChannel():
		t.kept++
	}
	t.emit([]byte(m.text))
}

// readThought drops what is within a block.
func (t *Thoughts) readThought(text []byte, isEnd bool) int {
	from := min(max(0, t.seen-len(t.block.end)), len(text))
	at := bytes.Index(text[from:], []byte(t.block.end))
	t.seen = len(text)
	switch {
	case at >= 0 && t.block.hasCall(text[:from+at]):
		// what calls a tool is kept, to be recognized as that
	case at >= 0:
		length := from + at + len(t.block.end)
		t.closeBlock()

		return length
	case !isEnd:
		return -1
	case t.sure:
		t.closeBlock()

		return len(text)
	}
	begin := t.block.text
	t.block, t.seen = mark{}, 0
	t.emit([]byte(begin))

	return 0
}

// closeBlock notes that a block has ended. The space behind it is left out if there is space, or
// nothing, before it.
func (t *Thoughts) closeBlock() {
	t.block, t.seen = mark{}, 0
	t.Some, t.closed = true, true
	t.trims = !t.begun || unicode.IsSpace(t.last)
	if !t.begun {
		t.tail = t.tail[:0]
	}
}

// readBackticks reads the marks around code.
func (t *Thoughts) readBackticks(text []byte, isEnd bool) int {
	count := len(text) - len(bytes.TrimLeft(text, "`"))
	if count == len(text) && !isEnd {
		return -1
	}
	t.emit(text[:count])

	return count
}

// readMark does what a mark means.
func (t *Thoughts) readMark(m mark) {
	switch {
	case t.isElement(m):
		t.keepElement(m)
	case m.kind == beginMark:
		t.block, t.seen = m, 0
		t.sure = (!t.begun || t.code.isBlank) && !m.isChannel()
	case m.kind == lastMark && !(m.text == "</s>" && t.struck):
		t.tail = append(t.tail, m.text...)
		t.closed = true
	case (m.kind == closeMark || m.kind == wrapMark) && !t.begun:
		t.Some = t.Some || m.kind == closeMark
		t.tail, t.trims, t.closed = t.tail[:0], true, true
	default:
		t.struck = t.struck || m.text == "<s>"
		t.emit([]byte(m.text))
		if m.kind == closeMark && t.headEnd == 0 {
			t.headEnd = t.emitted
		}
	}
}

// emit passes a character, or a mark, on as text. Space is held before the text and behind marks that
// may end it.
func (t *Thoughts) emit(text []byte) {
	isSpace := len(bytes.TrimSpace(text)) == 0
	if isSpace && (len(t.tail) > 0 || !t.begun) && len(t.tail) < mostSpace {
		t.tail = append(t.tail, text...)

		return
	}
	if len(t.tail) > 0 {
		tail := t.tail
		t.tail = nil
		if !(t.Some && !t.begun) {
			t.pass(tail)
		}
	}
	t.trims, t.begun, t.closed = false, true, false
	t.pass(text)
}

func (t *Thoughts) pass(text []byte) {
	t.code.read(text)
	t.passPlain(text)
	t.out = append(t.out, text...)
}

// headEnd is where the thoughts end that a text begins within: behind the first mark that ends
// thoughts. It is 0 for a text in which there are none, JSON, a fenced block, or one that quotes the
// mark or has one that begins thoughts before it; isDecided is false where more text may change that.
func headEnd(text []byte) (end int, isDecided bool) {
	if !mayBeThought(trimSpace(text)) {
		return 0, true
	}
	for at := 0; ; at++ {
		next := bytes.IndexAny(text[at:], "<[◁")
		if next < 0 {
			return 0, false
		}
		at += next
		m, _ := matchMark(text[at:])
		isQuoted := at > 0 && isQuote(rune(text[at-1]))
		line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
		switch {
		case m.kind == closeMark && m.isOrdinary() && len(bytes.TrimSpace(line)) > 0:
		case m.kind == beginMark, m.kind == closeMark && isQuoted:
			return 0, true
		case m.kind == closeMark:
			return at + len(m.text), true
		}
	}
}

// mayBeThought reports whether a text that begins so may begin within thoughts.
func mayBeThought(text []byte) bool {
	return len(text) == 0 || strings.IndexByte("{[\"`", text[0]) < 0
}

// WithoutThoughts returns a text without its thoughts; some reports whether it has any, inside
// whether it begins within them.
func WithoutThoughts(text string) (answer string, some, inside bool) {
	var t Thoughts
	answer = t.Part(text) + t.Rest()
	isHead := t.headEnd > 0 && mayBeThought(trimSpace([]byte(answer)))
	switch {
	case isHead:
		after := Thoughts{Some: true}
		answer = after.Part(answer[t.headEnd:]) + after.Rest()
	case t.closed:
		answer = strings.TrimRightFunc(answer, unicode.IsSpace)
	}
	end, _ := headEnd([]byte(text))

	return answer, t.Some || isHead, isHead || end > 0
}

func trimSpace(text []byte) []byte { return bytes.TrimLeftFunc(text, unicode.IsSpace) }
