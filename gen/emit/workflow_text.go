package emit

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
)

// template returns what a template renders, as a Go text. depth is how many tabs stand for what is before it on its line.
func (v *view) template(depth int, t *ir.Template) *jen.Statement {
	return v.parts(t.Parts, lineWidth-depth*tabWidth)
}

// parts joins the parts of a template. A new line begins where there is no room left; width is that of a line.
func (v *view) parts(parts []ir.Part, width int) *jen.Statement {
	if len(parts) == 0 {
		return jen.Lit("")
	}
	joined := &jen.Statement{}
	used := 0
	for i, part := range parts {
		code := v.part(part, width)
		needs := widthOf(code) + len(" + ")
		if i > 0 {
			joined.Op("+")
			if used+needs > width {
				joined.Line()
				used = 0
			}
		}
		used += needs
		joined.Add(code)
	}

	return joined
}

// widthOf returns how wide the longest line of code is.
func widthOf(code *jen.Statement) int {
	widest := 0
	for line := range strings.Lines(code.GoString()) {
		widest = max(widest, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
	}

	return widest
}

func (v *view) part(part ir.Part, width int) *jen.Statement {
	switch part := part.(type) {
	case *ir.Verbatim:
		return text(part.Text)
	case *ir.Placeholder:
		return v.rendered(part)
	case *ir.IfPart:
		return inWorkflow("When").Call(v.condition(part.Cond).code, v.parts(part.Body, width))
	}
	each := part.(*ir.EachPart)

	return inWorkflow("ForEach").Call(v.dynamic(each.Items),
		jen.Func().Params(jen.Id("this").Add(inWorkflow("Value"))).String().
			Block(jen.Return(v.within().parts(each.Body, width))))
}

// rendered returns a placeholder as a Go text.
func (v *view) rendered(p *ir.Placeholder) *jen.Statement {
	if len(p.Values) > 1 || len(p.Filters) > 0 {
		return v.filteredText(p)
	}
	x := p.Values[0]
	switch kind := v.kindOf(x); {
	case kind == scalarText:
		return v.native(x).code
	case kind == scalarInt && !isLiteral(x):
		return jen.Qual("strconv", "FormatInt").Call(v.native(x).code, jen.Lit(10))
	}

	return v.dynamic(x).Dot("String").Call()
}

// filteredText returns a placeholder with alternatives or filters as a Go text.
func (v *view) filteredText(p *ir.Placeholder) *jen.Statement {
	if len(p.Values) == 1 && len(p.Filters) == 1 {
		if native := v.nativeFilter(p.Values[0], p.Filters[0]); native != nil {
			return native
		}
	}
	last := len(p.Filters) - 1
	if last >= 0 && p.Filters[last].Name == "tojson" {
		before := *p
		before.Filters = p.Filters[:last]
		return v.placeholder(&before).Dot("JSON").Call()
	}

	return v.placeholder(p).Dot("String").Call()
}

// nativeFilter returns what a filter makes of a value whose Go type is known, as a Go text; nil where package workflow does it.
func (v *view) nativeFilter(x ir.Expression, filter ir.Filter) *jen.Statement {
	isText := v.kindOf(x) == scalarText
	texts := v.texts(x)
	switch {
	case filter.Name == "upper" && isText:
		return jen.Qual("strings", "ToUpper").Call(v.native(x).code)
	case filter.Name == "lower" && isText:
		return jen.Qual("strings", "ToLower").Call(v.native(x).code)
	case filter.Name == "join" && texts != nil:
		return jen.Qual("strings", "Join").Call(texts, jen.Lit(filter.Arg.Value))
	case filter.Name == "length" && texts != nil:
		return jen.Qual("strconv", "Itoa").Call(jen.Len(texts))
	}

	return nil
}

// filters are the functions that filters are.
var filters = map[string]string{
	"upper": "Upper", "lower": "Lower", "length": "Length", "tojson": "JSONText", "join": "Join", "default": "Default",
}

// placeholder returns a placeholder as a value.
func (v *view) placeholder(p *ir.Placeholder) *jen.Statement {
	var value *jen.Statement
	if len(p.Values) == 1 {
		value = v.dynamic(p.Values[0])
	} else {
		value = inWorkflow("First").Call(v.dynamics(p.Values)...)
	}
	for _, filter := range p.Filters {
		args := []jen.Code{value}
		switch {
		case filter.Arg == nil:
		case filter.Name == "join":
			separator, _ := filter.Arg.Value.(string)
			args = append(args, jen.Lit(separator))
		default:
			args = append(args, v.dynamic(filter.Arg))
		}
		value = inWorkflow(filters[filter.Name]).Call(args...)
	}

	return value
}

// datum returns data of the source as a value.
func (v *view) datum(depth int, d *ir.Datum) *jen.Statement {
	return fitted(depth, func(broken bool) *jen.Statement { return v.data(d, broken) })
}

// data returns data of the source as a value; lists and mappings in it have a line for each item if it is broken.
func (v *view) data(d *ir.Datum, broken bool) *jen.Statement {
	switch d.Kind {
	case ir.DatumText:
		return inWorkflow("Text").Call(v.parts(d.Text.Parts, textWidth(broken)))
	case ir.DatumValue:
		return v.dynamic(d.Value)
	case ir.DatumList:
		var items []jen.Code
		for _, item := range d.List {
			items = append(items, v.data(item, broken))
		}
		return listed(inWorkflow("List"), items, broken)
	case ir.DatumFields:
		return v.object(d.Fields, broken)
	}

	return scalarOf(d.JSON)
}

// textWidth is how wide the lines of a text inside of data may be: as wide as they like where the whole has to fit on a line.
func textWidth(broken bool) int {
	if broken {
		return lineWidth - argumentDepth*tabWidth
	}

	return math.MaxInt
}

// object returns the fields of a mapping as a value.
func (v *view) object(fields []ir.DatumField, broken bool) *jen.Statement {
	var members []jen.Code
	for _, field := range fields {
		members = append(members, inWorkflow("Member").Values(
			jen.Id("Name").Op(":").Lit(field.Name.Value), jen.Id("Value").Op(":").Add(v.data(field.Value, broken))))
	}

	return listed(inWorkflow("Object"), members, broken)
}

// listed returns a call, with an argument a line if it is broken.
func listed(function *jen.Statement, args []jen.Code, broken bool) *jen.Statement {
	if broken && len(args) > 0 {
		return function.Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, args...)
	}

	return function.Call(args...)
}

// scalarOf returns a JSON scalar as a value.
func scalarOf(text string) *jen.Statement {
	switch text {
	case "null":
		return inWorkflow("None")
	case "true", "false":
		return inWorkflow("Bool").Call(jen.Id(text))
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return inWorkflow("Int").Call(jen.Op(strconv.FormatInt(n, 10)))
	}
	var said string
	if json.Unmarshal([]byte(text), &said) == nil {
		return inWorkflow("Text").Call(jen.Lit(said))
	}

	return inWorkflow("Number").Call(jen.Op(text))
}
