package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// parser reads the tokens of an expression, or of a placeholder, which has names with hyphens, and neither operators nor methods.
// It resolves names as it reads them.
type parser struct {
	*reader
	tokens []token
	i      int
	// depth is how many brackets and prefixes are around the next token.
	depth int
	// placeholder is what a placeholder looks like, for hints; "" in an expression.
	placeholder string
	// grammar are the mistakes beside which no other one in the expression counts.
	grammar []*diag.Diagnostic
	// broken says that behind one of them nothing can be read.
	broken bool
}

// operand is what has been read of a value, with the parentheses around it.
type operand struct {
	place
	// path is set while the value is a path that may go on; else x is.
	path *path
	x    ir.Expression
}

// operators are words of the language that are not names.
var operators = ir.SetOf(strings.Fields("and or not in is if else"))

// peek returns the token that comes next; at the end one without a text.
func (p *parser) peek() token {
	if p.i < len(p.tokens) {
		return p.tokens[p.i]
	}
	end := p.tokens[len(p.tokens)-1].end

	return token{place: place{end, end}}
}

// next returns the token that comes next, and passes over it.
func (p *parser) next() token {
	t := p.peek()
	p.i = min(p.i+1, len(p.tokens))

	return t
}

// accept passes over a token with that text.
func (p *parser) accept(text string) bool {
	is := p.i < len(p.tokens) && p.tokens[p.i].is(text)
	if is {
		p.i++
	}

	return is
}

// expect is accept for a token without which nothing more can be read.
func (p *parser) expect(text string) token {
	t := p.peek()
	if !p.accept(text) {
		p.unexpected()
	}

	return t
}

// misread reports what is no expression, or no placeholder.
func (p *parser) misread(at place, format string, args ...any) *diag.Diagnostic {
	d := diag.New(p.unfit, p.span(at), format, args...)
	p.grammar = append(p.grammar, d)

	return d
}

// stop is misread for what nothing can be read behind.
func (p *parser) stop(at place, format string, args ...any) *diag.Diagnostic {
	if p.broken {
		return &diag.Diagnostic{} // it follows from what was reported
	}
	p.broken = true
	p.i = len(p.tokens)

	return p.misread(at, format, args...)
}

// unexpected reports the token that comes next.
func (p *parser) unexpected() {
	t := p.peek()
	open, isOpen := p.unclosed()
	switch what := "expression"; {
	case t.text == "" && isOpen:
		p.stop(open.place, "%q is not closed", open.text)
	case t.text == "":
		if p.placeholder != "" {
			what = "placeholder"
		}
		p.stop(p.tokens[len(p.tokens)-1].place, "the %s ends too early", what)
	case t.kind == wrong && (t.text[0] == '\'' || t.text[0] == '"'):
		unreadable(p.stop, t)
	default:
		p.stop(t.place, "%q was not expected here", t.text).WithHint("%s", p.placeholder)
	}
}

// unclosed returns the innermost bracket that is open at the end.
func (p *parser) unclosed() (open token, ok bool) {
	closed := 0
	for _, t := range slices.Backward(p.tokens) {
		switch {
		case t.is(")") || t.is("]"):
			closed++
		case t.is("(") || t.is("["):
			if closed--; closed < 0 {
				return t, true
			}
		}
	}

	return token{}, false
}

// nested reads what is one deeper than what is around it.
func (p *parser) nested(at place, read func() operand) operand {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.stop(at, "the expression is nested more than %d deep", maxDepth)
	}
	if p.broken {
		return operand{place: at, x: p.unknown(at)}
	}

	return read()
}

// operand reads a value, and what is behind it: fields, keys in brackets and calls.
func (p *parser) operand() operand {
	v := p.primary()
	for !p.broken {
		switch t := p.peek(); {
		case p.accept("."):
			v = p.member(v)
		case t.is("["):
			v = p.index(v)
		case t.is("("):
			v = p.noFunction(v.place)
		default:
			return v
		}
	}

	return v
}

