package agentmd_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func (d *dumper) machine(m *ir.Machine) {
	d.line("  fsm initial %s max_steps %d external %t partial %t", ref(m.Initial), m.MaxSteps, m.External, m.Partial)
	for _, s := range m.States {
		kind := "no agent"
		switch {
		case s.Agent != nil:
			kind = "agent " + s.Agent.Folder
		case s.IsMarker():
			kind = "marker"
		}
		d.line("    %s%s: %s", s.Name.Value, at(s.Name.Span), kind)
		if s.Always != nil {
			d.line("      always %s", ref(*s.Always))
		}
		for _, row := range s.Rows {
			target := "end"
			if !row.End {
				target = ref(row.To)
			}
			d.line("      %s%s -> %s%s", row.Key.Value, at(row.Key.Span), target, beside(row))
		}
	}
	d.live(m.Live)
	if !m.HasGuards() {
		return
	}
	for _, output := range m.Outputs {
		d.line("    steps has %s%s%s", output.Name.Value, at(output.Name.Span), typed(output.Type))
	}
}

// live writes what a machine has for others to drive it.
func (d *dumper) live(live ir.Live) {
	for _, rule := range live.Signals {
		d.line("    signal %s%s in %s: %s %s%s priority %d", rule.On.Value, at(rule.On.Span), refs(rule.In), rule.Do,
			rule.Fire.Value, at(rule.Fire.Span), rule.Priority)
	}
	for _, timer := range live.Timers {
		d.line("    timer %s after %s: %s%s", ref(timer.State), timer.After, timer.Fire.Value, at(timer.Fire.Span))
	}
	for _, on := range live.OnEnter {
		d.line("    on entry of %s: %s", ref(on.State), texts(on.Names))
	}
	for _, on := range live.OnExit {
		d.line("    on exit of %s: %s", ref(on.State), texts(on.Names))
	}
	for _, rule := range live.Access {
		d.line("    access of %s%s deny %t states %s keys %s", rule.Agent.Value, at(rule.Agent.Span), rule.Deny,
			refs(rule.States), texts(rule.Keys))
	}
	for _, rename := range live.Renames {
		d.line("    %s%s is now %s", rename.From.Value, at(rename.From.Span), ref(rename.To))
	}
}

func refs(list []ir.Ref) string {
	var parts []string
	for _, r := range list {
		parts = append(parts, ref(r))
	}

	return "[" + strings.Join(parts, " ") + "]"
}

// beside is what stands beside a row.
func beside(row *ir.Row) string {
	text := ""
	if row.PriorityAt.IsValid() {
		text += fmt.Sprintf(" priority %d%s", row.Priority, at(row.PriorityAt))
	}
	switch when := row.When; {
	case when == nil:
	case when.Func != nil:
		text += fmt.Sprintf(" when guard %s not %t%s", when.Func.Name.Value, when.Not, at(when.Text.Span))
	case when.Formula != nil:
		text += fmt.Sprintf(" when expression %q%s%s", when.Formula.Text.Value, at(when.Text.Span), accesses(when.Formula.Root))
	default:
		text += " when faulty"
	}

	return text
}

// accesses are the names in an expression, with what is known of their values.
func accesses(x ir.Expression) string {
	switch x := x.(type) {
	case *ir.Access:
		text := fmt.Sprintf(" root %d", x.Root)
		if x.Output != nil {
			text += " of " + x.Output.Name.Value
		}
		for _, field := range x.Path {
			text += "/" + field.Name.Value
		}
		return text + typed(x.Type) + at(x.Span)
	case *ir.Compare:
		return accesses(x.X) + accesses(x.Y)
	case *ir.Contains:
		return accesses(x.X) + accesses(x.Y)
	case *ir.Not:
		return accesses(x.X)
	case *ir.Logic:
		text := ""
		for _, operand := range x.X {
			text += accesses(operand)
		}
		return text
	case *ir.Method:
		return accesses(x.X)
	}

	return ""
}

// typed is what is known of a value.
func typed(t ir.Type) string {
	if t.Schema == nil {
		return " open"
	}

	return fmt.Sprintf(" kind %d owner %d of %q", t.Schema.Kind, t.Owner, t.OwnerName)
}

func ref(r ir.Ref) string {
	if r.State == nil {
		return fmt.Sprintf("%s%s (undefined)", r.Value, at(r.Span))
	}

	return r.Value + at(r.Span)
}
