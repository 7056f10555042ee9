package emit_test

import (
	"fmt"
	"math"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// record is the schema that the outputs of steps in random workflows have which have one, and plain
// that of contexts: these have no next_state, which belongs to machines.
var record, plainLine = object(true), object(false)

// object returns the schema of an object with a property of each kind, some of which may be absent,
// and an object inside.
func object(next bool) *ir.Schema {
	texts := &ir.Schema{Kind: ir.SchemaArray, Items: &ir.Schema{Kind: ir.SchemaString}}
	part := &ir.Schema{
		Kind: ir.SchemaObject, Properties: []*ir.Property{required("name", ir.SchemaString), required("size", ir.SchemaInteger)},
	}
	mood := []string{`"long"`, `"short"`}
	s := &ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{
		required("text", ir.SchemaString), required("count", ir.SchemaInteger), required("score", ir.SchemaNumber),
		required("good", ir.SchemaBoolean),
		{Name: textLiteral("turns"), Required: true, Schema: &ir.Schema{Kind: ir.SchemaInteger, Minimum: "0", Maximum: "10"}},
		{Name: textLiteral("kind"), Required: true, Schema: &ir.Schema{Kind: ir.SchemaString, Enum: mood}},
		{Name: textLiteral("tags"), Required: true, Schema: texts},
		{Name: textLiteral("part"), Required: true, Schema: part},
		{Name: textLiteral("share"), Schema: &ir.Schema{Kind: ir.SchemaNumber, Minimum: "0", Maximum: "1"}},
		{Name: textLiteral("left"), Schema: &ir.Schema{Kind: ir.SchemaInteger, Minimum: "-5", Maximum: "5"}},
		{Name: textLiteral("note"), Schema: &ir.Schema{Kind: ir.SchemaString}},
		{Name: textLiteral("mood"), Schema: &ir.Schema{Kind: ir.SchemaString, Enum: mood}},
		{Name: textLiteral("rank"), Schema: &ir.Schema{Kind: ir.SchemaInteger, Nullable: true}},
		{Name: textLiteral("list"), Schema: texts},
		{Name: textLiteral("tone"), Schema: &ir.Schema{Kind: ir.SchemaString, Default: `"calm"`}},
	}}
	properties := `"text":{"type":"string"},"count":{"type":"integer"},"score":{"type":"number"},"good":{"type":"boolean"},` +
		`"turns":{"type":"integer","minimum":0,"maximum":10},` +
		`"kind":{"type":"string","enum":["long","short"]},"tags":{"type":"array","items":{"type":"string"}},"part":{"type":"object",` +
		`"properties":{"name":{"type":"string"},"size":{"type":"integer"}},"required":["name","size"],"additionalProperties":false},` +
		`"share":{"type":"number","minimum":0,"maximum":1},"left":{"type":"integer","minimum":-5,"maximum":5},` +
		`"note":{"type":"string"},"mood":{"type":"string","enum":["long","short"]},"rank":{"type":["integer","null"]},` +
		`"list":{"type":"array","items":{"type":"string"}},"tone":{"type":"string","default":"calm"}`
	if next {
		s.Properties = append(s.Properties, &ir.Property{Name: textLiteral("next_state"), Schema: &ir.Schema{Kind: ir.SchemaString, Nullable: true}})
		properties += `,"next_state":{"type":["string","null"]}`
	}
	s.JSON = `{"type":"object","properties":{` + properties +
		`},"required":["text","count","score","good","turns","kind","tags","part"],"additionalProperties":false}`

	return s
}

func required(name string, kind ir.SchemaKind) *ir.Property {
	return &ir.Property{Name: textLiteral(name), Required: true, Schema: &ir.Schema{Kind: kind}}
}

// formula returns an expression with its text, which says nothing of what it is.
func (b *workBuilder) formula(s *workScope, depth int) *ir.Formula {
	return &ir.Formula{Text: textLiteral("a condition"), Root: b.expression(s, depth)}
}

