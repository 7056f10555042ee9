package cost

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// fieldOverhead is the size of JSON syntax around a field, and of other values that a field may
// have.
const fieldOverhead = 16

// data bounds the values of a workflow's run: the outputs of its steps, and its context by what was
// written there. It is immutable.
type data struct {
	slots *slots
	tree  *tree
}

// slots are the slots of a workflow, by their indexes in trees.
type slots struct {
	all   []slot
	index map[slot]int
	// lists are the fields that collect all that is written to them.
	lists []string
}

// collects reports whether a path is a field that collects what is written to it, or inside of one,
// or around one.
func (s *slots) collects(path string) bool {
	return slices.ContainsFunc(s.lists, func(list string) bool {
		return path == "" || path == list || strings.HasPrefix(path, list+".") || strings.HasPrefix(list, path+".")
	})
}

// collectingFields returns the fields of a context that collect all that is written to them.
func collectingFields(context *ir.Schema) []string {
	rules := ir.Where(context.FieldRules(), func(r ir.FieldRule) bool { return r.Merge.TakesLists() })

	return ir.Map(rules, func(r ir.FieldRule) string { return strings.Join(r.Path, ".") })
}

// indexOf returns the index of a slot.
func (s *slots) indexOf(at slot) int {
	index, isKnown := s.index[at]
	if !isKnown {
		index = len(s.all)
		s.all, s.index[at] = append(s.all, at), index
	}

	return index
}

// slot is the output of the steps with a name, a variable of a loop, the total size of what a writer has written, or the
// value of a writer at a path. The path is "" for any.
type slot struct {
	kind slotKind
	by   writer
	name string
}

type slotKind uint8

const (
	slotOutput slotKind = iota
	slotVariable
	slotPart
	slotField
)

// writer is a step that writes to a path. The zero writer is the initial context.
type writer struct {
	task *ir.Task
	path string
}

func outputSlot(step string) slot { return slot{kind: slotOutput, name: step} }

// variableSlot returns the slot of a variable of a loop, whose variables are one output.
func variableSlot(output, variable string) slot {
	return slot{kind: slotVariable, by: writer{path: variable}, name: output}
}

func partSlot(by writer) slot { return slot{kind: slotPart, by: by} }

func fieldSlot(by writer, name string) slot { return slot{slotField, by, name} }

// initialData returns the data of an initial context.
func initialData(s *ir.Schema, first extent) data {
	d := data{slots: &slots{index: map[slot]int{}, lists: collectingFields(s)}}
	if s != nil { // names, and defaults or empty values
		d = d.writeValue(writer{path: "schema"}, nil, builtin.SizeOfJSON(size(s.JSON)), 1)
	}
	if first.JSON > 0 {
		d = d.mergeObject(writer{}, s, first)
	}

	return d
}

// slotExtent returns the value of a slot, which is empty without writes.
func (d data) slotExtent(at slot) extent {
	index, isKnown := d.slots.index[at]
	if !isKnown {
		return extent{}
	}
	e, _ := d.tree.get(index)

	return e
}

// widen makes a value at least as large as another.
func (d data) widen(at slot, e extent) data {
	index := d.slots.indexOf(at)
	is, isSet := d.tree.get(index)
	if !isSet || !is.Covers(e) {
		d.tree = d.tree.set(index, is.Or(e))
	}

	return d
}

// union adds what other runs may have written.
func (d data) union(others data) data {
	d.tree = d.tree.union(others.tree)

	return d
}

// unboundGrowth makes values unbounded that are larger than before.
func (d data) unboundGrowth(before data) data {
	d.tree = d.tree.unboundGrowth(before.tree)

	return d
}

// recordWritten adds another write of a writer. times bounds the number of writes that remain.
func (d data) recordWritten(by writer, more, times Amount) data {
	return d.widen(partSlot(by), builtin.SizeOfJSON(min(d.slotExtent(partSlot(by)).JSON.Plus(more), more.Times(times))))
}

// writeValue writes a value to a path; nil for any path.
func (d data) writeValue(by writer, path *ir.ContextPath, value extent, times Amount) data {
	name := ""
	if path != nil {
		name = joinPath(path.Path)
	}
	if d.slots.collects(name) {
		times = Unbounded
	}
	d = d.recordWritten(by, amount.Sum(value.JSON, builtin.QuotedSize(size(name)), fieldOverhead), times)
	if d.slots.collects(name) { // what the step wrote before is there, too
		value = d.slotExtent(partSlot(by))
	}

	return d.widen(fieldSlot(by, name), value)
}

