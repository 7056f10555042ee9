package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Site is a place of a program: legal(place) with its origin.
type Site struct {
	// Around is the machine or the flow of the place; nil where a run of the program begins.
	Around *ir.Agent
	// State is the state in a machine.
	State *ir.State
	Rule  ir.Place
	// Outer is the site of Around for the rule Or. For the rule Outer, the site is that one itself.
	Outer *Site
}

// LegalPlace returns the legal keys at the site, as [ir.Place.Within] composes them.
func (s *Site) LegalPlace() ir.Place {
	if s.Outer == nil {
		return s.Rule
	}
	var p ir.Place
	known := map[string]bool{}
	for ; s != nil; s = s.Outer {
		p.Kind = s.Rule.Kind
		if p.Kind == ir.PlaceFree {
			p.Kind = ir.PlaceOpen
		}
		for _, key := range s.Rule.Keys {
			if !known[key] {
				known[key] = true
				p.Keys = append(p.Keys, key)
			}
		}
	}

	return p
}

// Uses are all sites of an agent or a step.
type Uses struct {
	p *Program
	// Sites are its places, each once. Of very many, only the first ones are there.
	Sites []*Site
	// AnyKey is set if one of its places is free or open, so that every key is legal somewhere.
	AnyKey bool
	// legal are the keys of all closed places.
	closed bool
	legal  big.Int
}

// maxSites bounds the sites of an agent, which nested machines multiply.
const maxSites = 16

// LegalKeys returns the legal keys of all closed places, each as first written in the program.
func (s *Uses) LegalKeys() []string {
	return s.p.keyTexts(&s.legal)
}

// UsesOf returns where a is used: as an entry point, and wherever an entry point leads to it. Entry
// points are the named agent and every agent that no other contains. In a partial machine or flow
// each place is free. For agents that contain each other, only the sites outside of the circle are
// known.
func (p *Program) UsesOf(a *ir.Agent) *Uses {
	if p.uses == nil {
		p.findUses()
	}
	if s := p.uses[a]; s != nil {
		return s
	}

	return &Uses{p: p}
}

// UsesOfStep returns where the step of a is used. For an agent with one conversation, it is where
// the agent is used.
func (p *Program) UsesOfStep(a *ir.Agent, step *ir.Step) *Uses {
	f, ok := ir.PatternOf(a.Node)
	if !ok {
		return p.UsesOf(a)
	}
	s := &Uses{p: p}
	outer := p.UsesOf(a)
	ir.Walk(f.Body.Ops(), func(op ir.Op) {
		if run, ok := op.(*ir.Run); ok && run.Step == step {
			s.addSites(outer, Site{Around: a, Rule: run.At})
		}
	})

	return s
}

// NeverRuns reports whether a loop of a pattern always returns before a step of its body: its only
// turn is the last one.
func NeverRuns(f *ir.Flow, step *ir.Step) bool {
	found := false
	ir.WalkTasks(f.Body, func(t *ir.Task) {
		loop, isLoop := t.Do.(*ir.Loop)
		if !isLoop {
			return
		}
		tasks := loop.Body.Tasks
		last := slices.IndexFunc(tasks, returnsAtOnceFrom(loop))
		for _, behind := range tasks[last+1:] {
			run, isRun := behind.Do.(*ir.Run)
			found = found || last >= 0 && isRun && run.Step == step
		}
	})

	return found
}

// returnsAtOnceFrom returns a predicate: a task returns from a loop in its first turn.
func returnsAtOnceFrom(loop *ir.Loop) func(*ir.Task) bool {
	return func(t *ir.Task) bool {
		limit, isBranch := t.Do.(*ir.Branch)
		if !isBranch {
			return false
		}
		at, counts := ir.TurnTestOf(limit.Condition())
		returns := slices.ContainsFunc(limit.ThenBody().Steps(), func(t *ir.Task) bool {
			_, isReturn := t.Do.(*ir.Return)
			return isReturn
		})

		return counts && returns && at.Turn == loop.Turn && at.N <= 1
	}
}

// findRoutedLimits returns the agents that run where a row is for [ir.ExhaustedKey]: in a state with
// such a row, or in a place that gives its key to a machine or a flow around which there is one.
func findRoutedLimits(program *ir.Program) map[*ir.Agent]bool {
	routed := map[*ir.Agent]bool{}
	for hasGrown := true; hasGrown; {
		hasGrown = false
		for _, around := range program.Agents {
			eachPlace(around, func(inside *ir.Agent, at ir.Place) {
				isRouted := slices.ContainsFunc(at.Keys, isLimitKey) || at.PassesKeyOn() && routed[around]
				if isRouted && !routed[inside] {
					routed[inside], hasGrown = true, true
				}
			})
		}
	}

	return routed
}

