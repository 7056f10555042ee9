package preflight

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Model is the model of a role, or a model that agents name themselves.
type Model struct {
	// Role is "" for agents that name their model. Name is provider:model, "" if none is
	// configured.
	Role string `json:"role,omitempty"`
	Name string `json:"model,omitempty"`
	// From is the setting that names the model.
	From string `json:"from,omitempty"`
	// Fallback are the configured models that are called after this one has failed.
	Fallback []string `json:"fallback,omitempty"`
	// Price is the price of a million tokens; nil if neither the project nor the list prices have
	// it.
	Price *Price `json:"price,omitempty"`
	// Context is the largest number of tokens of a request; 0 if unknown.
	Context int `json:"context,omitempty"`
	// For are the agents, sorted.
	For []string `json:"for"`
	// Add is the line that names a model if none is configured. With Config it is a line of
	// agentc.yaml, else it names where to add it.
	Add    string `json:"add,omitempty"`
	Config bool   `json:"config,omitempty"`
}

// Price is the price of a million tokens, in dollars.
type Price struct {
	Input  float64 `json:"input"`
	Output float64 `json:"output"`
	// ListPrices is the date of the list prices, "" for a price of the project.
	ListPrices string `json:"list_prices,omitempty"`
}

// Models returns the models of runs that begin with some agents, by role. Agents that name their
// model are last.
func Models(p *ir.Program, entries []*ir.Agent, m Machine) []Model {
	l := &list{program: p, machine: m}
	var models []Model
	for _, a := range ir.ReachableFrom(entries...) {
		for _, step := range a.Conversations() {
			found := l.describeModel(step.Call)
			i := slices.IndexFunc(models, func(known Model) bool { return known.Role == found.Role && known.Name == found.Name })
			if i < 0 {
				i = len(models)
				models = append(models, found)
			}
			models[i].For = append(models[i].For, step.Label(a.Name.Value))
		}
	}
	for i := range models {
		models[i].For = ir.Sorted(models[i].For)
	}
	slices.SortFunc(models, func(a, b Model) int {
		return cmp.Or(strings.Compare(cmp.Or(a.Role, "~"), cmp.Or(b.Role, "~")), strings.Compare(a.Name, b.Name))
	})

	return models
}

func (l *list) describeModel(call ir.Call) Model {
	m := Model{Role: cmp.Or(call.Role.Value, "default")}
	if call.Name.Value != "" {
		m.Role = ""
	}
	m.Name, m.From = l.resolveModel(call)
	if m.Name == "" {
		m.Add, m.Config = l.modelLine(m.Role)
		return m
	}
	m.Fallback = l.fallbackModels(m.From)
	if price, listed := l.program.PriceOf(m.Name); price != nil {
		m.Price = &Price{Input: float64(price.Input) / 1e6, Output: float64(price.Output) / 1e6}
		m.Context = price.Context
		if listed {
			m.Price.ListPrices = model.ListPricesDay
		}
	}

	return m
}

// modelLine returns the line that configures a model for a role; config is true if it can be added
// to agentc.yaml unchanged.
func (l *list) modelLine(role string) (line string, config bool) {
	if l.program.HasModels {
		return role + `: "openai:gpt-5-mini" below models in agentc.yaml`, false
	}

	return `models: {default: "openai:gpt-5-mini"}`, true
}

// ModelsText returns models for a person.
func ModelsText(models []Model) string {
	var b strings.Builder
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, m := range models {
		lines := []string{m.Name + ", from " + m.From, "  " + m.describePrice()}
		switch {
		case m.Name == "" && m.Config:
			lines = []string{"no model is configured", "  add to agentc.yaml: " + m.Add}
		case m.Name == "":
			lines = []string{"no model is configured", "  add: " + m.Add}
		}
		if len(m.Fallback) > 0 {
			lines = append(lines, "  after a failure: "+strings.Join(m.Fallback, ", "))
		}
		lines = append(lines, "  for "+strings.Join(m.For, ", "))
		fmt.Fprintf(table, "%s\t%s\n", m.Role, strings.Join(lines, "\n\t"))
	}

	table.Flush() // a strings.Builder returns no error

	return b.String()
}

func (m *Model) describePrice() string {
	switch {
	case ir.IsFileModel(m.Name):
		return "free: a file answers"
	case m.Price == nil:
		return "its price is unknown: neither prices.yaml nor the list prices have it"
	}
	dollars := func(v float64) string { return "$" + strconv.FormatFloat(v, 'f', -1, 64) }

	text := fmt.Sprintf("%s for a million tokens of input, %s of output", dollars(m.Price.Input), dollars(m.Price.Output))
	if m.Price.ListPrices != "" {
		text += ", list prices of " + m.Price.ListPrices
	}
	if m.Context > 0 {
		text += fmt.Sprintf("; %d tokens of context", m.Context)
	}

	return text
}
