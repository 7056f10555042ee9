package statemachine

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// Types of values that no schema of the user describes.
var (
	unknown   = ir.Type{}
	textType  = kind(ir.SchemaString)
	truthType = kind(ir.SchemaBoolean)
	listType  = kind(ir.SchemaArray)
)

func kind(k ir.SchemaKind) ir.Type { return ir.Type{Schema: &ir.Schema{Kind: k}} }

// object is the type of an object with these properties and no others.
func object(properties ...*ir.Property) ir.Type {
	return ir.Type{Schema: &ir.Schema{Kind: ir.SchemaObject, Properties: properties}}
}

func property(name string, t ir.Type) *ir.Property {
	schema := cmp.Or(t.Schema, &ir.Schema{Kind: ir.SchemaAny})

	return &ir.Property{Name: ir.Text{Value: name}, Required: true, Schema: schema}
}

// listOf is the type of a list of such values.
func listOf(t ir.Type) ir.Type {
	return ir.Type{Schema: &ir.Schema{Kind: ir.SchemaArray, Items: t.Schema}}
}

// dynamic is what is known of a value of the type when it is not a Go struct.
func dynamic(t ir.Type) ir.Type { return ir.Type{Schema: t.Schema} }

// same is the type of a value that is of one of the types: theirs if they are all alike, else unknown.
func same(types ...ir.Type) ir.Type {
	if len(types) == 0 {
		return unknown
	}
	for _, t := range types[1:] {
		if t.Owner != types[0].Owner || t.Of != types[0].Of || !alike(t.Schema, types[0].Schema) {
			return unknown
		}
	}

	return types[0]
}

// alike reports whether two schemas describe the same values in the same way.
func alike(a, b *ir.Schema) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil:
		return false
	case a.Target != nil || b.Target != nil:
		return a.Target == b.Target && a.Nullable == b.Nullable
	case a.JSON != "" || b.JSON != "":
		return a.JSON == b.JSON && a.Nullable == b.Nullable
	}

	return a.Kind == b.Kind && a.Nullable == b.Nullable && slices.Equal(a.Enum, b.Enum) && alike(a.Items, b.Items) &&
		alike(a.Additional, b.Additional) && slices.EqualFunc(a.Properties, b.Properties, func(p, q *ir.Property) bool {
		return p.Name.Value == q.Name.Value && p.Required == q.Required && alike(p.Schema, q.Schema)
	})
}

// typeOfData is what is known of a value that is in the source, before its templates are read.
func typeOfData(n *yamldoc.Node) ir.Type {
	if n.Kind == yamldoc.String {
		return textType
	}

	return typeInside(n)
}

// typeInside is typeOfData for a value in a list or a mapping, where a template may keep the type of what it names.
func typeInside(n *yamldoc.Node) ir.Type {
	switch n.Kind {
	case yamldoc.Bool:
		return truthType
	case yamldoc.Int:
		return kind(ir.SchemaInteger)
	case yamldoc.Float:
		return kind(ir.SchemaNumber)
	case yamldoc.String:
		if hasPlaceholder(n.Text) {
			return unknown
		}
		return textType
	case yamldoc.Seq:
		return listType
	case yamldoc.Map:
		return object(ir.Map(n.Fields, func(f *yamldoc.Field) *ir.Property { return property(f.Key.Text, typeInside(f.Value)) })...)
	}

	return unknown
}
