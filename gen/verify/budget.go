package verify

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// budgetText is how a budget is written.
func budgetText(b *ir.Budget) string {
	var list []string
	if b.Tokens > 0 {
		list = append(list, "Tokens: "+strconv.Itoa(b.Tokens))
	}
	if b.USD > 0 {
		list = append(list, "USD: "+decimal(b.USD))
	}
	if b.Calls > 0 {
		list = append(list, "Calls: "+strconv.Itoa(b.Calls))
	}
	if b.Time > 0 {
		list = append(list, "Time: "+duration(b.Time))
	}

	return "runtime.Budget{" + strings.Join(list, ", ") + "}"
}

// decimal is how a number is written that need not be whole.
func decimal(n float64) string { return strconv.FormatFloat(n, 'g', -1, 64) }

// limits is the statement that limits what the rest of a function may spend; "" if the agent has no budget.
func limits(a *ir.Agent) string {
	if a.Budget == nil {
		return ""
	}
	name := a.Name.Value

	return "defer runtime.Limit(fx, " + strconv.Quote(name) + ", &" + names.Budget(name) + ")()"
}

// limited compares the statement with which a function limits what it may spend, and returns those behind it.
func (r *reader) limited(name string, a *ir.Agent, body []ast.Stmt) []ast.Stmt {
	want := limits(a)
	if r.err != nil || want == "" {
		return body
	}
	if len(body) == 0 {
		r.fail(name+", the budget", want, "no statements")

		return nil
	}
	r.written(name+", the budget", want, body[0])

	return body[1:]
}

// budget compares what a run of the agent may spend.
func (r *reader) budget(a *ir.Agent) {
	name := names.Budget(a.Name.Value)
	value := r.values[name]
	switch {
	case r.err != nil || a.Budget == nil:
	case value == nil:
		r.fail(name, "a budget", "none")
	default:
		r.written(name, budgetText(a.Budget), value)
	}
}
