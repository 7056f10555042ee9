package workflow

// TakeInput writes the input of an import into the context of the child: each member of an object by its name,
// anything else under one name.
func (r *Run) TakeInput(name string, input Value) error {
	if input.Kind() == kindObject {
		return r.MergeContext(input)
	}

	return r.SetContext(input, name)
}

// TakeBack copies a path of a child's context to one of the parent's. If the child's context lacks it, it is taken
// from its output; if that lacks it too, nothing changes.
func (r *Run) TakeBack(child *Run, output Value, from, to []string) error {
	value, there := look(child.whole(), from)
	if !there {
		value, there = look(output, from)
	}
	if !there {
		return nil
	}

	return r.SetContext(value, to...)
}

// TakeAll merges the whole context of a child into that of the parent, and its next_state if it has one.
func (r *Run) TakeAll(child *Run) error { return r.MergeContext(child.whole()) }

// TakeNext takes the next_state that a child has set, if it has, for the machine of the parent.
func (r *Run) TakeNext(child *Run) {
	if !child.place.next.IsNone() {
		r.place.next = child.place.next
	}
}

// look returns what is at a place, which may be none, and whether anything is.
func look(v Value, path []string) (value Value, there bool) {
	if len(path) == 0 {
		return v, true
	}
	last := len(path) - 1
	above := v.Get(path[:last]...)

	return above.Get(path[last]), above.Has(path[last])
}

// Instead returns a value that replaces the failure err; if err ends the run, it returns that.
func (r *Run) Instead(value Value, err error) (Value, error) {
	if end := r.failure(err); end != nil {
		return Value{}, end
	}

	return value, nil
}
