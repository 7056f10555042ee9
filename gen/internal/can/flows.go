package can

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Path is the shortest way by which untrusted text reaches a deed.
type Path struct {
	// Entry is the agent with which the run begins.
	Entry string `json:"entry_point"`
	// From is the class of the text: that of a source, or "earlier run" for what tools have kept of one.
	From string `json:"from"`
	// Agent is the conversation or step that calls the tool, Tool its canonical name, and To the classes of the deed.
	Agent string   `json:"agent"`
	Tool  string   `json:"tool"`
	To    []string `json:"to"`
	Steps []Step   `json:"steps"`
	// At is where the project lets the agent have the tool: the name of the skill, or of the step.
	At ir.Text `json:"-"`

	root *ir.Agent
}

// Flow is from where, and to where, text may not get: classes of sources and of deeds.
type Flow struct{ From, To []string }

// Flows returns for each call of a tool that is such a deed the shortest path by which such text reaches it, by entry point. It is
// proved of what is not there that no run reaches it; the documentation of the package says what is assumed.
func Flows(facts *flow.Program, entries []*ir.Agent, wanted Flow) []Path {
	x := newAnalysis(facts)
	x.untrusted = ir.SetOf(wanted.From)
	if x.untrusted[Untrusted] {
		x.untrusted = ir.SetOf(Sources)
	}
	paths, kept := x.paths(entries, wanted.To, nil)
	if kept != nil && !x.untrusted[Untrusted] { // what one run leaves outside is there when the next one begins
		later, _ := x.paths(entries, wanted.To, kept)
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
	return &analysis{facts: of, known: map[seed]*result{}, drivers: map[*ir.Agent]*interp.Interp[facts]{}}
}

// paths returns the paths of runs. kept is the path of an earlier run that has left untrusted text where tools find it; of the runs
// themselves the second result is one that does.
func (x *analysis) paths(entries []*ir.Agent, to []string, kept *trace) (paths []Path, keeps *trace) {
	for _, a := range entries {
		whole := x.entry(a, kept)
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
				steps := settled(c.t.steps())
				paths = append(paths, Path{
					Entry: a.Name.Value, From: sourceOf(steps), Agent: c.agent, Tool: c.use.tool, To: c.tool.deeds, Steps: steps, At: c.tool.at, root: a,
				})
			}
			if c.tool.changes && c.t.isBetterThan(keeps) {
				keeps = c.t
			}
		}
	}
	slices.SortFunc(paths, func(a, b Path) int {
		return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(len(a.Steps), len(b.Steps)), cmp.Compare(a.Agent, b.Agent), cmp.Compare(a.Tool, b.Tool))
	})

	return paths, keeps
}

// entry returns what comes of a run that begins with an agent.
func (x *analysis) entry(a *ir.Agent, kept *trace) *result {
	whole := newResult()
	start := new(trace).then(Step{Do: "start", Agent: a.Name.Value})
	whole.behind(start, x.agent(a, reached), whole.exit)
	if x.untrusted[input] {
		start = new(trace).then(Step{Do: "start", Agent: a.Name.Value, Given: true})
		whole.behind(start, x.agent(a, given), whole.exit)
		if w, isWorkflow := ir.WorkflowOf(a.Node); isWorkflow {
			x.workflow(whole, a, w, initialContext(a, w))
		}
	}
	if kept != nil {
		later := kept.then(Step{Do: "start", Agent: a.Name.Value, open: "an earlier run has stored it"})
		whole.behind(later, x.agent(a, world), whole.exit)
	}

	return whole
}

// initialContext returns the facts about an initial context that holds the text.
func initialContext(a *ir.Agent, w *ir.Flow) facts {
	in := facts{}
	for _, name := range initialFields(a, w) {
		begin := Step{Do: "start", Agent: a.Name.Value, Given: true}
		begin.field = name.name
		if begin.field == "" {
			begin.open = "the initial context is given"
		}
		in.add(name, new(trace).then(begin))
	}

	return in
}

// initialFields are the facts about an initial context: a declared one has no other fields than those of its schema.
func initialFields(a *ir.Agent, w *ir.Flow) []fact {
	names := contextNames(a)
	declared := w.Context.Resolved()
	if !isPlainObject(declared) {
		return names
	}

	return ir.Where(names, func(name fact) bool {
		isField := func(p *ir.Property) bool { return context.member(p.Name.Value) == name && !closed(p.Schema) }
		return slices.ContainsFunc(declared.Properties, isField)
	})
}

// sourceOf is the class of the text with which a path begins.
func sourceOf(steps []Step) string {
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

func compareUses(a, b use) int {
	return cmp.Or(cmp.Compare(a.agent, b.agent), cmp.Compare(a.tool, b.tool))
}
