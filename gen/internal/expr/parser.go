package expr

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// parser parses the tokens of an expression, or of a placeholder, which has names with hyphens, and
// neither operators nor methods. It resolves names while parsing.
type parser struct {
	*reader
	tokens []token
	i      int
	// depth is the number of brackets and prefixes around the next token.
	depth int
	// placeholder describes the form of a placeholder for hints; "" in an expression.
	placeholder string
	// condition is true for the condition of a block, which has the operators and methods of an
	// expression.
	condition bool
	// grammar are syntax errors. They hide all other mistakes in the expression.
	grammar []*diag.Diagnostic
	// broken is true after a syntax error that ends parsing.
	broken bool
}

// operand is a parsed value, with the parentheses around it.
type operand struct {
	place
	// path is set while the value is a path that may continue; otherwise x is.
	path *path
	x    ir.Expression
}

// operators are keywords.
var operators = ir.SetOf(strings.Fields("and or not in is if else"))

// peek returns the next token, or one without a text at the end.
func (p *parser) peek() token {
	if p.i < len(p.tokens) {
		return p.tokens[p.i]
	}
	end := p.tokens[len(p.tokens)-1].end

	return token{place: place{end, end}}
}

// next returns the next token and advances.
func (p *parser) next() token {
	t := p.peek()
	p.i = min(p.i+1, len(p.tokens))

	return t
}

// accept advances if the next token has the text.
func (p *parser) accept(text string) bool {
	is := p.i < len(p.tokens) && p.tokens[p.i].hasText(text)
	if is {
		p.i++
	}

	return is
}

// expect is accept for a token that is required to continue.
func (p *parser) expect(text string) token {
	t := p.peek()
	if !p.accept(text) {
		p.reportUnexpected()
	}

	return t
}

// reportGrammar reports a syntax error.
func (p *parser) reportGrammar(at place, format string, args ...any) *diag.Diagnostic {
	d := diag.New(p.unfit, p.span(at), format, args...)
	p.grammar = append(p.grammar, d)

	return d
}

// abort reports a syntax error that ends parsing.
func (p *parser) abort(at place, format string, args ...any) *diag.Diagnostic {
	if p.broken {
		return &diag.Diagnostic{} // a consequence of an earlier error
	}
	p.broken = true
	p.i = len(p.tokens)

	return p.reportGrammar(at, format, args...)
}

// reportUnexpected reports the next token.
func (p *parser) reportUnexpected() {
	t := p.peek()
	open, isOpen := p.unclosedBracket()
	switch what := "expression"; {
	case t.text == "" && isOpen:
		p.abort(open.place, "%q is not closed", open.text)
	case t.text == "":
		if p.placeholder != "" {
			what = "placeholder"
		}
		p.abort(p.tokens[len(p.tokens)-1].place, "the %s ends too early", what)
	case t.kind == wrong && (t.text[0] == '\'' || t.text[0] == '"'):
		reportUnreadable(p.abort, t)
	default:
		p.abort(t.place, "%q was not expected here", t.text).WithHint("%s", p.placeholder)
	}
}

// unclosedBracket returns the innermost bracket that is open at the end.
func (p *parser) unclosedBracket() (open token, ok bool) {
	closed := 0
	for _, t := range slices.Backward(p.tokens) {
		switch {
		case t.hasText(")") || t.hasText("]"):
			closed++
		case t.hasText("(") || t.hasText("["):
			closed--
			if closed < 0 {
				return t, true
			}
		}
	}

	return token{}, false
}

// parseNested parses a nested part, within the limit of depth.
func (p *parser) parseNested(at place, read func() operand) operand {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > maxDepth {
		p.abort(at, "the expression is nested more than %d deep", maxDepth)
	}
	if p.broken {
		return operand{place: at, x: p.unknownValue(at)}
	}

	return read()
}

// parseOperand parses a value and its suffixes: fields, keys in brackets and calls.
func (p *parser) parseOperand() operand {
	v := p.parsePrimary()
	for !p.broken {
		switch t := p.peek(); {
		case p.accept("."):
			v = p.parseMember(v)
		case t.hasText("["):
			v = p.parseIndex(v)
		case t.hasText("("):
			v = p.reportNoFunction(v.place)
		default:
			return v
		}
	}

	return v
}

// parsePrimary parses a value, or the first name of a path.
func (p *parser) parsePrimary() operand {
	t := p.peek()
	isName := p.isName(t) && !operators[t.text]
	value, isConstant := constants[t.text]
	switch {
	case t.kind == quote, t.kind == number:
		p.i++
		return operand{place: t.place, x: p.parseLiteral(t.text, t.place)}
	case isName && isConstant:
		p.i++
		return operand{place: t.place, x: &ir.Literal{Span: p.span(t.place), Value: value}}
	case isName:
		p.i++
		if p.peek().hasText("(") {
			return p.parseFunction(t)
		}
		root := p.resolveRoot(part{t.place, t.text})
		return operand{place: t.place, path: &root}
	case t.hasText("(") && p.isPlain():
		p.i++
		return p.parseNested(t.place, func() operand { return p.parseGroup(t) })
	case p.isPlain():
	case t.hasText("("):
		p.i++
		return p.parseNested(t.place, func() operand { return p.parseParentheses(t) })
	case t.hasText("["):
		p.i++
		return p.parseNested(t.place, func() operand { return p.parseList(t, "]", nil) })
	case t.hasText("{"):
		mapping := p.skipBrackets(t.place, "}")
		p.unsupported(mapping.place, "an expression cannot contain mappings")
		return mapping
	}
	p.reportUnexpected()

	return operand{place: t.place, x: p.unknownValue(t.place)}
}

