package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Site is a place of a program: legal(place) with what it follows from.
type Site struct {
	// Around is the machine or the flow in which the place is; nil where a run of the program
	// begins.
	Around *ir.Agent
	// State is where in a machine it is.
	State *ir.State
	Rule  ir.Place
	// Outer is where Around runs, if the rule is Or; with the rule Outer, that is the site.
	Outer *Site
}

// Legal returns what is legal at the site, as [ir.Place.Within] composes it.
func (s *Site) Legal() ir.Place {
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

// Uses is where an agent or a step is used: all its sites together.
type Uses struct {
	p *Program
	// Sites are its places, each once; of very many only the first ones.
	Sites []*Site
	// Anything says that one of all its places is free or open, so that every key is legal
	// somewhere.
	Anything bool
	// legal are the keys of all closed places.
	closed bool
	legal  big.Int
}

// maxSites bounds how many places of an agent are distinguished: each machine that is used in many
// multiplies them.
const maxSites = 16

// Keys returns the keys that are legal in the closed ones of all the places, each as it is written
// first in the program.
func (s *Uses) Keys() []string {
	return s.p.written(&s.legal)
}

// UsesOf returns where a is used: as the entry point, and wherever a way from an entry point leads
// to it. Entry points are the one that is named and every agent that no other contains. What is
// in a machine or flow that is known in part is at a free place there. Of an agent in a circle
// nothing is known but the ways that lead into it.
func (p *Program) UsesOf(a *ir.Agent) *Uses {
	if p.uses == nil {
		p.findUses()
	}
	if s := p.uses[a]; s != nil {
		return s
	}

	return &Uses{p: p}
}

// UsesOfStep returns where the step of a is used; for an agent that is one conversation, where the
// agent does.
func (p *Program) UsesOfStep(a *ir.Agent, step *ir.Step) *Uses {
	f, ok := ir.PatternOf(a.Node)
	if !ok {
		return p.UsesOf(a)
	}
	s := &Uses{p: p}
	outer := p.UsesOf(a)
	ir.Walk(f.Body.Ops(), func(op ir.Op) {
		if run, ok := op.(*ir.Run); ok && run.Step == step {
			s.add(outer, Site{Around: a, Rule: run.At})
		}
	})

	return s
}

var free = &Site{Rule: ir.Place{Kind: ir.PlaceFree}}

// findUses finds the sites of all agents, those of an agent before those of the agents in it.
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
			p.uses[a].add(nil, *free)
		}
		if len(p.uses[a].Sites) > 0 {
			p.findUsesInside(a)
		}
	}
}

// findUsesInside adds the places in a to those of the agents that it contains.
func (p *Program) findUsesInside(a *ir.Agent) {
	unknown := p.unknown(a)
	put := func(agent *ir.Agent, site Site) {
		if agent == nil {
			return
		}
		if unknown {
			site.Rule = ir.Place{Kind: ir.PlaceFree}
		}
		if x := p.machines[a.MachineOf()]; x == nil || site.State == nil || x.of[site.State].Reached {
			p.sites[agent] = append(p.sites[agent], site)
		}
		p.uses[agent].add(p.uses[a], site)
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

// add adds the places that a site is when what is around it runs at outer.
func (s *Uses) add(outer *Uses, site Site) {
	switch site.Rule.Kind {
	case ir.PlaceFree:
		s.Anything = true
		s.addSite(free)
	case ir.PlaceOpen:
		s.Anything = true
		s.addSite(&site)
	case ir.PlaceClosed:
		s.addClosed(site.Rule.Keys)
		s.addSite(&site)
	case ir.PlaceOuter:
		s.addAround(outer)
		for _, o := range outer.Sites {
			s.addSite(o)
		}
	case ir.PlaceOr:
		s.addAround(outer)
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

// addAround adds what is legal around a site that passes it on.
func (s *Uses) addAround(outer *Uses) {
	s.Anything = s.Anything || outer.Anything
	s.closed = s.closed || outer.closed
	s.legal.Or(&s.legal, &outer.legal)
}

func (s *Uses) addClosed(legal []string) {
	s.closed = true
	for _, key := range legal {
		s.legal.SetBit(&s.legal, s.p.number(key), 1)
	}
}

func (s *Uses) addSite(site *Site) {
	if len(s.Sites) < maxSites && !slices.Contains(s.Sites, site) {
		s.Sites = append(s.Sites, site)
	}
}
