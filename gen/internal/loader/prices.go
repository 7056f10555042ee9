package loader

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

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
