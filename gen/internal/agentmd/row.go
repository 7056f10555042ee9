package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The fields of a row. In the short form the key is a separate field.
const (
	fieldKey      = "key"
	fieldTo       = "to"
	fieldWhen     = "when"
	fieldPriority = "priority"
)

func (b *machineBuilder) addRows(state *ir.State, list *yamldoc.Node) {
	if len(list.Items) == 0 {
		state.Empty = list.Span
		return
	}
	for _, entry := range list.Items {
		if entry.Kind != yamldoc.Map || len(entry.Fields) == 0 {
			b.machine.Partial = true
			continue
		}
		b.addEntry(state, entry)
	}
}

// addEntry adds the rows of an entry: a row in the long form, a key with a guard or a priority, or
// a row for each key. An entry with a single key `when` or `priority` is an ordinary row.
func (b *machineBuilder) addEntry(state *ir.State, entry *yamldoc.Node) {
	switch {
	case entry.Field(fieldKey) != nil && entry.Field(fieldTo) != nil:
		b.addRow(state, frontend.Text(entry.Value(fieldKey)), entry.Field(fieldTo), entry)
	case len(entry.Fields) > 1 && (entry.Field(fieldWhen) != nil || entry.Field(fieldPriority) != nil):
		b.addConditionalRow(state, entry)
	case b.reportMisspelled(entry):
		b.machine.Partial = true
	default:
		for _, f := range entry.Fields {
			b.addRow(state, frontend.Key(f), f, nil)
		}
	}
}

// addConditionalRow adds the row of a key with a guard or a priority. With several keys, which the
// schema has reported, one may be a misspelled field.
func (b *machineBuilder) addConditionalRow(state *ir.State, entry *yamldoc.Node) {
	keys := slices.DeleteFunc(slices.Clone(entry.Fields), func(f *yamldoc.Field) bool {
		return f.Key.Text == fieldWhen || f.Key.Text == fieldPriority
	})
	if len(keys) != 1 {
		b.machine.Partial = true
		return
	}
	if keys[0].Key.Text == fieldTo {
		b.machine.Partial = true
		b.loader.List.Add(diag.New(diag.MissingField, keys[0].Key.Span, "a row with %q has no %q", fieldTo, fieldKey).
			WithHint("write key: KEY before it, or KEY: %s", keys[0].Value.Text))
		return
	}
	b.addRow(state, frontend.Key(keys[0]), keys[0], entry)
}

// addRow adds a row whose target is the value of to. options is the entry with the guard and the
// priority, or nil.
func (b *machineBuilder) addRow(state *ir.State, key ir.Text, to *yamldoc.Field, options *yamldoc.Node) {
	action, ok := b.resolveAction(key)
	row := &ir.Row{Key: action}
	if !ok || key.Value == "" {
		b.machine.Partial = true
		if ok && key.Span == to.Key.Span { // else the schema has reported the value
			b.loader.List.Add(diag.New(diag.BadValue, key.Span, "a row has an empty key"))
		}
		return
	}
	switch to.Value.Kind {
	case yamldoc.Null:
		row.End = true
	case yamldoc.Seq, yamldoc.Map:
		b.machine.Partial = true
		return
	default:
		row.To.Text = frontend.Text(to.Value)
		row.End = row.To.Value == "" // the schema has reported it
	}
	if options != nil {
		b.addOptions(state, row, options)
	}
	state.Rows = append(state.Rows, row)
}

// addOptions sets the guard of a row, which is lowered later, and its priority.
func (b *machineBuilder) addOptions(state *ir.State, row *ir.Row, options *yamldoc.Node) {
	if when := options.Field(fieldWhen); when != nil {
		if text := frontend.Text(when.Value); text.Value != "" && when.Value.Kind == yamldoc.String {
			row.When = &ir.Guard{Text: text}
			b.guarded = append(b.guarded, guardedRow{state, row})
		} else {
			b.machine.Partial = true
		}
	}
	if priority := options.Field(fieldPriority); priority != nil {
		n := b.loader.ReadWholeNumber(priority.Value)
		if n == nil {
			b.machine.Partial = true
			return
		}
		row.Priority, row.PriorityAt = *n, priority.Value.Span
	}
}

// reportMisspelled reports fields of an entry that can only be misspelled fields of a row, because
// the target of such a key is not a state. It returns false if there are none.
func (b *machineBuilder) reportMisspelled(entry *yamldoc.Node) bool {
	var found []*diag.Diagnostic
	for _, f := range entry.Fields {
		if meant := b.meantField(entry, f); meant != "" {
			found = append(found, diag.New(diag.UnknownField, f.Key.Span, "unknown field %q of a row", f.Key.Text).
				Suggest(f.Key.Text, []string{meant}))
		}
	}
	if len(found) > 1 {
		for _, d := range found {
			d.Fixes = nil // a single fix would leave a row with two keys
		}
	}
	b.loader.List.Add(found...)

	return len(found) > 0
}

// meantField returns the field that f misspells, or "" if f can be a key.
func (b *machineBuilder) meantField(entry *yamldoc.Node, f *yamldoc.Field) string {
	near := func(name string) bool {
		_, ok := diag.Nearest(f.Key.Text, []string{name})
		return ok
	}
	key, to := entry.Field(fieldKey), entry.Field(fieldTo)
	switch {
	case len(entry.Fields) < 2 || f == key || f == to:
	case key != nil && near(fieldTo) && b.leadsToNoState(key):
		return fieldTo
	case to != nil && near(fieldKey) && b.leadsToNoState(f):
		return fieldKey
	case near(fieldWhen) && b.leadsToNoState(f) && !b.resemblesState(f):
		return fieldWhen
	case near(fieldPriority) && f.Value.Kind == yamldoc.Int && b.leadsToNoState(f):
		return fieldPriority
	}

	return ""
}

// leadsToNoState reports whether the value of a field is a scalar and not the name of a state.
func (b *machineBuilder) leadsToNoState(f *yamldoc.Field) bool {
	text, ok := f.Value.Scalar()

	return ok && b.written.Field(text) == nil
}

// resemblesState reports whether the value of a field is similar to the name of a state.
func (b *machineBuilder) resemblesState(f *yamldoc.Field) bool {
	text, _ := f.Value.Scalar()
	names := ir.Map(b.written.Fields, func(state *yamldoc.Field) string { return state.Key.Text })
	_, near := diag.Nearest(text, names)

	return near
}
