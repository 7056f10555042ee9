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
	// Path describes the way from the entry point, by agents, states and steps.
	Path    string   `json:"path"`
	Verdict Verdict  `json:"verdict"`
	Reasons []string `json:"reasons,omitempty"`
}

// findPlaces returns where runs can pause, by entry point.
func (c *comparison) findPlaces() []Place {
	facts := flow.Analyze(c.before, flow.Guess{})
	var all []Place
	for _, a := range c.before.EntryPoints() {
		if !a.IsGoDriven() {
			s := &search{facts: facts, seen: map[*ir.Agent]bool{}}
			s.visitAgent(a, nil)
			verdict, reasons := c.judgeRuns(a.Name.Value, nil)
			all = append(all, ir.Map(s.found, func(path string) Place { return Place{path, verdict, reasons} })...)
		}
	}
	for _, a := range c.before.Agents {
		if m, isMachine := a.Node.(*ir.Machine); isMachine && m.IsLive() {
			all = append(all, c.findLivePlaces(a, m)...)
		}
	}

	return all
}

// findLivePlaces returns the states of a machine that other code drives. A snapshot is restored by
// the name of its state.
func (c *comparison) findLivePlaces(a *ir.Agent, m *ir.Machine) []Place {
	var now *ir.Machine
	if b := c.after.AgentByName(a.Name.Value); b != nil {
		now, _ = b.Node.(*ir.Machine)
	}
	var all []Place
	for _, s := range m.States {
		if s.IsTerminal() {
			continue
		}
		verdict, reasons := Stuck, []string{"there is no live machine " + a.Name.Value + " any more"}
		if now != nil && now.IsLive() {
			verdict, reasons = judgeSnapshot(now, s.Name.Value)
		}
		all = append(all, Place{"live machine " + a.Name.Value + ": " + s.Name.Value, verdict, reasons})
	}

	return all
}

// judgeSnapshot decides whether a snapshot in a state can be restored. Migrate rules name removed
// states.
func judgeSnapshot(now *ir.Machine, state string) (Verdict, []string) {
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

// search finds the places of an entry point. It visits an agent where it is reached first.
type search struct {
	facts *flow.Program
	seen  map[*ir.Agent]bool
	found []string
}

func (s *search) addPlace(path []string, what string) {
	s.found = append(s.found, strings.Join(append(slices.Clone(path), what), " > "))
}

func (s *search) visitAgent(a *ir.Agent, path []string) {
	if a == nil || s.seen[a] {
		return
	}
	s.seen[a] = true
	path = append(slices.Clone(path), a.Name.Value)
	for _, ref := range a.SkillRefs() {
		for _, tool := range ref.Skill.Tools {
			if tool.Tool != nil && tool.Tool.Confirm {
				s.addPlace(path, "confirm "+tool.Value)
			}
		}
	}
	switch n := a.Node.(type) {
	case *ir.Machine:
		s.visitMachine(n, path)
	case *ir.Flow:
		if n.IsWorkflow() {
			s.visitPipeline(n.Body, path)
		} else {
			ir.WalkTasks(n.Body, func(t *ir.Task) { s.visitFlowTask(t, path) })
		}
	}
}

// visitFlowTask visits a task of a pattern.
func (s *search) visitFlowTask(t *ir.Task, path []string) {
	if _, isAsk := t.Do.(*ir.Ask); isAsk {
		s.addPlace(path, "ask "+t.Name.Value)
	}
	s.visitRunAgent(t.Do, path)
}

// visitRunAgent visits the agent that an operation runs.
func (s *search) visitRunAgent(op ir.Op, path []string) {
	if ref := ir.AgentOf(op); ref != nil {
		s.visitAgent(ref.Agent, path)
	}
}

func (s *search) visitPipeline(p *ir.Pipeline, path []string) {
	for _, t := range p.Steps() {
		s.visitTask(t, path)
	}
}

func (s *search) visitTask(t *ir.Task, path []string) {
	if t.Fallback != nil {
		defer s.visitTask(t.Fallback, path)
	}
	taskPath := append(slices.Clone(path), t.Name.Value)
	switch do := t.Do.(type) {
	case *ir.Ask:
		s.addPlace(path, "ask "+t.Name.Value)
	case *ir.Machine:
		s.visitMachine(do, taskPath)
	default:
		s.visitRunAgent(do, taskPath)
		for _, p := range t.Pipelines() {
			s.visitPipeline(p, taskPath)
		}
	}
}

// visitMachine visits the states of a machine, each with the shortest path to it.
func (s *search) visitMachine(m *ir.Machine, path []string) {
	for _, state := range s.facts.Machine(m).States {
		if !state.Reached {
			continue
		}
		previous := ir.Map(state.Path(), func(move *flow.Move) string { return move.From.Name.Value })
		statePath := append(slices.Clone(path), strings.Join(append(previous, state.Name.Value), " -> "))
		s.visitAgent(state.Agent, statePath)
		s.visitPipeline(state.Body, statePath)
	}
}
