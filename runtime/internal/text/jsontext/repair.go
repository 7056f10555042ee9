package jsontext

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// deepest bounds how deep the brackets of a text that is repaired are nested.
const deepest = 1000

// Repair returns the JSON value that a model meant by a text: the text itself if it is one. What it
// repairs has one meaning only: control characters within strings, a backslash before a character
// that needs none (unless the same string has an escape such as \n), commas behind the last element,
// and the literals of Python, which are None, True, False and strings in single quotes. ok is false
// for any other text.
func Repair(text string) (value string, ok bool) {
	if json.Valid([]byte(text)) {
		return text, true
	}
	if !utf8.ValidString(text) {
		return "", false
	}
	r := repairer{text: text, out: make([]byte, 0, len(text)+16)}
	if !r.readValue(0) || r.at < len(text) {
		return "", false
	}

	return string(r.out), json.Valid(r.out)
}

// repairer reads a text and writes the JSON that it means.
type repairer struct {
	text string
	at   int
	out  []byte
	// hasBackslash reports whether a backslash of the current string was meant as one, hasControl
	// whether one was the escape of a control character.
	hasBackslash, hasControl bool
}

// peek is the next byte; 0 at the end.
func (r *repairer) peek() byte {
	if r.at == len(r.text) {
		return 0
	}

	return r.text[r.at]
}

// copySpace copies the white space that is next.
func (r *repairer) copySpace() {
	for r.at < len(r.text) && strings.IndexByte(" \t\r\n", r.text[r.at]) >= 0 {
		r.copyByte()
	}
}

func (r *repairer) copyByte() {
	r.out = append(r.out, r.text[r.at])
	r.at++
}

// readValue reads a value and the space around it. It returns false if there is none.
func (r *repairer) readValue(depth int) bool {
	r.copySpace()
	ok := false
	switch c := r.peek(); {
	case depth > deepest:
		return false
	case c == '{' || c == '[':
		ok = r.readElements(depth)
	case c == '"' || c == '\'':
		ok = r.readString()
	default:
		ok = r.readLiteral()
	}
	r.copySpace()

	return ok
}

// readElements reads an object or a list.
func (r *repairer) readElements(depth int) bool {
	isObject := r.peek() == '{'
	closing := byte(']')
	if isObject {
		closing = '}'
	}
	r.copyByte()
	r.copySpace()
	for r.peek() != closing {
		if isObject && !r.readName() || !r.readValue(depth+1) {
			return false
		}
		switch r.peek() {
		case closing:
		case ',':
			r.readComma(closing)
		default:
			return false
		}
	}
	r.copyByte()

	return true
}

// readComma reads a comma and the space behind it. A comma that nothing follows is left out.
func (r *repairer) readComma(closing byte) {
	comma := len(r.out)
	r.copyByte()
	r.copySpace()
	if r.peek() == closing {
		r.out = append(r.out[:comma], r.out[comma+1:]...)
	}
}

// readName reads the name of a member, and the colon.
func (r *repairer) readName() bool {
	r.copySpace()
	if c := r.peek(); c != '"' && c != '\'' || !r.readString() {
		return false
	}
	r.copySpace()
	if r.peek() != ':' {
		return false
	}
	r.copyByte()

	return true
}

// pythonLiterals are the literals of Python as JSON writes them.
var pythonLiterals = map[string]string{"None": "null", "True": "true", "False": "false"}

// readLiteral reads a number or a word.
func (r *repairer) readLiteral() bool {
	rest := r.text[r.at:]
	end := strings.IndexAny(rest, " \t\r\n,]}:")
	if end < 0 {
		end = len(rest)
	}
	literal := rest[:end]
	python, isPython := pythonLiterals[literal]
	if isPython {
		literal = python
	}
	r.at += end
	r.out = append(r.out, literal...)

	return literal != "" && json.Valid([]byte(literal))
}

// readString reads a string in quotes of either kind, and writes it in double quotes. A string whose
// backslashes mean both themselves and control characters is not certain: in `\alpha + \frac` and in
// `C:\data\new` no control character is meant.
func (r *repairer) readString() bool {
	quote := r.peek()
	r.hasBackslash, r.hasControl = false, false

	return r.readCharacters(quote) && !(r.hasBackslash && r.hasControl)
}

// readCharacters reads a string in quotes.
func (r *repairer) readCharacters(quote byte) bool {
	r.at++
	r.out = append(r.out, '"')
	for r.at < len(r.text) {
		switch c := r.peek(); {
		case c == quote:
			r.at++
			r.out = append(r.out, '"')

			return true
		case c == '\\':
			if !r.readEscape(quote) {
				return false
			}
		case c == '"':
			r.at++
			r.out = append(r.out, `\"`...)
		case c < ' ':
			r.at++
			r.out = appendEscaped(r.out, rune(c))
		default:
			r.copyByte()
		}
	}

	return false
}

// readEscape reads a backslash and what belongs to it. A backslash that escapes nothing is one that
// was meant, except before a single quote.
func (r *repairer) readEscape(quote byte) bool {
	r.at++
	next := r.peek()
	switch {
	case next == 0 || next == '\n' || next == '\r':
		return false // the end, or a line that goes on
	case next == '\'':
		r.at++
		r.out = append(r.out, '\'')
	case next == 'u':
		return r.readHex(4)
	case next == 'x' && quote == '\'':
		return r.readHex(2)
	case strings.IndexByte(`"\/bfnrt`, next) >= 0:
		r.hasControl = r.hasControl || strings.IndexByte("bfnrt", next) >= 0
		r.out = append(r.out, '\\', next)
		r.at++
	default:
		r.hasBackslash = true
		r.out = append(r.out, `\\`...)
	}

	return true
}

// readHex reads the character of an escape of so many hexadecimal digits, which follow a letter.
func (r *repairer) readHex(digits int) bool {
	r.at++
	if len(r.text)-r.at < digits {
		return false
	}
	hex := r.text[r.at : r.at+digits]
	_, err := strconv.ParseUint(hex, 16, 16)
	if err != nil {
		return false
	}
	r.at += digits
	r.out = append(r.out, `\u0000`[:6-digits]...)
	r.out = append(r.out, hex...)

	return true
}
