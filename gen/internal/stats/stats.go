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

// Entry is what there is to say of an entry point and all that it leads to.
type Entry struct {
	// Name is that of the agent.
	Name string `json:"entry_point"`
	// Agents counts the agents, the entry point among them.
	Agents int `json:"agents"`
	// States and Rows are those of all machines, gates among them, each counted once. An
	// unconditional state has one row.
	States int `json:"states"`
	Rows   int `json:"rows"`
	// Guarded are the rows that have a guard, Gates the agents whose tool calls a machine gates.
	Guarded int `json:"guarded_rows,omitempty"`
	Gates   int `json:"gates,omitempty"`
	// Cycles counts where a run can come by again: groups of states of a machine that lead to each
	// other, and the loops of reflexions, plan-executes, debates and workflows.
	Cycles int `json:"cycles"`
	// Calls bounds the calls of models of one run: by the limits of loops, steps and repairs, and
	// by budgets of calls.
	Calls cost.Amount `json:"model_calls_at_most"`
}

// Of returns the statistics of a program, an entry point each, in the order of the program.
func Of(p *ir.Program) []Entry {
	facts := flow.Of(p, flow.Guess{})
	entries := []Entry{}
	for _, bound := range cost.Of(p, cost.Options{}) {
		e := Entry{Name: bound.Name, Calls: bound.Most.Calls}
		for _, a := range ir.Reached(bound.Agent) {
			e.Agents++
			e.add(facts, a)
		}
		entries = append(entries, e)
	}

	return entries
}

// add counts what an agent has.
func (e *Entry) add(facts *flow.Program, a *ir.Agent) {
	switch node := a.Node.(type) {
	case *ir.Machine:
		e.addMachine(node)
		e.Cycles += facts.Machine(node).Cycles()
	case *ir.React:
		if node.Gate != nil {
			e.Gates++
			e.addMachine(node.Gate.Machine)
		}
	}
	ir.Walk(a.Body(), func(op ir.Op) {
		switch op := op.(type) {
		case *ir.Loop:
			if !op.Each() && op.Reduce != ir.ReduceResults {
				e.Cycles++
			}
		case *ir.Machine:
			e.addMachine(op)
			e.Cycles += facts.Machine(op).Cycles()
		}
	})
}

// addMachine counts the states and rows of a machine.
func (e *Entry) addMachine(m *ir.Machine) {
	e.States += len(m.States)
	e.Rows += len(m.Rows()) + len(ir.Where(m.States, func(s *ir.State) bool { return s.Always != nil }))
	e.Guarded += len(m.Guards())
}

// column is a number of each entry point. An optional one is left out where all are 0.
type column struct {
	head     string
	of       func(Entry) int
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

// Text is the statistics for a person, a line for each entry point. Guarded rows and gates have
// columns if there are any.
func Text(entries []Entry) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	shown := slices.DeleteFunc(slices.Clone(columns), func(c column) bool {
		return c.optional && !slices.ContainsFunc(entries, func(e Entry) bool { return c.of(e) > 0 })
	})
	for _, c := range shown {
		fmt.Fprintf(table, "%s\t", c.head)
	}
	fmt.Fprint(table, "model calls at most\t  entry point\n")
	for _, e := range entries {
		for _, c := range shown {
			fmt.Fprintf(table, "%d\t", c.of(e))
		}
		fmt.Fprintf(table, "%s\t  %s\n", e.Calls, e.Name)
	}

	table.Flush() // into memory, which does not fail

	return b.String()
}
