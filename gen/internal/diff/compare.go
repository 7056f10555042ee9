package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// comparison holds the differences between two programs.
type comparison struct {
	before, after *ir.Program
	changed       []Change
	// shape and text are the hashes by which engines identify programs.
	shape, text hashes
}

// hashes are a hash of the older and of the newer program.
type hashes struct{ before, after string }

func (h hashes) isEqual() bool { return h.before == h.after }

func comparePrograms(before, after *ir.Program) *comparison {
	c := &comparison{
		before: before, after: after,
		shape: hashes{emit.ShapeHash(before), emit.ShapeHash(after)}, text: hashes{emit.TextHash(before), emit.TextHash(after)},
	}
	old, now := collectItems(before), collectItems(after)
	byKey := map[key]item{}
	for _, i := range now {
		byKey[i.key] = i
	}
	isOld := map[key]bool{}
	for _, i := range old {
		isOld[i.key] = true
		other, isKept := byKey[i.key]
		switch {
		case !isKept:
			c.addChange(Removed, i.key, i, other)
		case i.value != other.value:
			c.addChange(Changed, i.key, i, other)
		}
	}
	for _, i := range now {
		if !isOld[i.key] {
			c.addChange(Added, i.key, item{}, i)
		}
	}
	slices.SortStableFunc(c.changed, func(a, b Change) int { return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind) })

	return c
}

func (c *comparison) addChange(what string, of key, old, now item) {
	if of.kind == kindNumber && what != Changed {
		return // a new or removed state is a change of its own
	}
	c.changed = append(c.changed, Change{Kind: of.kind, Agent: of.agent, Name: of.name, Change: what, Old: old.value, New: now.value, old: old, new: now})
}

// Verdict decides whether a run can be resumed with the newer program.
type Verdict string

// The verdicts.
const (
	// Resumes: the run is resumed, and the newer program does what the run has recorded.
	Resumes Verdict = "resumes"
	// Mapped: the state has another name, which a migrate rule maps.
	Mapped Verdict = "mapped"
	// Depends: the run is resumed unless it has reached a limit that has changed.
	Depends Verdict = "depends"
	// Stuck: the run is refused, or fails because it diverges from what it has recorded.
	Stuck Verdict = "stuck"
)

// judgeRuns decides whether runs of an agent can be resumed. calls is how many calls each
// conversation has made so far; nil if that is not known.
func (c *comparison) judgeRuns(agent string, calls map[string]int) (Verdict, []string) {
	if was, is := emit.ProgramName(c.before), emit.ProgramName(c.after); was != is {
		return Stuck, []string{fmt.Sprintf("the program is called %s now, and was called %s", is, was)}
	}
	root := c.after.AgentByName(agent)
	if root == nil {
		return Stuck, []string{"there is no agent " + agent + " any more"}
	}
	if !c.shape.isEqual() {
		return Stuck, c.shapeReasons()
	}
	reached := ir.SetOf(ir.Map(ir.ReachableFrom(root), func(a *ir.Agent) string { return a.Name.Value }))
	reached[""] = true
	var depends, stuck []string
	for _, change := range c.changed {
		if !reached[change.Agent] {
			continue
		}
		switch risk := max(change.old.replay, change.new.replay); {
		case risk == always, risk == texts && c.text.isEqual():
			stuck = append(stuck, change.describeReason())
		case (risk == limit || risk == atLeast) && !change.isUnreached(calls):
			depends = append(depends, change.describeReason())
		}
	}
	switch {
	case len(stuck) > 0:
		return Stuck, stuck
	case len(depends) > 0:
		return Depends, depends
	}

	return Resumes, nil
}

// isUnreached reports whether a changed limit cannot have influenced a run.
func (c Change) isUnreached(calls map[string]int) bool {
	if c.old.replay == atLeast || c.new.replay == atLeast {
		return c.Change == Removed || c.Change == Changed && c.new.number >= c.old.number
	}
	of := c.old.calls
	if calls == nil || of == "" {
		return false
	}
	made := float64(calls[of])

	return made == 0 || c.Change == Changed && made < lowerLimit(c.old.number, c.new.number)
}

// lowerLimit returns the lower of two limits; 0 means unlimited.
func lowerLimit(a, b float64) float64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}

	return min(a, b)
}

// describeReason describes the change as a reason of a verdict.
func (c Change) describeReason() string {
	name := strings.TrimSpace(c.Agent + " " + strings.TrimSpace(c.Name))
	switch {
	case c.Kind == kindWording:
		return "the wording of " + name + " has changed"
	case c.Change == Changed:
		return fmt.Sprintf("%s of %s: %s, was %s", c.Kind, name, c.New, c.Old)
	}

	return fmt.Sprintf("%s of %s is %s", c.Kind, name, presence[c.Change])
}

// mostReasons is the largest number of reasons given for a changed shape.
const mostReasons = 4

// shapeReasons names the agents with changed logic, which the shape of the program covers.
func (c *comparison) shapeReasons() []string {
	var all []string
	for _, change := range c.changed {
		switch {
		case change.Kind == kindLogic && change.Change == Changed:
			all = append(all, "the logic of "+change.Agent+" has changed")
		case change.Kind == kindLogic:
			all = append(all, "agent "+change.Agent+" is "+presence[change.Change])
		case change.Kind == kindTool:
			all = append(all, "the tools of "+change.Agent+" have changed")
		case change.Kind == kindSchema:
			all = append(all, strings.TrimSpace("the schema of "+change.Agent+" "+change.Name)+" has changed")
		}
	}
	if len(all) == 0 {
		all = []string{"a skill, or a function's schema, has changed"}
	}
	all = slices.Compact(all)
	if more := len(all) - mostReasons; more > 0 {
		all = append(all[:mostReasons], fmt.Sprintf("and %d more", more))
	}

	return all
}
