package command

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// newCall returns the call by which the user's Go makes the program, such as agents.New(tools{}).
func newCall(p *ir.Program) string {
	return callOfNew(p, p.Package, func(i emit.Interface) string { return i.Field + "{}" })
}

// generatedNewCall returns the call for Go that agentc generates, which imports the generated
// package as generated. Typed tools, guards and functions are never called there, since a script
// answers all of them.
func generatedNewCall(p *ir.Program) string {
	return callOfNew(p, "generated", func(i emit.Interface) string { return "struct{ generated." + i.Name + " }{}" })
}

// callOfNew returns a call of New of the generated package, which is imported as pkg. value returns
// an argument for one of the interfaces that the program needs: Tools, Guards and Funcs.
func callOfNew(p *ir.Program, pkg string, value func(emit.Interface) string) string {
	return pkg + "." + names.FixedNames(p).New + "(" + strings.Join(ir.Map(emit.Interfaces(p), value), ", ") + ")"
}
