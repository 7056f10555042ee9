package sample_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
)

func TestFits(t *testing.T) {
	one, two := 1, 2
	text := &ir.Schema{Kind: ir.SchemaString, MinLength: &one, MaxLength: &two, GoPattern: "^[aé]*$"}
	number := &ir.Schema{Kind: ir.SchemaNumber, Minimum: "0", ExclusiveMaximum: "10", MultipleOf: "0.5"}
	whole := &ir.Schema{Kind: ir.SchemaInteger, ExclusiveMinimum: "1", Maximum: "3"}
	list := &ir.Schema{Kind: ir.SchemaArray, Items: whole, MinItems: &one, MaxItems: &two, UniqueItems: true}
	object := &ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{
		{Name: ir.Text{Value: "a"}, Required: true, Schema: text}, {Name: ir.Text{Value: "b"}, Schema: number},
	}}
	open := &ir.Schema{Kind: ir.SchemaObject, Additional: &ir.Schema{Kind: ir.SchemaBoolean}}
	enum := &ir.Schema{Kind: ir.SchemaAny, Enum: []string{`"x"`, `1`, `null`}}
	cases := []struct {
		schema *ir.Schema
		fit    []string
		not    []string
	}{
		{nil, []string{`1`, `null`, `{}`}, nil},
		{&ir.Schema{Kind: ir.SchemaAny}, []string{`1`, `null`, `[]`}, nil},
		{enum, []string{`"x"`, `1`, `1.0`}, []string{`2`, `true`, `"y"`}},
		{text, []string{`"a"`, `"aé"`}, []string{`""`, `"aéa"`, `"b"`, `1`, `null`}},
		{&ir.Schema{Kind: ir.SchemaString, Nullable: true}, []string{`""`, `null`}, []string{`1`}},
		{number, []string{`0`, `9.5`, `1e0`}, []string{`-0.5`, `10`, `0.3`, `"1"`}},
		{whole, []string{`2`, `3`, `2.0`}, []string{`1`, `4`, `2.5`}},
		{list, []string{`[2]`, `[2,3]`}, []string{`[]`, `[2,2]`, `[4]`, `[2,3,2]`, `{}`}},
		{object, []string{`{"a":"a"}`, `{"a":"a","b":1}`}, []string{`{}`, `{"a":"b"}`, `{"a":"a","b":11}`, `{"a":"a","c":1}`, `[]`}},
		{open, []string{`{}`, `{"x":true}`}, []string{`{"x":1}`}},
		{&ir.Schema{Kind: ir.SchemaBoolean}, []string{`true`, `false`}, []string{`"true"`, `0`, `null`}},
	}
	for i, c := range cases {
		for _, list := range []struct {
			values []string
			want   bool
		}{{c.fit, true}, {c.not, false}} {
			for _, value := range list.values {
				if sample.Fits(c.schema, value) != list.want {
					t.Errorf("schema %d, %s: fits is %v", i, value, !list.want)
				}
			}
		}
	}
}