// constants are the names of values.
var constants = map[string]any{"None": nil, "True": true, "False": false, "true": true, "false": false}

// isName reports whether a token is a name. Only in placeholders may a name begin with a digit.
func (p *parser) isName(t token) bool {
	return t.kind == word && (p.placeholder != "" || isIdentifier(t.text))
}

// toExpression ends an operand. A path becomes its value.
func (p *parser) toExpression(v operand) ir.Expression {
	if v.path != nil {
		return p.finishPath(*v.path)
	}

	return v.x
}

// toPath returns the path of an operand. It reports a value without fields.
func (p *parser) toPath(v operand) path {
	if v.path != nil {
		v.path.place = v.place
		return *v.path
	}
	if !isReported(v.x) {
		p.report(diag.UndefinedVariable, v.place, "%s is %s, which has no fields", p.sourceText(v.place), builtin.KindsOfExpression(v.x).There())
	}

	return path{place: v.place, bad: true}
}

// pathOperand returns an operand that is a path.
func pathOperand(to path) operand { return operand{place: to.place, path: &to} }

// parseMember parses a field or a method after a dot.
func (p *parser) parseMember(v operand) operand {
	name := p.peek()
	if !p.isName(name) {
		p.reportUnexpected()
		return v
	}
	p.i++
	called := p.peek().hasText("(")
	switch {
	case called && name.text == builtin.Get:
		return p.parseGet(v)
	case called && p.isPlain():
		return p.reportNoFunction(v.place)
	case called:
		return p.parseMethod(v, name)
	}

	return pathOperand(p.reader.resolveMember(p.toPath(v), part{name.place, name.text}, name.place))
}

// parseIndex parses a quoted name in brackets.
func (p *parser) parseIndex(v operand) operand {
	open := p.next()
	name := p.peek()
	if p.i+1 < len(p.tokens) && name.kind == quote && p.tokens[p.i+1].hasText("]") {
		p.i += 2
		text := operand{place: name.place, x: p.parseLiteral(name.text, name.place)}
		return pathOperand(p.resolveKey(p.toPath(v), text, p.tokens[p.i-1].place))
	}
	if name.hasText("]") {
		p.reportUnexpected()
		return v
	}
	p.i--
	goThrough := p.vocabulary().goThrough
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
		p.unsupported(to.place, "an expression cannot take slices of lists and texts").WithHint("%s", p.vocabulary().elsewhere)
	default:
		p.unsupported(trimPlace(p.text.Value, inner), "brackets have to contain a text in quotes").
			WithHint("names lead to fields; %s", goThrough)
	}
	to.bad = true

	return pathOperand(to)
}

// skipTo skips an open bracket and everything up to its closing bracket. It returns whether there
// is a colon.
func (p *parser) skipTo(closing string) (colon bool) {
	open := p.next()
	depth := 1
	for depth > 0 && p.i < len(p.tokens) {
		switch t := p.next(); {
		case t.hasText(open.text):
			depth++
		case t.hasText(closing):
			depth--
		case t.hasText(":") && depth == 1:
			colon = true
		}
	}
	if depth > 0 {
		p.abort(open.place, "%q is not closed", open.text)
	}

	return colon
}

// resolveKey extends a path by the field that a quoted text names.
func (p *parser) resolveKey(from path, name operand, end place) path {
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

	return p.reader.resolveMember(from, part{at, text}, end)
}

// isReported reports whether an expression replaces a reported part.
func isReported(x ir.Expression) bool {
	access, isAccess := x.(*ir.Access)

	return isAccess && access.Root == 0
}

// parseGet parses .get("name") and .get("name", default).
func (p *parser) parseGet(v operand) operand {
	from := p.toPath(v)
	args, end := p.parseArguments()
	if len(args) == 0 || len(args) > 2 {
		if !from.bad && !p.broken {
			p.unsupported(place{v.start, end.end}, "get takes the name of a field and, optionally, a default")
		}
		from.place, from.bad = place{v.start, end.end}, true
		return pathOperand(from)
	}
	to := p.resolveKey(from, args[0], end)
	if len(args) == 1 {
		return pathOperand(to)
	}
	fallback := p.toExpression(args[1])
	if to.access != nil {
		to.access.Default, to.name = fallback, nil
	}
	if to.other != nil {
		to.other.access.Default = fallback
	}

	return pathOperand(to)
}