// expression returns an expression of any kind.
func (b *workBuilder) expression(s *workScope, depth int) ir.Expression {
	kind := b.rand.IntN(14)
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0:
		return b.literal()
	case 10, 11, 12:
		return b.arithmetic(s, depth)
	case 13:
		return &ir.FuncCall{Name: []string{ir.FuncLen, ir.FuncAny, ir.FuncAll}[b.rand.IntN(3)], X: b.expression(s, depth-1)}
	case 1, 2, 3:
		return b.access(s, depth)
	case 4:
		return &ir.Not{X: b.expression(s, depth-1)}
	case 5, 6:
		logic := &ir.Logic{Or: b.one(2)}
		for range 1 + b.rand.IntN(3) {
			logic.X = append(logic.X, b.expression(s, depth-1))
		}
		return logic
	case 7:
		ops := []ir.CompareOp{ir.OpEqual, ir.OpNotEqual, ir.OpLess, ir.OpLessEqual, ir.OpGreater, ir.OpGreaterEqual}
		return &ir.Compare{Op: ops[b.rand.IntN(len(ops))], X: b.expression(s, depth-1), Y: b.expression(s, depth-1)}
	case 8:
		return &ir.Contains{X: b.expression(s, depth-1), Y: b.container(s, depth-1), Not: b.one(2)}
	}

	return b.method(s, depth)
}

// arithmetic returns arithmetic, half of the time with numbers.
func (b *workBuilder) arithmetic(s *workScope, depth int) ir.Expression {
	operand := func() ir.Expression {
		switch {
		case b.one(3):
			return b.expression(s, depth-1)
		case b.one(3):
			numbers := []any{int64(0), int64(7), int64(-3), 2.5, int64(math.MaxInt64)}
			return &ir.Literal{Value: numbers[b.rand.IntN(len(numbers))]}
		}
		return b.access(s, 0)
	}
	ops := []ir.ArithmeticOp{ir.OpPlus, ir.OpMinus, ir.OpTimes, ir.OpDivide, ir.OpModulo}
	x := &ir.Arithmetic{Op: ops[b.rand.IntN(len(ops))], X: operand(), Y: operand()}
	x.Written = "a computation"

	return x
}

func (b *workBuilder) literal() ir.Expression {
	values := []any{nil, true, false, int64(0), int64(7), int64(-3), 0.0, 3.0, -2.5, 1e21, "", "long", "two\nlines", `"quoted"`}

	return &ir.Literal{Value: values[b.rand.IntN(len(values))]}
}

// container returns what something may be in.
func (b *workBuilder) container(s *workScope, depth int) ir.Expression {
	if b.one(2) {
		return b.expression(s, depth)
	}
	list := &ir.Tuple{}
	for range b.rand.IntN(3) {
		list.Items = append(list.Items, b.expression(s, 0))
	}

	return list
}

func (b *workBuilder) method(s *workScope, depth int) ir.Expression {
	x := &ir.Method{X: b.expression(s, depth-1)}
	if b.one(2) {
		x.Name = []string{"lower", "upper", "strip"}[b.rand.IntN(3)]
	} else {
		x.Name = []string{"startswith", "endswith"}[b.rand.IntN(2)]
		x.Arg = b.expression(s, depth-1)
	}

	return x
}

// access returns a name that is known where it stands, and what is reached from it.
func (b *workBuilder) access(s *workScope, depth int) ir.Expression {
	roots := []ir.Root{ir.RootContext, ir.RootContext, ir.RootAnswer, ir.RootNext, ir.RootCurrent, ir.RootSteps}
	if len(b.work.Outputs) > 0 {
		roots = append(roots, ir.RootStep, ir.RootStep, ir.RootStep)
	}
	if s.input {
		roots = append(roots, ir.RootInput)
	}
	if s.this {
		roots = append(roots, ir.RootThis, ir.RootThis)
		if s.each {
			roots = append(roots, ir.RootItemIndex, ir.RootItemFirst, ir.RootItemLast)
		}
	}
	if s.event {
		roots = append(roots, ir.RootResult)
	}
	if s.event && s.before == nil {
		roots = append(roots, ir.RootStepName, ir.RootStepOK, ir.RootFeedback, ir.RootError)
	}
	x := &ir.Access{Root: roots[b.rand.IntN(len(roots))], MayBeNone: b.one(3)}
	var of *ir.Schema
	switch x.Root {
	case ir.RootContext:
		of = b.work.Context
	case ir.RootThis:
		of = s.item
	case ir.RootStep:
		x.Output = b.output(s)
		of = x.Output.Type.Schema
	case ir.RootStepName, ir.RootStepOK, ir.RootFeedback, ir.RootSteps, ir.RootItemIndex, ir.RootItemFirst, ir.RootItemLast:
		return x
	}
	b.lead(x, of)
	if depth > 0 && b.one(6) {
		x.Default = b.expression(s, 0)
	}

	return x
}

// output returns the step before, or any other.
func (b *workBuilder) output(s *workScope) *ir.Output {
	if s.before != nil && b.one(2) {
		return s.before
	}

	return b.work.Outputs[b.rand.IntN(len(b.work.Outputs))]
}

