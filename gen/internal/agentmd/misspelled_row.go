package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// misspelled reports the fields of an entry whose names are nearly those that rows have, where they can be nothing else: a row
// of that key would lead to no state.
func (b *machineBuilder) misspelled(entry *yamldoc.Node) bool {
	var found []*diag.Diagnostic
	for _, f := range entry.Fields {
		if meant := b.meantField(entry, f); meant != "" {
			found = append(found, diag.New(diag.UnknownField, f.Key.Span, "unknown field %q of a row", f.Key.Text).
				Suggest(f.Key.Text, []string{meant}))
		}
	}
	if len(found) > 1 {
		for _, d := range found {
			d.Fixes = nil // one alone would leave a row with two keys
		}
	}
	b.loader.List.Add(found...)

	return len(found) > 0
}

// meantField returns the field that one of an entry is meant to be; "" if it can be a key of its own.
func (b *machineBuilder) meantField(entry *yamldoc.Node, f *yamldoc.Field) string {
	near := func(name string) bool {
		_, ok := diag.Nearest(f.Key.Text, []string{name})
		return ok
	}
	key, to := entry.Get(fieldKey), entry.Get(fieldTo)
	switch {
	case len(entry.Fields) < 2 || f == key || f == to:
	case key != nil && near(fieldTo) && b.leadsNowhere(key):
		return fieldTo
	case to != nil && near(fieldKey) && b.leadsNowhere(f):
		return fieldKey
	case near(fieldWhen) && b.leadsNowhere(f) && !b.nearState(f):
		return fieldWhen
	case near(fieldPriority) && f.Value.Kind == yamldoc.Int && b.leadsNowhere(f):
		return fieldPriority
	}

	return ""
}

// leadsNowhere reports whether the value of a field is a word, and no state's name.
func (b *machineBuilder) leadsNowhere(f *yamldoc.Field) bool {
	text, ok := f.Value.Scalar()

	return ok && b.written.Get(text) == nil
}

// nearState reports whether the value of a field is nearly the name of a state.
func (b *machineBuilder) nearState(f *yamldoc.Field) bool {
	text, _ := f.Value.Scalar()
	names := make([]string, len(b.written.Fields))
	for i, state := range b.written.Fields {
		names[i] = state.Key.Text
	}
	_, near := diag.Nearest(text, names)

	return near
}
