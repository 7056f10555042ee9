package builtin

import "slices"

// find returns the first entry for which is holds.
func find[T any](list []T, is func(T) bool) (entry T, ok bool) {
	i := slices.IndexFunc(list, is)
	if i < 0 {
		return entry, false
	}

	return list[i], true
}
