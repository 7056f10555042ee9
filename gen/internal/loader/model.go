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

// lowerModels lowers the roles of the config.
func (l *loader) lowerModels(n *yamldoc.Node) {
	for _, f := range n.Members() {
		l.Program.HasModels = true
		model := &ir.Model{Role: frontend.Key(f)}
		switch {
		case f.Value != nil && f.Value.Kind == yamldoc.Map:
			model.Name = frontend.Text(f.Value.Value("name"))
			model.Fallback = frontend.Texts(f.Value.Value("fallback"))
			model.Settings = l.ReadSettings(f.Value, append([]ir.Text{model.Name}, model.Fallback...)...)
			model.BaseURL = frontend.Text(f.Value.Value("base_url")).Value
			model.Stream = streamSetting(f.Value)
		case f.Value != nil && f.Value.Kind == yamldoc.Seq:
			if names := frontend.Texts(f.Value); len(names) > 0 {
				model.Name, model.Fallback = names[0], names[1:]
			}
		default:
			model.Name = frontend.Text(f.Value)
		}
		l.checkFallbacks(model)
		l.Program.Models = append(l.Program.Models, model)
	}
}

// checkFallbacks reports models that cannot replace another one. Files of the project need no
// replacement and are none, and a model that has failed is not called again.
func (l *loader) checkFallbacks(m *ir.Model) {
	if len(m.Fallback) > 0 && ir.IsFileModel(m.Name.Value) {
		l.List.Add(diag.New(diag.BadValue, m.Fallback[0].Span, "%q is a file of the project, so it has no fallback", m.Name.Value).
			WithHint("remove the models after it, or replace it with a model of a provider"))
		return
	}
	tried := []string{m.Name.Value}
	for _, fallback := range m.Fallback {
		switch name := fallback.Value; {
		case ir.IsFileModel(name):
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

// lowerProviders lowers the providers of the config and their addresses.
func (l *loader) lowerProviders(n *yamldoc.Node) {
	for _, f := range n.Members() {
		name := frontend.Key(f)
		if problem := whyNotProvider(name.Value); problem != "" {
			l.List.Add(diag.New(diag.BadValue, name.Span, "%q is not a provider of models: %s", name.Value, problem))
			continue
		}
		l.Program.Providers = append(l.Program.Providers, &ir.Provider{
			Name: name, BaseURL: frontend.Text(f.Value.Value("base_url")).Value, Import: frontend.Text(f.Value.Value("import")), Stream: streamSetting(f.Value),
			EndsWithoutReason: frontend.Bool(f.Value.Value("ends_without_reason")),
		})
	}
}

// streamSetting returns the field stream of a role or a provider, or nil.
func streamSetting(n *yamldoc.Node) *bool {
	set := n.Value("stream")
	if set == nil || set.Kind != yamldoc.Bool {
		return nil
	}
	on := frontend.Bool(set)

	return &on
}

// whyNotProvider returns why no model can have a provider of this name, or "".
func whyNotProvider(name string) string {
	switch {
	case ir.IsFileModel(name + ":"):
		return "its models are files of the project"
	case name == "" || strings.ContainsFunc(name, func(r rune) bool { return r == ':' || unicode.IsSpace(r) }):
		return "it is the word before the colon of provider:model"
	}

	return ""
}

// dayLike matches the dates that the schema accepts.
var dayLike = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)

// asOf is the field with the date of the prices.
const asOf = "as_of"

// readPrices reads the prices of models, if the project has any.
func (l *loader) readPrices() {
	if !l.hasPrices {
		return
	}
	root := l.readConfigFile(pricesFile, validate.Prices, yamldoc.Parse)
	if root == nil || root.Kind != yamldoc.Map {
		return
	}
	prices := &ir.Prices{AsOf: frontend.Text(root.Value(asOf)).Value}
	_, err := time.Parse(time.DateOnly, prices.AsOf)
	if err != nil && dayLike.MatchString(prices.AsOf) {
		l.List.Add(diag.New(diag.BadValue, root.Value(asOf).Span, "the date %s does not exist", prices.AsOf))
	}
	for _, f := range root.Fields {
		if name := frontend.Key(f); name.Value != asOf && !strings.HasPrefix(name.Value, "x-") {
			prices.Models = append(prices.Models, l.lowerPrice(name, f.Value))
		}
	}
	slices.SortFunc(prices.Models, func(a, b *ir.ModelPrice) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
	l.Program.Prices = prices
}

// lowerPrice lowers the price of a model. Caches cost as much as other input unless they have a
// price.
func (l *loader) lowerPrice(name ir.Text, n *yamldoc.Node) *ir.ModelPrice {
	if !canHavePrice(name.Value) {
		l.List.Add(diag.New(diag.BadValue, name.Span, "%q is a file of the project: it has no price", name.Value).
			WithHint("write provider:model, or the beginning of one and *, such as openai:gpt-4o*"))
	}
	m := &ir.ModelPrice{Name: name, Input: readMillionths(n.Value("input")), Output: readMillionths(n.Value("output"))}
	m.Cached, m.Stored = m.Input, m.Input
	if cached := n.Value("cached_input"); cached != nil {
		m.Cached = readMillionths(cached)
	}
	if stored := n.Value("cache_write"); stored != nil {
		m.Stored = readMillionths(stored)
	}
	m.Context = l.ReadLimit(n.Value("context"), 0)

	return m
}

// canHavePrice reports whether name is provider:model, or the beginning of one and *.
func canHavePrice(name string) bool {
	provider, id, hasProvider := strings.Cut(name, ":")
	if !hasProvider || whyNotProvider(provider) != "" {
		return false
	}
	hasInnerStar := strings.Contains(strings.TrimSuffix(id, "*"), "*")

	return id != "" && !hasInnerStar && strings.TrimSpace(id) == id
}

// readMillionths returns an amount of dollars in millionths of one. It returns 0 for a value that
// is no amount, which the schema has reported.
func readMillionths(n *yamldoc.Node) int64 {
	const most = 100_000 // as in the schema
	dollars := frontend.Number(n)
	isAmount := dollars != nil && *dollars >= 0 && *dollars <= most
	if !isAmount {
		return 0
	}

	return int64(math.Round(*dollars * 1e6))
}
