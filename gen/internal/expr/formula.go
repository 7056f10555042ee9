package expr

import (
	"math/big"
	"strings"
	"unicode/utf8"

	"go.starlark.net/syntax"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// formula reads an expression.
type formula struct {
	*reader
	tokens []token
	lines  [][]int // for each line where its characters begin and the last one ends, as the parser counts them
}

// parse returns the tree of the expression, nil if there is none.
func (f *formula) parse() syntax.Expr {
	f.tokens = tokens(f.text.Value, place{0, len(f.text.Value)}, false)
	if len(f.tokens) == 0 {
		f.unsupported(place{0, len(f.text.Value)}, "there is no expression")
		return nil
	}
	if f.scope.Machine && !f.guardNames() {
		return nil
	}
	if !f.foreign(f.tokens) || !f.literals() || !f.chained(f.tokens) {
		return nil
	}

	// In parentheses line breaks and indentation mean nothing.
	portion := syntax.FilePortion{Content: []byte("(" + f.text.Value + "\n)"), FirstLine: 1, FirstCol: 0}
	tree, err := new(syntax.FileOptions).ParseExpr("", portion, 0)
	if err != nil {
		f.unparsed(err)
		return nil
	}
	if parens, ok := tree.(*syntax.ParenExpr); ok {
		return parens.X
	}

	return tree
}

// literals reports numbers and texts that cannot be read, and reports whether there are none.
func (f *formula) literals() bool {
	before := len(f.found)
	for _, t := range f.tokens {
		if t.kind != quote && t.kind != number {
			continue
		}
		if _, err := new(syntax.FileOptions).ParseExpr("", t.text, 0); err == nil {
			continue
		}
		if t.kind == number {
			f.unsupported(t.place, "%q is no number", t.text)
		} else {
			f.unsupported(t.place, "the text has an escape that is not known").WithHint(`a backslash is written \\`)
		}
	}

	return len(f.found) == before
}

// unparsed reports where the parser stopped: behind the token that it did not expect. What it says is about programs,
// so it is not shown.
func (f *formula) unparsed(err error) {
	e, ok := err.(syntax.Error)
	stopped := f.offset(e.Pos)
	for _, t := range f.tokens {
		if ok && int(e.Pos.Line) <= len(f.lines) && t.end >= stopped {
			f.unsupported(t.place, "%q was not expected here", t.text)
			return
		}
	}
	f.unsupported(f.tokens[len(f.tokens)-1].place, "the expression ends too early")
}

// offset converts a place of the parser: it counts lines and runes, and sees a parenthesis before the text.
func (f *formula) offset(p syntax.Position) int {
	if f.lines == nil {
		f.lines = lineTable(f.text.Value)
	}
	if p.Line < 1 || int(p.Line) > len(f.lines) {
		return len(f.text.Value)
	}
	line := f.lines[p.Line-1]

	return line[min(max(int(p.Col)-1, 0), len(line)-1)]
}

// lineTable returns for each line where its runes begin, and where the last one ends. A line ends with \n, \r\n or \r.
func lineTable(text string) [][]int {
	table := [][]int{nil}
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRuneInString(text[i:])
		line := &table[len(table)-1]
		*line = append(*line, i)
		if c == '\r' && strings.HasPrefix(text[i+1:], "\n") {
			size = 2
		}
		i += size
		if c == '\n' || c == '\r' {
			table = append(table, nil)
		}
	}
	last := &table[len(table)-1]
	*last = append(*last, len(text))

	return table
}

// at returns the place of a node.
func (f *formula) at(n syntax.Expr) place {
	start, _ := n.Span()

	return place{f.offset(start), f.end(n)}
}

// end returns where a node ends. The parser leaves the closing bracket out.
func (f *formula) end(n syntax.Expr) int {
	switch n := n.(type) {
	case *syntax.IndexExpr:
		return f.offset(n.Rbrack) + 1
	case *syntax.SliceExpr:
		return f.offset(n.Rbrack) + 1
	case *syntax.TupleExpr:
		if n.Lparen.IsValid() {
			return f.offset(n.Rparen) + 1
		}
		return f.end(n.List[len(n.List)-1])
	case *syntax.BinaryExpr:
		return f.end(n.Y)
	case *syntax.UnaryExpr:
		return f.end(n.X)
	}
	_, end := n.Span()

	return f.offset(end)
}

