package ir_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func TestForReceiver(t *testing.T) {
	text := &ir.Schema{Kind: ir.SchemaString}
	schema := &ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{
		{Name: ir.Text{Value: "required"}, Required: true, Schema: text},
		{Name: ir.Text{Value: "optional"}, Schema: text},
		{Name: ir.Text{Value: "nullable"}, Schema: &ir.Schema{Kind: ir.SchemaString, Nullable: true}},
		{Name: ir.Text{Value: "any"}, Schema: &ir.Schema{Kind: ir.SchemaAny}},
		{Name: ir.Text{Value: "listed"}, Schema: &ir.Schema{Kind: ir.SchemaAny, Enum: []string{"1", `"a"`}}},
		{Name: ir.Text{Value: "listed with null"}, Schema: &ir.Schema{Kind: ir.SchemaAny, Enum: []string{"1", "null"}}},
	}}
	names := append(schema.PropertyNames(), "unknown")
	mapping := &ir.Datum{Kind: ir.DatumFields, Fields: ir.Map(names, func(name string) ir.DatumField {
		return ir.DatumField{Name: ir.Text{Value: name}, Value: &ir.Datum{Kind: ir.DatumValue, Value: &ir.Access{}}}
	})}
	open := *schema
	open.Additional = text

	for _, test := range []struct {
		name string
		is   *ir.Datum
		want string
	}{
		{"no schema", mapping.ForReceiver(nil), ""},
		{"a text", mapping.ForReceiver(text), ""},
		{"an object", mapping.ForReceiver(schema), "optional listed "},
		{"an open object", mapping.ForReceiver(&open), "optional listed unknown "},
		{"a merged object", mapping.ForMerge(schema), "required optional listed "},
		{"two receivers", mapping.ForReceiver(schema).ForMerge(schema), "required optional listed "},
	} {
		left := ""
		for _, f := range test.is.Fields {
			if f.Optional {
				left += f.Name.Value + " "
			}
		}
		if left != test.want {
			t.Errorf("%s: %q may be left out, want %q", test.name, left, test.want)
		}
	}
	for _, f := range mapping.Fields {
		if f.Optional {
			t.Errorf("the mapping itself was changed: %s", f.Name.Value)
		}
	}
}
