package cost

import (
	"maps"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// around is what is around a field in JSON, and what else a value may be given there.
const around = 16

// contextSize bounds the context of a workflow by what was written there.
type contextSize struct {
	// parts are the sizes, as JSON, of all that is left of what each writer has written.
	parts map[writer]Amount
	// fields are the values that a writer puts at a place; "" is any place.
	fields map[field]extent
}

// writer is a step that writes at a place; the zero writer is what was there at first.
type writer struct {
	task *ir.Task
	path string
}

type field struct {
	by   writer
	name string
}

// contextOf is a context as it is at first.
func contextOf(s *ir.Schema, first extent) contextSize {
	c := contextSize{parts: map[writer]Amount{}, fields: map[field]extent{}}
	if s != nil { // names, and values where there are none, or defaults
		c.put(writer{path: "schema"}, nil, asJSON(size(s.JSON)), 1)
	}
	if first.json > 0 {
		c.merge(writer{}, s, first)
	}

	return c
}

func (c *contextSize) clone() contextSize {
	return contextSize{maps.Clone(c.parts), maps.Clone(c.fields)}
}

func (c *contextSize) equal(d contextSize) bool {
	return maps.Equal(c.parts, d.parts) && maps.Equal(c.fields, d.fields)
}

// covers reports whether a context is at least as large as another.
func (c *contextSize) covers(d contextSize) bool {
	for by, n := range d.parts {
		if c.parts[by] < n {
			return false
		}
	}
	for at, e := range d.fields {
		if !c.fields[at].covers(e) {
			return false
		}
	}

	return true
}

// or takes what others may have written.
func (c *contextSize) or(d contextSize) {
	for by, n := range d.parts {
		c.parts[by] = max(c.parts[by], n)
	}
	for at, e := range d.fields {
		c.fields[at] = c.fields[at].or(e)
	}
}

// grown makes what is larger than before unbounded.
func (c *contextSize) grown(before contextSize) {
	for by, n := range c.parts {
		if n != before.parts[by] {
			c.parts[by] = Unbounded
		}
	}
	for at, e := range c.fields {
		if e != before.fields[at] {
			c.fields[at] = unbounded
		}
	}
}

// left counts what a writer has written once more: as much as it, of at most so many times.
func (c *contextSize) left(by writer, more, times Amount) {
	c.parts[by] = max(c.parts[by], min(c.parts[by].plus(more), more.times(times)))
}

// put writes a value at a path, or anywhere.
func (c *contextSize) put(by writer, path *ir.ContextPath, value extent, times Amount) {
	name := ""
	if path != nil {
		name = nameOf(path.Path)
	}
	c.left(by, sum(value.json, quotedText(size(name)), around), times)
	at := field{by, name}
	c.fields[at] = c.fields[at].or(value)
}

// merge merges an object that fits a schema.
func (c *contextSize) merge(by writer, s *ir.Schema, value extent) {
	c.left(by, value.json.plus(around), kept(s, 0))
	s = s.Followed()
	if s == nil || s.Kind != ir.SchemaObject || s.Additional != nil {
		c.fields[field{by, ""}] = asJSON(c.parts[by])
		return
	}
	for _, p := range s.Properties {
		at := field{by, p.Name.Value}
		c.fields[at] = c.fields[at].or(fitting(p.Schema, value.written))
		if kept(p.Schema, 0) > 1 { // objects there are merged, too
			c.fields[at] = asJSON(c.parts[by])
		}
	}
}

func nameOf(path []ir.Text) string { return strings.Join(ir.Values(path), ".") }

// whole is the size of all of it. A field has what one of its writers has written last: of writers that share fields, either all that each
// of them has written counts, or the largest value of each field.
func (c *contextSize) whole() Amount {
	all := Amount(2)
	names := map[writer][]string{}
	largest, each := map[string]Amount{}, map[writer]Amount{}
	for at, e := range c.fields {
		value := sum(e.json, quotedText(size(at.name)), 4)
		names[at.by] = append(names[at.by], at.name)
		largest[at.name] = max(largest[at.name], value)
		each[at.by] = each[at.by].plus(value)
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
	for by, n := range c.parts {
		of := names[by]
		if len(of) == 0 || of[0] == "" {
			all = all.plus(n)
			continue
		}
		written[group(of[0])] = written[group(of[0])].plus(min(n, each[by]))
	}
	for name, n := range largest {
		values[group(name)] = values[group(name)].plus(n)
	}
	for name, n := range written {
		all = all.plus(min(n, values[name]))
	}

	return all
}

// at is the value at a path that the steps have written, and the one that was there at first.
func (c *contextSize) at(path string) (one, first extent) {
	inside := Amount(0)
	for at, e := range c.fields {
		to := &one
		if at.by == (writer{}) {
			to = &first
		}
		switch {
		case at.name == path:
			*to = to.or(e)
		case at.name == "" || strings.HasPrefix(path, at.name+"."):
			*to = to.or(extent{e.json, e.json, e.written})
		case strings.HasPrefix(at.name, path+"."):
			inside = sum(inside, e.json, quotedText(size(at.name)), around)
		}
	}
	if inside > 0 {
		one = asJSON(sum(one.json, inside))
	}

	return one, first
}
