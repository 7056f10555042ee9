package ir

import "strings"

// FailsByConflict reports whether branches fail that leave different values at a place of the context.
func (m Merge) FailsByConflict() bool { return m == MergeUpdate || m == MergeConflict }

// Conflicts returns the writes to places of the context that several branches write, if different
// values there fail the step.
func (p *Parallel) Conflicts() []ContextWrite {
	if !p.Merge.FailsByConflict() {
		return nil
	}
	writes, writers := map[string][]ContextWrite{}, map[string]map[*Arm]bool{}
	var order []string
	for _, arm := range p.Branches {
		WalkTasks(arm.Body, func(t *Task) {
			for _, w := range t.ContextWrites() {
				if w.Path == nil || len(w.Path.Path) == 0 || w.Path.IsRouting() {
					continue
				}
				name := w.Path.Name()
				if writers[name] == nil {
					writers[name], order = map[*Arm]bool{}, append(order, name)
				}
				writers[name][arm] = true
				writes[name] = append(writes[name], w)
			}
		})
	}

	return FlatMap(order, func(name string) []ContextWrite {
		if len(writers[name]) < 2 {
			return nil
		}
		return writes[name]
	})
}

// Name is the same for equal places in the context.
func (p *ContextPath) Name() string {
	return strings.Join(Map(p.Path, func(name Text) string { return name.Value }), "\x00")
}
