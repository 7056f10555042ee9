package agentmd

import (
	"regexp"
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// durations are the texts that the schema lets pass.
var durations = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)

// budget reads what may be spent; nil if nothing is limited.
func (l *loader) budget(n *yamldoc.Node) *ir.Budget {
	if n == nil || n.Kind != yamldoc.Map {
		return nil
	}
	b := &ir.Budget{
		Tokens: l.limit(n.Value("tokens"), 0),
		USD:    tree.Dollars(n.Value("usd"), l.list),
		Calls:  l.limit(n.Value("calls"), 0),
		Time:   l.duration(n.Value("time")),
	}
	if *b == (ir.Budget{}) {
		return nil
	}
	if b.Calls > 0 {
		b.CallsAt = n.Value("calls").Span
	}

	return b
}

// duration returns a time; 0 without one. That it is written as one is a matter of the document's own schema.
func (l *loader) duration(n *yamldoc.Node) time.Duration {
	text := tree.Text(n)
	if text.Value == "" || !durations.MatchString(text.Value) {
		return 0
	}
	d, err := time.ParseDuration(text.Value)
	switch {
	case err != nil:
		l.list.Add(diag.New(diag.BadValue, text.Span, "%s is longer than can be measured", text.Value))
	case d == 0:
		l.list.Add(diag.New(diag.BadValue, text.Span, "nothing can be done in %s", text.Value))
	}

	return d
}

// budgetOf reads the budget of an agent. A machine that others drive runs nothing that could spend it.
func (l *loader) budgetOf(d *document) *ir.Budget {
	f := d.head.Get("budget")
	if f == nil {
		return nil
	}
	if d.agent.Driven() {
		l.list.Add(diag.New(diag.UnusedField, f.Key.Span,
			"field %q is not used: a machine that others drive spends nothing", f.Key.Text))

		return nil
	}

	return l.budget(f.Value)
}
