package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// everything is the source of the files that belong to no single agent.
const everything = "agents"

// shared emits the declarations that belong to no single agent.
type shared struct {
	p *ir.Program
	// fixed are the names of the package that do not come from names of the project.
	fixed names.Fixed
	// graphs are the diagrams of the agents, in the order of the program; an agent without one
	// has an empty text. A diagram shows inner machines too. It is emitted here so that a change of an inner machine does not
	// change the file of the outer one.
	graphs []string
}

func newSharedDraft(p *ir.Program, graphs []string) *draft {
	s := &shared{p: p, fixed: names.FixedNames(p), graphs: graphs}

	return &draft{
		name: names.SharedFile, source: everything, fill: s.fillFile,
		doc: "Package " + p.Package + " has the agents of this project, compiled to Go. " + s.fixed.App + " runs them.",
	}
}

func (s *shared) fillFile(f *jen.File) {
	s.emitVersions(f)
	s.emitApp(f)
	s.emitRoutes(f)
	s.emitProgram(f)
	if len(s.p.Tools) > 0 {
		s.emitTools(f)
	}
	for _, server := range s.p.Servers {
		for _, tool := range server.Tools {
			emitTool(f, tool)
		}
	}
	if len(s.p.Guards) > 0 {
		s.emitGuards(f)
	}
	if len(s.p.Funcs) > 0 {
		s.emitFuncs(f)
	}
	for _, skill := range s.usedSkills() {
		emitSkill(f, skill)
	}
	s.emitConstants(f)
}

// emitVersions emits two constants that do not compile with an incompatible runtime.
func (s *shared) emitVersions(f *jen.File) {
	emitDeclaration(f, "This code and the runtime check that they fit. If one of these lines does not compile, run agentc generate "+
		"again, or update the module of the runtime.",
		jen.Const().Defs(
			jen.Id("_").Op("=").Add(inRuntime("rt.EnforceVersion")).Call(jen.Lit(generation).Op("-").Add(inRuntime("rt.MinVersion"))),
			jen.Id("_").Op("=").Add(inRuntime("rt.EnforceVersion")).Call(inRuntime("rt.MaxVersion").Op("-").Lit(generation))))
}

func (s *shared) emitApp(f *jen.File) {
	f.Add(newComment(s.fixed.App + " runs the agents of this package. It is safe for concurrent use."))
	var written, values []jen.Code
	var uses []string
	for _, i := range userInterfaces(s.p) {
		written = append(written, jen.Id(i.field).Id(i.name))
		values = append(values, jen.Id(i.field).Op(":").Id(i.field))
		uses = append(uses, "its "+i.use)
	}
	doc := s.fixed.New + " returns " + withArticle(s.fixed.App)
	if len(uses) > 0 {
		doc += ". " + upperFirst(words.List(uses, "and", len(uses))) + ", which must be safe for concurrent use"
	}
	params := written
	if with := agentsWithSignals(s.p); len(with) > 0 {
		written = append(slices.Clip(written), jen.Id("routes").Add(inRuntime("drive.Routes")))
		values = append(values, jen.Id("routes").Op(":").Add(inRuntime("drive.Routes")).Values(
			keyedField("Machines", jen.Index().String().Values(wrapItems(quoteTexts(with))))))
	}
	written = append(slices.Clip(written), jen.Id("description").Add(inRuntime("compiled.Description")))
	f.Type().Id(s.fixed.App).Struct(written...)
	f.Line()
	emitDeclaration(f, doc+".",
		jen.Func().Id(s.fixed.New).Params(params...).Op("*").Id(s.fixed.App).
			Block(jen.Return(jen.Op("&").Id(s.fixed.App).Values(values...))))

	if e := s.p.Entry; e != nil && !e.IsGoDriven() {
		emitDeclaration(f, "Run runs "+e.Name.Value+", the entry point, on an engine.",
			finishMethod(s.method("Run"), jen.Id("ctx").Qual("context", "Context"), jen.Id("engine").Add(inRuntime("compiled.Engine")),
				jen.Id("input").String()).Block(
				jen.Return(jen.Id("engine").Dot("Run").Call(jen.Id("ctx"), jen.Id("a").Dot("Program").Call(),
					jen.Lit(e.Name.Value), jen.Id("input")))))
	}
}

// method returns the head of a method of App.
func (s *shared) method(name string) *jen.Statement { return methodOfApp(s.fixed.App, name) }

// withArticle returns a name after its indefinite article, by its first letter.
func withArticle(name string) string {
	if strings.Contains("AEIOU", name[:1]) {
		return "an " + name
	}

	return "a " + name
}

