package live

import "slices"

// NamesCallers reports whether the access rules name callers, and not only "*", so that who a
// caller is has to be known.
func (m *Machine[S, K]) NamesCallers() bool {
	return slices.ContainsFunc(m.spec.Access, func(rule Access[S]) bool { return rule.Agent != "*" })
}
