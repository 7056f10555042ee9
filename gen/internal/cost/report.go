package cost

import (
	"cmp"
	"maps"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/amount"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	prices "github.com/agentc-dev/agentc/runtime/model"
)

// Options are assumptions about a run.
type Options struct {
	// Input is the size of the run's input, and of each answer of a person, in tokens; 0 for
	// [DefaultInput].
	Input Amount
	// Attempts is the maximal number of attempts for a call of a model, each of which may be paid;
	// 0 for [DefaultAttempts], as in engines.
	Attempts int
	// Model, provider:model, is called where a file of the project answers, or no model is named;
	// "" for none.
	Model string
	// MaxTokens bounds replies without a bound in the project; 0 for no bound.
	MaxTokens int
}

// The defaults of options.
const (
	DefaultInput    Amount = 4000
	DefaultAttempts int    = 5
)

// Entry bounds the runs of an entry point.
type Entry struct {
	Agent *ir.Agent `json:"-"`
	Name  string    `json:"entry_point"`
	// Fewest is the least number of model calls of a run that ends; 0 if it is not known.
	Fewest int `json:"model_calls_at_least"`
	// Most is the bound of all runs, Once the bound of runs in which no call of a model fails.
	Most Spend `json:"at_most"`
	Once Spend `json:"at_most_without_failed_calls"`
	// Expected is the use of recorded runs; nil without any.
	Expected *Expected `json:"expected,omitempty"`
	// Main is the part with the largest use.
	Main string `json:"most_of_it,omitempty"`
	// Models are the bounds of each model, and States the bounds of each visit of a state.
	Models []Share `json:"models,omitempty"`
	States []Share `json:"states,omitempty"`
	// Budgets are the budgets of the run and of its agents.
	Budgets []Proof `json:"budgets,omitempty"`
	// ListPrices is the day of the list prices, if models have them; "" if the project has all
	// prices.
	ListPrices string `json:"list_prices,omitempty"`
	// Unbounded are the values without a bound.
	Unbounded []Reason `json:"unbounded,omitempty"`
}

// Share is the bound of a part.
type Share struct {
	// Name is a model or a state. Agent has the machine of the state.
	Name  string `json:"name"`
	Agent string `json:"agent,omitempty"`
	Most  Spend  `json:"at_most"`
}

// Expected is the use of recorded runs, each number separately.
type Expected struct {
	Runs   int   `json:"runs"`
	Median Spend `json:"median"`
	P95    Spend `json:"p95"`
}

// NewExpected returns the expected use after some runs; nil without any.
func NewExpected(runs []Spend) *Expected {
	if len(runs) == 0 {
		return nil
	}
	at := func(percent int) (s Spend) {
		for i, n := range s.Numbers() {
			values := ir.Map(runs, func(run Spend) Amount { return *run.Numbers()[i] })
			slices.Sort(values)
			*n = values[(len(values)*percent+99)/100-1]
		}
		return s
	}

	return &Expected{len(runs), at(50), at(95)}
}

// BoundEntries bounds the runs of a program by entry point, in the order of the program.
func BoundEntries(p *ir.Program, o Options) []Entry {
	o.Input = cmp.Or(o.Input, DefaultInput)
	o.Attempts = cmp.Or(o.Attempts, DefaultAttempts)
	facts := flow.Analyze(p, flow.Guess{})

	return ir.Map(p.EntryPoints(), func(a *ir.Agent) Entry { return analyzeEntry(p, facts, o, a) })
}

// newAnalysis returns an analysis without results.
func newAnalysis(p *ir.Program, facts *flow.Program, o Options, only string) *analysis {
	return &analysis{
		program: p, facts: facts, options: o, attempts: amount.Of(o.Attempts), only: only,
		chains: map[modelKey][]*model{}, agents: map[agentRun]agentResult{}, visits: map[*ir.Agent]int{},
		agentBounds: map[*ir.Agent]bound{}, stateBounds: map[*ir.State]bound{}, knownReasons: map[Reason]bool{},
	}
}

func analyzeEntry(p *ir.Program, facts *flow.Program, o Options, a *ir.Agent) Entry {
	x := newAnalysis(p, facts, o, "")
	whole := x.boundEntry(a)
	b := whole.underBudget(p.Budget)
	e := Entry{Agent: a, Name: a.Name.Value, Fewest: facts.Calls(a), Most: b.most, Main: b.main.text, Budgets: x.budgetProofs(a, whole)}
	if x.usesListPrices {
		e.ListPrices = prices.ListPricesDay
	}
	e.States = ir.Map(x.stateOrder, func(at machineState) Share {
		return Share{at.state.Name.Value, at.agent.Name.Value, x.stateBounds[at.state].most}
	})
	if most := b.most; max(most.Calls, most.Input, most.Output, most.Micro) == Unbounded {
		e.Unbounded = x.reasons
	}

	once := o
	once.Attempts = 1
	e.Once = e.Most
	if o.Attempts != 1 {
		e.Once = entryBound(p, facts, once, a, "")
	}
	names := x.modelNames()
	if len(names) == 1 { // it uses everything
		e.Models = []Share{{Name: names[0], Most: e.Most}}
		return e
	}
	for _, name := range names {
		e.Models = append(e.Models, Share{Name: name, Most: entryBound(p, facts, o, a, name)})
	}

	return e
}

// entryBound returns the bound of an entry point; only is the model that counts.
func entryBound(p *ir.Program, facts *flow.Program, o Options, a *ir.Agent, only string) Spend {
	return newAnalysis(p, facts, o, only).boundEntry(a).underBudget(p.Budget).most
}

// modelNames returns the names of the called models, sorted.
func (x *analysis) modelNames() []string {
	asked := slices.Concat(slices.Collect(maps.Values(x.chains))...)

	return ir.Sorted(ir.Map(asked, func(m *model) string { return m.name }))
}