// parseArguments parses the arguments of a call, and returns the place of the closing parenthesis.
func (p *parser) parseArguments() (args []operand, end place) {
	open := p.next()
	end = open.place
	p.parseNested(open.place, func() operand {
		for !p.peek().hasText(")") && !p.broken {
			args = append(args, p.parseArgument())
			if !p.accept(",") {
				break
			}
		}
		end = p.expect(")").place
		return operand{}
	})

	return args, end
}

// parseArgument parses an argument. In a placeholder it is a value.
func (p *parser) parseArgument() operand {
	if p.isPlain() {
		return p.parseSum()
	}

	return p.parseExpression()
}

// isPlain reports whether the parser reads a placeholder, which has no conditions.
func (p *parser) isPlain() bool { return p.placeholder != "" && !p.condition }

// parseGroup parses a value of a placeholder after an opening parenthesis.
func (p *parser) parseGroup(open token) operand {
	v := p.parseSum()
	v.place = place{open.start, p.expect(")").end}

	return v
}

// methodNames returns all methods in the order of the documentation.
func methodNames() []string {
	return append([]string{builtin.Get}, ir.Map(builtin.Methods, func(m builtin.Method) string { return m.Name })...)
}

// functionNames returns all functions in the order of the documentation.
func functionNames() []string {
	return ir.Map(builtin.Functions, func(f builtin.Function) string { return f.Name })
}

// parseFunction parses a call of a function after its name.
func (p *parser) parseFunction(name token) operand {
	function, known := builtin.FunctionByName(name.text)
	if !known {
		return p.reportNoFunction(name.place)
	}
	args, end := p.parseArguments()
	at := place{name.start, end.end}
	switch {
	case p.broken:
		return operand{place: at, x: p.unknownValue(at)}
	case len(args) != 1:
		p.unsupported(at, "%s takes one value", name.text)
		return operand{place: at, x: p.unknownValue(at)}
	}
	x := p.toExpression(args[0])
	if list, isTuple := x.(*ir.Tuple); isTuple && function.Decides != nil {
		return operand{place: at, x: p.combine(function, at, list)}
	}
	p.checkKind(args[0].place, x, function.Takes, "%s is %s, but "+name.text+" takes "+function.Takes.String())

	return operand{place: at, x: &ir.FuncCall{Span: p.span(at), Name: function.Name, X: x}}
}

// combine returns any([a, b]) as `a or b`, and all([a, b]) as `a and b`: the conditions may be
// unknown.
func (p *parser) combine(function builtin.Function, at place, list *ir.Tuple) ir.Expression {
	isAny := function.Name == ir.FuncAny
	if len(list.Items) == 0 {
		return &ir.Literal{Span: p.span(at), Value: !isAny}
	}

	return &ir.Logic{Span: p.span(at), Or: isAny, X: ir.Map(list.Items, p.toCondition)}
}

// reportNoFunction reports a call of something that is not a method.
func (p *parser) reportNoFunction(at place) operand {
	if p.isPlain() {
		p.abort(p.peek().place, "a placeholder cannot call a function").WithHint("filters change a value: {{ x | upper }}")
		return operand{place: at, x: p.unknownValue(at)}
	}
	p.unsupported(at, "%s cannot be called", p.sourceText(at)).
		WithHint("the functions are %s, and the methods %s", diag.JoinNames(functionNames()), diag.JoinNames(methodNames()))

	return p.skipBrackets(at, ")")
}

// skipBrackets skips a part in brackets after a place.
func (p *parser) skipBrackets(at place, closing string) operand {
	p.skipTo(closing)
	at.end = p.tokens[p.i-1].end

	return operand{place: at, x: p.unknownValue(at)}
}

// parseMethod parses a call of a method of texts.
func (p *parser) parseMethod(v operand, name token) operand {
	at := v.place
	method, known := builtin.MethodByName(name.text)
	if !known {
		p.unsupported(name.place, "there is no method %q", name.text).Suggest(name.text, methodNames()).
			Note(noSpan, "the methods are %s", diag.JoinNames(methodNames()))
		return p.skipBrackets(at, ")")
	}
	m := &ir.Method{X: p.toExpression(v), Name: method.Name}
	p.checkKind(at, m.X, builtin.Text, "%s is %s, which has no ."+name.text+"()")
	args, end := p.parseArguments()
	at.end = end.end
	m.Span = p.span(at)
	switch {
	case p.broken:
	case !method.TakesText() && len(args) > 0:
		p.unsupported(args[0].place, "%s takes nothing", name.text)
	case method.TakesText() && len(args) != 1:
		p.unsupported(name.place, "%s takes one text", name.text)
	case method.TakesText():
		m.Arg = p.toExpression(args[0])
		p.checkKind(args[0].place, m.Arg, builtin.Text, "%s is %s, but "+name.text+" takes a text")
	}

	return operand{place: at, x: m}
}

// checkKind reports a value that has none of the kinds. The format has the value and its kind.
func (p *parser) checkKind(at place, x ir.Expression, want builtin.Kind, format string) {
	if is := builtin.KindsOfExpression(x).There(); is != builtin.None && is&want == 0 {
		p.report(diag.GuardType, at, format, p.sourceText(at), is)
	}
}
