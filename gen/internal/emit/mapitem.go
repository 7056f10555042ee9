package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// mapItem is the item of a map whose list is a Go list of structs. A field of the run points to it
// while the body of the map runs. The list is not decoded again: nothing changes the structs of a
// list in place, so that the items stay as they were when the map began.
type mapItem struct {
	// field is the field of the run, and typ its struct.
	field, typ string
	// list is where the context has the list, schema the schema of the item.
	list   location
	schema *ir.Schema
}

// mapItemOf returns the item of a map in a pipeline; nil if its list is no Go list of structs.
func (w *workflow) mapItemOf(p *ir.Pipeline, t *ir.Task, do *ir.Loop) *mapItem {
	over, isAccess := do.Over.(*ir.Access)
	if !isAccess || over.Root != ir.RootContext {
		return nil
	}
	at := view{w: w}
	list := at.locate(over)
	if !list.isStructs() {
		return nil
	}
	typ, schema := names.SchemaRoot(names.Context(w.name), w.ir.Context), w.ir.Context
	for _, step := range over.Path {
		typ, schema = names.SchemaProperty(typ, step.Property), step.Property.Schema
	}

	return &mapItem{names.Work(names.Item, p, t.Name.Value), names.SchemaItem(typ), list, schema.Items}
}

// hasMember reports whether an access leads to a member of the item. The items of {{#each}} have
// the same name.
func (i *mapItem) hasMember(x *ir.Access) bool {
	return i != nil && len(x.Path) > 0 && slices.Contains(i.schema.Properties, x.Path[0].Property)
}

// addItems adds the declaration of items, the list of a map, if its body reads fields of the items.
// It is nil if an object that contains the list is missing; then the map fails before its first item.
func (b *sequence) addItems(do *ir.Loop) {
	if !b.w.isItemRead(do) {
		return
	}
	item := b.w.items[do.Body]
	list := item.list
	if len(list.pointers) == 0 {
		b.add(jen.Id("items").Op(":=").Id(list.path), jen.Line())
		return
	}
	b.add(
		jen.Var().Id("items").Index().Id(item.typ),
		jen.If(allNotNil(list.pointers).code).Block(jen.Id("items").Op("=").Id(list.path)),
		jen.Line())
}

// mapBodyCode returns the function that runs the body of a map for an item. It is method or, if the
// body reads fields of the item, a function that makes the run point to the item. The function has
// params before the item.
func (w *workflow) mapBodyCode(do *ir.Loop, method *jen.Statement, params ...jen.Code) *jen.Statement {
	if !w.isItemRead(do) {
		return method
	}
	params = append(params, jen.Id("item").Add(inWorkflow("Value")))
	field := jen.Id("r").Dot(w.items[do.Body].field)

	return jen.Func().Params(params...).Params(inWorkflow("Value"), jen.Error()).Block(
		field.Op("=").Op("&").Id("items").Index(jen.Id("r").Dot("TurnIndex").Call()),
		jen.Line(),
		jen.Return(runPipelineCode(do.Body, jen.Id("item"))))
}

// isItemRead reports whether expressions in the body of a map read fields of the item's struct.
func (w *workflow) isItemRead(do *ir.Loop) bool {
	return do.IsForEach() && w.reads.items[w.items[do.Body]]
}

// addMapItems adds the fields of the run that point to the items of maps.
func (w *workflow) addMapItems(g *jen.Group) {
	for _, do := range ir.OpsOf[*ir.Loop](w.ir.Body.Ops()) {
		if w.isItemRead(do) {
			item := w.items[do.Body]
			g.Id(item.field).Op("*").Id(item.typ)
		}
	}
}
