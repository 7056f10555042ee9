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
	// Name is the name of its check.
	Name string
	run  func(*unit)
}

// Passes returns all analyses in the order in which they run. A read before the write comes before
// the steps and branches that fail because of it, which are not reported in addition.
func Passes() []Pass {
	return []Pass{
		undefinedState, undefinedInitial, undefinedAgent, undefinedSkill, undefinedTool, toolOff, undefinedAction, undefinedRole, undefinedProvider,
		unpricedModel,
		markerNearAgent,
		unusedAgent, unusedSkill, skillFile, unusedStepFile,
		contextMismatch, unreachableState, noExit, implicitEnd, beyondBounds,
		catchAllNotLast, duplicateTransition, shadowedTransition, noElse, ambiguousKey, duplicateName,
		ungatedTool, noAllow,
		agentCycle, parallelRead, unreadBeforeWritten, unwrittenField, unroutedKey, badValue, promptWithoutTools, lockedTool, parallelRun,
		promptPlaceholder, promptSecret,
		deadTransition, promptKey, undefinedVariable,
		unhandledFailure, deadBody, argumentMismatch, unusedOutput, parallelConflict, retryUnsafe, maxCost, deniedFlow,
	}
}

// Run adds the problems of p to list. It then applies the ignore comments of the sources to the
// whole list: an ignored diagnostic is dropped, and a comment without effect becomes bad-ignore.
func Run(p *ir.Program, list *diag.List) {
	u := newUnit(p, list)
	for _, pass := range Passes() {
		pass.run(u)
	}
	dropDoubtfulFixes(p, list)
	ignore(p, list)
	redactSecrets(p, list)
}

// unit is a program with the facts that several passes need, computed once.
type unit struct {
	program  *ir.Program
	list     *diag.List
	machines []*machine
	// workMachines are the machines in workflows.
	workMachines []*machine
	// workReads caches the results of readsOf.
	workReads map[*ir.Agent]*reads
	// prompts are the prompts of all conversations whose pattern is known.
	prompts []*prompt
	// toolCalls caches the tool requests of texts.
	toolCalls map[string][]toolRequest
	// hidden are the rows that an earlier row always precedes; hiddenRows is the same as a set.
	hidden     []hidden
	hiddenRows map[*ir.Row]bool
	// agentNames are the names by which agents are referenced.
	agentNames []string
	agents     map[string]*ir.Agent
	// nearest caches the results of nearestAgent.
	nearest map[string]string
	// flow describes which states and rows runs of the program reach.
	flow *flow.Program
	// collisions are collisions of Go identifiers.
	collisions []names.Collision
	// secrets are the likely secrets of each file of the program.
	secrets [][]secret.Match
	// faulty holds the spans of errors of the front end. What a pass finds there is a consequence.
	faulty map[source.Span]bool
	// faultyFiles are the files with errors of the front end.
	faultyFiles map[*source.File]bool
	// duplicated are the keys that occur twice in a mapping of a file. The second entry is not
	// read.
	duplicated map[*source.File][]string
	// unroutedRows are rows that are dead as a consequence of a problem that unroutedKey reported.
	unroutedRows map[*ir.Row]bool
	// unroutedKeys are their folded keys, by the agent that never finishes with them.
	unroutedKeys map[*ir.Agent]map[string]bool
}

func newUnit(p *ir.Program, list *diag.List) *unit {
	u := &unit{
		program: p, list: list,
		agents: map[string]*ir.Agent{}, nearest: map[string]string{},
		faulty: map[source.Span]bool{}, faultyFiles: map[*source.File]bool{}, duplicated: map[*source.File][]string{},
		unroutedRows: map[*ir.Row]bool{}, unroutedKeys: map[*ir.Agent]map[string]bool{},
		workReads: map[*ir.Agent]*reads{}, toolCalls: map[string][]toolRequest{},
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
		name := referenceName(a)
		u.agentNames = append(u.agentNames, name)
		u.agents[name] = a
	}
	for _, a := range p.Agents {
		u.addMachines(a)
	}
	u.findHidden()
	u.collectPrompts()
	parts := []func(){u.findFlow, u.findCollisions, u.findSecrets}
	parallel.Do(len(parts), func(i int) { parts[i]() })

	return u
}

// findFlow computes which states and rows runs reach. Undefined names count as their nearest
// defined name. An agent with a faulty pattern is unknown.
func (u *unit) findFlow() {
	all := slices.Concat(u.machines, u.workMachines)
	byIR := make(map[*ir.Machine]*machine, len(all))
	for _, x := range all {
		byIR[x.Machine] = x
	}
	u.flow = flow.Analyze(u.program, flow.Guess{
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

// referenceName returns the name by which others refer to a: the name of its folder, or its own.
func referenceName(a *ir.Agent) string { return cmp.Or(a.Folder, a.Name.Value) }

// nearestAgent returns the agent that name most likely means; see [diag.Nearest]. Results are
// cached: the machines of a project share markers such as done, and comparing each marker with all
// agents would take quadratic time.
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

// eachWorkflow calls visit for every completely known workflow, in the order of the agents.
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

// eachPipeline visits the pipelines of all workflows.
func (u *unit) eachPipeline(visit func(*ir.Flow, *ir.Pipeline)) {
	for _, a := range u.program.Agents {
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			ir.WalkPipelines(w.Body, func(p *ir.Pipeline) { visit(w, p) })
		}
	}
}

// report adds a diagnostic unless the front end has reported an error at the same span.
func (u *unit) report(d *diag.Diagnostic) {
	if u.faulty[d.Span] {
		return
	}
	u.list.Add(d)
}

// hasReported reports whether a pass has reported a check at a span.
func (u *unit) hasReported(check *diag.Check, at source.Span) bool {
	return slices.ContainsFunc(u.list.Sorted(), func(d *diag.Diagnostic) bool { return d.Check == check && d.Span == at })
}
