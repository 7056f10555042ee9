package check

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// origin is the source of an outcome.
type origin struct {
	at source.Span
	// key is the outcome as it is written there.
	key string
	// says describes it in a sentence.
	says string
}

// originOf returns the origin of outcome key of agent a.
func (u *unit) originOf(a *ir.Agent, key string) origin {
	for seen := map[*ir.Agent]bool{}; a != nil && !seen[a]; {
		seen[a] = true
		var from *origin
		switch node := a.Node.(type) {
		case *ir.Machine:
			from, a = u.originInMachine(a, node, key)
		case *ir.Flow:
			if node.IsWorkflow() {
				from, a = u.originInWorkflow(a, node, key), nil
			} else {
				from, a = u.originInFlow(a, node, key)
			}
		default:
			if steps := a.Conversations(); len(steps) > 0 {
				from = u.originInStep(a, steps[0], key)
			}
			a = nil
		}
		if from != nil {
			return *from
		}
	}

	return origin{key: key, says: fmt.Sprintf("%q comes from inside", key)}
}

// originInMachine returns the row that leaves m with the outcome key, or the agent whose key m
// passes on.
func (u *unit) originInMachine(a *ir.Agent, m *ir.Machine, key string) (*origin, *ir.Agent) {
	for _, s := range u.flow.Machine(m).States {
		if !s.Exits().HasKey(key) {
			continue
		}
		for _, move := range s.Moves {
			row := move.Row
			if row == nil || row.IsCatchAll() || ir.FoldKey(row.Key.Value) != ir.FoldKey(key) {
				continue
			}
			switch {
			case move.Dead == flow.Alive && row.EndsMachine():
				return &origin{row.Key.Span, row.Key.Value, fmt.Sprintf("machine %q ends with %q here", a.Name.Value, row.Key.Value)}, nil
			case row.When != nil && !s.Place().PassesKeyOn():
			case row.When != nil:
				return &origin{row.Key.Span, row.Key.Value,
					fmt.Sprintf("machine %q ends with %q by %q where no guard of its rows holds", a.Name.Value, row.Key.Value, ir.CatchAll)}, nil
			}
		}
		if u.flow.Outcomes(s.Agent).HasKey(key) {
			return nil, s.Agent
		}
	}

	return nil, nil
}

// originInFlow returns the step of f with the outcome key, or the agent whose key f passes on.
func (u *unit) originInFlow(a *ir.Agent, f *ir.Flow, key string) (*origin, *ir.Agent) {
	done, own := f.FinishKeys()
	for _, run := range own {
		switch {
		case !u.flow.RunOutcomes(run).HasKey(key):
		case run.Agent != nil:
			return nil, run.Agent.Agent
		default:
			return u.originInStep(a, run.Step, key), nil
		}
	}
	if !done {
		return nil, nil
	}
	how := "always finishes"
	if len(own) > 0 {
		how = "can finish"
	}
	says := fmt.Sprintf("agent %q is a %s, which %s with %q", a.Name.Value, f.Kind, how, ir.DoneKey)

	return &origin{placeOf(a.PatternAt, a.Name), ir.DoneKey, says}, nil
}

// originInStep returns where a step of a declares the outcome key. For a oneshot it returns the
// step.
func (u *unit) originInStep(a *ir.Agent, step *ir.Step, key string) *origin {
	if react, ok := step.Node.(*ir.React); ok {
		for _, k := range react.Keys {
			if ir.FoldKey(k.Value) == ir.FoldKey(key) {
				return &origin{k.Span, k.Value, fmt.Sprintf("%s declares the key %q", declarer(a, step, k.Span), k.Value)}
			}
		}
		return nil
	}

	at := placeOf(step.PatternAt, step.Name, a.PatternAt, a.Name)
	says := fmt.Sprintf("%s is a oneshot, which always finishes with %q", conversation(a, step), ir.DoneKey)

	return &origin{at, ir.DoneKey, says}
}

// placeOf returns the span of the first text that has one.
func placeOf(texts ...ir.Text) source.Span {
	return ir.First(texts, func(text ir.Text) bool { return text.Span.IsValid() }).Span
}

// textsSpan returns the span from the first of the texts to the last one in the same file.
func textsSpan(texts []ir.Text) source.Span {
	at := texts[0].Span
	if last := texts[len(texts)-1].Span; last.File == at.File && last.End > at.End {
		at.End = last.End
	}

	return at
}

// originInWorkflow returns the end state with the outcome key, or the workflow itself if it can
// finish with done.
func (u *unit) originInWorkflow(a *ir.Agent, w *ir.Flow, key string) *origin {
	done, ends := u.flow.WorkflowKeys(w)
	for _, end := range ends {
		if ir.FoldKey(end.Value) == ir.FoldKey(key) {
			return &origin{end.Span, end.Value, fmt.Sprintf("workflow %q ends in state %q", a.Name.Value, end.Value)}
		}
	}
	if !done {
		return nil
	}
	says := fmt.Sprintf("workflow %q finishes with %q", a.Name.Value, ir.DoneKey)
	if len(ends) > 0 {
		says += " where the fallback of its last step does not run"
	}

	return &origin{a.Name.Span, ir.DoneKey, says}
}
