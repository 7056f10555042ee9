package agentmd

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// ungatable are the tools that every react loop has and that are legal in every state of a gate.
var ungatable = slices.DeleteFunc(slices.Clone(reservedTools), func(name string) bool { return name == ir.FinishAction })

// gate lowers the machine over the tools of a react agent; nil without one.
func (l *loader) gate(d *document, react *ir.React) *ir.Gate {
	f := d.head.Get("gate")
	if f == nil || f.Value.Kind != yamldoc.Map {
		return nil
	}
	b := l.newMachine(d.agent)
	b.gated = react
	b.machine.External = true
	b.machine.MaxSteps = defaultMaxSteps
	b.addStates(f.Value)
	b.live(d.head)

	return &ir.Gate{Machine: b.machine, Ungated: b.ungated(f.Value.Value("ungated")), Span: f.Key.Span}
}

// ungated reads the actions that may be done in every state, each once.
func (b *machineBuilder) ungated(n *yamldoc.Node) []ir.Text {
	var actions []ir.Text
	for _, written := range frontend.Texts(n) {
		if action, ok := b.action(written); ok {
			actions = append(actions, action)
		}
	}

	return b.loader.once("tool", actions)
}

// action returns the key of a row as the machine has it: in a gate, a tool by its canonical name. ok is false for what is no
// action, which is reported.
func (b *machineBuilder) action(written ir.Text) (action ir.Text, ok bool) {
	if b.gated == nil {
		return written, true
	}
	switch {
	case slices.Contains(ungatable, written.Value):
		b.loader.List.Add(diag.New(diag.BadValue, written.Span, "%q is legal in every state: a gate cannot list it", written.Value))
		return written, false
	case written.Value == ir.CatchAll:
		b.loader.List.Add(diag.New(diag.BadValue, written.Span, "a gate has to name its actions: %q would allow every tool",
			ir.CatchAll).WithHint("write a row for each tool that may be called here, or list it in ungated"))
		return written, false
	}
	if canonical := builtin.Tool(written.Value); canonical != "" {
		written.Value = canonical
	}

	return written, true
}

// dataOfAction is what is known of the arguments of an action.
func (b *machineBuilder) dataOfAction(action string) ir.Type {
	if action == ir.FinishAction {
		return typeOfValue(b.agent)
	}
	for _, use := range b.gated.Uses {
		if use.Skill == nil {
			continue
		}
		for _, ref := range use.Skill.Tools {
			if ref.Tool != nil && ref.Tool.Name.Value == action {
				return ir.Type{Schema: ref.Tool.Input, Owner: ir.OwnerTool, Of: action}
			}
		}
	}

	return ir.Type{}
}
