package frontend

import (
	"errors"
	"regexp"
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
	if errors.Is(err, size.ErrRange) {
		p.List.Add(diag.New(diag.BadValue, n.Span, "%q %v", n.Text, err))
	}

	return bytes
}

// durations are the texts that the schema lets pass.
var durations = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`)

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

// Duration returns a time; 0 without one. That it is written as one is a matter of the document's own schema.
func (p *Project) Duration(n *yamldoc.Node) time.Duration {
	text := tree.Text(n)
	if text.Value == "" || !durations.MatchString(text.Value) {
		return 0
	}
	d, err := time.ParseDuration(text.Value)
	switch {
	case err != nil:
		p.List.Add(diag.New(diag.BadValue, text.Span, "%s is longer than can be measured", text.Value))
	case d == 0:
		p.List.Add(diag.New(diag.BadValue, text.Span, "nothing can happen in %s", text.Value))
	}

	return d
}
