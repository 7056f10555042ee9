package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// toolsPath is the path of the built-in tools, one package for each kind, so that a binary contains
// only the tools of its project.
const toolsPath = runtimePath + "/tools"

// openToolsCode returns the code that opens the built-in tools of the project; nil if all are off.
func openToolsCode(reach ir.Reach) *jen.Statement {
	var kinds []jen.Code
	kind := func(on bool, name string, settings ...any) {
		if on {
			kinds = append(kinds, jen.Qual(toolsPath+"/"+name, "Tools").Add(newFields(settings...).onOneLine()))
		}
	}
	kind(reach.Root.Value != "", "files", "Root", reach.Root, "MaxSize", reach.RootMax)
	kind(len(reach.Hosts) > 0, "web", "Allow", reach.Hosts, "MaxSize", reach.HostsMax)
	kind(reach.Shell, "shell", "Dir", reach.Root)

	return codeIf(kinds != nil, jen.Qual(toolsPath, "On").Call(kinds...))
}

// pricesCode returns the prices of models; nil if the project has none.
func pricesCode(p *ir.Prices) *jen.Statement {
	if p == nil {
		return nil
	}
	models := ir.Map(p.Models, func(m *ir.ModelPrice) jen.Code {
		return jen.Values(keyedField("Name", jen.Lit(m.Name.Value)), keyedField("Input", jen.Lit(int(m.Input))),
			keyedField("Output", jen.Lit(int(m.Output))), keyedField("Cached", jen.Lit(int(m.Cached))), keyedField("Stored", jen.Lit(int(m.Stored))))
	})

	return jen.Op("&").Add(inRuntime("model.Prices")).Add(newFields("AsOf", p.AsOf, "Models", structList(inRuntime("model.Price"), models)).onLines())
}

// budgetCode returns a budget with the type typ; nil for nil.
func budgetCode(b *ir.Budget, of *jen.Statement) *jen.Statement {
	if b == nil {
		return nil
	}

	return of.Add(newFields("Tokens", b.Tokens, "USD", b.USD, "Calls", b.Calls, "Time", b.Time).onOneLine())
}

// emitBudget emits the budget of a run of an agent.
func emitBudget(f *jen.File, a *ir.Agent) {
	if a.Budget == nil {
		return
	}
	name := a.Name.Value
	emitVar(f, names.Budget(name), "limits a run of "+name+" and all runs that it starts", budgetCode(a.Budget, inRuntime("Budget")))
}

// emitLimit emits the statement that limits the spending of the rest of a function.
func emitLimit(g *jen.Group, a *ir.Agent) {
	if a.Budget == nil {
		return
	}
	name := a.Name.Value
	g.Defer().Id("fx").Dot("Limit").Call(jen.Lit(name), jen.Lit(""), jen.Op("&").Id(names.Budget(name))).Call()
	g.Line()
}

// newRecordingsDraft returns the file of the recordings, which are the longest texts; nil without
// recordings.
func newRecordingsDraft(p *ir.Program) *draft {
	if len(p.Recordings) == 0 {
		return nil
	}

	return &draft{
		name: names.RecordingsFile, source: "recordings",
		fill: func(f *jen.File) {
			for _, r := range p.Recordings {
				emitConst(f, names.Recording(r.Path), "is "+r.Path, codeLiteral(string(r.File.Bytes)))
			}
		},
	}
}

// newProvidersDraft returns the file that opens models; nil if the project names no provider.
func newProvidersDraft(p *ir.Program) *draft {
	openers := names.Openers(p)
	if len(openers) == 0 {
		return nil
	}
	values := ir.Map(openers, func(o names.Opener) jen.Code {
		return jen.Line().Lit(o.Provider).Op(":").Qual(o.Path, "Open")
	})

	return newPartsDraft(p, names.ProvidersFile, names.Providers,
		"the functions that open the models of the providers that the project names",
		jen.Map(jen.String()).Add(inRuntime("model.Opener")), append(values, jen.Line()), openers...)
}

