package cost

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// around is what is around a field in JSON, and what else a value may be given there.
const around = 16

// data bounds what a run of a workflow has: the outputs of its steps by name, all that is left of what a writer has written, as its size as
// JSON, and the values that are put at places of the context.
type data map[any]extent

// outputSlot is the output of the steps of a name, and fieldSlot the place of a name in the context, "" for any.
type (
	outputSlot string
	fieldSlot  string
)

// writer is a step that writes at a place; the zero writer is what was there at first.
type writer struct {
	task *ir.Task
	path string
}

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
func (d data) widen(at any, e extent) { d[at] = d[at].or(e) }

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

// grown makes what is larger than before unbounded.
func (d data) grown(before data) {
	for at, e := range d {
		if e != before[at] {
			d[at] = unbounded
		}
	}
}

// left counts what a writer has written once more: as much as it, of at most so many times.
func (d data) left(by writer, more, times Amount) {
	d.widen(by, asJSON(min(d[by].json.plus(more), more.times(times))))
}

// put writes a value at a path, or anywhere.
func (d data) put(by writer, path *ir.ContextPath, value extent, times Amount) {
	name := ""
	if path != nil {
		name = nameOf(path.Path)
	}
	d.left(by, sum(value.json, quotedText(size(name)), around), times)
	d.widen(fieldSlot(name), value)
}

// merge merges an object that fits a schema.
func (d data) merge(by writer, s *ir.Schema, value extent) {
	d.left(by, value.json.plus(around), kept(s, 0))
	s = s.Followed()
	if s == nil || s.Kind != ir.SchemaObject || s.Additional != nil {
		d.widen(fieldSlot(""), d[by])
		return
	}
	for _, p := range s.Properties {
		d.widen(fieldSlot(p.Name.Value), fitting(p.Schema, value.written))
		if kept(p.Schema, 0) > 1 { // objects there are merged, too
			d.widen(fieldSlot(p.Name.Value), d[by])
		}
	}
}

func nameOf(path []ir.Text) string { return strings.Join(ir.Values(path), ".") }

// whole is the size of all of it: all that the writers have written.
func (d data) whole() Amount {
	all := Amount(2)
	for at, part := range d {
		if _, isPart := at.(writer); isPart {
			all = all.plus(part.json)
		}
	}

	return all
}

// field is the value at a path of the context.
func (d data) field(path string) (value extent) {
	inside := Amount(0)
	for at, e := range d {
		field, isField := at.(fieldSlot)
		switch name := string(field); {
		case !isField:
		case name == path:
			value = value.or(e)
		case name == "" || strings.HasPrefix(path, name+"."):
			value = value.or(extent{e.json, e.json, e.written})
		case strings.HasPrefix(name, path+"."):
			inside = sum(inside, e.json, quotedText(size(name)), around)
		}
	}
	if inside > 0 {
		value = asJSON(sum(value.json, inside))
	}

	return value
}
