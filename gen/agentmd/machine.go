package agentmd

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/tree"
	"github.com/agentc-dev/agentc/gen/yamldoc"
)

// machineBuilder builds one machine.
type machineBuilder struct {
	loader  *loader
	machine *ir.Machine
	states  map[string]*ir.State
	// written is the mapping of the states.
	written *yamldoc.Node
}

// machine lowers an fsm. Its references are resolved when all its states are known.
func (l *loader) machine(d *document) *ir.Machine {
	b := &machineBuilder{
		loader:  l,
		machine: &ir.Machine{MaxSteps: l.limit(d.head.Value("max_steps"), defaultMaxSteps)},
		states:  map[string]*ir.State{},
	}
	// The field has one legal value; whatever stands there, the states are no agents.
	b.machine.External = d.head.Get("drive") != nil

	states, initial := d.head.Value("states"), tree.Text(d.head.Value("initial"))
	if states == nil || len(states.Fields) == 0 {
		b.machine.Partial = true // and no place to begin in is missing
		return b.machine
	}
	b.written = states
	for _, f := range states.Fields {
		b.addState(f)
	}
	b.machine.Initial = ir.Ref{Text: initial}
	b.machine.Partial = b.machine.Partial || initial.Value == ""
	b.resolve()

	return b.machine
}

func (b *machineBuilder) addState(f *yamldoc.Field) {
	name := tree.Key(f)
	if b.states[name.Value] != nil {
		b.machine.Partial = true // a repeated key, reported where the tree was made
		return
	}
	if name.Value == "" {
		b.machine.Partial = true
		b.loader.list.Add(diag.New(diag.BadValue, f.Key.Span, "a state has no name"))
		return
	}

	state := &ir.State{Name: name}
	if !b.machine.External {
		state.Agent = b.loader.agents[name.Value]
	}
	switch f.Value.Kind {
	case yamldoc.Null:
		// terminal
	case yamldoc.Seq:
		b.addRows(state, f.Value)
	case yamldoc.Map:
		b.machine.Partial = true
	default:
		state.Always = &ir.Ref{Text: tree.Text(f.Value)}
	}
	b.states[name.Value] = state
	b.machine.States = append(b.machine.States, state)
}

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
		if at, guarded := guardedEntry(entry); guarded {
			b.loader.notYet(at, "a guarded or prioritised row")
			b.machine.Partial = true
			state.Rows = append(state.Rows, guardedRow(entry))
			continue
		}
		if b.misspelledLongForm(entry) {
			b.machine.Partial = true
			continue
		}
		for _, f := range entry.Fields {
			b.addRow(state, f)
		}
	}
}

// misspelledLongForm reports an entry of two fields of which one is `key` or `to`, leads to no state, and the other is
// nearly its counterpart: {key: ok, too: done}.
func (b *machineBuilder) misspelledLongForm(entry *yamldoc.Node) bool {
	if len(entry.Fields) != 2 {
		return false
	}
	for i, f := range entry.Fields {
		other := entry.Fields[1-i]
		lacking, key := "to", f
		if f.Key.Text == "to" {
			lacking, key = "key", other
		} else if f.Key.Text != "key" {
			continue
		}
		text, ok := key.Value.Scalar()
		if _, near := diag.Nearest(other.Key.Text, []string{lacking}); near && ok && b.written.Get(text) == nil {
			b.loader.list.Add(diag.New(diag.UnknownField, other.Key.Span, "unknown field %q of a row", other.Key.Text).
				Suggest(other.Key.Text, []string{lacking}))
			return true
		}
	}

	return false
}

func (b *machineBuilder) addRow(state *ir.State, f *yamldoc.Field) {
	row := &ir.Row{Key: tree.Key(f)}
	if row.Key.Value == "" {
		b.machine.Partial = true
		b.loader.list.Add(diag.New(diag.BadValue, f.Key.Span, "a row has an empty key"))
		return
	}
	switch f.Value.Kind {
	case yamldoc.Null:
		row.End = true
	case yamldoc.Seq, yamldoc.Map:
		b.machine.Partial = true
		return
	default:
		row.To.Text = tree.Text(f.Value)
	}
	state.Rows = append(state.Rows, row)
}

// guardedRow is the row of an entry with a guard, without the guard: its target is checked like any other.
func guardedRow(entry *yamldoc.Node) *ir.Row {
	row := &ir.Row{Key: tree.Text(entry.Value("key"))}
	to := entry.Value("to")
	if entry.Get("key") == nil || to == nil {
		for _, f := range entry.Fields {
			if f.Key.Text != "when" && f.Key.Text != "priority" {
				row.Key, to = tree.Key(f), f.Value
			}
		}
	}
	row.To.Text = tree.Text(to)
	row.End = row.To.Value == ""

	return row
}

// resolve points the references of the machine to its states.
func (b *machineBuilder) resolve() {
	b.machine.Initial.State = b.states[b.machine.Initial.Value]
	for _, state := range b.machine.States {
		if state.Always != nil {
			state.Always.State = b.states[state.Always.Value]
		}
		for _, row := range state.Rows {
			if !row.End {
				row.To.State = b.states[row.To.Value]
			}
		}
	}
}
