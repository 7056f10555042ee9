package validate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// home returns the field of a mapping below which one of this name belongs: the only one that knows such a field. It is ""
// if there is none.
func home(schema node, legal []string, name string) string {
	owner := ""
	for _, field := range legal {
		if schema.property(field).property(name).value == nil {
			continue
		}
		if owner != "" {
			return ""
		}
		owner = field
	}

	return owner
}

// isMisspelled reports whether a field that the mapping lacks was meant by name.
func isMisspelled(v verdict, legal []string, name string) bool {
	lacking := slices.DeleteFunc(slices.Clone(legal), func(n string) bool { return v.at.value.Get(n) != nil })
	_, near := nearField(name, lacking)

	return near
}

// homeless reports the first field that is beside its owner, or without it. What is missing because of that is the same
// mistake.
func (r *reporter) homeless(v verdict, f *yamldoc.Field, owner string) {
	r.suggested[path(append(slices.Clone(v.at.tokens), owner), f.Key.Text)] = true
	d := diag.New(diag.UnknownField, f.Key.Span, "field %q%s belongs below %q", f.Key.Text, r.of(v.at), owner)
	if at := v.at.value.Get(owner); at != nil {
		r.add(d.WithHint("indent it by two spaces more than %s", owner).Note(at.Key.Span, "%q is here", owner))
		return
	}
	r.add(d.WithHint("write %s: before it, and indent what belongs there by two spaces", owner))
	r.suggested[path(v.at.tokens, owner)] = true
}
