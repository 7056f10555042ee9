package emit

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// textLiteral returns a string literal with exactly the bytes of s. Several readable lines are
// written in backquotes. Lines with backquotes or invisible characters are quoted one by one.
func textLiteral(s string) *jen.Statement {
	switch {
	case !strings.Contains(strings.TrimSuffix(s, "\n"), "\n") && len(s) < rawFrom:
		return jen.Lit(s)
	case isReadable(s):
		return jen.Op("`" + s + "`")
	}

	return quoteLines(s)
}

// rawFrom is the smallest length in bytes of a single line with quotes that is written in
// backquotes.
const rawFrom = 1 << 12

// codeLiteral returns the literal of a text with many quotes, such as JSON or an expression.
func codeLiteral(s string) *jen.Statement {
	if hasQuotes(s) {
		return jen.Op("`" + s + "`")
	}

	return textLiteral(s)
}

// hasQuotes reports whether quotes in a text would have to be escaped, but not in backquotes.
func hasQuotes(s string) bool { return isReadable(s) && strings.ContainsAny(s, "\"\\") }

// isReadable reports whether s can be written in backquotes and has no invisible characters.
func isReadable(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return r == '`' || r != '\n' && r != '\t' && !unicode.IsPrint(r)
	})
}

// maxQuoted bounds the literals of one text: Go's own tools limit the depth of operands of +.
const maxQuoted = 500

// quoteLines writes a text line by line.
func quoteLines(s string) *jen.Statement {
	lines := strings.SplitAfter(s, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	each := (len(lines) + maxQuoted - 1) / maxQuoted

	joined := &jen.Statement{}
	for i := 0; i < len(lines); i += each {
		if i > 0 {
			joined.Op("+").Line()
		}
		joined.Op(strconv.Quote(strings.Join(lines[i:min(i+each, len(lines))], "")))
	}

	return joined
}