// lower turns a tree into an expression, and reports what the language does not have and what does not fit.
func (f *formula) lower(e syntax.Expr) ir.Expression {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		if tuple, ok := e.X.(*syntax.TupleExpr); ok {
			return f.tuple(f.at(e), tuple.List)
		}
		return f.lower(e.X)
	case *syntax.Ident:
		if value, ok := constants[e.Name]; ok {
			return &ir.Literal{Span: f.span(f.at(e)), Value: value}
		}
		return f.access(f.path(e))
	case *syntax.DotExpr, *syntax.IndexExpr:
		return f.access(f.path(e))
	case *syntax.CallExpr:
		return f.call(e)
	case *syntax.Literal:
		return f.literal(e)
	case *syntax.UnaryExpr:
		return f.unary(e)
	case *syntax.BinaryExpr:
		return f.binary(e)
	case *syntax.TupleExpr:
		return f.tuple(f.at(e), e.List)
	case *syntax.ListExpr:
		return f.tuple(f.at(e), e.List)
	case *syntax.DictExpr:
		f.unsupported(f.at(e), "an expression has no mappings")
	case *syntax.SliceExpr:
		f.unsupported(f.at(e), "an expression takes no parts of lists and texts").WithHint("%s", f.elsewhere())
	default:
		f.unsupported(f.at(e), "%q is no expression of this language", f.written(f.at(e))).WithHint("%s", f.elsewhere())
	}

	return f.unknown(f.at(e))
}

// constants are the names of values.
var constants = map[string]any{"None": nil, "True": true, "False": false, "true": true, "false": false}

// unknown stands for what was reported: nothing is known of its value.
func (r *reader) unknown(at place) ir.Expression { return &ir.Access{Span: r.span(at)} }

func (f *formula) literal(e *syntax.Literal) ir.Expression {
	at := f.at(e)
	switch value := e.Value.(type) {
	case *big.Int:
		f.unsupported(at, "a whole number has 64 bits at most")
	case int64, float64:
		return &ir.Literal{Span: f.span(at), Value: value}
	case string:
		if e.Token == syntax.STRING {
			return &ir.Literal{Span: f.span(at), Value: value}
		}
		f.unsupported(at, "an expression has no bytes")
	}

	return f.unknown(at)
}

func (f *formula) tuple(at place, items []syntax.Expr) ir.Expression {
	t := &ir.Tuple{Span: f.span(at)}
	for _, item := range items {
		t.Items = append(t.Items, f.lower(item))
	}

	return t
}

// unary reads `not x` and negative numbers.
func (f *formula) unary(e *syntax.UnaryExpr) ir.Expression {
	at := f.at(e)
	if e.Op == syntax.NOT {
		return &ir.Not{Span: f.span(at), X: f.lower(e.X)}
	}
	if literal, ok := e.X.(*syntax.Literal); ok && e.Op == syntax.MINUS {
		switch value := literal.Value.(type) {
		case int64:
			return &ir.Literal{Span: f.span(at), Value: -value}
		case float64:
			return &ir.Literal{Span: f.span(at), Value: -value}
		case *big.Int:
			if n := new(big.Int).Neg(value); n.IsInt64() {
				return &ir.Literal{Span: f.span(at), Value: n.Int64()}
			}
		}
	}
	f.unsupported(at, "the only sign before a value is the minus of a number").WithHint("%s", f.elsewhere())

	return f.unknown(at)
}

func (f *formula) binary(e *syntax.BinaryExpr) ir.Expression {
	at := f.at(e)
	switch op := e.Op.String(); op {
	case "and", "or":
		return &ir.Logic{Span: f.span(at), Or: op == "or", X: f.operands(e, e.Op)}
	case "==", "!=", "<", "<=", ">", ">=":
		c := &ir.Compare{Span: f.span(at), Op: ir.CompareOp(op), X: f.lower(e.X), Y: f.lower(e.Y)}
		f.checkCompare(c, e)
		return c
	case "in", "not in":
		c := &ir.Contains{Span: f.span(at), X: f.lower(e.X), Y: f.lower(e.Y), Not: op == "not in"}
		f.checkContains(c)
		return c
	case "-":
		if f.hyphenated(e) {
			return f.unknown(at)
		}
	}
	f.unsupported(f.sign(e), "an expression does not compute").WithHint("%s", f.elsewhere())

	return f.unknown(at)
}

// sign is the place of an operator.
func (f *formula) sign(e *syntax.BinaryExpr) place {
	start := f.offset(e.OpPos)

	return place{start, start + len(e.Op.String())}
}

// operands flattens `x and y and z`. What stands in parentheses stays together.
func (f *formula) operands(e *syntax.BinaryExpr, op syntax.Token) []ir.Expression {
	// The tree leans to the left.
	var right []syntax.Expr
	var x syntax.Expr = e
	for {
		b, ok := x.(*syntax.BinaryExpr)
		if !ok || b.Op != op {
			break
		}
		right = append(right, b.Y)
		x = b.X
	}

	all := []ir.Expression{f.lower(x)}
	for i := len(right) - 1; i >= 0; i-- {
		all = append(all, f.lower(right[i]))
	}

	return all
}
