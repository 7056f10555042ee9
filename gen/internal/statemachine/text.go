package statemachine

import (
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// textIn returns the text of a field that takes nothing but a text: a number there is none, as the schema has said.
func textIn(n *yamldoc.Node) ir.Text {
	if n == nil || n.Kind != yamldoc.String {
		return ir.Text{}
	}

	return frontend.Text(n)
}
