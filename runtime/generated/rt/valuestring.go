package rt

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
)

// parseString moves over a string, quotes included.
func (p *valueParser) parseString() (escaped bool, err *runtime.ValueError) {
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			return escaped, nil
		case c < ' ':
			return escaped, p.controlCharacter(c)
		case c == '\\':
			escaped = true
			if err := p.parseEscape(); err != nil {
				return escaped, err
			}
		}
	}

	return escaped, p.syntaxError(`a closing quote`)
}

// controlCharacter is the error of a character that a string of JSON has only as an escape.
func (p *valueParser) controlCharacter(c byte) *runtime.ValueError {
	problem := fmt.Sprintf(`a string has the control character U+%04X, which is written \u%04x`, c, c)
	switch c {
	case '\n':
		problem = `a string has a line break, which is written \n`
	case '\r':
		problem = `a string has a carriage return, which is written \r`
	case '\t':
		problem = `a string has a tab, which is written \t`
	}

	return &runtime.ValueError{Problem: fmt.Sprintf("is not JSON at byte %d: %s", p.at, problem)}
}

// parseEscape moves from a backslash to the last byte of its escape.
func (p *valueParser) parseEscape() *runtime.ValueError {
	p.at++
	if p.at == len(p.text) {
		return p.syntaxError("an escape")
	}
	if p.text[p.at] != 'u' {
		if strings.IndexByte(`"\/bfnrt`, p.text[p.at]) < 0 {
			return p.syntaxError(`one of "\/bfnrtu behind the backslash; a backslash itself is written \\`)
		}
		return nil
	}

	r, ok := hexRune(p.text[p.at+1:])
	if !ok {
		return p.syntaxError(`four hexadecimal digits behind \u`)
	}
	if !utf16.IsSurrogate(r) {
		p.at += 4
		return nil
	}
	low, ok := lowSurrogate(p.text[p.at+5:])
	if !ok || utf16.DecodeRune(r, low) == utf8.RuneError {
		return p.syntaxError("both halves of a surrogate pair")
	}
	p.at += 10

	return nil
}

// hexRune reads four hexadecimal digits.
func hexRune(text string) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	r, err := strconv.ParseUint(text[:4], 16, 16)

	return rune(r), err == nil
}

// lowSurrogate reads \uXXXX.
func lowSurrogate(text string) (rune, bool) {
	if !strings.HasPrefix(text, `\u`) {
		return 0, false
	}

	return hexRune(text[2:])
}

// unescapeJSON decodes the inside of a string that has been parsed.
func unescapeJSON(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		c := text[i+1]
		text = text[i+2:]
		if c != 'u' {
			b.WriteByte(plainEscape(c))
			continue
		}
		r, _ := hexRune(text)
		text = text[4:]
		if utf16.IsSurrogate(r) {
			low, _ := lowSurrogate(text)
			r = utf16.DecodeRune(r, low)
			text = text[6:]
		}
		b.WriteRune(r)
	}
}

func plainEscape(c byte) byte {
	if i := strings.IndexByte("bfnrt", c); i >= 0 {
		return "\b\f\n\r\t"[i]
	}

	return c
}
