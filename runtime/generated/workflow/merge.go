package workflow

import "slices"

// Append returns the list v with an item at its end; anything else becomes a list of the item. It
// panics as [List].
func (v Value) Append(item Value) Value {
	if v.Kind() != kindList {
		return newList([]Value{item})
	}

	return mustValue(v.appendItems(item))
}

// Merge returns v with update put over it: members of objects are merged, deep; anything else is
// replaced, by none and by a shorter list too. It panics as [List].
func (v Value) Merge(update Value) Value {
	switch {
	case v.Kind() != kindObject || update.Kind() != kindObject || v.memberCount() == 0:
		return update
	case update.memberCount() == 0 || v.shape == update.shape:
		return v
	}

	names, items := v.shape.names, slices.Clone(v.shape.items)
	for i, name := range update.shape.names {
		if at := v.findMember(name); at >= 0 {
			items[at] = items[at].Merge(update.shape.items[i])
			continue
		}
		if len(names) == len(v.shape.names) {
			names = slices.Clip(names)
		}
		names, items = append(names, name), append(items, update.shape.items[i])
	}
	if len(names) == len(v.shape.names) {
		return mustValue(makeComposite(&shape{kind: kindObject, items: items, names: names, order: v.shape.order}))
	}

	return newObject(names, items)
}
