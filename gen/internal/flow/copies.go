package flow

import (
	"math/bits"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/expr"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// copied is a variable that a task gives the value of another one.
type copied struct{ to, from int }

// sourceFinder returns a function that finds the names whose values tasks copy to a name.
func sourceFinder(x *paths, body *ir.Pipeline) func(*ir.Access) []*ir.Access {
	giving, writing := tasksByOutput(body), tasksThatWrite(body)

	return func(to *ir.Access) (sources []*ir.Access) {
		tasks := writing
		if to.Root == ir.RootStep {
			tasks = giving[to.Output]
		}
		for _, t := range tasks {
			if source := x.copySource(t, to); source != nil {
				sources = append(sources, source)
			}
		}

		return sources
	}
}

// copySource returns the name whose value a task copies to another name; nil if it copies none. A
// task with a fallback may have another value.
func (x *paths) copySource(t *ir.Task, to *ir.Access) (source *ir.Access) {
	if t.Fallback != nil {
		return nil
	}
	if to.Root == ir.RootStep {
		if _, passes := t.Do.(*ir.PassOn); passes && to.Output == t.Output {
			source = nameWithin(x.given[t], to.Path)
		}
		return source
	}
	for _, w := range t.ContextWrites() {
		if !mayChange(w, to) {
			continue
		}
		isWhole := w.Replaces && !w.Merge && len(w.Path.Path) <= len(to.Path)
		if source != nil || !isWhole {
			return nil
		}
		source = nameWithin(x.writtenData(t, w), to.Path[len(w.Path.Path):])
	}

	return source
}

// nameWithin returns the name of a path inside of data; nil if the data is no name.
func nameWithin(d *ir.Datum, path []ir.Field) *ir.Access {
	for d != nil && d.Kind == ir.DatumFields && len(path) > 0 {
		d, path = ir.FieldOf(d.Fields, path[0].Name.Value), path[1:]
	}
	if d == nil || d.Kind != ir.DatumValue {
		return nil
	}
	access, isName := d.Value.(*ir.Access)
	if !isName || access.Default != nil {
		return nil
	}
	name := *access
	name.Path = slices.Concat(access.Path, path)

	return &name
}

// findVariable returns the variable of a name, which may be nil.
func (x *paths) findVariable(access *ir.Access) (i int, isKnown bool) {
	if access == nil {
		return 0, false
	}
	i, isKnown = x.byName[expr.NameOf(access)]

	return i, isKnown
}

// copyValues returns the values after a task has copied some: a value that represents others becomes
// the one that represents them where it is copied to. before are the values before the task.
func (x *paths) copyValues(t *ir.Task, before, after values) values {
	for _, c := range x.copies[t] {
		alike := x.variables[c.to].findAlike(x.variables[c.from], before.at(c.from))
		if alike&after.at(c.to) != 0 {
			after = after.with(c.to, alike)
		}
	}

	return after
}

// findAlike returns the value that represents a value of another variable, of which it is a copy;
// empty if it is not known.
func (v *variable) findAlike(source *variable, value set) set {
	isFollowed := v.sample != nil && source.sample != nil && bits.OnesCount64(uint64(value)) == 1
	if !isFollowed || value&source.exact != 0 {
		return 0
	}
	alike, isKnown := v.sample.FindAlike(source.values[bits.TrailingZeros64(uint64(value))])
	if !isKnown || alike.IsNone() {
		return 0
	}

	return v.representative(alike)
}