// emitProgram emits Program.
func (s *shared) emitProgram(f *jen.File) {
	p := s.p
	name := ProgramName(p)
	remote, routed := hasRemoteGo(p), len(agentsWithSignals(p)) > 0
	limits := newFields("Reply", p.Limits.Reply, "ToolResult", p.Limits.ToolResult, "ToolResultMax", p.Limits.ToolResultMax)
	l := newFields(
		"Name", name,
		"Entry", codeIf(p.Entry != nil, jen.Lit(name)),
		"Shape", ShapeHash(p),
		"Text", hashSharedText(p),
		"Agents", codeIf(len(p.Agents) > 0, inRuntime("compiled.Agents").Custom(broken, s.agentInfosCode()...)),
		"Tools", structList(jen.Op("*").Add(inRuntime("ToolSpec")), ir.Map(p.AllTools(), func(tool *ir.Tool) jen.Code {
			return jen.Op("&").Id(names.Tool(tool.Name.Value))
		})),
		"Guards", sourceNames(guardMethods(p.Guards)),
		"Funcs", sourceNames(funcMethods(p.Funcs)),
		"Models", structList(inRuntime("compiled.Role"), ir.Map(p.Models, modelInfoCode)),
		"HasModels", p.HasModels,
		"Providers", structList(inRuntime("compiled.Provider"), providerInfosCode(p.Providers)),
		"Openers", codeIf(len(names.Openers(p)) > 0, jen.Id(names.Providers).Call()),
		"Scripts", mapLiteral(jen.String(), jen.String(), ir.Map(p.Scripts, func(s *ir.Script) jen.Code {
			return jen.Lit(s.Path).Op(":").Id(names.Script(s.Path))
		})),
		"Recordings", mapLiteral(jen.String(), jen.String(), ir.Map(p.Recordings, func(r *ir.Recording) jen.Code {
			return jen.Lit(r.Path).Op(":").Id(names.Recording(r.Path))
		})),
		"Prices", pricesCode(p.Prices),
		"Vars", p.EnvVars(),
		"Store", p.Store.Value,
		"Builtins", openToolsCode(p.Reach),
		"Routes", codeIf(routed, jen.Op("&").Id("a").Dot("routes")),
		"Machines", structList(inRuntime("compiled.Machine"), machineInfosCode(p)),
		"Call", codeIf(len(p.Tools) > 0, jen.Id("a").Dot("callTool")),
		"Apply", codeIf(remote && len(p.Funcs) > 0, jen.Id("a").Dot(names.FuncByName)),
		"Judge", codeIf(remote && len(p.Guards) > 0, jen.Id(names.NamedGuards).Call(jen.Id("a").Dot("guards"))),
		"Parts", partsCode(p),
		"Budget", budgetCode(p.Budget, jen.Op("&").Add(inRuntime("Budget"))),
		"Limits", codeIf(limits != nil, inRuntime("compiled.Limits").Add(limits.onOneLine())))

	emitDeclaration(f, "Program describes the package to engines and command lines.",
		s.method("Program").Params().Op("*").Add(inRuntime("compiled.Program")).Block(
			jen.Return(jen.Id("a").Dot("description").Dot("Program").Call(
				jen.Func().Params().Op("*").Add(inRuntime("compiled.Program")).Block(
					jen.Return(jen.Op("&").Add(inRuntime("compiled.Program")).Add(l.onLines())))))))
}

func (s *shared) agentInfosCode() []jen.Code {
	infos := ir.Map(s.p.Agents, func(a *ir.Agent) jen.Code {
		return jen.Parens(jen.Op("*").Id(s.fixed.App)).Dot(names.Info(a.Name.Value))
	})

	return append([]jen.Code{jen.Id("a")}, infos...)
}

func modelInfoCode(m *ir.Model) jen.Code {
	return newFields(
		"Role", m.Role,
		"Name", m.Name,
		"Fallback", m.Fallback,
		"Settings", settingsCode(m.Settings),
		"BaseURL", m.BaseURL,
		"Stream", m.Stream).onOneLine()
}

func providerInfosCode(providers []*ir.Provider) []jen.Code {
	set := ir.Where(providers, func(p *ir.Provider) bool { return p.BaseURL != "" || p.Stream != nil || p.EndsWithoutReason })

	return ir.Map(set, func(p *ir.Provider) jen.Code {
		return newFields("Name", p.Name, "BaseURL", p.BaseURL, "Stream", p.Stream, "EndsWithoutReason", p.EndsWithoutReason).onOneLine()
	})
}

// usedSkills returns the skills that an agent or a step uses, in the order of the program.
func (s *shared) usedSkills() []*ir.Skill {
	used := ir.SetOf(ir.Map(ir.FlatMap(s.p.Agents, (*ir.Agent).SkillRefs), func(use ir.SkillRef) *ir.Skill { return use.Skill }))

	return ir.Where(s.p.Skills, func(skill *ir.Skill) bool { return used[skill] })
}

// emitConstants emits the long texts at the end of the file.
func (s *shared) emitConstants(f *jen.File) {
	for _, skill := range s.usedSkills() {
		if skill.Body.Value != "" {
			emitConst(f, names.SkillBody(skill.Name.Value), "is the body of skill "+skill.Name.Value, textLiteral(skill.Body.Value))
		}
		for i, file := range skill.Files {
			doc := fmt.Sprintf("is the file %q of skill %s", file.Path, skill.Name.Value)
			emitConst(f, names.SkillFile(skill.Name.Value, i), doc, textLiteral(file.Text()))
		}
	}
	for _, tool := range s.p.AllTools() {
		name := tool.Name.Value
		emitSchemaText(f, names.ToolInputSchema(name), describeArguments(tool), tool.Input)
		emitSchemaText(f, names.ToolOutputSchema(name), describeResult(tool), tool.Output)
	}
	for _, script := range s.p.Scripts {
		emitConst(f, names.Script(script.Path), "is "+script.Path+" as JSON", codeLiteral(script.JSON))
	}
	for i, a := range s.p.Agents {
		if s.graphs[i] != "" {
			emitConst(f, names.Graph(a.Name.Value), "is a diagram of "+a.Name.Value+", as Mermaid text", textLiteral(s.graphs[i]))
		}
	}
}
