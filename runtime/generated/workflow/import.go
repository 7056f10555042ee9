package workflow

import "slices"

// Import configures a step that runs another workflow.
type Import struct {
	// Inherit gives the child a copy of the context; otherwise its context begins empty.
	Inherit bool
	// Key names the input in the child's context, unless the input is an object, whose members are
	// written there; "": it is not there.
	Key string
	// All merges the whole context of the child into that of the parent, and its next_state if it
	// has one; Next takes that alone.
	All, Next bool
	// Back are paths of the child's context, each with the path of the parent's to which it is
	// copied. If the child's context lacks it, nothing changes.
	Back [][2][]string
	// Skip treats a failed child as one without output, Default as one whose output is an empty
	// object; otherwise it fails the step.
	Skip, Default bool
}

// Import runs a child, a run of another workflow that has not begun, and returns its output. run
// runs its steps.
func (r *Run) Import(child *Run, how Import, run func(input Value) (Value, error), input Value) (Value, error) {
	if err := child.importContext(r.context, how, input); err != nil {
		return Value{}, err
	}
	child.isBranch = r.isBranch
	output, err := run(input)
	switch {
	case err == nil:
		err = r.copyBack(child, how)
		if err == nil && how.Inherit {
			r.recordAll(child.writes, how.copiedTo, child.rules)
		}
		return output, err
	case !how.Skip && !how.Default:
		return Value{}, err
	}
	if end := r.fatalError(err); end != nil {
		return Value{}, end
	}
	if how.Default {
		return Object(), nil
	}

	return Value{}, nil
}

// importContext sets the context of r, which is a child: a copy of parent if how says so, and the
// input.
func (r *Run) importContext(parent Value, how Import, input Value) error {
	context := Object()
	if how.Inherit {
		context = parent
	}
	err := r.Inherit(context)
	switch {
	case err != nil || how.Key == "":
		return err
	case input.Kind() == kindObject:
		return r.overlayContext(r.context, input)
	}

	return r.replaceContext(input, []string{how.Key})
}

// copyBack copies the values that how names from a child's context into the context of r. A child
// that has inherited the context has the values of r in its own, and they are replaced. Otherwise
// fields with a rule are combined.
func (r *Run) copyBack(child *Run, how Import) error {
	write := r.SetContext
	if how.Inherit {
		write = func(value Value, path ...string) error { return r.replaceContext(value, path) }
	}
	switch {
	case how.All && how.Inherit:
		return r.overlayContext(r.context, child.fullContext())
	case how.All:
		return r.MergeContext(child.fullContext())
	case how.Next && !child.position.contextNext.IsNone():
		r.position.contextNext = child.position.contextNext
	}
	for _, paths := range how.Back {
		value, there := lookUpPath(child.fullContext(), paths[0])
		if !there {
			continue
		}
		if err := write(value, paths[1]...); err != nil {
			return err
		}
	}

	return nil
}

// copiedTo returns the path of the parent's context to which a field of the child's is copied; nil if
// it is not.
func (how Import) copiedTo(field []string) []string {
	if how.All {
		return field
	}
	for _, paths := range how.Back {
		if slices.Equal(paths[0], field) {
			return paths[1]
		}
	}

	return nil
}

// lookUpPath returns the value at a path, which may be none, and whether the path exists.
func lookUpPath(v Value, path []string) (value Value, there bool) {
	if len(path) == 0 {
		return v, true
	}
	last := len(path) - 1
	above := v.Get(path[:last]...)

	return above.Get(path[last]), above.Has(path[last])
}
