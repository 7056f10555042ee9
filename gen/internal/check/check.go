package check

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
	"github.com/agentc-dev/agentc/gen/internal/secret"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Pass is one analysis.
type Pass struct {
	// Name is that of its check.
	Name string
	run  func(*unit)
}

// Passes returns all analyses in the order in which they run.
func Passes() []Pass {
	return []Pass{
		undefinedState, undefinedInitial, undefinedAgent, undefinedSkill, undefinedTool, toolOff, undefinedAction, undefinedRole, undefinedProvider,
		unpricedModel,
		markerNearAgent,
		unusedAgent, unusedSkill, skillFile, unusedStepFile,
		contextMismatch, unreachableState, noExit, implicitEnd, beyondBounds,
		catchAllNotLast, duplicateTransition, shadowedTransition, noElse, ambiguousKey, duplicateName,
		ungatedTool, noAllow,
		agentCycle, unroutedKey, badValue, promptWithoutTools, lockedTool, parallelRun,
		promptPlaceholder, promptSecret,
		unreadBeforeWritten, unwrittenField, deadTransition, promptKey, undefinedVariable,
		unhandledFailure, deadBody, argumentMismatch, unusedOutput, parallelConflict, parallelRead, retryUnsafe, maxCost, deniedFlow,
	}
}

// Run adds to list what the passes find in p, and applies the ignore comments of the sources to the whole list: a diagnostic
// that is ignored is dropped, a comment that is of no use becomes bad-ignore.
func Run(p *ir.Program, list *diag.List) {
	u := newUnit(p, list)
	for _, pass := range Passes() {
		pass.run(u)
	}
	withoutDoubtfulNames(p, list)
	ignore(p, list)
	withoutSecrets(p, list)
}

// unit is a program with what several passes want to know about it, computed once.
type unit struct {
	program  *ir.Program
	list     *diag.List
	machines []*machine
	// workMachines are those of workflows.
	workMachines []*machine
	// workReads are the answers of reads.
	workReads map[*ir.Agent]*reads
	// prompts are those of all conversations whose pattern is no guess.
	prompts []*prompt
	// toolCalls are the places in texts that ask for tools, as far as they have been looked at.
	toolCalls map[string][]call
	// hidden are the rows that are reported because one before them is always taken, and hiddenRows the set of them.
	hidden     []hidden
	hiddenRows map[*ir.Row]bool
	// agentNames are the names by which agents can be referred to.
	agentNames []string
	agents     map[string]*ir.Agent
	// nearest are the answers of nearestAgent.
	nearest map[string]string
	// flow is what can happen in the program.
	flow *flow.Program
	// collisions are those of the Go identifiers.
	collisions []names.Collision
	// secrets are what looks like a key in each file of the program.
	secrets [][]secret.Match
	// faulty are the places where the front end reported an error. What a pass finds there is a consequence of it.
	faulty map[source.Span]bool
	// faultyFiles are the files in which they are.
	faultyFiles map[*source.File]bool
	// duplicated are the keys that are twice in a mapping of a file; what the second entry says is not known.
	duplicated map[*source.File][]string
	// unroutedRows are the rows that what unroutedKey has reported makes dead.
	unroutedRows map[*ir.Row]bool
	// unroutedKeys are their keys, folded, by the agent that never finishes with them.
	unroutedKeys map[*ir.Agent]map[string]bool
}

func newUnit(p *ir.Program, list *diag.List) *unit {
	u := &unit{
		program: p, list: list,
		agents: map[string]*ir.Agent{}, nearest: map[string]string{},
		faulty: map[source.Span]bool{}, faultyFiles: map[*source.File]bool{}, duplicated: map[*source.File][]string{},
		unroutedRows: map[*ir.Row]bool{}, unroutedKeys: map[*ir.Agent]map[string]bool{},
		workReads: map[*ir.Agent]*reads{}, toolCalls: map[string][]call{},
	}
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error && d.Span.IsValid() {
			u.faulty[d.Span] = true
			u.faultyFiles[d.Span.File] = true
			if d.Check == diag.DuplicateKey {
				u.duplicated[d.Span.File] = append(u.duplicated[d.Span.File], d.Span.Text())
			}
		}
	}
	for _, a := range p.Agents {
		name := reference(a)
		u.agentNames = append(u.agentNames, name)
		u.agents[name] = a
	}
	for _, a := range p.Agents {
		u.addMachines(a)
	}
	u.findHidden()
	u.findPrompts()
	parts := []func(){u.findFlow, u.findCollisions, u.findSecrets}
	parallel.Do(len(parts), func(i int) { parts[i]() })

	return u
}

// findFlow finds out what can happen. Names without a meaning are taken for what they most likely mean. Of what is faulty the
// pattern is a guess.
func (u *unit) findFlow() {
	all := slices.Concat(u.machines, u.workMachines)
	byIR := make(map[*ir.Machine]*machine, len(all))
	for _, x := range all {
		byIR[x.Machine] = x
	}
	u.flow = flow.Of(u.program, flow.Guess{
		Unknown: func(a *ir.Agent) bool { return u.faulty[a.PatternAt.Span] },
		Target:  func(m *ir.Machine, ref ir.Ref) *ir.State { return byIR[m].resolve(ref) },
	})
	for _, x := range all {
		x.flow = u.flow.Machine(x.Machine)
	}
}

func (u *unit) findCollisions() { u.collisions = names.Collisions(u.program) }

func (u *unit) findSecrets() {
	u.secrets = ir.Map(u.program.Files, func(f *source.File) []secret.Match { return secret.Find(f.Bytes) })
}

// reference returns the name by which others refer to a: its folder's, which its own name must equal.
func reference(a *ir.Agent) string { return cmp.Or(a.Folder, a.Name.Value) }

// nearestAgent returns the name of the agent that was most likely meant by name; see [diag.Nearest]. The
// machines of a project have the same markers (done, failed), so the answer is kept: to compare each of them with all
// agents would take a time that grows with the square of the project.
func (u *unit) nearestAgent(name string) (near string, ok bool) {
	near, known := u.nearest[name]
	if !known {
		near, _ = diag.Nearest(name, u.agentNames)
		u.nearest[name] = near
	}

	return near, near != ""
}

// eachConversation calls visit for every conversation of every agent, in the order of the agents.
func (u *unit) eachConversation(visit func(*ir.Agent, *ir.Step)) {
	for _, a := range u.program.Agents {
		for _, step := range a.Conversations() {
			visit(a, step)
		}
	}
}

// eachWorkflow calls visit for every workflow that is known whole, in the order of the agents.
func (u *unit) eachWorkflow(visit func(*ir.Agent, *ir.Flow)) {
	for _, a := range u.program.Agents {
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow && !w.Partial {
			visit(a, w)
		}
	}
}

// eachTask calls visit for every step of every workflow, in the order of the agents.
func (u *unit) eachTask(visit func(*ir.Flow, *ir.Task)) {
	for _, a := range u.program.Agents {
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			ir.WalkTasks(w.Body, func(t *ir.Task) { visit(w, t) })
		}
	}
}

// report adds a diagnostic, unless the place has been found faulty already.
func (u *unit) report(d *diag.Diagnostic) {
	if u.faulty[d.Span] {
		return
	}
	u.list.Add(d)
}

// found reports whether a pass has reported a check at a place.
func (u *unit) found(check *diag.Check, at source.Span) bool {
	return slices.ContainsFunc(u.list.Sorted(), func(d *diag.Diagnostic) bool { return d.Check == check && d.Span == at })
}
