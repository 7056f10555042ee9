package expr

import (
	"go.starlark.net/syntax"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// methodNames are all methods in the order of the documentation.
func methodNames() []string {
	names := []string{builtin.Get}
	for _, m := range builtin.Methods {
		names = append(names, m.Name)
	}

	return names
}

// path reads what leads from a name to a value.
func (f *formula) path(e syntax.Expr) path {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return f.path(e.X)
	case *syntax.Ident:
		if _, ok := constants[e.Name]; !ok {
			return f.root(part{f.at(e), e.Name})
		}
	case *syntax.DotExpr:
		return f.member(f.path(e.X), part{f.at(e.Name), e.Name.Name}, f.at(e))
	case *syntax.IndexExpr:
		return f.index(e)
	case *syntax.CallExpr:
		if dot, ok := e.Fn.(*syntax.DotExpr); ok && dot.Name.Name == builtin.Get {
			return f.get(dot, e)
		}
	}

	at := f.at(e)
	before := len(f.found)
	if is := kindsOf(f.lower(e)); len(f.found) == before {
		f.report(diag.UndefinedVariable, at, "%s is %s, which has no fields", f.written(at), is.There())
	}

	return path{place: at, bad: true}
}

// index reads x["name"].
func (f *formula) index(e *syntax.IndexExpr) path {
	p := f.path(e.X)
	if next, ok := f.key(e.Y); ok {
		return f.member(p, next, f.at(e))
	}
	if !p.bad {
		f.unsupported(f.at(e.Y), "only a text in quotes can stand in brackets").WithHint("names lead to fields; %s", f.goThrough())
	}
	p.bad = true

	return p
}

// key reads a text in quotes that names a field.
func (f *formula) key(e syntax.Expr) (part, bool) {
	literal, ok := e.(*syntax.Literal)
	if !ok || literal.Token != syntax.STRING {
		return part{}, false
	}
	at, name := f.at(e), literal.Value.(string)
	if at.end-at.start == len(name)+2 {
		at = place{at.start + 1, at.end - 1}
	}

	return part{at, name}, true
}

// get reads x.get("name") and x.get("name", default).
func (f *formula) get(dot *syntax.DotExpr, e *syntax.CallExpr) path {
	p := f.path(dot.X)
	if len(e.Args) == 0 || len(e.Args) > 2 {
		return f.badGet(p, f.at(e), "get takes the name of a field, and what there is without one")
	}
	next, ok := f.key(e.Args[0])
	if !ok {
		return f.badGet(p, f.at(e.Args[0]), "the name of a field stands in quotes")
	}
	p = f.member(p, next, f.at(e))
	if len(e.Args) == 1 {
		return p
	}
	fallback := f.lower(e.Args[1])
	if p.access != nil {
		p.access.Default, p.name = fallback, nil
	}
	if p.other != nil {
		p.other.access.Default = fallback
	}

	return p
}

func (f *formula) badGet(p path, at place, message string) path {
	if !p.bad {
		f.unsupported(at, "%s", message)
	}
	p.bad = true

	return p
}

// call reads x.method(…).
func (f *formula) call(e *syntax.CallExpr) ir.Expression {
	dot, ok := e.Fn.(*syntax.DotExpr)
	if !ok {
		at := f.at(e.Fn)
		f.unsupported(at, "%s cannot be called", f.written(at)).WithHint("the methods are %s", diag.Listed(methodNames()))
		return f.unknown(f.at(e))
	}
	name := dot.Name.Name
	if name == builtin.Get {
		return f.access(f.path(e))
	}
	method, ok := builtin.MethodByName(name)
	if !ok {
		d := f.unsupported(f.at(dot.Name), "there is no method %q", name).Suggest(name, methodNames())
		d.Note(noSpan, "the methods are %s", diag.Listed(methodNames()))
		return f.unknown(f.at(e))
	}

	m := &ir.Method{Span: f.span(f.at(e)), X: f.lower(dot.X), Name: name}
	f.wants(dot.X, kindsOf(m.X), builtin.Text, "%s is %s, which has no ."+name+"()")
	switch {
	case !method.TakesText() && len(e.Args) > 0:
		f.unsupported(f.at(e.Args[0]), "%s takes nothing", name)
	case method.TakesText() && len(e.Args) != 1:
		f.unsupported(f.at(dot.Name), "%s takes one text", name)
	case method.TakesText():
		m.Arg = f.lower(e.Args[0])
		f.wants(e.Args[0], kindsOf(m.Arg), builtin.Text, "%s is %s, but "+name+" takes a text")
	}

	return m
}

// wants reports a value that can be of none of the kinds. The format has the value and what it is.
func (f *formula) wants(e syntax.Expr, is, want builtin.Kind, format string) {
	if is = is.There(); is != builtin.None && is&want == 0 {
		at := f.at(e)
		f.report(diag.GuardType, at, format, f.written(at), is)
	}
}
