package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// hasEach reports whether parts are repeated for the items of a list, be it under a condition.
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
			condition := v.condition(part.Cond)
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