func isLimitKey(key string) bool { return ir.FoldKey(key) == ir.ExhaustedKey }

// eachPlace calls visit for each agent in a machine or a flow with the place at which it runs.
func eachPlace(around *ir.Agent, visit func(*ir.Agent, ir.Place)) {
	switch node := around.Node.(type) {
	case *ir.Machine:
		if node == nil {
			return
		}
		for _, s := range node.States {
			if s.Agent != nil {
				visit(s.Agent, s.Place())
			}
		}
	case *ir.Flow:
		ir.Walk(node.Body.Ops(), func(op ir.Op) {
			run, isRun := op.(*ir.Run)
			if isRun && run.Agent != nil && run.Agent.Agent != nil {
				visit(run.Agent.Agent, run.At)
			}
		})
	}
}

var freeSite = &Site{Rule: ir.Place{Kind: ir.PlaceFree}}

// findUses finds the sites of all agents, outer agents first.
func (p *Program) findUses() {
	p.uses, p.sites = map[*ir.Agent]*Uses{}, map[*ir.Agent][]Site{}
	contained := map[*ir.Agent]bool{}
	for _, a := range p.order {
		p.uses[a] = &Uses{p: p}
		for _, ref := range a.Contained() {
			contained[ref.Agent] = true
		}
	}
	for i := len(p.order) - 1; i >= 0; i-- {
		a := p.order[i]
		if a == p.ir.Entry || !contained[a] {
			p.uses[a].addSites(nil, *freeSite)
		}
		if len(p.uses[a].Sites) > 0 {
			p.findUsesInside(a)
		}
	}
}

// findUsesInside adds the places in a to the agents that it contains.
func (p *Program) findUsesInside(a *ir.Agent) {
	unknown := p.isUnknown(a)
	put := func(agent *ir.Agent, site Site) {
		if agent == nil {
			return
		}
		if unknown {
			site.Rule = ir.Place{Kind: ir.PlaceFree}
		}
		if x := p.machines[a.MachineOf()]; x == nil || site.State == nil || x.stateOf[site.State].Reached {
			p.sites[agent] = append(p.sites[agent], site)
		}
		p.uses[agent].addSites(p.uses[a], site)
	}
	switch node := a.Node.(type) {
	case *ir.Machine:
		if node == nil {
			return
		}
		unknown = unknown || node.Partial
		for _, s := range node.States {
			put(s.Agent, Site{Around: a, State: s, Rule: s.Place()})
		}
	case *ir.Flow:
		if node.IsWorkflow() {
			for _, ref := range a.Contained() {
				put(ref.Agent, Site{Around: a, Rule: ir.Place{Kind: ir.PlaceFree}})
			}
		} else {
			ir.Walk(node.Body.Ops(), func(op ir.Op) {
				if run, isRun := op.(*ir.Run); isRun && run.Agent != nil {
					put(run.Agent.Agent, Site{Around: a, Rule: run.At})
				}
			})
		}
	}
}

// addSites adds the places of a site whose surroundings run at outer.
func (s *Uses) addSites(outer *Uses, site Site) {
	switch site.Rule.Kind {
	case ir.PlaceFree:
		s.AnyKey = true
		s.addSite(freeSite)
	case ir.PlaceOpen:
		s.AnyKey = true
		s.addSite(&site)
	case ir.PlaceClosed:
		s.addClosed(site.Rule.Keys)
		s.addSite(&site)
	case ir.PlaceOuter:
		s.addOuter(outer)
		for _, o := range outer.Sites {
			s.addSite(o)
		}
	case ir.PlaceOr:
		s.addOuter(outer)
		if outer.closed {
			s.addClosed(site.Rule.Keys)
		}
		for _, o := range outer.Sites {
			or := site
			or.Outer = o
			s.addSite(&or)
		}
	}
}

// addOuter adds the legal keys around a site that passes keys on.
func (s *Uses) addOuter(outer *Uses) {
	s.AnyKey = s.AnyKey || outer.AnyKey
	s.closed = s.closed || outer.closed
	s.legal.Or(&s.legal, &outer.legal)
}

func (s *Uses) addClosed(legal []string) {
	s.closed = true
	for _, key := range legal {
		s.legal.SetBit(&s.legal, s.p.keyNumber(key), 1)
	}
}

func (s *Uses) addSite(site *Site) {
	if len(s.Sites) < maxSites && !slices.Contains(s.Sites, site) {
		s.Sites = append(s.Sites, site)
	}
}