// lead gives an access a path, along what the schema says of its root if there is one.
func (b *workBuilder) lead(x *ir.Access, of *ir.Schema) {
	x.Type = ir.Type{Schema: of}
	for range b.rand.IntN(3) {
		if of == nil || len(of.Properties) == 0 {
			x.Path = append(x.Path, ir.Field{Name: textLiteral(fmt.Sprintf("field %d", b.rand.IntN(3)))})
			x.Type = ir.Type{}
			continue
		}
		p := of.Properties[b.rand.IntN(len(of.Properties))]
		x.Path = append(x.Path, ir.Field{Name: p.Name, Property: p})
		x.Type, x.MayBeNone = ir.Type{Schema: p.Schema}, x.MayBeNone || !p.Required && p.Schema.Default == ""
		of = p.Schema
	}
}

// template returns a text with placeholders.
func (b *workBuilder) template(s *workScope, depth int) *ir.Template {
	return &ir.Template{Text: textLiteral("a template"), Parts: b.parts(s, depth)}
}

func (b *workBuilder) parts(s *workScope, depth int) []ir.Part {
	var parts []ir.Part
	for range b.rand.IntN(4) {
		parts = append(parts, b.part(s, depth))
	}

	return parts
}

func (b *workBuilder) part(s *workScope, depth int) ir.Part {
	kind := b.rand.IntN(6)
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0, 1:
		texts := []string{"Say: ", "\n", "a `quoted` \"text\"\nof lines\n", "{{ braces }}"}
		return &ir.Verbatim{Text: texts[b.rand.IntN(len(texts))]}
	case 2, 3:
		return b.placeholder(s)
	case 4:
		part := &ir.IfPart{Cond: b.expression(s, 1), Body: b.parts(s, depth-1)}
		if b.one(2) {
			part.Otherwise = b.parts(s, depth-1)
		}
		return part
	}
	inner := *s
	inner.this, inner.each = true, true

	return &ir.EachPart{Items: b.access(s, 0), Body: b.parts(&inner, depth-1)}
}

func (b *workBuilder) placeholder(s *workScope) *ir.Placeholder {
	p := &ir.Placeholder{}
	for range 1 + b.rand.IntN(4)/3 {
		if b.one(4) {
			p.Values = append(p.Values, b.literal())
			continue
		}
		if sum := b.arithmetic(s, 1); b.one(3) && !builtin.HasFailures(sum) {
			p.Values = append(p.Values, sum)
			continue
		}
		p.Values = append(p.Values, b.access(s, 0))
	}
	for range b.rand.IntN(5) / 2 {
		filter := builtin.Filters[b.rand.IntN(len(builtin.Filters))]
		args := ir.Map(filter.Params, func(param builtin.FilterParam) *ir.Literal {
			switch param.Takes {
			case builtin.Text:
				return &ir.Literal{Value: []string{", ", "a", "e"}[b.rand.IntN(3)]}
			case builtin.Number:
				return &ir.Literal{Value: param.Least + b.rand.Int64N(6)}
			}

			return b.literal().(*ir.Literal)
		})
		p.Filters = append(p.Filters, ir.Filter{Name: filter.Name, Args: args})
	}

	return p
}

// datum returns data of any kind.
func (b *workBuilder) datum(s *workScope, depth int) *ir.Datum {
	kind := b.rand.IntN(6)
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0, 1:
		return &ir.Datum{Kind: ir.DatumText, Text: b.template(s, 1)}
	case 2:
		return &ir.Datum{Kind: ir.DatumValue, Value: b.placeholder(s)}
	case 3:
		scalars := []string{"null", "true", "false", "0", "-12", "1.50", "1e3", "123456789012345678901", `"text"`, `"a\nb"`}
		return &ir.Datum{Kind: ir.DatumJSON, JSON: scalars[b.rand.IntN(len(scalars))]}
	case 4:
		list := &ir.Datum{Kind: ir.DatumList}
		for range b.rand.IntN(3) {
			list.List = append(list.List, b.datum(s, depth-1))
		}
		return list
	}

	return b.fields(s, depth)
}

// fields returns a mapping.
func (b *workBuilder) fields(s *workScope, depth int) *ir.Datum {
	mapping := &ir.Datum{Kind: ir.DatumFields}
	for _, i := range b.rand.Perm(3)[:b.rand.IntN(4)] {
		mapping.Fields = append(mapping.Fields, ir.DatumField{Name: textLiteral(fmt.Sprintf("field %d", i)), Value: b.datum(s, depth-1)})
	}

	return mapping
}
