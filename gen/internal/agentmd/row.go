package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// The fields of a row. In the short form the key is a field of its own.
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

// addEntry adds the rows of an entry: the one of a long form, or of a key with a guard or a priority beside it, or one for each
// key. An entry that has nothing but one key `when` or `priority` is a row like any other.
func (b *machineBuilder) addEntry(state *ir.State, entry *yamldoc.Node) {
	switch {
	case entry.Get(fieldKey) != nil && entry.Get(fieldTo) != nil:
		b.addRow(state, frontend.Text(entry.Value(fieldKey)), entry.Get(fieldTo), entry)
	case len(entry.Fields) > 1 && (entry.Get(fieldWhen) != nil || entry.Get(fieldPriority) != nil):
		b.addConditional(state, entry)
	case b.misspelled(entry):
		b.machine.Partial = true
	default:
		for _, f := range entry.Fields {
			b.addRow(state, frontend.Key(f), f, nil)
		}
	}
}

// addConditional adds the row of a key with a guard or a priority beside it. Of several keys, which the schema has reported,
// one may be a misspelled field.
func (b *machineBuilder) addConditional(state *ir.State, entry *yamldoc.Node) {
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

// addRow adds a row whose target is the value of to. beside is the entry that has its guard and its priority; nil for a row
// that is a key and a target.
func (b *machineBuilder) addRow(state *ir.State, key ir.Text, to *yamldoc.Field, beside *yamldoc.Node) {
	action, ok := b.action(key)
	row := &ir.Row{Key: action}
	if !ok || key.Value == "" {
		b.machine.Partial = true
		if ok && key.Span == to.Key.Span { // that of a long form is a value, which the schema has reported
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
		row.End = row.To.Value == "" // which the schema has reported
	}
	if beside != nil {
		b.condition(state, row, beside)
	}
	state.Rows = append(state.Rows, row)
}

// condition reads what is written beside a row: its guard, whose meaning is found when all agents are known, and its priority.
func (b *machineBuilder) condition(state *ir.State, row *ir.Row, beside *yamldoc.Node) {
	if when := beside.Get(fieldWhen); when != nil {
		if text := frontend.Text(when.Value); text.Value != "" && when.Value.Kind == yamldoc.String {
			row.When = &ir.Guard{Text: text}
			b.guarded = append(b.guarded, guardedRow{state, row})
		} else {
			b.machine.Partial = true
		}
	}
	if priority := beside.Get(fieldPriority); priority != nil {
		n := b.loader.Whole(priority.Value)
		if n == nil {
			b.machine.Partial = true
			return
		}
		row.Priority, row.PriorityAt = *n, priority.Value.Span
	}
}

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
	names := ir.Map(b.written.Fields, func(state *yamldoc.Field) string { return state.Key.Text })
	_, near := diag.Nearest(text, names)

	return near
}
