package verify

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit"
)

// explicit returns the declarations of a file with the conditions in the methods of a type as explicitIn has them.
func (d *decls) explicit(f *emit.File, receiver string) (*decls, error) {
	return d.explicitIn(f, func(name string) bool { return strings.HasPrefix(name, receiver+".") })
}

// explicitIn returns the declarations of a file with the conditions in some functions written without need to know what binds how
// tightly: an operation that is an operand of another one stands in parentheses, nothing else does. So it is compared what they
// mean.
func (d *decls) explicitIn(f *emit.File, wanted func(name string) bool) (*decls, error) {
	e := &edits{set: d.set}
	for name, fn := range d.funcs {
		if wanted(name) {
			ast.Inspect(fn, e.node)
		}
	}
	if len(e.list) == 0 {
		return d, nil
	}

	return parse(&emit.File{Name: f.Name, Content: e.apply(f.Content)})
}

// edits are parentheses that are added and taken away, by place.
type edits struct {
	set  *token.FileSet
	list []edit
}

// edit puts text in the place of some bytes.
type edit struct {
	at, bytes int
	text      string
}

func (e *edits) add(at token.Pos, bytes int, text string) {
	e.list = append(e.list, edit{e.set.File(at).Offset(at), bytes, text})
}

func (e *edits) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ParenExpr:
		if _, isType := n.X.(*ast.StarExpr); !isType {
			e.add(n.Lparen, 1, "")
			e.add(n.Rparen, 1, "")
		}
	case *ast.UnaryExpr:
		e.operand(n.Op, n.X)
	case *ast.BinaryExpr:
		e.operand(n.Op, n.X)
		e.operand(n.Op, n.Y)
	}

	return true
}

// operand puts an operation into parentheses. What && or || joins, or + between texts, may be joined in any order.
func (e *edits) operand(of token.Token, x ast.Expr) {
	inner, isOperation := ast.Unparen(x).(*ast.BinaryExpr)
	if !isOperation || inner.Op == of && (of == token.LAND || of == token.LOR) || inner.Op == token.ADD {
		return
	}
	e.add(inner.Pos(), 0, "(")
	e.add(inner.End(), 0, ")")
}

// apply returns text with the edits.
func (e *edits) apply(text []byte) []byte {
	slices.SortStableFunc(e.list, func(a, b edit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.bytes, b.bytes)) })
	var b bytes.Buffer
	done := 0
	for _, edit := range e.list {
		b.Write(text[done:edit.at])
		b.WriteString(edit.text)
		done = edit.at + edit.bytes
	}
	b.Write(text[done:])

	return b.Bytes()
}
