package expr

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// tokenKind is the kind of a token.
type tokenKind uint8

const (
	word   tokenKind = iota + 1 // a name or a keyword; `not in` and `is not` are one token
	number                      // digits and their separators
	quote                       // a text in quotes
	symbol                      // an operator, a bracket or a comma
	wrong                       // an unknown character, or a text without an end
)

// token is a token of an expression or of a placeholder.
type token struct {
	place
	kind tokenKind
	text string
}

func (t token) hasText(text string) bool { return t.text == text && t.kind != quote }

// symbols are the operators with more than one character, including those of other languages,
// longest first.
var symbols = []string{"===", "!==", "==", "!=", "<=", ">=", "<>", "&&", "||", "{{", "}}", "**", "//", "<<", ">>"}

// lexer splits a text into tokens.
type lexer struct {
	text string
	i    int
	// hyphens is true if names may have hyphens, as in templates. There a minus has white space on
	// at least one side.
	hyphens bool
	tokens  []token
}

// tokenize returns the tokens of text[at.start:at.end]. They end after the first one of kind wrong,
// and after the limit.
func tokenize(text string, at place, hyphens bool) []token {
	l := &lexer{text: text[:at.end], i: at.start, hyphens: hyphens}
	for l.i < len(l.text) {
		if l.skipSpace() {
			continue
		}
		l.addNext()
		if n := len(l.tokens); l.tokens[n-1].kind == wrong || n > maxTokens {
			break
		}
	}

	return l.tokens
}

// skipSpace skips white space, and comments in expressions.
func (l *lexer) skipSpace() bool {
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

func (l *lexer) addNext() {
	c, size := utf8.DecodeRuneInString(l.text[l.i:])
	switch {
	case c == '\'' || c == '"':
		l.addQuote(0)
	case c == 'r' && !l.hyphens && strings.IndexAny(l.text[l.i+1:], `'"`) == 0:
		l.addQuote(1)
	case l.startsNumber(c):
		l.addRun(number, func(c rune) bool { return c == '.' || isNamePart(c) })
	case isNamePart(c), c == '@' && l.hyphens:
		l.addRun(word, func(c rune) bool { return isNamePart(c) || c == '-' && l.hyphens })
		l.joinWords()
	case strings.ContainsRune(`+-*/%&|^~.,=!<>()[]{}:;`, c):
		longer := func(s string) bool { return strings.HasPrefix(l.text[l.i:], s) }
		l.addToken(symbol, max(1, len(ir.First(symbols, longer))))
	default:
		l.addToken(wrong, size)
	}
}

// startsNumber reports whether a number begins with c. After a dot it is a name.
func (l *lexer) startsNumber(c rune) bool {
	digits := l.text[l.i:]
	if c == '-' && l.hyphens && !l.endsOperand() || c == '.' {
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

	return before.kind != word && !before.hasText(".") && !before.hasText("]")
}

// endsOperand reports whether the last token can be the end of an operand, so that a minus after it
// is an operator.
func (l *lexer) endsOperand() bool {
	if len(l.tokens) == 0 {
		return false
	}
	switch t := l.tokens[len(l.tokens)-1]; t.kind {
	case number, quote:
		return true
	case word:
		return !operators[strings.Fields(t.text)[0]]
	default:
		return t.hasText(")") || t.hasText("]")
	}
}

func isNamePart(c rune) bool { return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c) }

// addRun adds a token of the following characters that belong to it, and at least one.
func (l *lexer) addRun(kind tokenKind, belongs func(rune) bool) {
	_, n := utf8.DecodeRuneInString(l.text[l.i:])
	for l.i+n < len(l.text) {
		c, size := utf8.DecodeRuneInString(l.text[l.i+n:])
		sign := kind == number && (c == '-' || c == '+') && strings.HasSuffix(strings.ToLower(l.text[l.i:l.i+n]), "e")
		if !belongs(c) && !sign {
			break
		}
		n += size
	}
	l.addToken(kind, n)
}

// joinWords makes one token of `not in` and `is not`.
func (l *lexer) joinWords() {
	n := len(l.tokens)
	if n < 2 {
		return
	}
	a, b := &l.tokens[n-2], l.tokens[n-1]
	if a.hasText("not") && b.hasText("in") || a.hasText("is") && b.hasText("not") {
		a.text, a.end = a.text+" "+b.text, b.end
		l.tokens = l.tokens[:n-1]
	}
}

// addQuote adds a text in single or, in expressions, triple quotes, after a prefix.
func (l *lexer) addQuote(prefix int) {
	q := l.text[l.i+prefix : l.i+prefix+1]
	if triple := strings.Repeat(q, 3); !l.hyphens && strings.HasPrefix(l.text[l.i+prefix:], triple) {
		q = triple
	}
	n := prefix + len(q)
	for l.i+n < len(l.text) {
		switch rest := l.text[l.i+n:]; {
		case strings.HasPrefix(rest, q):
			l.addToken(quote, n+len(q))
			return
		case rest[0] == '\\' && len(rest) > 1:
			n += 2
		case len(q) == 1 && (rest[0] == '\n' || rest[0] == '\r'):
			l.addToken(wrong, n)
			return
		default:
			n++
		}
	}
	l.addToken(wrong, len(l.text)-l.i)
}

func (l *lexer) addToken(kind tokenKind, size int) {
	at := place{l.i, l.i + size}
	l.tokens = append(l.tokens, token{at, kind, l.text[at.start:at.end]})
	l.i = at.end
}
