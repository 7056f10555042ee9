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

// templateCode returns the text that a template renders.
func (v *view) templateCode(t *ir.Template) *jen.Statement { return v.partsCode(t.Parts) }

// fewParts is the largest number of parts of a template on one line.
const fewParts = 4

// quotedUpTo is the largest size in bytes of a text that is quoted with its line breaks.
const quotedUpTo = 60

// partsCode joins the parts of a template; repeated parts are built by a loop. A line of the code
// ends at the end of a line of the text, and after each text if there are many parts.
func (v *view) partsCode(parts []ir.Part) *jen.Statement {
	if len(parts) == 0 {
		return jen.Lit("")
	}
	if hasEach(parts) {
		return v.buildCode(parts)
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
		joined.Add(v.partCode(part))
	}

	return joined
}

// textLength returns the number of bytes of text in the parts.
func textLength(parts []ir.Part) int {
	n := 0
	for _, part := range parts {
		if verbatim, isText := part.(*ir.Verbatim); isText {
			n += len(verbatim.Text)
		}
	}

	return n
}

func (v *view) partCode(any ir.Part) *jen.Statement {
	switch part := any.(type) {
	case *ir.Verbatim:
		if len(part.Text) <= quotedUpTo {
			return jen.Lit(part.Text)
		}
		return textLiteral(part.Text)
	case *ir.Placeholder:
		return v.renderCode(part)
	}
	part := any.(*ir.IfPart)
	condition := v.blockCondition(part)
	body := v.withAssumption(condition, true).partsCode(part.Body)
	if part.Otherwise == nil {
		return textWhen(condition, body)
	}
	otherwise := v.withAssumption(condition, false).partsCode(part.Otherwise)

	return inWorkflow("WhenElse").Call(condition.code, textFunc(body), textFunc(otherwise))
}

// blockCondition returns the condition of a block. It fails if it has no result, or if what follows
// {{else}} would be rendered only because it is unknown.
func (v *view) blockCondition(part *ir.IfPart) term {
	if builtin.CanBlockFail(part) && v.canBeUnknown(part.Cond) {
		args := v.sourceAndOperands(ir.Text{Value: part.Cond.At().Text()}, part.Cond)
		return primaryTerm(callWithArgs(v.truthValueCode(part.Cond).Dot("Decided"), args))
	}

	return v.whereHolds(part.Cond)
}

// textWhen returns a text that is empty unless a condition is true.
func textWhen(condition term, text *jen.Statement) *jen.Statement {
	return inWorkflow("When").Call(condition.code, textFunc(text))
}

// textFunc returns a function that returns a text.
func textFunc(text *jen.Statement) *jen.Statement {
	return jen.Func().Params().String().Block(jen.Return(text))
}

// renderCode returns a placeholder as a Go text.
func (v *view) renderCode(p *ir.Placeholder) *jen.Statement {
	if code := v.renderTextCode(p); code != nil {
		return code
	}
	if len(p.Values) == 1 {
		if code := v.renderFieldCode(p.Values[0], p.Filters); code != nil {
			return code
		}
	}
	last := len(p.Filters) - 1
	if last >= 0 && findFilter(p.Filters[last]).GoText != "" {
		before := *p
		before.Filters = p.Filters[:last]
		return v.placeholderCode(&before).Dot(findFilter(p.Filters[last]).GoText).Call()
	}

	return v.placeholderCode(p).Dot("String").Call()
}

// nativeArgsCode returns the arguments of a filter as Go texts and integers.
func nativeArgsCode(f ir.Filter) []jen.Code {
	return ir.Map(f.Args, func(arg *ir.Literal) jen.Code { return nativeLiteralCode(arg) })
}

func findFilter(f ir.Filter) builtin.Filter {
	descriptor, _ := builtin.FilterByName(f.Name)

	return descriptor
}

// renderTextCode returns a placeholder with values that are texts or missing. A missing value
// renders as an empty text. It returns nil for other values, or if a filter needs more than a text.
func (v *view) renderTextCode(p *ir.Placeholder) *jen.Statement {
	var values []jen.Code
	for _, x := range p.Values {
		value := v.nativeText(x)
		if value == nil {
			return nil
		}
		values = append(values, value)
	}
	for _, filter := range p.Filters {
		switch descriptor := findFilter(filter); {
		case descriptor.Native != "":
			args := append([]jen.Code{firstNonEmpty(values)}, nativeArgsCode(filter)...)
			values = []jen.Code{jen.Qual("strings", descriptor.Native).Call(args...)}
		case descriptor.GivesArgument() && literalKind(filter.Args[0]) == ir.SchemaString:
			values = append(values, nativeLiteralCode(filter.Args[0]))
		default:
			return nil
		}
	}

	return jen.Add(firstNonEmpty(values))
}

