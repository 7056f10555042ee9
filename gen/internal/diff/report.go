package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Report is the difference between two versions of a program.
type Report struct {
	// Old and New are the names of the versions.
	Old string `json:"old"`
	New string `json:"new"`
	// Changes are in the order of their kinds.
	Changes []Change `json:"changes"`
	Costs   []Cost   `json:"costs"`
	Places  []Place  `json:"places"`
	Runs    []Run    `json:"runs"`
	// Problems are runs that could not be read, with the reason.
	Problems []string `json:"problems,omitempty"`
	// Worse lists what has become worse.
	Worse []string `json:"worse"`
	// Picture is a Mermaid flowchart of the agents with a changed picture; "" if there are none.
	Picture string `json:"picture,omitempty"`

	comparison *comparison
}

// Change is a part that only one version has, or that differs.
type Change struct {
	// Kind is the kind of the part, Agent the agent that has it, and Name its name there; the
	// latter may be empty.
	Kind  string `json:"kind"`
	Agent string `json:"agent,omitempty"`
	Name  string `json:"name,omitempty"`
	// Change is added, removed or changed.
	Change string `json:"change"`
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"`
	// Worse is set if the change needs attention: see [Report.Worse].
	Worse bool `json:"worse,omitempty"`

	// old or new is zero if the version does not have the part.
	old, new item
}

// The kinds of changes.
const (
	Added   = "added"
	Removed = "removed"
	Changed = "changed"
)

// Cost is the bound of an entry point in both versions, nil in a version without it.
type Cost struct {
	Name string      `json:"entry_point"`
	Old  *cost.Spend `json:"old"`
	New  *cost.Spend `json:"new"`
}

// CompareVersions compares two versions of a program.
func CompareVersions(before, after *ir.Program, o cost.Options) *Report {
	r := &Report{comparison: comparePrograms(before, after), Changes: []Change{}, Costs: []Cost{}, Places: []Place{}, Runs: []Run{}, Worse: []string{}}
	r.addChanges()
	r.addCosts(cost.BoundEntries(before, o), cost.BoundEntries(after, o))
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

// addChanges adds the changed parts. The logic or wording of an agent is added only if no more
// specific change of the agent is.
func (r *Report) addChanges() {
	isExplained := map[string]bool{} // agents with a more specific change than logic or wording
	only := map[string]bool{}        // agents of one version only
	for _, c := range r.comparison.changed {
		if slices.Contains([]string{kindState, kindRow, kindStep, kindLimit, kindSchema, kindTool, kindGate, kindSignal}, c.Kind) {
			isExplained[c.Agent] = true
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
			if isExplained[c.Agent] {
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

// isWorse reports whether a change lets a program do more harm, or removes a safeguard.
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
	most := func(entries []cost.Entry, name string) *cost.Spend {
		if i := slices.IndexFunc(entries, func(e cost.Entry) bool { return e.Name == name }); i >= 0 {
			return &entries[i].Most
		}
		return nil
	}
	for _, entry := range ir.Unique(ir.Map(slices.Concat(before, after), name)) {
		r.Costs = append(r.Costs, Cost{entry, most(before, entry), most(after, entry)})
	}
	for _, c := range r.Costs {
		if c.Old == nil || c.New == nil {
			continue
		}
		oldCells, newCells := c.Old.Cells(), c.New.Cells()
		var more []string
		for i, before := range c.Old.Numbers() {
			if float64(*c.New.Numbers()[i]) > float64(*before)*muchMore {
				more = append(more, fmt.Sprintf("%s %s, was %s", newCells[i], cost.Columns[i], oldCells[i]))
			}
		}
		if len(more) > 0 {
			r.addWorse("a run of %s may use more: %s", c.Name, strings.Join(more, "; "))
		}
	}
}

// muchMore is the factor by which a higher bound counts as worse. A few words more in a prompt do
// not.
const muchMore = 1.1

// drawPicture draws the machines, flows and workflows with changed pictures.
func (r *Report) drawPicture() {
	var before, after []*ir.Agent
	both := slices.Concat(r.comparison.before.Agents, r.comparison.after.Agents)
	for _, name := range ir.Unique(ir.Map(both, func(a *ir.Agent) string { return a.Name.Value })) {
		old, now := r.comparison.before.AgentByName(name), r.comparison.after.AgentByName(name)
		if graph.DrawAlone(old) == graph.DrawAlone(now) {
			continue
		}
		if old != nil {
			before = append(before, old)
		}
		if now != nil {
			after = append(after, now)
		}
	}
	if len(before)+len(after) > 0 {
		r.Picture = graph.DrawDifference(before, after)
	}
}
