package emit

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// template returns what a template renders, as a Go text.
func (v *view) template(t *ir.Template) *jen.Statement { return v.parts(t.Parts) }

// fewParts is how many parts of a template are on one line.
const fewParts = 4

// quotedUpTo is up to how many bytes the text of a template is quoted, line breaks and all.
const quotedUpTo = 60

// parts joins the parts of a template; what repeats some of them is built. A line of the code ends
// where one of the text does, and behind each text if there are many parts.
func (v *view) parts(parts []ir.Part) *jen.Statement {
	if len(parts) == 0 {
		return jen.Lit("")
	}
	if hasEach(parts) {
		return v.built(parts)
	}
	broken := len(parts) > fewParts || textLength(parts) > quotedUpTo/2
	joined := &jen.Statement{}
	for i, part := range parts {
		if i > 0 {
			joined.Op("+")
			before, isText := parts[i-1].(*ir.Verbatim)
			if _, isIf := part.(*ir.IfPart); isIf || isText && (broken || strings.HasSuffix(before.Text, "\n")) {
				joined.Line()
			}
		}
		joined.Add(v.part(part))
	}

	return joined
}

// textLength is how many bytes of the parts are text.
func textLength(parts []ir.Part) int {
	n := 0
	for _, part := range parts {
		if verbatim, isText := part.(*ir.Verbatim); isText {
			n += len(verbatim.Text)
		}
	}

	return n
}

func (v *view) part(any ir.Part) *jen.Statement {
	switch part := any.(type) {
	case *ir.Verbatim:
		if len(part.Text) <= quotedUpTo {
			return jen.Lit(part.Text)
		}
		return text(part.Text)
	case *ir.Placeholder:
		return v.rendered(part)
	}
	part := any.(*ir.IfPart)
	condition := v.whereHolds(part.Cond)

	return when(condition, v.behind(condition, true).parts(part.Body))
}

// when returns a text that is there only where a condition holds.
func when(condition term, text *jen.Statement) *jen.Statement {
	return inWorkflow("When").Call(condition.code, jen.Func().Params().String().Block(jen.Return(text)))
}

// rendered returns a placeholder as a Go text.
func (v *view) rendered(p *ir.Placeholder) *jen.Statement {
	if code := v.renderedText(p); code != nil {
		return code
	}
	if len(p.Values) == 1 {
		if code := v.renderedField(p.Values[0], p.Filters); code != nil {
			return code
		}
	}
	last := len(p.Filters) - 1
	if last >= 0 && filterOf(p.Filters[last]).GoText != "" {
		before := *p
		before.Filters = p.Filters[:last]
		return v.placeholder(&before).Dot(filterOf(p.Filters[last]).GoText).Call()
	}

	return v.placeholder(p).Dot("String").Call()
}

func filterOf(f ir.Filter) builtin.Filter {
	descriptor, _ := builtin.FilterByName(f.Name)

	return descriptor
}

// renderedText returns a placeholder whose values are texts of Go, or none, which renders as an
// empty one; nil where they are not, or a filter needs more than a text.
func (v *view) renderedText(p *ir.Placeholder) *jen.Statement {
	var values []jen.Code
	for _, x := range p.Values {
		value := v.text(x)
		if value == nil {
			return nil
		}
		values = append(values, value)
	}
	for _, filter := range p.Filters {
		switch descriptor := filterOf(filter); {
		case descriptor.Native != "":
			values = []jen.Code{jen.Qual("strings", descriptor.Native).Call(firstOf(values))}
		case descriptor.GivesArgument() && kindOfLiteral(filter.Arg) == ir.SchemaString:
			values = append(values, nativeLiteral(filter.Arg))
		default:
			return nil
		}
	}

	return jen.Add(firstOf(values))
}

// firstOf returns the first text that is not empty.
func firstOf(values []jen.Code) jen.Code {
	if len(values) == 1 {
		return values[0]
	}

	return jen.Qual("cmp", "Or").Call(values...)
}

// text returns a value as a Go text, an empty one for none; nil if it may be anything else.
func (v *view) text(x ir.Expression) *jen.Statement {
	f, s := v.fieldOf(x), v.scalar(x)
	switch {
	case s.kind != ir.SchemaString:
		return nil
	case len(s.needs) == 0:
		return s.native().code
	case f.form == formPointer && len(f.needs) == 0:
		return v.dynamic(x).Dot("String").Call()
	}

	return when(there(s.needs), s.native().code)
}

// renderedField returns a field of a struct, through a filter if there is one, as a Go text; nil
// where package workflow does it.
func (v *view) renderedField(x ir.Expression, filters []ir.Filter) *jen.Statement {
	f, s := v.fieldOf(x), v.scalar(x)
	isInt := s.kind == ir.SchemaInteger && len(s.needs) == 0 && !isLiteral(x)
	switch {
	case len(f.needs) > 0 || len(filters) > 1:
		return nil
	case len(filters) == 0 && isInt:
		return jen.Qual("strconv", "FormatInt").Call(s.native().code, jen.Lit(10))
	case len(filters) == 0 || f.form != formTexts:
		return nil
	}

	return nativeList(filters[0], f.code())
}

