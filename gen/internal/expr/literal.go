package expr

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// parseLiteral parses a number, which may be negative, or a text in quotes.
func (p *parser) parseLiteral(text string, at place) ir.Expression {
	bare, negative := strings.CutPrefix(text, "-")
	value, ok := literalValue(strings.TrimSpace(bare))
	switch n := value.(type) {
	case int64:
		if negative {
			value = -n
		}
	case float64:
		if negative {
			value = -n
		}
	case *big.Int:
		if negative {
			n = new(big.Int).Neg(n)
		}
		if !n.IsInt64() {
			p.unsupported(at, "an integer has at most 64 bits")
			return p.unknownValue(at)
		}
		value = n.Int64()
	}
	switch {
	case ok:
		return &ir.Literal{Span: p.span(at), Value: value}
	case strings.ContainsAny(text, `'"`):
		p.reportUnknownEscape(text, at)
	default:
		p.reportGrammar(at, "%q is not a number", text)
	}

	return p.unknownValue(at)
}

// literalValue returns the value of a literal without a sign: an int64, a *big.Int, a float64 or a
// string.
func literalValue(text string) (value any, ok bool) {
	tree, err := new(syntax.FileOptions).ParseExpr("", text, 0)
	literal, isLiteral := tree.(*syntax.Literal)
	if err != nil || !isLiteral {
		return nil, false
	}

	return literal.Value, true
}

// reportUnknownEscape reports the first unknown escape in a text.
func (p *parser) reportUnknownEscape(text string, at place) {
	for i := 0; i < len(text)-1; i++ {
		if text[i] != '\\' {
			continue
		}
		if _, known := literalValue(`"` + text[i:i+2] + `"`); !known {
			_, size := utf8.DecodeRuneInString(text[i+1:])
			at = place{at.start + i, at.start + i + 1 + size}
			break
		}
		i++
	}
	p.reportGrammar(at, "the escape %s is not known", p.sourceText(at)).
		WithHint(`a backslash is written \\; the other escapes are \' \" \n \r \t`)
}
