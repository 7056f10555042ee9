package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// limits returns the bounds of what comes from outside, on one line.
func limits(of ir.Limits) *jen.Statement {
	l := &fields{}
	l.bytes("Reply", of.Reply)
	l.bytes("ToolResult", of.ToolResult)
	l.bytes("ToolResultMax", of.ToolResultMax)

	return l.literal(fieldDepth, in("Limits"))
}

// bytes sets a field to a number of bytes unless it is 0.
func (l *fields) bytes(name string, n int64) {
	if n > 0 {
		l.set(name, jen.Lit(int(n)))
	}
}
