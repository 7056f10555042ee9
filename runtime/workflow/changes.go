package workflow

import "slices"

// Change is one difference between a value and what it became.
type Change struct {
	// Path leads to the place; it is empty when the whole value is another one.
	Path []string
	// Value is what is there now.
	Value Value
	// Gone says that nothing is there any more.
	Gone bool
}

// Changes returns how after differs from before, in the order of after's members, what is gone behind them. Objects are compared
// member by member, and one that is new is new member by member, so that two who add to it do not clash; anything else changes
// as a whole.
func Changes(before, after Value) []Change { return changes(nil, nil, before, after) }

// ChangesIn is [Changes] of the member that path leads to, with paths from the outside.
func ChangesIn(path []string, before, after Value) []Change {
	return changes(nil, path, before.Get(path...), after.Get(path...))
}

func changes(found []Change, path []string, before, after Value) []Change {
	isObject := before.kind == KindObject || before.kind == KindNone
	switch {
	case same(before, after):
		return found
	case !isObject || after.kind != KindObject || after.many == nil:
		return append(found, Change{Path: slices.Clone(path), Value: after})
	}

	for name, value := range after.Members() {
		inner := append(slices.Clip(path), name)
		if value.kind == KindNone && !before.Has(name) {
			found = append(found, Change{Path: inner})
			continue
		}
		found = changes(found, inner, before.Get(name), value)
	}
	for name := range before.Members() {
		if !after.Has(name) {
			found = append(found, Change{Path: append(slices.Clip(path), name), Gone: true})
		}
	}

	return found
}

// Apply returns v with the changes made to it, one after another. The error is that of [Value.Set].
func (v Value) Apply(changes []Change) (Value, error) {
	for _, change := range changes {
		var err error
		if change.Gone {
			v, err = v.remove(change.Path)
		} else {
			v, err = v.Set(change.Path, change.Value)
		}
		if err != nil {
			return Value{}, err
		}
	}

	return v, nil
}

func (v Value) remove(path []string) (Value, error) {
	if len(path) == 0 {
		return Value{}, nil
	}
	last := len(path) - 1
	owner := v.Get(path[:last]...)
	if !owner.Has(path[last]) {
		return v, nil
	}

	return v.Set(path[:last], owner.Without(path[last]))
}
