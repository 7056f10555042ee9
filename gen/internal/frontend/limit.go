package frontend

import (
	"time"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
	"github.com/agentc-dev/agentc/runtime/size"
)

// Limit returns a whole number, or fallback.
func (p *Project) Limit(n *yamldoc.Node, fallback int) int {
	if limit := tree.Limit(n, p.List); limit != nil {
		return *limit
	}

	return fallback
}

// Size returns a number of bytes; 0 without one. The schema reports what is not written as a size.
func (p *Project) Size(n *yamldoc.Node) int64 {
	if n == nil || n.Kind != yamldoc.String && n.Kind != yamldoc.Int {
		return 0
	}
	bytes, err := size.Parse(n.Text)
	if err != nil && bytes > 0 {
		p.List.Add(diag.New(diag.BadValue, n.Span, "%q %v", n.Text, err))
	}

	return bytes
}

// Budget reads what may be spent; nil if nothing is limited.
func (p *Project) Budget(n *yamldoc.Node) *ir.Budget {
	if n == nil || n.Kind != yamldoc.Map {
		return nil
	}
	b := &ir.Budget{
		Tokens: p.Limit(n.Value("tokens"), 0),
		USD:    tree.Dollars(n.Value("usd"), p.List),
		Calls:  p.Limit(n.Value("calls"), 0),
		Time:   p.Duration(n.Value("time")),
	}
	if *b == (ir.Budget{}) {
		return nil
	}
	if b.Calls > 0 {
		b.CallsAt = n.Value("calls").Span
	}

	return b
}

// Duration returns a time; 0 without one. The schema reports what is not written as one.
func (p *Project) Duration(n *yamldoc.Node) time.Duration {
	text := tree.Text(n)
	d, err := size.Duration(text.Value)
	switch {
	case err != nil && d > 0:
		p.List.Add(diag.New(diag.BadValue, text.Span, "%s %v", text.Value, err))
	case err == nil && d == 0:
		p.List.Add(diag.New(diag.BadValue, text.Span, "nothing can happen in %s", text.Value))
	}

	return d
}
