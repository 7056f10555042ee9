package diff

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Place is where a run of the older program can pause: at a question, before a call that a person
// confirms, or in a state of a machine that other code drives.
type Place struct {
	// Path leads there from the entry point, by agents, states and steps.
	Path    string   `json:"path"`
	Verdict Verdict  `json:"verdict"`
	Reasons []string `json:"reasons,omitempty"`
}

// places are where runs can pause, by entry point.
func (c *comparison) places() []Place {
	facts := flow.Of(c.before, flow.Guess{})
	var all []Place
	for _, a := range c.before.EntryPoints() {
		if !a.Driven() {
			s := &search{facts: facts, seen: map[*ir.Agent]bool{}}
			s.agent(a, nil)
			verdict, reasons := c.verdict(a.Name.Value, nil)
			all = append(all, ir.Map(s.found, func(path string) Place { return Place{path, verdict, reasons} })...)
		}
	}
	for _, a := range c.before.Agents {
		if m, isMachine := a.Node.(*ir.Machine); isMachine && m.IsLive() {
			all = append(all, c.livePlaces(a, m)...)
		}
	}

	return all
}

// livePlaces are the states of a machine that other code drives: a snapshot of it is restored by
// the name of its state.
func (c *comparison) livePlaces(a *ir.Agent, m *ir.Machine) []Place {
	var now *ir.Machine
	if b := c.after.AgentByName(a.Name.Value); b != nil {
		now, _ = b.Node.(*ir.Machine)
	}
	var all []Place
	for _, s := range m.States {
		if s.Terminal() {
			continue
		}
		verdict, reasons := Stuck, []string{"there is no live machine " + a.Name.Value + " any more"}
		if now != nil && now.IsLive() {
			verdict, reasons = restored(now, s.Name.Value)
		}
		all = append(all, Place{"live machine " + a.Name.Value + ": " + s.Name.Value, verdict, reasons})
	}

	return all
}

// restored says what becomes of a snapshot in a state. A migrate rule names states that are no
// longer there.
func restored(now *ir.Machine, state string) (Verdict, []string) {
	for _, rename := range now.Live.Renames {
		if rename.From.Value == state {
			return Mapped, []string{"migrate leads to " + rename.To.Value}
		}
	}
	if slices.ContainsFunc(now.States, func(s *ir.State) bool { return s.Name.Value == state }) {
		return Resumes, nil
	}

	return Stuck, []string{"there is no state " + state + " any more, and no migrate rule for it"}
}

// search finds the places of an entry point. An agent is visited where it is reached first.
type search struct {
	facts *flow.Program
	seen  map[*ir.Agent]bool
	found []string
}

func (s *search) place(path []string, what string) {
	s.found = append(s.found, strings.Join(append(slices.Clone(path), what), " > "))
}

func (s *search) agent(a *ir.Agent, path []string) {
	if a == nil || s.seen[a] {
		return
	}
	s.seen[a] = true
	path = append(slices.Clone(path), a.Name.Value)
	for _, ref := range a.SkillRefs() {
		for _, tool := range ref.Skill.Tools {
			if tool.Tool != nil && tool.Tool.Confirm {
				s.place(path, "confirm "+tool.Value)
			}
		}
	}
	switch n := a.Node.(type) {
	case *ir.Machine:
		s.machine(n, path)
	case *ir.Flow:
		if n.IsWorkflow() {
			s.pipeline(n.Body, path)
		} else {
			ir.WalkTasks(n.Body, func(t *ir.Task) { s.flowTask(t, path) })
		}
	}
}

// flowTask finds what a task of a pattern itself waits for.
func (s *search) flowTask(t *ir.Task, path []string) {
	if _, asks := t.Do.(*ir.Ask); asks {
		s.place(path, "ask "+t.Name.Value)
	}
	s.runs(t.Do, path)
}

// runs looks into the agent that an operation runs.
func (s *search) runs(op ir.Op, path []string) {
	if ref := ir.AgentOf(op); ref != nil {
		s.agent(ref.Agent, path)
	}
}

func (s *search) pipeline(p *ir.Pipeline, path []string) {
	for _, t := range p.Steps() {
		s.task(t, path)
	}
}

func (s *search) task(t *ir.Task, path []string) {
	if t.Fallback != nil {
		defer s.task(t.Fallback, path)
	}
	inside := append(slices.Clone(path), t.Name.Value)
	switch do := t.Do.(type) {
	case *ir.Ask:
		s.place(path, "ask "+t.Name.Value)
	case *ir.Machine:
		s.machine(do, inside)
	default:
		s.runs(do, inside)
		for _, p := range t.Pipelines() {
			s.pipeline(p, inside)
		}
	}
}

// machine looks into the states of a machine, each with the shortest way to it.
func (s *search) machine(m *ir.Machine, path []string) {
	for _, state := range s.facts.Machine(m).States {
		if !state.Reached {
			continue
		}
		way := ir.Map(state.Path(), func(move *flow.Move) string { return move.From.Name.Value })
		at := append(slices.Clone(path), strings.Join(append(way, state.Name.Value), " -> "))
		s.agent(state.Agent, at)
		s.pipeline(state.Body, at)
	}
}
