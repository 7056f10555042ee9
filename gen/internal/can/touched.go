package can

import "github.com/agentc-dev/agentc/gen/internal/ir"

// touched are the values that some steps read or write. A fact about another one passes by them: it
// is true behind them if it was before.
type touched struct {
	// whole are the values themselves, and above are all that they are fields of, and they
	// themselves.
	whole, above map[fact]bool
}

func newTouched() *touched { return &touched{map[fact]bool{}, map[fact]bool{}} }

// touchedIn returns what the steps of a block touch, however deep they are inside.
func (w *workTexts) touchedIn(body *ir.Pipeline) *touched {
	known := w.touched[body]
	if known != nil {
		return known
	}
	all := newTouched()
	all.add(reached, memory, world, argument)
	ir.WalkTasks(body, func(t *ir.Task) { all.addTask(t) })
	w.touched[body] = all

	return all
}

func (v *touched) add(values ...fact) {
	for _, of := range values {
		v.whole[of] = true
		for _, outer := range of.outwards() {
			v.above[outer] = true
		}
	}
}

// addTask adds what a task touches.
func (v *touched) addTask(t *ir.Task) {
	v.add(outputs.member(t.Name.Value))
	t.WalkOwnReads(func(access *ir.Access) { v.add(accessReads(access)...) })
	for _, path := range contextPaths(t) {
		v.add(pathReads(path)...)
	}
	for _, to := range t.ContextWrites() {
		if to.Path != nil && len(to.Path.Path) > 0 {
			v.add(context.member(to.Path.Path[0].Value))
		}
	}
	switch do := t.Do.(type) {
	case *ir.Import:
		if do.Inherit || do.All {
			v.add(context)
		}
	case *ir.Parallel:
		if do.Merge == ir.MergeNone || ir.First(do.Branches, isOnly) != nil {
			v.add(context) // what a branch does not bring back is what it was before
		}
	}
}

func isOnly(arm *ir.Arm) bool { return arm.Only }

// isTouched reports whether a fact is about one of the values, about a field of one, or about what
// one is a field of.
func (v *touched) isTouched(name fact) bool {
	if v.above[name] {
		return true
	}
	for _, outer := range name.outwards() {
		if v.whole[outer] {
			return true
		}
	}

	return false
}

// outwards are a value and all that it is a field of, as far as they have names here.
func (f fact) outwards() []fact {
	all := []fact{{slot: f.slot}}
	if f.depth > 0 {
		all = append(all, fact{slot: f.slot, name: f.name, depth: 1})
	}
	if f.depth > 1 {
		all = append(all, fact{slot: f.slot, name: f.name, field: f.field, depth: 2})
	}

	return all
}
