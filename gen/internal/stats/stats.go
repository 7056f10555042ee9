package stats

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Entry is the statistics of an entry point and everything that it contains.
type Entry struct {
	// Name is the name of the agent.
	Name string `json:"entry_point"`
	// Agents counts the agents, including the entry point.
	Agents int `json:"agents"`
	// States and Rows count those of all machines and gates, each once. An unconditional state has
	// one row.
	States int `json:"states"`
	Rows   int `json:"rows"`
	// Guarded counts the rows with a guard, Gates the agents whose tool calls a machine gates.
	Guarded int `json:"guarded_rows,omitempty"`
	Gates   int `json:"gates,omitempty"`
	// Cycles counts the groups of states of a machine that lead to each other, and the loops of
	// reflexions, plan-executes, debates and workflows.
	Cycles int `json:"cycles"`
	// Calls bounds the model calls of one run, by the limits of loops, steps and repairs, and by
	// budgets of calls.
	Calls cost.Amount `json:"model_calls_at_most"`
}

// CountEntries returns the statistics of the entry points of a program, in the order of the program.
func CountEntries(p *ir.Program) []Entry {
	facts := flow.Analyze(p, flow.Guess{})
	entries := []Entry{}
	for _, bound := range cost.BoundEntries(p, cost.Options{}) {
		e := Entry{Name: bound.Name, Calls: bound.Most.Calls}
		for _, a := range ir.ReachableFrom(bound.Agent) {
			e.Agents++
			e.countAgent(facts, a)
		}
		entries = append(entries, e)
	}

	return entries
}

// countAgent adds the parts of an agent.
func (e *Entry) countAgent(facts *flow.Program, a *ir.Agent) {
	switch node := a.Node.(type) {
	case *ir.Machine:
		e.countMachine(node)
		e.Cycles += facts.Machine(node).Cycles()
	case *ir.React:
		if node.Gate != nil {
			e.Gates++
			e.countMachine(node.Gate.Machine)
		}
	}
	ir.Walk(a.Body(), func(op ir.Op) {
		switch op := op.(type) {
		case *ir.Loop:
			if !op.IsForEach() && !op.Wraps && op.Reduce != ir.ReduceResults {
				e.Cycles++
			}
		case *ir.Machine:
			e.countMachine(op)
			e.Cycles += facts.Machine(op).Cycles()
		}
	})
}

// countMachine adds the states and rows of a machine.
func (e *Entry) countMachine(m *ir.Machine) {
	e.States += len(m.States)
	e.Rows += len(m.Rows()) + len(ir.Where(m.States, func(s *ir.State) bool { return s.Always != nil }))
	e.Guarded += len(m.Guards())
}

// column is a number of each entry point. An optional column is omitted if all its numbers are 0.
type column struct {
	head     string
	count    func(Entry) int
	optional bool
}

var columns = []column{
	{"agents", func(e Entry) int { return e.Agents }, false},
	{"states", func(e Entry) int { return e.States }, false},
	{"rows", func(e Entry) int { return e.Rows }, false},
	{"guarded", func(e Entry) int { return e.Guarded }, true},
	{"gates", func(e Entry) int { return e.Gates }, true},
	{"cycles", func(e Entry) int { return e.Cycles }, false},
}

// FormatText returns the statistics for a person, with a line for each entry point.
func FormatText(entries []Entry) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	shown := slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		return c.optional && !slices.ContainsFunc(entries, func(e Entry) bool { return c.count(e) > 0 })
	})
	for _, c := range shown {
		fmt.Fprintf(table, "%s\t", c.head)
	}
	fmt.Fprint(table, "model calls at most\t  entry point\n")
	for _, e := range entries {
		for _, c := range shown {
			fmt.Fprintf(table, "%d\t", c.count(e))
		}
		fmt.Fprintf(table, "%s\t  %s\n", e.Calls, e.Name)
	}

	table.Flush() // a strings.Builder returns no error

	return b.String()
}
