package command

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// newCall returns the call by which a person's Go makes the program: agents.New(tools{}).
func newCall(p *ir.Program) string {
	return callOfNew(p, p.Package, func(i emit.Interface) string { return i.Field + "{}" })
}

// generatedNewCall returns the call that makes the program in Go that agentc writes, where the
// generated package is imported as generated. Typed tools, guards and functions are never called
// there, since a script answers for all of them.
func generatedNewCall(p *ir.Program) string {
	return callOfNew(p, "generated", func(i emit.Interface) string { return "struct{ generated." + i.Name + " }{}" })
}

// callOfNew returns a call of New of the generated package, which is imported as pkg. value writes
// an argument that implements an interface: Tools, if there are typed tools, Guards, if rows ask
// named guards, and Funcs, if workflows call functions.
func callOfNew(p *ir.Program, pkg string, value func(emit.Interface) string) string {
	return pkg + "." + names.FixedNames(p).New + "(" + strings.Join(ir.Map(emit.Interfaces(p), value), ", ") + ")"
}
