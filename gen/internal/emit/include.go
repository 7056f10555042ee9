package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// partsOf returns the parts that the binary carries besides run, in the order of `include`, and what opens its store.
func partsOf(p *ir.Program) []jen.Code {
	var parts []jen.Code
	for _, word := range p.Include {
		if part, known := names.PartOf(word.Value); known {
			parts = append(parts, jen.Qual(part.Path, "Part").Values())
		}
	}
	if store, known := names.PartOf(names.StorePart(p.Store.Value)); known {
		parts = append(parts, jen.Qual(store.Path, "Part").Values())
	}

	return parts
}

// drives reports whether a part of the program drives live machines.
func drives(p *ir.Program) bool {
	return slices.ContainsFunc(p.Include, func(word ir.Text) bool {
		part, _ := names.PartOf(word.Value)

		return part.Drives
	})
}

// isRemote reports whether a part of the program has functions and guards run in other processes.
func isRemote(p *ir.Program) bool {
	return slices.ContainsFunc(p.Include, func(word ir.Text) bool {
		part, _ := names.PartOf(word.Value)

		return part.Remote
	})
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
