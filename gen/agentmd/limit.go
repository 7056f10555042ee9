package agentmd

import (
	"github.com/agentc-dev/agentc/gen/tree"
	"github.com/agentc-dev/agentc/gen/yamldoc"
)

// limit returns a whole number, or fallback.
func (l *loader) limit(n *yamldoc.Node, fallback int) int {
	if p := tree.Limit(n, l.list); p != nil {
		return *p
	}

	return fallback
}
