package can

import "github.com/agentc-dev/agentc/gen/internal/ir"

// touched are the values that some steps read or write. A fact about another value passes by
// unchanged.
type touched struct {
	// whole are the values themselves. above are these values, and all values that they are fields
	// of.
	whole, above map[fact]bool
}

func newTouched() *touched { return &touched{map[fact]bool{}, map[fact]bool{}} }

// touchedBy returns what the steps of a block touch, including inner steps.
func (w *workTexts) touchedBy(body *ir.Pipeline) *touched {
	known := w.touched[body]
	if known != nil {
		return known
	}
	all := newTouched()
	all.addValues(reachedFact, memoryFact, worldFact, argumentFact)
	ir.WalkTasks(body, func(t *ir.Task) { all.addTask(t) })
	w.touched[body] = all

	return all
}

func (v *touched) addValues(values ...fact) {
	for _, of := range values {
		v.whole[of] = true
		for _, outer := range of.enclosingFacts() {
			v.above[outer] = true
		}
	}
}

// addTask adds what a task touches.
func (v *touched) addTask(t *ir.Task) {
	v.addValues(outputsFact.fieldFact(t.Name.Value))
	t.WalkOwnReads(func(access *ir.Access) { v.addValues(accessReads(access)...) })
	for _, path := range contextPaths(t) {
		v.addValues(pathReads(path)...)
	}
	for _, to := range t.ContextWrites() {
		if to.Path != nil && len(to.Path.Path) > 0 {
			v.addValues(contextFact.fieldFact(to.Path.Path[0].Value))
		}
	}
	switch do := t.Do.(type) {
	case *ir.Import:
		if do.Inherit || do.All {
			v.addValues(contextFact)
		}
	case *ir.Parallel:
		if do.Merge == ir.MergeNone || ir.First(do.Branches, isOnly) != nil {
			v.addValues(contextFact) // what a branch does not copy back is unchanged
		}
	}
}

func isOnly(arm *ir.Arm) bool { return arm.Only }

// isTouched reports whether a fact is about one of the values, a field of one, or a value that
// contains one.
func (v *touched) isTouched(name fact) bool {
	if v.above[name] {
		return true
	}
	for _, outer := range name.enclosingFacts() {
		if v.whole[outer] {
			return true
		}
	}

	return false
}

// enclosingFacts returns a value and all values that it is a field of, if they have names here.
func (f fact) enclosingFacts() []fact {
	all := []fact{{slot: f.slot}}
	if f.depth > 0 {
		all = append(all, fact{slot: f.slot, name: f.name, depth: 1})
	}
	if f.depth > 1 {
		all = append(all, fact{slot: f.slot, name: f.name, field: f.field, depth: 2})
	}

	return all
}