// primary reads a value, or the first name of a path.
func (p *parser) primary() operand {
	t := p.peek()
	isName := p.isName(t) && !operators[t.text]
	value, isConstant := constants[t.text]
	switch {
	case t.kind == quote, t.kind == number:
		p.i++
		return operand{place: t.place, x: p.literal(t.text, t.place)}
	case isName && isConstant:
		p.i++
		return operand{place: t.place, x: &ir.Literal{Span: p.span(t.place), Value: value}}
	case isName:
		p.i++
		if p.peek().is("(") {
			return p.noFunction(t.place)
		}
		root := p.root(part{t.place, t.text})
		return operand{place: t.place, path: &root}
	case p.placeholder != "":
	case t.is("("):
		p.i++
		return p.nested(t.place, func() operand { return p.parentheses(t) })
	case t.is("["):
		p.i++
		return p.nested(t.place, func() operand { return p.list(t, "]", nil) })
	case t.is("{"):
		mapping := p.skipped(t.place, "}")
		p.unsupported(mapping.place, "an expression cannot contain mappings")
		return mapping
	}
	p.unexpected()

	return operand{place: t.place, x: p.unknown(t.place)}
}

// constants are the names of values.
var constants = map[string]any{"None": nil, "True": true, "False": false, "true": true, "false": false}

// isName reports whether a token is a name, which begins with a digit in placeholders alone.
func (p *parser) isName(t token) bool {
	return t.kind == word && (p.placeholder != "" || isIdentifier(t.text))
}

// value ends an operand: a path is what it has led to.
func (p *parser) value(v operand) ir.Expression {
	if v.path != nil {
		return p.access(*v.path)
	}

	return v.x
}

// toPath returns the path that an operand is. What is none has no fields.
func (p *parser) toPath(v operand) path {
	if v.path != nil {
		v.path.place = v.place
		return *v.path
	}
	if !isReported(v.x) {
		p.report(diag.UndefinedVariable, v.place, "%s is %s, which has no fields", p.written(v.place), builtin.KindsOfExpression(v.x).There())
	}

	return path{place: v.place, bad: true}
}

// going is an operand that is a path.
func going(to path) operand { return operand{place: to.place, path: &to} }

// member reads what is behind a dot.
func (p *parser) member(v operand) operand {
	name := p.peek()
	if !p.isName(name) {
		p.unexpected()
		return v
	}
	p.i++
	called := p.peek().is("(")
	switch {
	case called && name.text == builtin.Get:
		return p.get(v)
	case called && p.placeholder != "":
		return p.noFunction(v.place)
	case called:
		return p.method(v, name)
	}

	return going(p.reader.member(p.toPath(v), part{name.place, name.text}, name.place))
}

// index reads a name in brackets, which is in quotes.
func (p *parser) index(v operand) operand {
	open := p.next()
	name := p.peek()
	if p.i+1 < len(p.tokens) && name.kind == quote && p.tokens[p.i+1].is("]") {
		p.i += 2
		text := operand{place: name.place, x: p.literal(name.text, name.place)}
		return going(p.key(p.toPath(v), text, p.tokens[p.i-1].place))
	}
	if name.is("]") {
		p.unexpected()
		return v
	}
	p.i--
	goThrough := p.words().goThrough
	if p.placeholder != "" {
		goThrough = "{{#each}} needs a list"
	}
	isSlice := p.skipTo("]")
	inner := place{open.end, p.tokens[p.i-1].start}
	to := p.toPath(v)
	to.place = place{v.start, p.tokens[p.i-1].end}
	switch {
	case p.broken || to.bad:
	case isSlice:
		p.unsupported(to.place, "an expression cannot take slices of lists and texts").WithHint("%s", p.words().elsewhere)
	default:
		p.unsupported(trimmed(p.text.Value, inner), "brackets have to contain a text in quotes").
			WithHint("names lead to fields; %s", goThrough)
	}
	to.bad = true

	return going(to)
}

// skipTo passes over a bracket that is open and everything up to the one that closes it, and reports whether there is a colon.
func (p *parser) skipTo(closing string) (colon bool) {
	open := p.next()
	depth := 1
	for depth > 0 && p.i < len(p.tokens) {
		switch t := p.next(); {
		case t.is(open.text):
			depth++
		case t.is(closing):
			depth--
		case t.is(":") && depth == 1:
			colon = true
		}
	}
	if depth > 0 {
		p.stop(open.place, "%q is not closed", open.text)
	}

	return colon
}

