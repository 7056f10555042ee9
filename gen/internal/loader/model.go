package loader

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// models takes the roles of the config.
func (l *loader) models(n *yamldoc.Node) {
	for _, f := range n.Members() {
		l.Program.HasModels = true
		model := &ir.Model{Role: frontend.Key(f)}
		switch {
		case f.Value != nil && f.Value.Kind == yamldoc.Map:
			model.Name = frontend.Text(f.Value.Value("name"))
			model.Fallback = frontend.Texts(f.Value.Value("fallback"))
			model.Settings = l.Settings(f.Value)
			model.BaseURL = frontend.Text(f.Value.Value("base_url")).Value
			model.Stream = stream(f.Value)
		case f.Value != nil && f.Value.Kind == yamldoc.Seq:
			if names := frontend.Texts(f.Value); len(names) > 0 {
				model.Name, model.Fallback = names[0], names[1:]
			}
		default:
			model.Name = frontend.Text(f.Value)
		}
		l.fallbacks(model)
		l.Program.Models = append(l.Program.Models, model)
	}
}

// fallbacks reports models that cannot replace another: files of the project answer for themselves, and what has failed once is
// not asked again under the same name.
func (l *loader) fallbacks(m *ir.Model) {
	if len(m.Fallback) > 0 && ir.Answered(m.Name.Value) {
		l.List.Add(diag.New(diag.BadValue, m.Fallback[0].Span, "%q is a file of the project, so it has no fallback", m.Name.Value).
			WithHint("remove the models after it, or replace it with a model of a provider"))
		return
	}
	tried := []string{m.Name.Value}
	for _, fallback := range m.Fallback {
		switch name := fallback.Value; {
		case ir.Answered(name):
			l.List.Add(diag.New(diag.BadValue, fallback.Span,
				"%q is a file of the project and cannot replace a model: a run would continue with invented answers", name).
				WithHint("leave it out"))
		case slices.Contains(tried, name):
			l.List.Add(diag.New(diag.BadValue, fallback.Span, "%q has already failed when it would be called here", name).
				WithHint("leave it out"))
		}
		tried = append(tried, fallback.Value)
	}
}

// providers takes the providers that the config names, and their addresses.
func (l *loader) providers(n *yamldoc.Node) {
	for _, f := range n.Members() {
		name := frontend.Key(f)
		if problem := notProvider(name.Value); problem != "" {
			l.List.Add(diag.New(diag.BadValue, name.Span, "%q is not a provider of models: %s", name.Value, problem))
			continue
		}
		l.Program.Providers = append(l.Program.Providers, &ir.Provider{
			Name: name, BaseURL: frontend.Text(f.Value.Value("base_url")).Value, Import: frontend.Text(f.Value.Value("import")), Stream: stream(f.Value),
			EndsWithoutReason: frontend.Bool(f.Value.Value("ends_without_reason")),
		})
	}
}

// stream is the setting of a role or a provider; nil without one.
func stream(n *yamldoc.Node) *bool {
	set := n.Value("stream")
	if set == nil || set.Kind != yamldoc.Bool {
		return nil
	}
	on := frontend.Bool(set)

	return &on
}

// notProvider says why no model has a provider of this name; "" if one can have it.
func notProvider(name string) string {
	switch {
	case ir.Answered(name + ":"):
		return "its models are files of the project"
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r == ':' || unicode.IsSpace(r) }):
		return "it is the word before the colon of provider:model"
	}

	return ""
}

// dayLike are the days that the schema lets pass.
var dayLike = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// asOf is the field of the day of the prices.
const asOf = "as_of"

// readPrices reads what models cost, if the project says so.
func (l *loader) readPrices() {
	if !l.hasPrices {
		return
	}
	root := l.readConfigFile(pricesFile, validate.Prices, yamldoc.Parse)
	if root == nil || root.Kind != yamldoc.Map {
		return
	}
	prices := &ir.Prices{AsOf: frontend.Text(root.Value(asOf)).Value}
	if _, err := time.Parse(time.DateOnly, prices.AsOf); err != nil && dayLike.MatchString(prices.AsOf) {
		l.List.Add(diag.New(diag.BadValue, root.Value(asOf).Span, "the date %s does not exist", prices.AsOf))
	}
	for _, f := range root.Fields {
		if name := frontend.Key(f); name.Value != asOf && !strings.HasPrefix(name.Value, "x-") {
			prices.Models = append(prices.Models, l.price(name, f.Value))
		}
	}
	slices.SortFunc(prices.Models, func(a, b *ir.ModelPrice) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	l.Program.Prices = prices
}

// price takes the price of a model. What is not said of caches costs what other input does.
func (l *loader) price(name ir.Text, n *yamldoc.Node) *ir.ModelPrice {
	provider, id, named := strings.Cut(name.Value, ":")
	start := strings.TrimSuffix(id, "*")
	if !named || notProvider(provider) != "" || id == "" || strings.Contains(start, "*") || strings.TrimSpace(id) != id {
		l.List.Add(diag.New(diag.BadValue, name.Span, "%q is a file of the project: it has no price", name.Value).
			WithHint("write provider:model, or the beginning of one and *, such as openai:gpt-4o*"))
	}
	m := &ir.ModelPrice{Name: name, Input: millionths(n.Value("input")), Output: millionths(n.Value("output"))}
	m.Cached, m.Stored = m.Input, m.Input
	if cached := n.Value("cached_input"); cached != nil {
		m.Cached = millionths(cached)
	}
	if stored := n.Value("cache_write"); stored != nil {
		m.Stored = millionths(stored)
	}
	m.Context = l.Limit(n.Value("context"), 0)

	return m
}

// millionths returns an amount of dollars in millionths of one; 0 for what is none, which the schema has reported.
func millionths(n *yamldoc.Node) int64 {
	const most = 100_000 // as in the schema
	dollars := frontend.Number(n)
	if dollars == nil || *dollars < 0 || *dollars > most {
		return 0
	}

	return int64(math.Round(*dollars * 1e6))
}
