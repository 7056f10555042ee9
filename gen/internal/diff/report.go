package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Report is what is different between two versions of a program.
type Report struct {
	// Old and New are what the versions are called.
	Old string `json:"old"`
	New string `json:"new"`
	// Changes are in the order of their kinds.
	Changes []Change `json:"changes"`
	Costs   []Cost   `json:"costs"`
	Places  []Place  `json:"places"`
	Runs    []Run    `json:"runs"`
	// Problems are runs that could not be read, with the reason.
	Problems []string `json:"problems,omitempty"`
	// Worse says what has become worse; none if nothing has.
	Worse []string `json:"worse"`
	// Picture is a Mermaid flowchart of the agents whose drawing has changed; "" if none has.
	Picture string `json:"picture,omitempty"`

	comparison *comparison
}

// Change is a part that only one version has, or that is different in both.
type Change struct {
	// Kind is what the part is, Agent where it is, and Name what it is called there; both may be
	// empty.
	Kind  string `json:"kind"`
	Agent string `json:"agent,omitempty"`
	Name  string `json:"name,omitempty"`
	// Change is added, removed or changed.
	Change string `json:"change"`
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"`
	// Worse says that the change has to be looked at: see [Report.Worse].
	Worse bool `json:"worse,omitempty"`

	// old or new is the zero item where the part is missing.
	old, new item
}

// What can become of a part.
const (
	Added   = "added"
	Removed = "removed"
	Changed = "changed"
)

// Cost is the bound of an entry point, in both versions; nil where it is none.
type Cost struct {
	Name string      `json:"entry_point"`
	Old  *cost.Spend `json:"old"`
	New  *cost.Spend `json:"new"`
}

// Of compares two versions of a program.
func Of(before, after *ir.Program, o cost.Options) *Report {
	r := &Report{comparison: comparePrograms(before, after), Changes: []Change{}, Costs: []Cost{}, Places: []Place{}, Runs: []Run{}, Worse: []string{}}
	r.addChanges()
	r.addCosts(cost.Of(before, o), cost.Of(after, o))
	r.Places = append(r.Places, r.comparison.findPlaces()...)
	for _, p := range r.Places {
		if p.Verdict == Stuck {
			r.addWorse("a run that pauses at %s is stuck", p.Path)
		}
	}
	r.drawPicture()

	return r
}

func (r *Report) addWorse(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.Worse, text) {
		r.Worse = append(r.Worse, text)
	}
}

// addChanges compares the parts.
func (r *Report) addChanges() {
	said := map[string]bool{} // agents of which more is said than that their logic or wording is different
	only := map[string]bool{} // agents that only one version has
	for _, c := range r.comparison.changed {
		if slices.Contains([]string{kindState, kindRow, kindStep, kindLimit, kindSchema, kindTool, kindGate, kindSignal}, c.Kind) {
			said[c.Agent] = true
		}
		if c.Kind == kindAgent && c.Change != Changed {
			only[c.Name] = true
		}
	}
	for _, c := range r.comparison.changed {
		c.Worse = c.isWorse()
		if only[c.Agent] && c.Kind != kindTool && !c.Worse {
			continue
		}
		switch c.Kind {
		case kindLogic, kindWording:
			if said[c.Agent] {
				continue
			}
			c.Old, c.New = "", ""
		}
		r.Changes = append(r.Changes, c)
		if c.Worse {
			r.addWorse("%s", c.headline())
		}
	}
}

// isWorse reports whether a change gives a program more of what does harm, or takes away what holds
// it back.
func (c Change) isWorse() bool {
	switch c.Kind {
	case kindStore:
		return true
	case kindEntry, kindGate, kindMigrate:
		return c.Change == Removed
	case kindTool:
		return c.new.changesOutside && !c.old.changesOutside
	case kindReach, kindHost:
		return c.Change != Removed
	case kindBudget:
		return c.Change == Removed || c.Change == Changed && c.new.number > c.old.number
	}

	return false
}

// addCosts compares bounds.
func (r *Report) addCosts(before, after []cost.Entry) {
	name := func(e cost.Entry) string { return e.Name }
	most := func(entries []cost.Entry, of string) *cost.Spend {
		if i := slices.IndexFunc(entries, func(e cost.Entry) bool { return e.Name == of }); i >= 0 {
			return &entries[i].Most
		}
		return nil
	}
	for _, of := range ir.Unique(ir.Map(slices.Concat(before, after), name)) {
		r.Costs = append(r.Costs, Cost{of, most(before, of), most(after, of)})
	}
	for _, c := range r.Costs {
		if c.Old == nil || c.New == nil {
			continue
		}
		was, is := c.Old.Cells(), c.New.Cells()
		var more []string
		for i, before := range c.Old.Numbers() {
			if float64(*c.New.Numbers()[i]) > float64(*before)*muchMore {
				more = append(more, fmt.Sprintf("%s %s, was %s", is[i], cost.Heads[i], was[i]))
			}
		}
		if len(more) > 0 {
			r.addWorse("a run of %s may use more: %s", c.Name, strings.Join(more, "; "))
		}
	}
}

// muchMore is how much higher a bound is that counts as worse: a few words more in a prompt do not.
const muchMore = 1.1

// drawPicture draws the machines, flows and workflows whose pictures are different.
func (r *Report) drawPicture() {
	var before, after []*ir.Agent
	both := slices.Concat(r.comparison.before.Agents, r.comparison.after.Agents)
	for _, name := range ir.Unique(ir.Map(both, func(a *ir.Agent) string { return a.Name.Value })) {
		was, is := r.comparison.before.AgentByName(name), r.comparison.after.AgentByName(name)
		if graph.Alone(was) == graph.Alone(is) {
			continue
		}
		if was != nil {
			before = append(before, was)
		}
		if is != nil {
			after = append(after, is)
		}
	}
	if len(before)+len(after) > 0 {
		r.Picture = graph.Difference(before, after)
	}
}
