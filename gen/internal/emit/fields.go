package emit

import (
	"reflect"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// fields are the fields of a composite literal, in order.
type fields []jen.Code

// newFields returns fields from alternating names and values. It omits zero values: false, 0, an
// empty text or list, and nil code.
func newFields(pairs ...any) fields {
	var l fields
	for i := 0; i < len(pairs); i += 2 {
		if value := valueLiteral(pairs[i+1]); value != nil {
			l = append(l, keyedField(pairs[i].(string), value))
		}
	}

	return l
}

// keyedField returns a field of a composite literal.
func keyedField(name string, value jen.Code) jen.Code { return jen.Id(name).Op(":").Add(value) }

// valueLiteral returns a value as code; nil for zero.
func valueLiteral(v any) *jen.Statement {
	r := reflect.ValueOf(v)
	if r.IsZero() || r.Kind() == reflect.Slice && r.Len() == 0 {
		return nil
	}
	switch v := v.(type) {
	case *jen.Statement:
		return v
	case ir.Text:
		return valueLiteral(v.Value)
	case []ir.Text:
		return valueLiteral(ir.Values(v))
	case []string:
		return jen.Index().String().Values(wrapItems(quoteTexts(v)))
	case string:
		return textLiteral(v)
	case *float64, *bool, *int:
		return inRuntime("Pointer").Call(jen.Lit(r.Elem().Interface()))
	case time.Duration:
		return durationCode(v)
	case int64:
		return jen.Lit(int(v))
	}

	return jen.Lit(v)
}

// codeIf returns code if the condition is true, else nil, so that the field is omitted.
func codeIf(holds bool, code *jen.Statement) *jen.Statement {
	if !holds {
		return nil
	}

	return code
}

// structList returns a list of structs, an element a line; nil without elements.
func structList(typ *jen.Statement, elements []jen.Code) *jen.Statement {
	return codeIf(len(elements) > 0, jen.Index().Add(typ).Custom(block, elements...))
}

// mapLiteral returns a map, an entry a line; nil without entries.
func mapLiteral(key, value jen.Code, entries []jen.Code) *jen.Statement {
	return codeIf(len(entries) > 0, jen.Map(key).Add(value).Custom(block, entries...))
}

// onOneLine returns the fields in braces on one line, onLines on a line each.
func (l fields) onOneLine() *jen.Statement { return jen.Values(l...) }
func (l fields) onLines() *jen.Statement   { return jen.Custom(block, l...) }

var (
	// block is a list in braces with an item a line.
	block = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}
	// broken is a list of parameters or arguments, one a line.
	broken = jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}
)

// durationCode returns a duration in the largest unit of which it is a multiple.
func durationCode(d time.Duration) *jen.Statement {
	for _, unit := range []struct {
		name string
		of   time.Duration
	}{
		{"Hour", time.Hour}, {"Minute", time.Minute}, {"Second", time.Second}, {"Millisecond", time.Millisecond},
		{"Microsecond", time.Microsecond},
	} {
		if d%unit.of == 0 {
			return jen.Lit(int(d/unit.of)).Op("*").Qual("time", unit.name)
		}
	}

	return jen.Lit(int(d)).Op("*").Qual("time", "Nanosecond")
}
