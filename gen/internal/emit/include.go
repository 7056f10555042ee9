package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// included are the parts that the binary carries besides run, in the order of `include`, and what opens its store.
func included(p *ir.Program) []names.Included {
	var parts []names.Included
	for _, word := range append(texts(p.Include), names.StorePart(p.Store.Value)) {
		if part, known := names.PartOf(word); known {
			parts = append(parts, part)
		}
	}

	return parts
}

// drives reports whether a part of the program drives live machines, isRemote whether one has functions and guards run in other
// processes.
func drives(p *ir.Program) bool {
	return slices.ContainsFunc(included(p), func(part names.Included) bool { return part.Drives })
}
func isRemote(p *ir.Program) bool {
	return slices.ContainsFunc(included(p), func(part names.Included) bool { return part.Remote })
}

// machineInfos returns what makes the live machines that a board can drive: those with `drive: external`, and all of a program with
// a part that drives machines. The linker drops the others.
func machineInfos(p *ir.Program) []jen.Code {
	var infos []jen.Code
	for _, a := range p.Agents {
		m := a.MachineOf()
		if m == nil || !a.Driven() && !drives(p) {
			continue
		}
		name := a.Name.Value
		args := []jen.Code{jen.Qual(livePath, "Clock").Call(jen.Id("clock"))}
		if len(signalled(p)) > 0 {
			args = append(args, jen.Id("a").Dot("Routed").Call())
		}
		if use := guardUseOf(m); use.named {
			args = append([]jen.Code{jen.Id("a").Dot("guards")}, args...)
		}
		makes := jen.Func().Params(jen.Id("clock").Add(in("drive.Clock"))).Add(in("drive.Machine")).Block(
			jen.Return(jen.Id(names.NewLive(name)).Call(args...)))
		infos = append(infos, jen.Values(jen.Id("Name").Op(":").Lit(name), jen.Id("New").Op(":").Add(makes)))
	}

	return infos
}
