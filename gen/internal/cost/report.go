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

// Options say what is assumed of a run.
type Options struct {
	// Input is the size of what a run is given, and of each answer of a person, in tokens; 0: [DefaultInput].
	Input Amount
	// Attempts is how often a call of a model is tried at most, each of which may be paid; 0: [DefaultAttempts], as engines do.
	Attempts int
	// Model, provider:model, is asked where a file of the project answers, or where the project names no model; "" for none.
	Model string
	// MaxTokens bounds replies where the project does not; 0: nothing does.
	MaxTokens int
}

// What is assumed where options do not say it.
const (
	DefaultInput    Amount = 4000
	DefaultAttempts int    = 5
)

// Entry is what a run of an entry point uses.
type Entry struct {
	Agent *ir.Agent `json:"-"`
	Name  string    `json:"entry_point"`
	// Fewest is the least number of calls of models with which a run ends; 0 where that is not known.
	Fewest int `json:"model_calls_at_least"`
	// Most is what no run exceeds, Once what none does in which no call of a model fails.
	Most Spend `json:"at_most"`
	Once Spend `json:"at_most_without_failed_calls"`
	// Expected is what runs have used; nil without any.
	Expected *Expected `json:"expected,omitempty"`
	// Main is the part that uses most of it.
	Main string `json:"most_of_it,omitempty"`
	// Models are the bounds of each model, and States those of each time that a state of a machine is entered.
	Models []Share `json:"models,omitempty"`
	States []Share `json:"states,omitempty"`
	// Budgets are those of agents that the run reaches, and its own.
	Budgets []Proof `json:"budgets,omitempty"`
	// ListPrices is the day of the list prices that some of the models have; "" if the project has prices for all of them.
	ListPrices string `json:"list_prices,omitempty"`
	// Unbounded says what has no bound.
	Unbounded []Reason `json:"unbounded,omitempty"`
}

// Share is the bound of a part.
type Share struct {
	// Name is a model or a state; Agent has the machine of the state.
	Name  string `json:"name"`
	Agent string `json:"agent,omitempty"`
	Most  Spend  `json:"at_most"`
}

// Expected is what runs have used, each number for itself.
type Expected struct {
	Runs   int   `json:"runs"`
	Median Spend `json:"median"`
	P95    Spend `json:"p95"`
}

// Expect returns what is to be expected after some runs; nil without any.
func Expect(runs []Spend) *Expected {
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

// Of returns what runs of the program use, by entry point, in the order of the program.
func Of(p *ir.Program, o Options) []Entry {
	o.Input = cmp.Or(o.Input, DefaultInput)
	o.Attempts = cmp.Or(o.Attempts, DefaultAttempts)
	facts := flow.Of(p, flow.Guess{})

	return ir.Map(p.EntryPoints(), func(a *ir.Agent) Entry { return entryOf(p, facts, o, a) })
}

// begin returns an analysis that has found nothing yet.
func begin(p *ir.Program, facts *flow.Program, o Options, only string) *analysis {
	return &analysis{
		program: p, facts: facts, options: o, attempts: amount.Of(o.Attempts), only: only,
		chains: map[modelKey][]*model{}, agents: map[visit]result{}, visits: map[*ir.Agent]int{},
		own: map[*ir.Agent]bound{}, state: map[*ir.State]bound{}, known: map[Reason]bool{},
	}
}

func entryOf(p *ir.Program, facts *flow.Program, o Options, a *ir.Agent) Entry {
	x := begin(p, facts, o, "")
	whole := x.entry(a)
	b := whole.within(p.Budget)
	e := Entry{Agent: a, Name: a.Name.Value, Fewest: facts.Calls(a), Most: b.most, Main: b.main.text, Budgets: x.proofs(a, whole)}
	if x.listed {
		e.ListPrices = prices.ListPricesDay
	}
	e.States = ir.Map(x.order, func(at place) Share {
		return Share{at.state.Name.Value, at.agent.Name.Value, x.state[at.state].most}
	})
	if most := b.most; max(most.Calls, most.Input, most.Output, most.Micro) == Unbounded {
		e.Unbounded = x.reasons
	}

	once := o
	once.Attempts = 1
	e.Once = e.Most
	if o.Attempts != 1 {
		e.Once = mostOf(p, facts, once, a, "")
	}
	names := x.models()
	if len(names) == 1 { // which uses all of it
		e.Models = []Share{{Name: names[0], Most: e.Most}}
		return e
	}
	for _, name := range names {
		e.Models = append(e.Models, Share{Name: name, Most: mostOf(p, facts, o, a, name)})
	}

	return e
}

// mostOf returns the bound of an entry point; only is the model that counts.
func mostOf(p *ir.Program, facts *flow.Program, o Options, a *ir.Agent, only string) Spend {
	return begin(p, facts, o, only).entry(a).within(p.Budget).most
}

// models are the names of the models that were asked, sorted.
func (x *analysis) models() []string {
	asked := slices.Concat(slices.Collect(maps.Values(x.chains))...)

	return ir.Sorted(ir.Map(asked, func(m *model) string { return m.name }))
}