// nativeList returns a list of Go texts, through a filter, as a Go text; nil where package workflow
// does it.
func nativeList(filter ir.Filter, list *jen.Statement) *jen.Statement {
	functions := filterOf(filter).NativeList
	if len(functions) == 0 {
		return nil
	}
	args := []jen.Code{list}
	if filter.Arg != nil {
		args = append(args, jen.Lit(filter.Arg.Value))
	}
	for _, f := range slices.Backward(functions) {
		args = []jen.Code{jen.Qual(f.Package, f.Name).Call(args...)}
	}

	return jen.Add(args...)
}

// placeholder returns a placeholder as a value.
func (v *view) placeholder(p *ir.Placeholder) *jen.Statement {
	var value *jen.Statement
	if len(p.Values) == 1 {
		value = v.dynamic(p.Values[0])
	} else {
		value = v.dynamic(p.Values[0]).Dot("Or").Call(v.dynamics(p.Values[1:])...)
	}
	for _, filter := range p.Filters {
		var args []jen.Code
		descriptor := filterOf(filter)
		switch {
		case filter.Arg == nil:
		case descriptor.Arg == builtin.Text:
			args = append(args, jen.Lit(filter.Arg.Value))
		default:
			args = append(args, v.dynamic(filter.Arg))
		}
		value = value.Dot(descriptor.Go).Call(args...)
	}

	return value
}

// datum returns data of the source as a value.
func (v *view) datum(d *ir.Datum) *jen.Statement {
	switch d.Kind {
	case ir.DatumText:
		return inWorkflow("Text").Call(v.template(d.Text))
	case ir.DatumValue:
		return v.dynamic(d.Value)
	case ir.DatumList:
		items := ir.Map(d.List, func(item *ir.Datum) jen.Code { return v.datum(item) })
		return listed(inWorkflow("List"), items)
	case ir.DatumFields:
		return listed(inWorkflow("Object"), v.members(d.Fields))
	}

	return scalarOf(d.JSON)
}

// members returns the fields of a mapping.
func (v *view) members(fields []ir.DatumField) []jen.Code {
	return ir.Map(fields, func(field ir.DatumField) jen.Code { return memberOf(jen.Lit(field.Name.Value), v.datum(field.Value)) })
}

func memberOf(name, value *jen.Statement) *jen.Statement {
	return inWorkflow("Member").Values(keyed("Name", name), keyed("Value", value))
}

// listed returns a call, with an argument a line if there are several.
func listed(function *jen.Statement, args []jen.Code) *jen.Statement {
	if len(args) > 1 {
		return function.Custom(broken, args...)
	}

	return function.Call(args...)
}

// scalarOf returns a JSON scalar as a value.
func scalarOf(text string) *jen.Statement {
	switch text {
	case "null":
		return none()
	case "true", "false":
		return inWorkflow("Of").Call(jen.Id(text))
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return inWorkflow("Int").Call(jen.Op(strconv.FormatInt(n, 10)))
	}
	var said string
	if json.Unmarshal([]byte(text), &said) == nil {
		return inWorkflow("Text").Call(jen.Lit(said))
	}

	if !strings.ContainsAny(text, ".eE") {
		text += ".0" // no int holds it
	}

	return inWorkflow("Of").Call(jen.Op(text))
}

// hasEach reports whether parts are repeated for the items of a list, perhaps under a condition.
func hasEach(parts []ir.Part) bool {
	return slices.ContainsFunc(parts, func(part ir.Part) bool {
		switch part := part.(type) {
		case *ir.EachPart:
			return true
		case *ir.IfPart:
			return hasEach(part.Body)
		}

		return false
	})
}

// built returns what parts render as a text that statements build.
func (v *view) built(parts []ir.Part) *jen.Statement {
	return inWorkflow("Built").Call(
		jen.Func().Params(jen.Id("b").Op("*").Qual("strings", "Builder")).Block(v.build(parts)...))
}

// build returns the statements that write parts to b.
func (v *view) build(parts []ir.Part) []jen.Code {
	var statements []jen.Code
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.IfPart:
			condition := v.whereHolds(part.Cond)
			body := v.behind(condition, true).build(part.Body)
			statements = append(statements, jen.If(condition.code).Block(body...))
		case *ir.EachPart:
			statements = append(statements, v.each(part))
		default:
			statements = append(statements, jen.Id("b").Dot("WriteString").Call(v.part(part)))
		}
	}

	return statements
}

// each returns the loop over the items of a list.
func (v *view) each(part *ir.EachPart) *jen.Statement {
	f := v.fieldOf(part.Items)
	isTexts := f.form == formTexts && len(f.needs) == 0
	items := f.code()
	if !isTexts {
		items = v.dynamic(part.Items).Dot("Items").Call()
	}
	inside := v.within(isTexts)
	body := inside.build(part.Body)
	if !inside.reportUse(v) {
		return jen.For(jen.Range().Add(items)).Block(body...)
	}

	return jen.For(jen.List(jen.Id("_"), jen.Id(inside.this)).Op(":=").Range().Add(items)).Block(body...)
}
