package openai

import (
	"bytes"
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/remote"
)

// scanner goes through JSON once. After the first thing that it does not know it has failed, and goes no further.
type scanner struct {
	text   []byte
	at     int
	failed bool
	// last is where the last text that counts stands, content that of a delta, filler the last of the reply itself that does not count.
	last, content, filler remote.Span
}

// members are those of an object, in turn.
type members struct {
	*scanner
	current []byte
	// begun says that there was one, seen which of those that may come once.
	begun bool
	seen  uint
}

func (s *scanner) object() *members {
	s.expect('{')

	return &members{scanner: s}
}

// next goes to the value of the next member; false at the end of the object.
func (m *members) next() bool {
	if m.end('}', m.begun) {
		return false
	}
	m.begun = true
	m.white()
	if m.peek() != '"' {
		return m.fail()
	}
	raw := m.quoted()
	for _, c := range raw {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_') { // another name might mean the same
			return m.fail()
		}
	}
	m.current = raw
	m.expect(':')
	m.white()

	return !m.failed
}

// once fails if a member comes again: the last would count, or both.
func (m *members) once(bit uint) *scanner {
	if m.seen&bit != 0 {
		m.failed = true
	}
	m.seen |= bit

	return m.scanner
}

// elements are those of a list, in turn.
type elements struct {
	*scanner
	begun bool
}

func (s *scanner) list() *elements {
	s.expect('[')

	return &elements{scanner: s}
}

func (e *elements) next() bool {
	if e.end(']', e.begun) {
		return false
	}
	e.begun = true
	e.white()

	return !e.failed
}

// end reports whether an object or a list is over; if it is not, what separates its values is read.
func (s *scanner) end(bracket byte, begun bool) bool {
	s.white()
	if s.peek() == bracket && !s.failed {
		s.at++

		return true
	}
	if begun {
		s.expect(',')
	}

	return s.failed
}

// text is the value of a member that is text or null.
func (m *members) text(bit uint) string {
	s := m.once(bit)
	s.last = remote.Span{}
	if s.null() {
		return ""
	}
	if s.peek() != '"' {
		s.fail()

		return ""
	}
	from := s.at + 1
	text, rest, ok := jsontext.Cut(s.text[from:])
	if !ok {
		s.fail()

		return ""
	}
	s.at = len(s.text) - len(rest)
	s.last = remote.Span{From: from, To: s.at - 1}

	return text
}

// number is the value of a member that is a small number without sign, fraction or exponent, as it is written.
func (m *members) number(bit uint) string {
	s := m.once(bit)
	from := s.at
	for s.at < len(s.text) && s.text[s.at] >= '0' && s.text[s.at] <= '9' {
		s.at++
	}
	raw := s.text[from:s.at]
	next := s.peek()
	if len(raw) == 0 || len(raw) > 12 || raw[0] == '0' && len(raw) > 1 || next == '.' || next == 'e' || next == 'E' {
		s.fail()
	}

	return string(raw)
}

func (m *members) count(bit uint) (n count) {
	for _, digit := range m.number(bit) {
		n = n*10 + count(digit-'0')
	}

	return min(n, remote.MostTokens)
}

// null reads null, if it stands here.
func (s *scanner) null() bool {
	s.white()
	if s.failed || !bytes.HasPrefix(s.text[s.at:], []byte("null")) {
		return false
	}
	s.at += len("null")

	return true
}

// maxNesting bounds how deep what is passed over may be.
const maxNesting = 50

// skip passes over a value, which it checks.
func (s *scanner) skip(depth int) {
	s.white()
	switch c := s.peek(); {
	case s.failed || depth > maxNesting:
		s.fail()
	case c == '"':
		s.plain()
	case c == '{':
		for m := s.object(); m.next(); {
			s.skip(depth + 1)
		}
	case c == '[':
		for list := s.list(); list.next(); {
			s.skip(depth + 1)
		}
	default:
		s.word()
	}
}

// plain passes over text. An escape in it is left to others.
func (s *scanner) plain() {
	if bytes.IndexByte(s.quoted(), '\\') >= 0 {
		s.fail()
	}
}

// word passes over a number, true, false or null.
func (s *scanner) word() {
	from := s.at
	for s.at < len(s.text) && !endsWord(s.text[s.at]) {
		s.at++
	}
	switch word := s.text[from:s.at]; string(word) {
	case "null", "true", "false", "0":
	default:
		if !json.Valid(word) {
			s.fail()
		}
	}
}

func endsWord(c byte) bool {
	return c == ',' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == '\r' || c == '\n'
}

// quoted reads what stands between quotes, as it is written.
func (s *scanner) quoted() []byte {
	s.at++
	raw := s.text[min(s.at, len(s.text)):]
	end := jsontext.End(raw)
	if end < 0 {
		s.fail()

		return nil
	}
	s.at += end + 1

	return raw[:end]
}

func (s *scanner) white() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

// peek is the next byte; 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}

	return 0
}

func (s *scanner) expect(c byte) {
	s.white()
	if s.failed || s.peek() != c {
		s.fail()

		return
	}
	s.at++
}

// fail ends the scan; it returns false, for those that report whether there is more.
func (s *scanner) fail() bool {
	s.failed, s.at = true, len(s.text)

	return false
}
