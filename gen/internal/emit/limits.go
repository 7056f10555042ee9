package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// limits returns the bounds of what comes from outside, on one line.
func limits(of ir.Limits) *jen.Statement {
	return fieldsOf("Reply", of.Reply, "ToolResult", of.ToolResult, "ToolResultMax", of.ToolResultMax).literal(fieldDepth, in("Limits"))
}