// firstNonEmpty returns the first text that is not empty.
func firstNonEmpty(values []jen.Code) jen.Code {
	if len(values) == 1 {
		return values[0]
	}

	return jen.Qual("cmp", "Or").Call(values...)
}

// nativeText returns a value as a Go text, empty if the value is missing. It returns nil if the
// value may be anything else.
func (v *view) nativeText(x ir.Expression) *jen.Statement {
	f, s := v.fieldOfExpression(x), v.scalarOf(x)
	switch {
	case s.kind != ir.SchemaString:
		return nil
	case len(s.needs) == 0:
		return s.native().code
	case f.form == formPointer && len(f.needs) == 0:
		return v.valueCode(x).Dot("String").Call()
	}

	return textWhen(allNotNil(s.needs), s.native().code)
}

// renderFieldCode returns a field of a struct, with an optional filter, as a Go text; nil if
// package workflow renders it.
func (v *view) renderFieldCode(x ir.Expression, filters []ir.Filter) *jen.Statement {
	f, s := v.fieldOfExpression(x), v.scalarOf(x)
	isInt := s.kind == ir.SchemaInteger && len(s.needs) == 0 && !isLiteral(x)
	switch {
	case len(f.needs) > 0 || len(filters) > 1:
		return nil
	case len(filters) == 0 && isInt:
		return jen.Qual("strconv", "FormatInt").Call(s.native().code, jen.Lit(10))
	case len(filters) == 0 || f.form != formTexts:
		return nil
	}

	return renderListCode(filters[0], f.fieldCode())
}

// renderListCode returns a filtered list of Go texts as a Go text; nil if package workflow renders
// it.
func renderListCode(filter ir.Filter, list *jen.Statement) *jen.Statement {
	functions := findFilter(filter).NativeList
	if len(functions) == 0 {
		return nil
	}
	args := append([]jen.Code{list}, nativeArgsCode(filter)...)
	for _, f := range slices.Backward(functions) {
		args = []jen.Code{jen.Qual(f.Package, f.Name).Call(args...)}
	}

	return jen.Add(args...)
}

// placeholderCode returns a placeholder as a value.
func (v *view) placeholderCode(p *ir.Placeholder) *jen.Statement {
	var value *jen.Statement
	if len(p.Values) == 1 {
		value = v.computedCode(p.Values[0])
	} else {
		others := ir.Map(p.Values[1:], func(x ir.Expression) jen.Code { return v.computedCode(x) })
		value = v.computedCode(p.Values[0]).Dot("Or").Call(others...)
	}
	for _, filter := range p.Filters {
		descriptor := findFilter(filter)
		args := nativeArgsCode(filter)
		if descriptor.GivesArgument() {
			args = []jen.Code{v.valueCode(filter.Args[0])}
		}
		value = value.Dot(descriptor.Go).Call(args...)
	}

	return value
}

// datumCode returns data of the source as a value.
func (v *view) datumCode(d *ir.Datum) *jen.Statement {
	switch d.Kind {
	case ir.DatumText:
		return inWorkflow("Text").Call(v.templateCode(d.Text))
	case ir.DatumValue:
		return v.computedCode(d.Value)
	case ir.DatumList:
		items := ir.Map(d.List, func(item *ir.Datum) jen.Code { return v.datumCode(item) })
		return callWithArgs(inWorkflow("List"), items)
	case ir.DatumFields:
		return callWithArgs(inWorkflow("Object"), v.membersCode(d.Fields))
	case ir.DatumAppend:
		return v.datumCode(d.List[0]).Dot("Append").Call(v.datumCode(d.List[1]))
	case ir.DatumMerge:
		return v.datumCode(d.List[0]).Dot("Merge").Call(v.datumCode(d.List[1]))
	}

	return jsonScalar(d.JSON)
}

// membersCode returns the fields of a mapping.
func (v *view) membersCode(fields []ir.DatumField) []jen.Code {
	return ir.Map(fields, func(field ir.DatumField) jen.Code {
		name, value := keyedField("Name", jen.Lit(field.Name.Value)), keyedField("Value", v.datumCode(field.Value))
		if field.Optional {
			return inWorkflow("Member").Values(name, value, keyedField("Optional", jen.Lit(true)))
		}
		return inWorkflow("Member").Values(name, value)
	})
}

