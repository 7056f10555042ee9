package workflow

import "slices"

// Merge returns v with update put over it: members of objects are merged, deep; anything else is replaced, by none and by a
// shorter list too. It panics as [List].
func (v Value) Merge(update Value) Value {
	switch {
	case v.kind != KindObject || update.kind != KindObject || v.many == nil:
		return update
	case update.many == nil || v.many == update.many:
		return v
	}

	names, items := v.many.names, slices.Clone(v.many.items)
	for i, name := range update.many.names {
		if at := v.find(name); at >= 0 {
			items[at] = items[at].Merge(update.many.items[i])
			continue
		}
		if len(names) == len(v.many.names) {
			names = slices.Clip(names)
		}
		names, items = append(names, name), append(items, update.many.items[i])
	}
	if len(names) == len(v.many.names) {
		return must(made(KindObject, &many{items: items, names: names, order: v.many.order}))
	}

	return newObject(names, items)
}
