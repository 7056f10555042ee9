package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// kind says what a token is.
type tokenKind uint8

const (
	word   tokenKind = iota + 1 // a name or a word of the language; `not in` and `is not` are one
	number                      // digits, and what may be between them
	quote                       // a text in quotes
	symbol                      // an operator, a bracket or a comma
	wrong                       // a character that has no meaning, or a text whose end is missing
)

// token is a piece of an expression or of a placeholder.
type token struct {
	place
	kind tokenKind
	text string
}

func (t token) is(text string) bool { return t.text == text && t.kind != quote }

// symbols are the operators that are longer than a character, those of other languages included, longest first.
var symbols = []string{"===", "!==", "==", "!=", "<=", ">=", "<>", "&&", "||", "{{", "}}", "**", "//", "<<", ">>"}

// lexer cuts a text into tokens.
type lexer struct {
	text string
	i    int
	// names may have hyphens: there is no arithmetic in templates.
	hyphens bool
	tokens  []token
}

// tokens returns the tokens of text[at.start:at.end]. They end behind the first one of kind wrong, and behind one
// more than there may be.
func tokens(text string, at place, hyphens bool) []token {
	l := &lexer{text: text[:at.end], i: at.start, hyphens: hyphens}
	for l.i < len(l.text) {
		if l.skip() {
			continue
		}
		l.next()
		if n := len(l.tokens); l.tokens[n-1].kind == wrong || n > maxTokens {
			break
		}
	}

	return l.tokens
}

// skip passes over white space, and comments in expressions.
func (l *lexer) skip() bool {
	switch c := l.text[l.i]; {
	case strings.IndexByte(" \t\r\n", c) >= 0:
		l.i++
	case c == '#' && !l.hyphens:
		if n := strings.IndexAny(l.text[l.i:], "\r\n"); n >= 0 {
			l.i += n
		} else {
			l.i = len(l.text)
		}
	default:
		return false
	}

	return true
}

func (l *lexer) next() {
	c, size := utf8.DecodeRuneInString(l.text[l.i:])
	switch {
	case c == '\'' || c == '"':
		l.quote(0)
	case c == 'r' && !l.hyphens && strings.IndexAny(l.text[l.i+1:], `'"`) == 0:
		l.quote(1)
	case l.isNumber(c):
		l.run(number, func(c rune) bool { return c == '.' || isNamePart(c) })
	case isNamePart(c):
		l.run(word, func(c rune) bool { return isNamePart(c) || c == '-' && l.hyphens })
		l.join()
	case strings.ContainsRune(`+-*/%&|^~.,=!<>()[]{}:;`, c):
		longer := func(s string) bool { return strings.HasPrefix(l.text[l.i:], s) }
		l.add(symbol, max(1, len(ir.First(symbols, longer))))
	default:
		l.add(wrong, size)
	}
}

// isNumber reports whether a number begins with c; behind a dot it is a name.
func (l *lexer) isNumber(c rune) bool {
	digits := l.text[l.i:]
	if c == '-' && l.hyphens || c == '.' {
		digits = digits[1:]
	}
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return false
	}
	n := len(l.tokens)
	if n == 0 || l.tokens[n-1].end != l.i {
		return true
	}
	before := l.tokens[n-1]

	return before.kind != word && !before.is(".") && !before.is("]")
}

func isNamePart(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// run adds a token of the characters that belong to it; the first one does in any case.
func (l *lexer) run(kind tokenKind, belongs func(rune) bool) {
	_, n := utf8.DecodeRuneInString(l.text[l.i:])
	for l.i+n < len(l.text) {
		c, size := utf8.DecodeRuneInString(l.text[l.i+n:])
		sign := kind == number && (c == '-' || c == '+') && strings.HasSuffix(strings.ToLower(l.text[l.i:l.i+n]), "e")
		if !belongs(c) && !sign {
			break
		}
		n += size
	}
	l.add(kind, n)
}

// join makes one token of `not in` and `is not`.
func (l *lexer) join() {
	n := len(l.tokens)
	if n < 2 || l.hyphens {
		return
	}
	a, b := &l.tokens[n-2], l.tokens[n-1]
	if a.is("not") && b.is("in") || a.is("is") && b.is("not") {
		a.text, a.end = a.text+" "+b.text, b.end
		l.tokens = l.tokens[:n-1]
	}
}

// quote adds a text in quotes, of one or, in expressions, of three; it is behind a prefix.
func (l *lexer) quote(prefix int) {
	q := l.text[l.i+prefix : l.i+prefix+1]
	if triple := strings.Repeat(q, 3); !l.hyphens && strings.HasPrefix(l.text[l.i+prefix:], triple) {
		q = triple
	}
	n := prefix + len(q)
	for l.i+n < len(l.text) {
		switch rest := l.text[l.i+n:]; {
		case strings.HasPrefix(rest, q):
			l.add(quote, n+len(q))
			return
		case rest[0] == '\\' && len(rest) > 1:
			n += 2
		case len(q) == 1 && (rest[0] == '\n' || rest[0] == '\r'):
			l.add(wrong, n)
			return
		default:
			n++
		}
	}
	l.add(wrong, len(l.text)-l.i)
}

func (l *lexer) add(kind tokenKind, size int) {
	at := place{l.i, l.i + size}
	l.tokens = append(l.tokens, token{at, kind, l.text[at.start:at.end]})
	l.i = at.end
}
