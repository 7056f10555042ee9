package remote

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Thoughts takes the thoughts out of a text that comes in parts: blocks <think>…</think> and <thinking>…</thinking> at its beginning, the
// last of which may have no end. Templates of some models put the first mark into the prompt, so that a text begins within its thoughts:
// where Inside is set, all is held until </think>, or until the end. The zero value is ready.
type Thoughts struct {
	// Inside says that the text may begin within thoughts.
	Inside bool
	// Some says that there were thoughts.
	Some bool

	// passed says that the text itself has begun: nothing is looked for any more.
	passed bool
	// end is the mark that ends the block that has begun; "" outside of one.
	end string
	// held is what may be a mark or a thought; in it the end was looked for up to seen.
	held []byte
	seen int
}

const headless = "</think>"

// mostSpace bounds the white space before a text that is held.
const mostSpace = 1 << 10

var beginMarks = []struct{ begin, end string }{{"<think>", headless}, {"<thinking>", "</thinking>"}}

// Part returns what is text after one more part.
func (t *Thoughts) Part(text string) string {
	if t.passed {
		return text
	}
	if len(t.held) == 0 && t.end == "" && !t.Inside && text != "" && text[0] > ' ' && text[0] < utf8.RuneSelf && text[0] != '<' {
		return t.pass(text) // as nearly all texts begin
	}
	t.held = append(t.held, text...)
	for {
		switch {
		case t.end != "":
			if !t.leave() {
				return ""
			}
		case t.enter():
		default:
			return t.outside()
		}
	}
}

// leave looks for the end of the block.
func (t *Thoughts) leave() bool {
	at := bytes.Index(t.held, []byte(t.end))
	if at < 0 { // but for what may be a part of the mark the thoughts are dropped
		t.held = append(t.held[:0], t.held[max(0, len(t.held)-len(t.end)+1):]...)

		return false
	}
	t.held, t.end = t.held[at+len(t.end):], ""

	return true
}

// enter looks for the beginning of a block.
func (t *Thoughts) enter() bool {
	text := trimSpace(t.held)
	for _, mark := range beginMarks {
		if bytes.HasPrefix(text, []byte(mark.begin)) {
			t.held, t.end, t.Some = text[len(mark.begin):], mark.end, true

			return true
		}
	}

	return false
}

// outside returns the text that has begun; "" as long as it may be thoughts.
func (t *Thoughts) outside() string {
	text := trimSpace(t.held)
	for _, mark := range beginMarks {
		if len(t.held) < mostSpace && strings.HasPrefix(mark.begin, string(text)) {
			return ""
		}
	}
	if t.Inside && mayBeThought(text) {
		from := max(0, t.seen-len(headless))
		t.seen = len(t.held)
		if !bytes.Contains(t.held[from:], []byte(headless)) {
			return ""
		}
		t.Inside = false
		if at := headEnd(string(t.held)); at > 0 {
			t.held, t.Some = t.held[at:], true
		}

		return t.Part("")
	}
	if t.Some {
		return t.pass(string(text))
	}

	return t.pass(string(t.held))
}

func (t *Thoughts) pass(text string) string {
	t.passed, t.held = true, nil

	return text
}

// Rest returns what is still held at the end, and is text.
func (t *Thoughts) Rest() string {
	if t.passed || t.end != "" {
		return ""
	}
	text := string(t.held)
	if t.Some {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
	}

	return t.pass(text)
}

// headEnd is where the thoughts end that a text begins within: behind its first </think>. It is 0 for a text in which there are none:
// one without the mark, JSON, a fenced block, or one that quotes the mark or has the one that begins thoughts before it.
func headEnd(text string) int {
	at := strings.Index(text, headless)
	if at < 0 || strings.Contains(text[:at], "<think>") || at > 0 && strings.IndexByte("`'\"", text[at-1]) >= 0 ||
		!mayBeThought(trimSpace([]byte(text[:min(at, mostSpace)]))) {
		return 0
	}

	return at + len(headless)
}

// mayBeThought reports whether a text that begins so may begin within thoughts.
func mayBeThought(text []byte) bool {
	return len(text) == 0 || strings.IndexByte("{[\"`", text[0]) < 0
}

// WithoutThoughts returns a text without its thoughts; some says that it has any, inside that it begins within them.
func WithoutThoughts(text string) (answer string, some, inside bool) {
	var t Thoughts
	answer = t.Part(text) + t.Rest()
	if at := headEnd(answer); at > 0 {
		after := Thoughts{Some: true}

		return after.Part(answer[at:]) + after.Rest(), true, true
	}

	return answer, t.Some, false
}

func trimSpace(text []byte) []byte { return bytes.TrimLeftFunc(text, unicode.IsSpace) }
