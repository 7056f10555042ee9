package agentmd

import (
	"errors"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/tree"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
	"github.com/agentc-dev/agentc/runtime/size"
)

// limit returns a whole number, or fallback.
func (l *loader) limit(n *yamldoc.Node, fallback int) int {
	if p := tree.Limit(n, l.list); p != nil {
		return *p
	}

	return fallback
}

// size returns a number of bytes; 0 without one. The schema reports what is not written as a size.
func (l *loader) size(n *yamldoc.Node) int64 {
	if n == nil || n.Kind != yamldoc.String && n.Kind != yamldoc.Int {
		return 0
	}
	bytes, err := size.Parse(n.Text)
	if errors.Is(err, size.ErrRange) {
		l.list.Add(diag.New(diag.BadValue, n.Span, "%q %v", n.Text, err))
	}

	return bytes
}
