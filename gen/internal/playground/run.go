package playground

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
)

// run runs the entry point, and returns what it did.
func run(ctx context.Context, p *ir.Program, task string) string {
	if p.Entry == nil {
		return "there is no entry point: agentc.yaml has to name one of several agents, as in entrypoint: NAME\n"
	}
	for _, a := range ir.Reached(p.Entry) {
		if reason := unsupported(a); reason != "" {
			return fmt.Sprintf("%s %s, which this page does not run: agentc run does\n", a.Name.Value, reason)
		}
	}
	steps := &transcript{}
	fin, err := engine.New(engine.Options{Observers: []event.Observer{steps}}).Run(ctx, program(p), p.Entry.Name.Value, task)
	if err != nil {
		fmt.Fprintf(steps, "failed: %v\n", err)
	} else {
		fmt.Fprintf(steps, "\n%s\n", fin.Value)
	}

	return steps.String()
}

// unsupported says what of an agent is not run here; "" if all is.
func unsupported(a *ir.Agent) string {
	switch n := a.Node.(type) {
	case *ir.Machine:
		if n.External || n.Guarded() || len(n.Live.Signals) > 0 {
			return "has guards or signals, or is driven by others"
		}
	case *ir.React:
		if len(n.Uses) > 0 || n.Gate != nil || n.Output != nil || n.List != nil {
			return "has skills, a gate or a schema"
		}
	case *ir.Oneshot:
		if n.Output != nil || n.List != nil {
			return "has a schema"
		}
	default:
		return "is a " + n.Pattern()
	}

	return ""
}

// program describes a program to the engine, as generated code does.
func program(p *ir.Program) *compiled.Program {
	all := &compiled.Program{Name: p.Entry.Name.Value, Entry: p.Entry.Name.Value, HasModels: p.HasModels, Scripts: map[string]string{}}
	for _, a := range p.Agents {
		agent := compiled.Agent{Name: a.Name.Value, Description: a.Description.Value, Run: runAgent(a).Entry}
		if a.Node != nil {
			agent.Pattern = a.Node.Pattern()
		}
		for _, within := range a.Contained() {
			if within.Agent != nil {
				agent.Contains = append(agent.Contains, within.Agent.Name.Value)
			}
		}
		if len(a.Conversations()) > 0 {
			agent.Model = choice(a)
		}
		all.Agents = append(all.Agents, agent)
	}
	for _, m := range p.Models {
		all.Models = append(all.Models, compiled.Role{Role: m.Role.Value, Name: m.Name.Value, Fallback: ir.Values(m.Fallback)})
	}
	for _, s := range p.Scripts {
		all.Scripts[s.Path] = s.JSON
	}

	return all
}

func choice(a *ir.Agent) *model.Choice {
	return &model.Choice{Role: a.Call.Role.Value, Name: a.Call.Name.Value, Settings: a.Call.Settings}
}

// runAgent returns what runs an agent.
func runAgent(a *ir.Agent) rt.RunFunc {
	name := a.Name.Value
	switch n := a.Node.(type) {
	case *ir.React:
		spec := &rt.ReactSpec{Agent: name, Model: choice(a), Prompt: a.Prompt.Value, MaxIter: n.MaxIter, Repair: n.Repair, Stuck: n.Stuck}
		spec.Keys = append(spec.Keys, ir.Values(n.Keys)...)
		return func(fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
			return spec.Run(fx, nil, input, at...)
		}
	case *ir.Oneshot:
		spec := &rt.OneshotSpec{Agent: name, Model: choice(a), Prompt: a.Prompt.Value, Repair: n.Repair}
		return func(fx runtime.Effects, input string, _ ...rt.Place) (runtime.Finish, error) {
			return spec.Run(fx, input)
		}
	case *ir.Machine:
		return machine{name, n}.run
	}

	return nil
}

// machine is a machine without guards.
type machine struct {
	name string
	ir   *ir.Machine
}

// run does what emit's machine.run writes for a machine.
func (m machine) run(fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
	path := rt.Flow(m.name).Machine(fx, m.ir.MaxSteps, input)
	state := m.ir.Initial.State
	for state != nil && !state.Terminal() && path.Enter(state.Name.Value) {
		path.RecordOutput(runAgent(state.Agent)(fx, path.Value(), m.place(state, at)...))
		if path.Failed() {
			return path.End()
		}
		key, match, to := route(state, path.Key())
		if to == nil {
			return path.Reject(state.Keys())
		}
		path.Take(key, match, to.Value)
		state = to.State
	}
	if state != nil && state.Terminal() && state.Agent != nil && path.Enter(state.Name.Value) {
		return path.Last(runAgent(state.Agent)(fx, path.Value(), m.place(state, at)...))
	}

	return path.End()
}

// route returns the key that an answer means in a state, how it was found, and where its row leads:
// nil if there is none, and the zero Ref where the machine ends by ~.
func route(state *ir.State, answer string) (string, rt.Match, *ir.Ref) {
	if state.Always != nil {
		return answer, rt.MatchUnconditional, state.Always
	}
	key, match := rt.KeyLists[uint8, string]{state.Keys()}.Match(0, answer, rt.MatchCatchAll)
	for _, row := range state.Rows {
		if row.Key.Value == key || row.IsCatchAll() && match == rt.MatchCatchAll {
			return key, match, &row.To
		}
	}

	return key, match, nil
}

// place is where the agent of a state runs.
func (m machine) place(state *ir.State, at []rt.Place) []rt.Place {
	rule := state.Place()
	switch rule.Kind {
	case ir.PlaceOuter:
		return at
	case ir.PlaceOpen:
		return []rt.Place{rt.Open(m.name, state.Name.Value, rule.Keys...)}
	case ir.PlaceOr:
		return []rt.Place{rt.Closed(m.name, state.Name.Value, rule.Keys...).Or(at...)}
	case ir.PlaceClosed:
		return []rt.Place{rt.Closed(m.name, state.Name.Value, rule.Keys...)}
	}

	return nil
}

// transcript collects what happens in a run.
type transcript struct{ strings.Builder }

// Observe implements [event.Observer].
func (t *transcript) Observe(e event.Event) {
	switch e.Kind {
	case event.Tool:
		fmt.Fprintf(t, "%s: tool %s\n", e.Agent, e.Name)
	case event.Repair:
		fmt.Fprintf(t, "%s: asked again: %s\n", e.Agent, e.Problem)
	case event.Transition:
		arrow := "-->"
		if e.Matched != string(rt.MatchUnconditional) {
			arrow = "--" + e.Key + "-->"
		}
		fmt.Fprintf(t, "%s: %s %s %s\n", e.Machine, e.State, arrow, cmp.Or(e.To, "end"))
	}
}
