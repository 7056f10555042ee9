package emit

import (
	"reflect"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// fields are the fields of a composite literal, in order.
type fields []jen.Code

// fieldsOf returns fields from names and values in turn. A value that is Go's zero is left out:
// false, 0, an empty text or list, and code that is nil.
func fieldsOf(pairs ...any) fields {
	var l fields
	for i := 0; i < len(pairs); i += 2 {
		if value := valueOf(pairs[i+1]); value != nil {
			l = append(l, keyed(pairs[i].(string), value))
		}
	}

	return l
}

// keyed is a field of a composite literal.
func keyed(name string, value jen.Code) jen.Code { return jen.Id(name).Op(":").Add(value) }

// valueOf returns a value as code; nil for zero.
func valueOf(v any) *jen.Statement {
	r := reflect.ValueOf(v)
	if r.IsZero() || r.Kind() == reflect.Slice && r.Len() == 0 {
		return nil
	}
	switch v := v.(type) {
	case *jen.Statement:
		return v
	case ir.Text:
		return valueOf(v.Value)
	case []ir.Text:
		return valueOf(ir.Values(v))
	case []string:
		return jen.Index().String().Values(list(literals(v)))
	case string:
		return text(v)
	case *float64, *bool, *int:
		return in("Pointer").Call(jen.Lit(r.Elem().Interface()))
	case time.Duration:
		return duration(v)
	case int64:
		return jen.Lit(int(v))
	}

	return jen.Lit(v)
}

// wanted returns code where a condition holds, else nil, so that the field is left out.
func wanted(holds bool, code *jen.Statement) *jen.Statement {
	if !holds {
		return nil
	}

	return code
}

// listOf returns a list of structs, an element a line; nil without elements.
func listOf(typ *jen.Statement, elements []jen.Code) *jen.Statement {
	return wanted(len(elements) > 0, jen.Index().Add(typ).Custom(block, elements...))
}

// mapOf returns a map, an entry a line; nil without entries.
func mapOf(key, value jen.Code, entries []jen.Code) *jen.Statement {
	return wanted(len(entries) > 0, jen.Map(key).Add(value).Custom(block, entries...))
}

// line returns the fields in braces on one line, braces a line each.
func (l fields) line() *jen.Statement   { return jen.Values(l...) }
func (l fields) braces() *jen.Statement { return jen.Custom(block, l...) }

var (
	// block is a list in braces with an item a line.
	block = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}
	// broken is a list of parameters or arguments, one a line.
	broken = jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}
)

// duration returns a duration as a person writes it: in the largest unit of which it is a whole
// number.
func duration(d time.Duration) *jen.Statement {
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
