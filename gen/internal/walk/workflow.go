package walk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/hops"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/rehearsal"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// flowOfSteps is a body that is a workflow: some of its runs, as package rehearsal finds them.
type flowOfSteps struct {
	runs []*rehearsal.Run
	// nodes are the agents of the project that it runs, machines its machines and those of what it imports.
	nodes    map[*ir.Agent]*node
	machines map[*ir.Machine]*workMachine
}

// owner is whose a machine of a workflow is.
type owner struct {
	agent *ir.Agent
	task  *ir.Task
}

// ownersIn returns whose the machines of all workflows are.
func ownersIn(p *ir.Program) map[*ir.Machine]owner {
	owners := map[*ir.Machine]owner{}
	for _, a := range p.Agents {
		w, isWorkflow := a.Node.(*ir.Workflow)
		if !isWorkflow {
			continue
		}
		ir.WalkTasks(w.Body, func(t *ir.Task) {
			if m, isMachine := t.Do.(*ir.Machine); isMachine {
				owners[m] = owner{a, t}
			}
		})
	}

	return owners
}

// workflow makes n a workflow.
func (b *builder) workflow(n *node, a *ir.Agent) {
	x := &flowOfSteps{nodes: map[*ir.Agent]*node{}, machines: b.steps}
	n.body = x
	b.containedIn(x, a, map[*ir.Agent]bool{})
	found := rehearsal.Of(a, rehearsal.Options{MaxSteps: b.limits.steps, Context: b.alone[a], Contained: x.contained})
	x.runs = found.Runs
	n.cut = found.Cut
	for _, m := range found.Machines {
		if b.steps[m] == nil {
			b.steps[m] = newWorkMachine(m, b.owners[m])
		}
		b.steps[m].found(found)
	}
}

// containedIn makes the nodes of the agents that a workflow, or one that it imports, runs.
func (b *builder) containedIn(x *flowOfSteps, a *ir.Agent, seen map[*ir.Agent]bool) {
	w, isWorkflow := a.Node.(*ir.Workflow)
	if !isWorkflow || seen[a] {
		return
	}
	seen[a] = true
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		switch do := t.Do.(type) {
		case *ir.Run:
			if do.Agent != nil {
				x.nodes[do.Agent.Agent] = b.agent(do.Agent.Agent, ir.Place{Kind: ir.PlaceFree})
			}
		case *ir.Import:
			b.containedIn(x, do.Agent.Agent, seen)
		}
	})
}

// contained tells how an agent of the project can finish.
func (x *flowOfSteps) contained(a *ir.Agent) []rehearsal.Contained {
	n := x.nodes[a]
	ways := make([]rehearsal.Contained, len(n.outcomes))
	for i, o := range n.outcomes {
		ways[i] = rehearsal.Contained{Turns: o.turns, Value: rehearsal.Unknown}
		if c, isConversation := n.body.(*conversation); isConversation {
			ways[i].Value = c.turns[o.way.at].value()
		}
	}

	return ways
}

// value is what a workflow makes of what a model has finished with.
func (t Turn) value() workflow.Value {
	text := t.Value
	if text == "" {
		text = t.Say
	}
	if v, err := workflow.Parse([]byte(text)); err == nil {
		return v
	}

	return workflow.Text(text)
}

// finish finds the outcomes.
func (x *flowOfSteps) finish(n *node) {
	for i, run := range x.runs {
		n.add(outcome{key: run.Key, turns: run.Turns, way: way{at: i}})
	}
	if len(n.outcomes) == 0 {
		n.problem = "no run of it was found that comes to its end"
	}
}

// surround finds the shortest walks around what its runs run, and by which rows they go.
func (x *flowOfSteps) surround(n *node) {
	for at, run := range x.runs {
		around := plus(run.Turns, n.outcomes[n.index[outcomeKey{fold: ir.FoldKey(run.Key)}]].rest)
		for i, item := range run.Items {
			switch item.Kind {
			case rehearsal.Play:
				inner := x.nodes[item.Agent]
				inner.entered = true
				if around < infinite {
					inner.improve(item.Outcome, around-inner.outcomes[item.Outcome].turns, pass{by: n, at: at, move: i})
				}
			case rehearsal.Take:
				if around < infinite {
					x.machines[item.Machine].ended(item.Row, around, pass{by: n, at: at, move: -1})
				}
			}
		}
	}
}

func (x *flowOfSteps) play(r *recorder, b *branch, _ *node, w way) {
	x.replay(r, b, w.at, -1, nil)
}

