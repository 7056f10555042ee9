package flow

import (
	"math/big"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/scc"
)

// StuckGroup is a group of states that lead to each other and from which the machine cannot end.
type StuckGroup struct {
	States []*State
	// Site is a place of the machine at which it cannot end, because all keys that are legal there
	// are routed inside; nil if it can end at no place.
	Site *Site
}

// StuckGroups returns the closed groups of reached states. A machine in one can neither leave it
// nor end. Groups that lead into another one are omitted.
func (x *Machine) StuckGroups() []StuckGroup {
	isDrivenByOthers := x.External && x.Gate == nil
	lacksCopies := x.followsValues && x.copies == nil
	if x.Partial || isDrivenByOthers || lacksCopies {
		return nil
	}
	reached, free, next := x.escapes()
	for i := range next {
		next[i] = slices.DeleteFunc(next[i], func(to int) bool { return free[i] || free[to] })
	}
	var stuck []StuckGroup
	for _, group := range ir.Map(scc.Closed(next), x.statesAt) {
		s := group[0]
		if !reached[s.Index] || free[s.Index] || s.IsMarker() && x.Gate == nil {
			continue
		}
		if kept, perhaps := groupRoutedKeys(group); !perhaps {
			stuck = append(stuck, StuckGroup{States: group})
		} else if site := x.p.findClosedSite(x, kept); site != nil {
			stuck = append(stuck, StuckGroup{group, site})
		}
	}

	return stuck
}

// escapes returns which states are reached, from which the machine can end at any place, and where
// the moves lead. A state has the results of all of its copies.
func (x *Machine) escapes() (reached, free []bool, next [][]int) {
	if x.copies == nil {
		reached, next = ir.Map(x.States, func(s *State) bool { return s.Reached }), x.moveGraph(true)
		var ends []int
		for i, s := range x.States {
			if x.endsAnywhere(s) {
				ends = append(ends, i)
			}
		}
		return reached, scc.From(scc.Reversed(next), ends...), next
	}
	reached, free, next = make([]bool, len(x.States)), make([]bool, len(x.States)), make([][]int, len(x.States))
	reachedCopies, freeCopies, leads := x.copies.escapes()
	indexOf := func(copied int) int { return x.stateOf[x.copies.States[copied].State].Index }
	for i := range x.copies.States {
		at := indexOf(i)
		reached[at] = reached[at] || reachedCopies[i]
		free[at] = free[at] || freeCopies[i]
		next[at] = append(next[at], ir.Map(leads[i], indexOf)...)
	}

	return reached, free, next
}

// endsAnywhere reports whether the machine can end in a state wherever it runs. The key of a limit
// is an end if some row around the machine is for it.
func (x *Machine) endsAnywhere(s *State) bool {
	if s.ends || s.End {
		return true
	}

	o := s.exits
	if s.Anywhere || s.Unrouted || o.Exhausts && x.routesLimit {
		return true
	}

	return !o.HasNoKeys() || o.Adapts() && o.routedKeys.Sign() == 0
}

func (x *Machine) statesAt(indices []int) []*State {
	return ir.Map(indices, func(i int) *State { return x.States[i] })
}

// groupRoutedKeys returns the keys that are routed inside wherever the machine can end in a group;
// perhaps is false if it cannot.
func groupRoutedKeys(group []*State) (kept *big.Int, perhaps bool) {
	var all Outcomes
	for _, s := range group {
		all = all.merge(s.exits, 0)
	}

	return all.routedKeys, all.Adapts()
}

// findClosedSite returns a place of a machine at which only keys in kept are legal; nil if there is
// none.
func (p *Program) findClosedSite(x *Machine, kept *big.Int) *Site {
	if p.uses == nil {
		p.findUses()
	}
	var of *ir.Agent
	for _, a := range p.order {
		if a.MachineOf() == x.Machine {
			of = a
		}
	}
	inside := func(keys []string) bool {
		return !slices.ContainsFunc(keys, func(key string) bool { return kept.Bit(p.keyNumber(key)) == 0 })
	}
	seen := map[*ir.Agent]bool{of: true}
	for queue := []*ir.Agent{of}; len(queue) > 0; queue = queue[1:] {
		for i, site := range p.sites[queue[0]] {
			if site.Rule.Kind == ir.PlaceClosed && inside(site.Rule.Keys) {
				return &p.sites[queue[0]][i]
			}
			if site.Rule.PassesKeyOn() && inside(site.Rule.Keys) && !seen[site.Around] {
				seen[site.Around] = true
				queue = append(queue, site.Around)
			}
		}
	}

	return nil
}

// CannotEnd reports whether no run of an agent's machine ends, because each end is after a state
// whose agent cannot end. The keys of its rows are then a guess.
func (p *Program) CannotEnd(a *ir.Agent) bool { return p.endlessAgents[a] }

// findEndlessAgent records whether an agent cannot end. The agents in it are known.
func (p *Program) findEndlessAgent(a *ir.Agent) {
	x := p.machines[a.MachineOf()]
	if x == nil || x.Start == nil || p.isUnknown(a) {
		return
	}
	p.endlessAgents[a] = !x.isDriven() && !x.Partial && !x.mayEnd()
}

// mayEnd reports whether a run can reach an end without an agent that cannot end.
func (x *Machine) mayEnd() bool {
	seen := map[*State]bool{x.Start: true}
	for queue := []*State{x.Start}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		switch {
		case x.p.CannotEnd(s.Agent):
			continue
		case s.canEnd():
			return true
		}
		for _, to := range s.Next() {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}

	return false
}
