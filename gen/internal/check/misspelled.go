package check

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// findMisspelled finds the states whose own name is the mistake, and not the references that lead to its neighbour: there
// one finding at the state stands for all of them. That is so where
//
//   - the state wants an agent and has none, and the neighbour is an agent without a state;
//   - nothing leads to the state, it lacks no agent, and either two references agree on the neighbour, or the state is a
//     marker and the neighbour an agent.
func (x *machine) findMisspelled(u *unit) {
	dangling := map[string][]ir.Ref{}
	var names []string
	for _, ref := range x.refs {
		if ref.State != nil || ref.Value == "" {
			continue
		}
		if dangling[ref.Value] == nil {
			names = append(names, ref.Value)
		}
		dangling[ref.Value] = append(dangling[ref.Value], ref)
	}
	if len(names) == 0 {
		return
	}

	for _, s := range x.States {
		if x.wantsAgent(s) {
			if near, ok := u.nearestAgent(s.Name.Value); ok && dangling[near] != nil {
				x.misspell(s, near, dangling[near])
			}
		}
	}
	for _, name := range names {
		s := x.resolve(dangling[name][0])
		if s == nil || len(x.ledTo(s)) > 0 || x.wantsAgent(s) {
			continue
		}
		if len(dangling[name]) > 1 || s.Marker() && u.agents[name] != nil && !x.driven() {
			x.misspell(s, name, dangling[name])
		}
	}
}

// wantsAgent reports whether s has to run an agent and has none.
func (x *machine) wantsAgent(s *ir.State) bool { return !x.driven() && !s.Terminal() && s.Agent == nil }

// misspell notes that refs, which say name, mean s.
func (x *machine) misspell(s *ir.State, name string, refs []ir.Ref) {
	if x.misspelled[name] != nil || x.ledBy[s] != nil {
		return
	}
	x.misspelled[name], x.meant[name], x.ledBy[s] = s, s, refs
}

// noteLedBy says what leads to a state under another name.
func (x *machine) noteLedBy(d *diag.Diagnostic, s *ir.State) {
	for i, ref := range x.ledBy[s] {
		if i == maxListed {
			d.Note(noSpan, "and so on, %d more", len(x.ledBy[s])-i)
			return
		}
		d.Note(ref.Span, "%q is what leads here", ref.Value)
	}
}