func (x *flowOfSteps) pass(r *recorder, b *branch, p *pass, focus func(*branch)) {
	x.replay(r, b, p.at, p.move, focus)
}

// ends returns the outcome with which a pass ends.
func (x *flowOfSteps) ends(p *pass) int {
	return p.by.index[outcomeKey{fold: ir.FoldKey(x.runs[p.at].Key)}]
}

// replay answers for a run, with focus for one of its items.
func (x *flowOfSteps) replay(r *recorder, b *branch, run, focused int, focus func(*branch)) {
	r.doubtful = r.doubtful || x.runs[run].Doubtful
	if context := x.runs[run].Context; context != "" {
		r.context = context
	}
	branches := map[string]*branch{"": b}
	for i, item := range x.runs[run].Items {
		in := branchOf(branches, item.Branch)
		switch item.Kind {
		case rehearsal.Reply:
			r.turn(in, item.Name, Turn{Say: item.Said, Fails: item.Fails})
		case rehearsal.Answer:
			r.ask(in, item.Name, item.Said)
		case rehearsal.Return:
			r.funcs.add(item.Name, in, Turn{Value: item.Said, Fails: item.Fails})
		case rehearsal.Tool:
			r.tools.add(item.Name, in, Turn{Value: item.Said, Fails: item.Fails})
		case rehearsal.Take:
			r.took(x.machines[item.Machine].rows[item.Row])
		case rehearsal.Play:
			if i == focused {
				focus(in)
			} else {
				r.play(in, x.nodes[item.Agent], item.Outcome)
			}
		}
	}
}

// branchOf returns the branch with a path of numbers, each with a dot behind it.
func branchOf(known map[string]*branch, path string) *branch {
	if b := known[path]; b != nil {
		return b
	}
	short := strings.TrimSuffix(path, ".")
	at := strings.LastIndexByte(short, '.') + 1
	n := 0
	if _, err := fmt.Sscan(short[at:], &n); err != nil {
		panic(fmt.Sprintf("walk: %q is no path of branches: %v", path, err))
	}
	b := branchOf(known, path[:at]).inner(n)
	known[path] = b

	return b
}

// workMachine is what walks took of a machine in a workflow.
type workMachine struct {
	*Machine
	graph *hops.Machine
	rows  map[*ir.Row]*Row
	// sure are the rows that are taken whatever a run is given; cut says that not all was looked at.
	sure map[*ir.Row]bool
	cut  bool
}

func newWorkMachine(m *ir.Machine, of owner) *workMachine {
	found := &workMachine{
		Machine: &Machine{Agent: of.agent, Step: of.task}, graph: hops.Of(m),
		rows: map[*ir.Row]*Row{}, sure: map[*ir.Row]bool{},
	}
	states := map[*ir.State]*State{}
	for i, s := range m.States {
		states[s] = &State{State: s, index: i}
		found.States = append(found.States, states[s])
	}
	any := &State{State: &ir.State{Name: ir.Text{Value: ir.CatchAll}}, index: -1}
	for i, row := range m.Rows() {
		from := states[row.From.State]
		if row.FromAny() {
			from = any
		}
		found.rows[row] = &Row{Machine: found.Machine, State: from, Row: row, index: i}
		found.Rows = append(found.Rows, found.rows[row])
	}

	return found
}

// found takes what the runs of a workflow come to.
func (m *workMachine) found(r *rehearsal.Result) {
	m.cut = m.cut || r.Cut
	for i, s := range m.graph.States {
		m.States[i].Reached = m.States[i].Reached || r.Reached[s.State]
	}
	for work, row := range m.rows {
		row.Taken = row.Taken || r.Taken[work]
		m.sure[work] = m.sure[work] || r.Sure[work]
	}
}

// ended notes a walk that takes a row and comes to its end.
func (m *workMachine) ended(work *ir.Row, turns int, p pass) {
	if row := m.rows[work]; !row.Ends || turns < row.Turns {
		row.Ends, row.Turns, row.walk = true, turns, &p
	}
}

// workMachines returns what walks took of the machines in workflows, in the order of the agents and of the source.
func (b *builder) workMachines() []*Machine {
	var all []*Machine
	for _, m := range b.steps {
		for _, row := range m.Rows {
			if !row.Ends {
				row.Why, row.Open = m.why(row)
			}
		}
		all = append(all, m.Machine)
	}
	slices.SortFunc(all, func(a, b *Machine) int { return a.Step.Span.Start - b.Step.Span.Start })

	return all
}