func memberCode(name, value *jen.Statement) *jen.Statement {
	return inWorkflow("Member").Values(keyedField("Name", name), keyedField("Value", value))
}

// callWithArgs returns a call, with an argument a line if there are several.
func callWithArgs(function *jen.Statement, args []jen.Code) *jen.Statement {
	if len(args) > 1 {
		return function.Custom(broken, args...)
	}

	return function.Call(args...)
}

// jsonScalar returns a JSON scalar as a value.
func jsonScalar(text string) *jen.Statement {
	switch text {
	case "null":
		return noneCode()
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
		text += ".0" // it is too large for an int
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
			return hasEach(part.Body) || hasEach(part.Otherwise)
		}

		return false
	})
}

// buildCode returns the text of parts that is built by statements.
func (v *view) buildCode(parts []ir.Part) *jen.Statement {
	return inWorkflow("BuildText").Call(
		jen.Func().Params(jen.Id("b").Op("*").Qual("strings", "Builder")).Block(v.buildStatements(parts)...))
}

// buildStatements returns the statements that write parts to b.
func (v *view) buildStatements(parts []ir.Part) []jen.Code {
	var statements []jen.Code
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.IfPart:
			statements = append(statements, v.ifStatement(part))
		case *ir.EachPart:
			statements = append(statements, v.eachStatement(part))
		default:
			statements = append(statements, jen.Id("b").Dot("WriteString").Call(v.partCode(part)))
		}
	}

	return statements
}

// ifStatement returns the statement that writes a conditional block.
func (v *view) ifStatement(part *ir.IfPart) *jen.Statement {
	condition := v.blockCondition(part)
	statement := jen.If(condition.code).Block(v.withAssumption(condition, true).buildStatements(part.Body)...)
	if part.Otherwise == nil {
		return statement
	}
	otherwise := v.withAssumption(condition, false)
	if elif, isIf := part.Otherwise[0].(*ir.IfPart); isIf && len(part.Otherwise) == 1 {
		return statement.Else().Add(otherwise.ifStatement(elif))
	}

	return statement.Else().Block(otherwise.buildStatements(part.Otherwise)...)
}

// eachStatement returns the loop over the items of a list: a Go list of texts, a Go list of structs
// of which the body reads only fields, or a value.
func (v *view) eachStatement(part *ir.EachPart) *jen.Statement {
	if f := v.fieldOfExpression(part.Items); f.form == formTexts && len(f.needs) == 0 {
		return v.loopOver(part, v.forEachBody(true), f.fieldCode(), jen.Len(f.fieldCode()))
	}
	if path, owner := v.structsAt(part.Items); path != "" {
		inside := v.forEachStruct(owner)
		loop := v.loopOver(part, inside, jen.Id(path), jen.Len(jen.Id(path)))
		if !inside.used[itemAsValue] {
			return loop
		}
	}
	list := func() *jen.Statement { return v.valueCode(part.Items) }

	return v.loopOver(part, v.forEachBody(false), list().Dot("Items").Call(), list().Dot("Len").Call())
}

// loopOver returns the loop over items, of which there are count, whose body is written as inside
// sees it.
func (v *view) loopOver(part *ir.EachPart, inside *view, items, count *jen.Statement) *jen.Statement {
	body := inside.buildStatements(part.Body)
	inside.reportUse(v)
	loop := jen.For(inside.itemVariables().Range().Add(items)).Block(body...)
	if !inside.used[lastIndex] {
		return loop
	}

	return jen.Block(jen.Id(lastIndex).Op(":=").Add(count).Op("-").Lit(1), loop)
}

// itemVariables returns the declaration of the variables of a loop that its body uses.
func (v *view) itemVariables() *jen.Statement {
	index := jen.Id("_")
	if v.used[itemIndex] {
		index = jen.Id(itemIndex)
	}
	switch {
	case v.used[v.this]:
		return jen.List(index, jen.Id(v.this)).Op(":=")
	case v.used[itemIndex]:
		return index.Op(":=")
	}

	return &jen.Statement{}
}

// itemIndex is the variable with the number of the item in {{#each}}, and lastIndex that with the
// number of the last item.
const itemIndex, lastIndex = "i", "last"

// itemAsValue is recorded as used where an item that is a Go struct is needed as a value, which it
// does not have.
const itemAsValue = "item as a value"