// key goes on to the field that a text in quotes names.
func (p *parser) key(from path, name operand, end place) path {
	literal, isLiteral := name.x.(*ir.Literal)
	if !isLiteral {
		literal = &ir.Literal{}
	}
	text, isText := literal.Value.(string)
	at := name.place
	switch {
	case isText && at.end-at.start == len(text)+len(`""`):
		at = place{at.start + 1, at.end - 1}
	case isText:
	case from.bad || isReported(name.x):
		return path{place: from.place, bad: true}
	default:
		p.unsupported(at, "the name of a field has to be in quotes")
		return path{place: from.place, bad: true}
	}

	return p.reader.member(from, part{at, text}, end)
}

// isReported reports whether an expression means what was reported.
func isReported(x ir.Expression) bool {
	access, isAccess := x.(*ir.Access)

	return isAccess && access.Root == 0
}

// get reads .get("name") and .get("name", default).
func (p *parser) get(v operand) operand {
	from := p.toPath(v)
	args, end := p.arguments()
	if len(args) == 0 || len(args) > 2 {
		if !from.bad && !p.broken {
			p.unsupported(place{v.start, end.end}, "get takes the name of a field and, optionally, a default")
		}
		from.place, from.bad = place{v.start, end.end}, true
		return going(from)
	}
	to := p.key(from, args[0], end)
	if len(args) == 1 {
		return going(to)
	}
	fallback := p.value(args[1])
	if to.access != nil {
		to.access.Default, to.name = fallback, nil
	}
	if to.other != nil {
		to.other.access.Default = fallback
	}

	return going(to)
}

// arguments reads what a call has in parentheses, and returns the place of the last one.
func (p *parser) arguments() (args []operand, end place) {
	open := p.next()
	end = open.place
	p.nested(open.place, func() operand {
		for !p.peek().is(")") && !p.broken {
			args = append(args, p.expression())
			if !p.accept(",") {
				break
			}
		}
		end = p.expect(")").place
		return operand{}
	})

	return args, end
}

// methodNames are all methods in the order of the documentation.
func methodNames() []string {
	return append([]string{builtin.Get}, ir.Map(builtin.Methods, func(m builtin.Method) string { return m.Name })...)
}

// noFunction reports a call of what is no method.
func (p *parser) noFunction(at place) operand {
	if p.placeholder != "" {
		p.stop(p.peek().place, "a placeholder cannot call a function").WithHint("filters change a value: {{ x | upper }}")
		return operand{place: at, x: p.unknown(at)}
	}
	p.unsupported(at, "%s cannot be called", p.written(at)).WithHint("the methods are %s", diag.Listed(methodNames()))

	return p.skipped(at, ")")
}

// skipped passes over what is in brackets behind a place.
func (p *parser) skipped(at place, closing string) operand {
	p.skipTo(closing)
	at.end = p.tokens[p.i-1].end

	return operand{place: at, x: p.unknown(at)}
}

// method reads a call of a method of texts.
func (p *parser) method(v operand, name token) operand {
	at := v.place
	method, known := builtin.MethodByName(name.text)
	if !known {
		p.unsupported(name.place, "there is no method %q", name.text).Suggest(name.text, methodNames()).
			Note(noSpan, "the methods are %s", diag.Listed(methodNames()))
		return p.skipped(at, ")")
	}
	m := &ir.Method{X: p.value(v), Name: method.Name}
	p.wants(at, m.X, builtin.Text, "%s is %s, which has no ."+name.text+"()")
	args, end := p.arguments()
	at.end = end.end
	m.Span = p.span(at)
	switch {
	case p.broken:
	case !method.TakesText() && len(args) > 0:
		p.unsupported(args[0].place, "%s takes nothing", name.text)
	case method.TakesText() && len(args) != 1:
		p.unsupported(name.place, "%s takes one text", name.text)
	case method.TakesText():
		m.Arg = p.value(args[0])
		p.wants(args[0].place, m.Arg, builtin.Text, "%s is %s, but "+name.text+" takes a text")
	}

	return operand{place: at, x: m}
}

// wants reports a value that can be of none of the kinds. The format has the value and what it is.
func (p *parser) wants(at place, x ir.Expression, want builtin.Kind, format string) {
	if is := builtin.KindsOfExpression(x).There(); is != builtin.None && is&want == 0 {
		p.report(diag.GuardType, at, format, p.written(at), is)
	}
}
