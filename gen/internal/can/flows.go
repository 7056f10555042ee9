package can

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Path is the shortest path of untrusted text to an action.
type Path struct {
	// Entry is the agent with which the run begins.
	Entry string `json:"entry_point"`
	// From is the class of the text's source, or "earlier run" for what tools have stored in one.
	From string `json:"from"`
	// Agent is the conversation or step that calls the tool, Tool its canonical name, and To the
	// classes of its effects.
	Agent string   `json:"agent"`
	Tool  string   `json:"tool"`
	To    []string `json:"to"`
	Steps []Step   `json:"steps"`
	// At is where the project gives the tool to the agent: the name of the skill, or of the step.
	At ir.Text `json:"-"`

	root *ir.Agent
}

// Flow is a forbidden flow of text: classes of sources and of actions.
type Flow struct{ From, To []string }

// FindFlows returns the shortest path for each call of a tool with a forbidden flow, by entry point. No
// run reaches a call without a path, under the assumptions in the documentation of the package.
func FindFlows(facts *flow.Program, entries []*ir.Agent, wanted Flow) []Path {
	x := newAnalysis(facts)
	x.untrusted = ir.SetOf(wanted.From)
	if x.untrusted[Untrusted] {
		x.untrusted = ir.SetOf(Sources)
	}
	paths, kept := x.findPaths(entries, wanted.To, nil)
	if kept != nil && !x.untrusted[Untrusted] { // what one run stores outside is there when the next one begins
		later, _ := x.findPaths(entries, wanted.To, kept)
		for _, path := range later {
			same := func(q Path) bool { return q.Entry == path.Entry && q.Agent == path.Agent && q.Tool == path.Tool }
			if !slices.ContainsFunc(paths, same) {
				paths = append(paths, path)
			}
		}
	}

	return paths
}

func newAnalysis(of *flow.Program) *analysis {
	return &analysis{facts: of, results: map[seed]*result{}, interpreters: map[*ir.Agent]*interp.Interp[facts]{}}
}

// findPaths returns the paths of runs. kept is the path of an earlier run that has stored untrusted
// text where tools find it. keeps is the path of such a run.
func (x *analysis) findPaths(entries []*ir.Agent, to []string, kept *trace) (paths []Path, keeps *trace) {
	for _, a := range entries {
		whole := x.analyzeEntry(a, kept)
		for _, of := range slices.SortedFunc(maps.Keys(whole.calls), compareUses) {
			c := whole.calls[of]
			if c.tool.confirm {
				continue
			}
			deed := func(class string) bool {
				if class == Any {
					return slices.ContainsFunc(c.tool.deeds, func(deed string) bool { return deed != send })
				}
				return slices.Contains(c.tool.deeds, class)
			}
			if slices.ContainsFunc(to, deed) {
				steps := moveToRuns(c.t.listSteps())
				paths = append(paths, Path{
					Entry: a.Name.Value, From: sourceClass(steps), Agent: c.agent, Tool: c.toolUse.tool, To: c.tool.deeds, Steps: steps, At: c.tool.at, root: a,
				})
			}
			if c.tool.changesWorld && c.t.isBetterThan(keeps) {
				keeps = c.t
			}
		}
	}
	slices.SortFunc(paths, func(a, b Path) int {
		return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(len(a.Steps), len(b.Steps)), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Tool, b.Tool))
	})

	return paths, keeps
}

// analyzeEntry returns the result of a run that begins with an agent.
func (x *analysis) analyzeEntry(a *ir.Agent, kept *trace) *result {
	whole := newResult()
	start := new(trace).withStep(Step{Do: "start", Agent: a.Name.Value})
	whole.addAfter(start, x.analyzeAgent(a, reachedFact), whole.addExit)
	if x.untrusted[input] {
		start = new(trace).withStep(Step{Do: "start", Agent: a.Name.Value, Given: true})
		whole.addAfter(start, x.analyzeAgent(a, givenFact), whole.addExit)
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			x.analyzeWorkflow(whole, a, w, initialContext(a, w))
		}
	}
	if kept != nil {
		later := kept.withStep(Step{Do: "start", Agent: a.Name.Value, openReason: "an earlier run has stored it"})
		whole.addAfter(later, x.analyzeAgent(a, worldFact), whole.addExit)
	}

	return whole
}

// initialContext returns the facts about an initial context with the text.
func initialContext(a *ir.Agent, w *ir.Flow) facts {
	in := facts{}
	for _, name := range initialFacts(a, w) {
		begin := Step{Do: "start", Agent: a.Name.Value, Given: true}
		begin.field = name.name
		if begin.field == "" {
			begin.openReason = "the initial context is given"
		}
		in.addFact(name, new(trace).withStep(begin))
	}

	return in
}

// initialFacts returns the facts about an initial context. A declared one has only the fields of
// its schema.
func initialFacts(a *ir.Agent, w *ir.Flow) []fact {
	names := contextNames(a)
	declared := w.Context.Resolved()
	if !isPlainObject(declared) {
		return names
	}

	return ir.Where(names, func(name fact) bool {
		isField := func(p *ir.Property) bool { return contextFact.fieldFact(p.Name.Value) == name && !isClosed(p.Schema) }
		return slices.ContainsFunc(declared.Properties, isField)
	})
}

// sourceClass returns the class of the text at the beginning of a path.
func sourceClass(steps []Step) string {
	for _, s := range steps {
		if s.Do == "start" && s.Given {
			return input
		}
		for _, c := range s.Calls {
			if c.Source != "" {
				return c.Source
			}
		}
	}

	return "earlier run"
}

func compareUses(a, b toolUse) int {
	return cmp.Or(cmp.Compare(a.agent, b.agent), cmp.Compare(a.tool, b.tool))
}
