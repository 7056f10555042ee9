package cost

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// around is what is around a field in JSON, and what else a value may be given there.
const around = 16

// data bounds what a run of a workflow has: the outputs of its steps, and its context by what was written there.
type data map[slot]extent

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

// contextOf is a context as it is at first.
func contextOf(s *ir.Schema, first extent) data {
	d := data{}
	if s != nil { // names, and values where there are none, or defaults
		d.put(writer{path: "schema"}, nil, asJSON(size(s.JSON)), 1)
	}
	if first.json > 0 {
		d.merge(writer{}, s, first)
	}

	return d
}

// widen makes a value at least as large as another.
func (d data) widen(at slot, e extent) { d[at] = d[at].or(e) }

// or takes what others may have written.
func (d data) or(others data) {
	for at, e := range others {
		d.widen(at, e)
	}
}

// covers reports whether all is at least as large as in another run.
func (d data) covers(others data) bool {
	for at, e := range others {
		if !d[at].covers(e) {
			return false
		}
	}

	return true
}

// left counts what a writer has written once more: as much as it, of at most so many times.
func (d data) left(by writer, more, times Amount) {
	d.widen(partOf(by), asJSON(min(d[partOf(by)].json.Plus(more), more.Times(times))))
}

// put writes a value at a path, or anywhere.
func (d data) put(by writer, path *ir.ContextPath, value extent, times Amount) {
	name := ""
	if path != nil {
		name = nameOf(path.Path)
	}
	d.left(by, amount.Sum(value.json, quotedText(size(name)), around), times)
	d.widen(fieldOf(by, name), value)
}

// merge merges an object that fits a schema.
func (d data) merge(by writer, s *ir.Schema, value extent) {
	d.left(by, value.json.Plus(around), kept(s, 0))
	s = s.Followed()
	if s == nil || s.Kind != ir.SchemaObject || s.Additional != nil {
		d[fieldOf(by, "")] = d[partOf(by)]
		return
	}
	for _, p := range s.Properties {
		d.widen(fieldOf(by, p.Name.Value), fitting(p.Schema, value.written))
		if kept(p.Schema, 0) > 1 { // objects there are merged, too
			d[fieldOf(by, p.Name.Value)] = d[partOf(by)]
		}
	}
}

func nameOf(path []ir.Text) string { return strings.Join(ir.Values(path), ".") }

// whole is the size of all of it. A field has what one of its writers has written last: of writers that share fields, either all that each
// of them has written counts, or the largest value of each field.
func (d data) whole() Amount {
	all := Amount(2)
	names := map[writer][]string{}
	largest, each := map[string]Amount{}, map[writer]Amount{}
	for at, e := range d {
		if at.kind != slotField {
			continue
		}
		value := amount.Sum(e.json, quotedText(size(at.name)), 4)
		names[at.by] = append(names[at.by], at.name)
		largest[at.name] = max(largest[at.name], value)
		each[at.by] = each[at.by].Plus(value)
	}
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
	for at, part := range d {
		of := names[at.by]
		switch {
		case at.kind != slotPart:
		case len(of) == 0 || of[0] == "":
			all = all.Plus(part.json)
		default:
			written[group(of[0])] = written[group(of[0])].Plus(min(part.json, each[at.by]))
		}
	}
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
	for at, e := range d {
		to := &one
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
	}
	if inside > 0 {
		one = asJSON(amount.Sum(one.json, inside))
	}

	return one, first
}