// newPartsDraft returns the file of a function that returns values for a field of the program with
// the given type.
func newPartsDraft(p *ir.Program, name, function, what string, typ *jen.Statement, values []jen.Code, aliases ...names.Opener) *draft {
	return &draft{
		name: name, source: everything,
		fill: func(f *jen.File) {
			for _, alias := range aliases {
				f.ImportAlias(alias.Path, alias.Name)
			}
			emitDeclaration(f, function+" returns "+what+". This file is replaced in programs that are built only for scripts.",
				jen.Func().Id(function).Params().Add(typ).Block(jen.Return(typ.Clone().Values(values...))))
		},
	}
}

// partsCode returns the parts of the program: included ones and servers; nil without any.
func partsCode(p *ir.Program) *jen.Statement {
	var lists []jen.Code
	if parts := includedParts(p); len(parts) > 0 {
		values := ir.Map(parts, func(part names.Included) jen.Code { return jen.Qual(part.Path, "Part").Values() })
		lists = append(lists, jen.Index().Add(inRuntime("compiled.Part")).Values(values...))
	}
	if len(p.Servers) > 0 {
		lists = append(lists, jen.Id(names.ServerParts).Call())
	}
	switch len(lists) {
	case 0:
		return nil
	case 1:
		return jen.Add(lists[0])
	}

	return jen.Qual("slices", "Concat").Call(lists...)
}

// WithoutProviders returns files for a program that opens no models and no MCP servers, so that
// their packages are not linked. It is for programs with answers from a script, which have to build
// without the modules of providers.
func WithoutProviders(pkg string, files []File) []File {
	bare := make([]File, len(files))
	for i, f := range files {
		switch f.Name {
		case names.ProvidersFile:
			f.Content = emptyPartsFile(pkg, names.Providers, "model", "map[string]model.Opener")
		case names.ServersFile:
			f.Content = emptyPartsFile(pkg, names.ServerParts, "compiled", "[]compiled.Part")
		}
		bare[i] = f
	}

	return bare
}

// emptyPartsFile returns the file of a function that returns no parts; their type is in a package
// below runtime.
func emptyPartsFile(pkg, function, of, typ string) []byte {
	return fmt.Appendf(nil, "%s\n\npackage %s\n\nimport %q\n\nfunc %s() %s { return nil }\n",
		newGeneratedLine(everything), pkg, importPath(of), function, typ)
}

// includedParts returns the parts of the binary in the order of `include`, then the part that opens
// its store.
func includedParts(p *ir.Program) []names.Included {
	var parts []names.Included
	for _, word := range append(ir.Values(p.Include), names.StorePart(p.Store.Value)) {
		if part, known := names.PartOf(word); known {
			parts = append(parts, part)
		}
	}

	return parts
}

// drivesMachines reports whether a part of the program drives live machines. hasRemoteGo reports
// whether a part runs functions and guards in other processes.
func drivesMachines(p *ir.Program) bool {
	return slices.ContainsFunc(includedParts(p), func(part names.Included) bool { return part.Drives })
}
func hasRemoteGo(p *ir.Program) bool {
	return slices.ContainsFunc(includedParts(p), func(part names.Included) bool { return part.Remote })
}

// machineInfosCode returns the constructors of the live machines that a board can drive: the
// machines with `drive: external`, or all if a part of the program drives machines. The linker
// drops the others.
func machineInfosCode(p *ir.Program) []jen.Code {
	var infos []jen.Code
	for _, a := range p.Agents {
		m := a.MachineOf()
		if m == nil || !a.IsGoDriven() && !drivesMachines(p) {
			continue
		}
		name := a.Name.Value
		var args []jen.Code
		if use := collectGuardUse(m); use.named {
			args = append(args, jen.Id("a").Dot("guards"))
		}
		made := jen.Id("m")
		body := []jen.Code{
			made.Clone().Op(":=").Id(names.NewLive(name)).Call(args...),
			made.Clone().Dot("SetClock").Call(jen.Id("clock")),
		}
		if len(agentsWithSignals(p)) > 0 {
			body = append(body, made.Clone().Dot("SetRoutes").Call(jen.Op("&").Id("a").Dot("routes")))
		}
		makes := jen.Func().Params(jen.Id("clock").Func().Params().Qual("time", "Time")).Add(inRuntime("drive.Machine")).Block(
			append(body, jen.Line(), jen.Return(made))...)
		infos = append(infos, jen.Values(jen.Id("Name").Op(":").Lit(name), jen.Id("New").Op(":").Add(makes)))
	}

	return infos
}
