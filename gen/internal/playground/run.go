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

// runEntry runs the entry point, and returns a transcript.
func runEntry(ctx context.Context, p *ir.Program, task string) string {
	if p.Entry == nil {
		return "there is no entry point: name one of the agents in agentc.yaml, as in entrypoint: NAME\n"
	}
	for _, a := range ir.ReachableFrom(p.Entry) {
		if reason := unsupportedFeature(a); reason != "" {
			return fmt.Sprintf("%s %s, which is not supported here: use agentc run\n", a.Name.Value, reason)
		}
	}
	steps := &transcript{}
	fin, err := engine.New(engine.Options{Observers: []event.Observer{steps}}).Run(ctx, newProgram(p), p.Entry.Name.Value, task)
	if err != nil {
		fmt.Fprintf(steps, "failed: %v\n", err)
	} else {
		fmt.Fprintf(steps, "\n%s\n", fin.Value)
	}

	return steps.String()
}

// unsupportedFeature returns what prevents an agent from running here, or "".
func unsupportedFeature(a *ir.Agent) string {
	switch n := a.Node.(type) {
	case *ir.Machine:
		if n.External || n.HasGuards() || len(n.Live.Signals) > 0 {
			return "has guards or signals, or is driven by other code"
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

// newProgram describes a program to the engine, as generated code does.
func newProgram(p *ir.Program) *compiled.Program {
	all := &compiled.Program{Name: p.Entry.Name.Value, Entry: p.Entry.Name.Value, HasModels: p.HasModels, Scripts: map[string]string{}}
	for _, a := range p.Agents {
		agent := compiled.Agent{Name: a.Name.Value, Description: a.Description.Value, Run: newRunFunc(a).Entry}
		if a.Node != nil {
			agent.Pattern = a.Node.Pattern()
		}
		for _, within := range a.Contained() {
			if within.Agent != nil {
				agent.Contains = append(agent.Contains, within.Agent.Name.Value)
			}
		}
		if len(a.Conversations()) > 0 {
			agent.Model = modelChoice(a)
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

func modelChoice(a *ir.Agent) *model.Choice {
	return &model.Choice{Role: a.Call.Role.Value, Name: a.Call.Name.Value, Settings: a.Call.Settings}
}

// newRunFunc returns the function that runs an agent.
func newRunFunc(a *ir.Agent) rt.RunFunc {
	name := a.Name.Value
	switch n := a.Node.(type) {
	case *ir.React:
		spec := &rt.ReactSpec{Agent: name, Model: modelChoice(a), Prompt: a.Prompt.Value, MaxIter: n.MaxIter, Repair: n.Repair, Stuck: n.Stuck}
		spec.Keys = append(spec.Keys, ir.Values(n.Keys)...)
		return func(fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
			return spec.Run(fx, nil, input, at...)
		}
	case *ir.Oneshot:
		spec := &rt.OneshotSpec{Agent: name, Model: modelChoice(a), Prompt: a.Prompt.Value, Repair: n.Repair}
		return func(fx runtime.Effects, input string, _ ...rt.Place) (runtime.Finish, error) {
			return spec.Run(fx, input)
		}
	case *ir.Machine:
		return machine{name, n}.runMachine
	}

	return nil
}

// machine is a machine without guards.
type machine struct {
	name string
	ir   *ir.Machine
}

// runMachine does what the Go does that emit generates for a machine.
func (m machine) runMachine(fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
	path := rt.Flow(m.name).Machine(fx, m.ir.MaxSteps, input)
	state := m.ir.Initial.State
	for state != nil && !state.IsTerminal() && path.Enter(state.Name.Value) {
		path.RecordOutput(newRunFunc(state.Agent)(fx, path.Value(), m.placesOf(state, at)...))
		if path.Failed() {
			return path.End()
		}
		key, match, to := findRow(state, path.Key())
		if to == nil {
			return path.Reject(state.Keys())
		}
		path.RecordTransition(key, match, to.Value)
		state = to.State
	}
	if state != nil && state.IsTerminal() && state.Agent != nil && path.Enter(state.Name.Value) {
		return path.FinishWith(newRunFunc(state.Agent)(fx, path.Value(), m.placesOf(state, at)...))
	}

	return path.End()
}

// findRow returns the key of an answer in a state, how it matched, and the target of its row: nil
// if there is no row, the zero Ref if the machine ends by ~.
func findRow(state *ir.State, answer string) (string, rt.Match, *ir.Ref) {
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

// placesOf returns the places of the agent of a state: those around the machine, and the state.
func (m machine) placesOf(state *ir.State, outer []rt.Place) []rt.Place {
	rule := state.Place()
	switch rule.Kind {
	case ir.PlaceOuter:
		return outer
	case ir.PlaceOpen:
		return []rt.Place{rt.Open(m.name, state.Name.Value, rule.Keys...)}
	case ir.PlaceOr:
		return []rt.Place{rt.Closed(m.name, state.Name.Value, rule.Keys...).Or(outer...)}
	case ir.PlaceClosed:
		return []rt.Place{rt.Closed(m.name, state.Name.Value, rule.Keys...)}
	}

	return nil
}

// transcript collects the events of a run.
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
