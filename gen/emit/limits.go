package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/ir"
)

// limits returns the bounds of what comes from outside, on one line.
func limits(of ir.Limits) *jen.Statement {
	l := &fields{}
	if of.Reply > 0 {
		l.set("Reply", jen.Lit(int(of.Reply)))
	}

	return l.literal(fieldDepth, in("Limits"))
}
