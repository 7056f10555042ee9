package cost

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// around is what is around a field in JSON, and what else a value may be given there.
const around = 16

// data bounds what a run of a workflow has: the outputs of its steps, and its context by what was
// written there. It is never changed.
type data struct {
	slots *slots
	tree  *tree
}

// slots are the slots of a workflow, by their indexes in trees.
type slots struct {
	all   []slot
	index map[slot]int
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

// slot is the output of the steps of a name; or, as its size as JSON, all that is left of what a writer has written; or the value that a writer
// puts at the place of a name, "" for any.
type slot struct {
	kind slotKind
	by   writer
	name string
}

type slotKind uint8

const (
	slotOutput slotKind = iota
	slotPart
	slotField
)

// writer is a step that writes at a place; the zero writer is what was there at first.
type writer struct {
	task *ir.Task
	path string
}

func outputOf(step string) slot { return slot{kind: slotOutput, name: step} }

func partOf(by writer) slot { return slot{kind: slotPart, by: by} }

func fieldOf(by writer, name string) slot { return slot{slotField, by, name} }

// contextOf returns a context as it is at first.
func contextOf(s *ir.Schema, first extent) data {
	d := data{slots: &slots{index: map[slot]int{}}}
	if s != nil { // names, and values where there are none, or defaults
		d = d.put(writer{path: "schema"}, nil, asJSON(size(s.JSON)), 1)
	}
	if first.json > 0 {
		d = d.merge(writer{}, s, first)
	}

	return d
}

// of returns the value of a slot, which is empty where nothing was written.
func (d data) of(at slot) extent {
	index, isKnown := d.slots.index[at]
	if !isKnown {
		return extent{}
	}
	e, _ := d.tree.at(index)

	return e
}

// widen makes a value at least as large as another.
func (d data) widen(at slot, e extent) data {
	index := d.slots.indexOf(at)
	is, isSet := d.tree.at(index)
	if !isSet || !is.covers(e) {
		d.tree = d.tree.with(index, is.or(e))
	}

	return d
}

// or takes what others may have written.
func (d data) or(others data) data {
	d.tree = d.tree.or(others.tree)

	return d
}

// grown makes what is larger than it was before unbounded.
func (d data) grown(before data) data {
	d.tree = d.tree.grown(before.tree)

	return d
}

// left counts what a writer has written once more: as much as it, of at most so many times.
func (d data) left(by writer, more, times Amount) data {
	return d.widen(partOf(by), asJSON(min(d.of(partOf(by)).json.Plus(more), more.Times(times))))
}

// put writes a value at a path, or anywhere.
func (d data) put(by writer, path *ir.ContextPath, value extent, times Amount) data {
	name := ""
	if path != nil {
		name = nameOf(path.Path)
	}
	d = d.left(by, amount.Sum(value.json, quotedText(size(name)), around), times)

	return d.widen(fieldOf(by, name), value)
}

// merge merges an object that fits a schema.
func (d data) merge(by writer, s *ir.Schema, value extent) data {
	d = d.left(by, value.json.Plus(around), kept(s, 0))
	s = s.Resolved()
	if s == nil || s.Kind != ir.SchemaObject || s.Additional != nil {
		return d.widen(fieldOf(by, ""), d.of(partOf(by)))
	}
	for _, p := range s.Properties {
		if kept(p.Schema, 0) > 1 { // objects there are merged, too
			d = d.widen(fieldOf(by, p.Name.Value), d.of(partOf(by)))
			continue
		}
		d = d.widen(fieldOf(by, p.Name.Value), fitting(p.Schema, value.written))
	}

	return d
}

func nameOf(path []ir.Text) string { return strings.Join(ir.Values(path), ".") }

// whole is the size of all of it. A field has what one of its writers has written last: of writers that share fields, either all that each
// of them has written counts, or the largest value of each field.
func (d data) whole() Amount {
	all := Amount(2)
	names := map[writer][]string{}
	largest, each := map[string]Amount{}, map[writer]Amount{}
	d.tree.each(func(index int, e extent) {
		at := d.slots.all[index]
		if at.kind != slotField {
			return
		}
		value := amount.Sum(e.json, quotedText(size(at.name)), 4)
		names[at.by] = append(names[at.by], at.name)
		largest[at.name] = max(largest[at.name], value)
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
	d.tree.each(func(index int, part extent) {
		at := d.slots.all[index]
		of := names[at.by]
		switch {
		case at.kind != slotPart:
		case len(of) == 0 || of[0] == "":
			all = all.Plus(part.json)
		default:
			written[group(of[0])] = written[group(of[0])].Plus(min(part.json, each[at.by]))
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

// at is the value at a path that the steps have written, and the one that was there at first.
func (d data) at(path string) (one, first extent) {
	inside := Amount(0)
	d.tree.each(func(index int, e extent) {
		at, to := d.slots.all[index], &one
		if at.by == (writer{}) {
			to = &first
		}
		switch {
		case at.kind != slotField:
		case at.name == path:
			*to = to.or(e)
		case at.name == "" || strings.HasPrefix(path, at.name+"."):
			*to = to.or(extent{e.json, e.json, e.written})
		case strings.HasPrefix(at.name, path+"."):
			inside = amount.Sum(inside, e.json, quotedText(size(at.name)), around)
		}
	})
	if inside > 0 {
		one = asJSON(amount.Sum(one.json, inside))
	}

	return one, first
}