// mergeObject merges an object that fits a schema.
func (d data) mergeObject(by writer, s *ir.Schema, value extent) data {
	times := mergedObjects(s, 0)
	if len(d.slots.lists) > 0 {
		times = Unbounded
	}
	d = d.recordWritten(by, value.JSON.Plus(fieldOverhead), times)
	s = s.Resolved()
	if s == nil || s.Kind != ir.SchemaObject || s.Additional != nil {
		return d.widen(fieldSlot(by, ""), d.slotExtent(partSlot(by)))
	}
	for _, p := range s.Properties {
		isMerged := mergedObjects(p.Schema, 0) > 1 // objects there are merged, too
		if isMerged || d.slots.collects(p.Name.Value) {
			d = d.widen(fieldSlot(by, p.Name.Value), d.slotExtent(partSlot(by)))
			continue
		}
		d = d.widen(fieldSlot(by, p.Name.Value), schemaExtent(p.Schema, value.Longest))
	}

	return d
}

func joinPath(path []ir.Text) string { return strings.Join(ir.Values(path), ".") }

// wholeSize returns the size of the whole context. A field has the last value of one of its
// writers. For writers that share fields, either the total of each writer counts, or the largest
// value of each field.
func (d data) wholeSize() Amount {
	all := Amount(2)
	names := map[writer][]string{}
	largest, each := map[string]Amount{}, map[writer]Amount{}
	d.tree.visit(func(index int, e extent) {
		at := d.slots.all[index]
		if at.kind != slotField {
			return
		}
		value := amount.Sum(e.JSON, builtin.QuotedSize(size(at.name)), 4)
		names[at.by] = append(names[at.by], at.name)
		largest[at.name] = d.slots.combine(at.name, largest[at.name], value)
		each[at.by] = each[at.by].Plus(value)
	})
	groups := map[string]string{}
	var group func(name string) string
	group = func(name string) string {
		if up, known := groups[name]; known && up != name {
			return group(up)
		}
		return name
	}
	for _, of := range names {
		for _, name := range of {
			groups[group(name)] = group(of[0])
		}
	}
	written, values := map[string]Amount{}, map[string]Amount{}
	d.tree.visit(func(index int, part extent) {
		at := d.slots.all[index]
		of := names[at.by]
		switch {
		case at.kind != slotPart:
		case len(of) == 0 || of[0] == "":
			all = all.Plus(part.JSON)
		default:
			written[group(of[0])] = written[group(of[0])].Plus(min(part.JSON, each[at.by]))
		}
	})
	for name, n := range largest {
		values[group(name)] = values[group(name)].Plus(n)
	}
	for name, n := range written {
		all = all.Plus(min(n, values[name]))
	}

	return all
}

// extentAt returns the value at a path that steps have written, and the initial one.
func (d data) extentAt(path string) (one, first extent) {
	inside := Amount(0)
	d.tree.visit(func(index int, e extent) {
		at, to := d.slots.all[index], &one
		if at.by == (writer{}) {
			to = &first
		}
		switch {
		case at.kind != slotField:
		case d.slots.collects(path) && isInside(path, at.name):
			*to = builtin.SizeOfJSON(to.JSON.Plus(e.JSON))
		case at.name == path:
			*to = to.Or(e)
		case isInside(path, at.name):
			*to = to.Or(partExtent(e))
		case strings.HasPrefix(at.name, path+"."):
			inside = amount.Sum(inside, e.JSON, builtin.QuotedSize(size(at.name)), fieldOverhead)
		}
	})
	if inside > 0 {
		one = builtin.SizeOfJSON(amount.Sum(one.JSON, inside))
	}

	return one, first
}

// isInside reports whether a path is that of a field, or inside of it.
func isInside(path, field string) bool {
	return field == "" || path == field || strings.HasPrefix(path, field+".")
}

// combine returns the size of a field to which several steps write: all of it if the field collects
// that, or else the largest value.
func (s *slots) combine(field string, size, more Amount) Amount {
	if s.collects(field) {
		return size.Plus(more)
	}

	return max(size, more)
}
