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

// everything names the sources of the files that belong to no single agent.
const everything = "agents"

// shared emits what belongs to no single agent.
type shared struct {
	p *ir.Program
	// fixed are the names of the package that come from no name of the project.
	fixed names.Fixed
	// graphs are the diagrams of the agents, in the order of the program; "" without one. A diagram
	// shows inner machines too, and is emitted here so that a change of an inner machine does not
	// change the file of the outer one.
	graphs []string
}

func sharedDraft(p *ir.Program, graphs []string) *draft {
	s := &shared{p: p, fixed: names.FixedNames(p), graphs: graphs}

	return &draft{
		name: names.SharedFile, source: everything, fill: s.fill,
		doc: "Package " + p.Package + " has the agents of this project, compiled to Go. " + s.fixed.App + " runs them.",
	}
}

func (s *shared) fill(f *jen.File) {
	s.versions(f)
	s.app(f)
	s.routes(f)
	s.program(f)
	if len(s.p.Tools) > 0 {
		s.tools(f)
	}
	for _, server := range s.p.Servers {
		for _, tool := range server.Tools {
			emitTool(f, tool)
		}
	}
	if len(s.p.Guards) > 0 {
		s.guards(f)
	}
	if len(s.p.Funcs) > 0 {
		s.funcs(f)
	}
	for _, skill := range s.usedSkills() {
		emitSkill(f, skill)
	}
	s.constants(f)
}

// versions emits the two constants that do not compile with a runtime that does not fit.
func (s *shared) versions(f *jen.File) {
	declare(f, "This code and the runtime check that they fit. If one of these lines does not compile, run agentc generate "+
		"again, or update the module of the runtime.",
		jen.Const().Defs(
			jen.Id("_").Op("=").Add(in("rt.EnforceVersion")).Call(jen.Lit(generation).Op("-").Add(in("rt.MinVersion"))),
			jen.Id("_").Op("=").Add(in("rt.EnforceVersion")).Call(in("rt.MaxVersion").Op("-").Lit(generation))))
}

func (s *shared) app(f *jen.File) {
	f.Add(comment(s.fixed.App + " runs the agents of this package. It is safe for concurrent use."))
	var written, values []jen.Code
	var uses []string
	for _, i := range userInterfaces(s.p) {
		written = append(written, jen.Id(i.field).Id(i.name))
		values = append(values, jen.Id(i.field).Op(":").Id(i.field))
		uses = append(uses, "whose "+i.use)
	}
	doc := s.fixed.New + " returns " + withArticle(s.fixed.App)
	if len(uses) > 0 {
		doc += " " + words.List(uses, "and", len(uses)) + ", which must be safe for concurrent use"
	}
	params := written
	if with := signalled(s.p); len(with) > 0 {
		written = append(slices.Clip(written), jen.Id("routes").Add(in("drive.Routes")))
		values = append(values, jen.Id("routes").Op(":").Add(in("drive.Routes")).Values(
			keyed("Machines", jen.Index().String().Values(list(literals(with))))))
	}
	f.Type().Id(s.fixed.App).Struct(written...)
	f.Line()
	declare(f, doc+".",
		jen.Func().Id(s.fixed.New).Params(params...).Op("*").Id(s.fixed.App).
			Block(jen.Return(jen.Op("&").Id(s.fixed.App).Values(values...))))

	if e := s.p.Entry; e != nil && !e.Driven() {
		declare(f, "Run runs "+e.Name.Value+", the entry point, on an engine.",
			finishing(s.method("Run"), jen.Id("ctx").Qual("context", "Context"), jen.Id("engine").Add(in("compiled.Engine")),
				jen.Id("input").String()).Block(
				jen.Return(jen.Id("engine").Dot("Run").Call(jen.Id("ctx"), jen.Id("a").Dot("Program").Call(),
					jen.Lit(e.Name.Value), jen.Id("input")))))
	}
}

// method returns the head of a method of App.
func (s *shared) method(name string) *jen.Statement { return methodOfApp(s.fixed.App, name) }

// withArticle returns a name behind its indefinite article, by the letter with which it begins.
func withArticle(name string) string {
	if strings.Contains("AEIOU", name[:1]) {
		return "an " + name
	}

	return "a " + name
}

// program emits Program.
func (s *shared) program(f *jen.File) {
	p := s.p
	name := ProgramName(p)
	remote, routed := isRemote(p), len(signalled(p)) > 0
	limits := fieldsOf("Reply", p.Limits.Reply, "ToolResult", p.Limits.ToolResult, "ToolResultMax", p.Limits.ToolResultMax)
	l := fieldsOf(
		"Name", name,
		"Entry", wanted(p.Entry != nil, jen.Lit(name)),
		"Shape", ShapeHash(p),
		"Text", sharedText(p),
		"Agents", wanted(len(p.Agents) > 0, in("compiled.Agents").Custom(broken, s.agentInfos()...)),
		"Tools", listOf(jen.Op("*").Add(in("ToolSpec")), ir.Map(p.AllTools(), func(tool *ir.Tool) jen.Code {
			return jen.Op("&").Id(names.Tool(tool.Name.Value))
		})),
		"Guards", sources(guardMethods(p.Guards)),
		"Funcs", sources(funcMethods(p.Funcs)),
		"Models", listOf(in("compiled.Role"), ir.Map(p.Models, modelInfo)),
		"HasModels", p.HasModels,
		"Providers", listOf(in("compiled.Provider"), providerInfos(p.Providers)),
		"Openers", wanted(len(names.Openers(p)) > 0, jen.Id(names.Providers).Call()),
		"Scripts", mapOf(jen.String(), jen.String(), ir.Map(p.Scripts, func(s *ir.Script) jen.Code {
			return jen.Lit(s.Path).Op(":").Id(names.Script(s.Path))
		})),
		"Recordings", mapOf(jen.String(), jen.String(), ir.Map(p.Recordings, func(r *ir.Recording) jen.Code {
			return jen.Lit(r.Path).Op(":").Id(names.Recording(r.Path))
		})),
		"Prices", prices(p.Prices),
		"Vars", p.Vars(),
		"Store", p.Store.Value,
		"Builtins", turnedOn(p.Reach),
		"Routes", wanted(routed, jen.Op("&").Id("a").Dot("routes")),
		"Machines", listOf(in("compiled.Machine"), machineInfos(p)),
		"Call", wanted(len(p.Tools) > 0, jen.Id("a").Dot("callTool")),
		"Apply", wanted(remote && len(p.Funcs) > 0, jen.Id("a").Dot(names.FuncByName)),
		"Judge", wanted(remote && len(p.Guards) > 0, jen.Id(names.NamedGuards).Call(jen.Id("a").Dot("guards"))),
		"Parts", programParts(p),
		"Budget", budget(p.Budget, jen.Op("&").Add(in("Budget"))),
		"Limits", wanted(limits != nil, in("compiled.Limits").Add(limits.line())))

	declare(f, "Program describes the package to engines and command lines.",
		s.method("Program").Params().Op("*").Add(in("compiled.Program")).Block(jen.Return(jen.Op("&").Add(in("compiled.Program")).Add(l.braces()))))
}

func (s *shared) agentInfos() []jen.Code {
	infos := ir.Map(s.p.Agents, func(a *ir.Agent) jen.Code {
		return jen.Parens(jen.Op("*").Id(s.fixed.App)).Dot(names.Info(a.Name.Value))
	})

	return append([]jen.Code{jen.Id("a")}, infos...)
}

func modelInfo(m *ir.Model) jen.Code {
	return fieldsOf(
		"Role", m.Role,
		"Name", m.Name,
		"Fallback", m.Fallback,
		"Settings", settings(m.Settings),
		"BaseURL", m.BaseURL,
		"Stream", m.Stream).line()
}

func providerInfos(providers []*ir.Provider) []jen.Code {
	set := ir.Where(providers, func(p *ir.Provider) bool { return p.BaseURL != "" || p.Stream != nil || p.EndsWithoutReason })

	return ir.Map(set, func(p *ir.Provider) jen.Code {
		return fieldsOf("Name", p.Name, "BaseURL", p.BaseURL, "Stream", p.Stream, "EndsWithoutReason", p.EndsWithoutReason).line()
	})
}

// usedSkills returns the skills that an agent or a step uses, in the order of the program.
func (s *shared) usedSkills() []*ir.Skill {
	used := ir.SetOf(ir.Map(ir.Flat(s.p.Agents, (*ir.Agent).SkillRefs), func(use ir.SkillRef) *ir.Skill { return use.Skill }))

	return ir.Where(s.p.Skills, func(skill *ir.Skill) bool { return used[skill] })
}

// constants emits the long texts at the end of the file.
func (s *shared) constants(f *jen.File) {
	for _, skill := range s.usedSkills() {
		if skill.Body.Value != "" {
			declareConst(f, names.SkillBody(skill.Name.Value), "is what reading "+skill.Name.Value+" answers", text(skill.Body.Value))
		}
		for i, file := range skill.Files {
			doc := fmt.Sprintf("is %q of %s", file.Path, skill.Name.Value)
			declareConst(f, names.SkillFile(skill.Name.Value, i), doc, text(file.Text()))
		}
	}
	for _, tool := range s.p.AllTools() {
		name := tool.Name.Value
		schemaText(f, names.ToolInputSchema(name), argumentsOf(tool), tool.Input)
		schemaText(f, names.ToolOutputSchema(name), resultOf(tool), tool.Output)
	}
	for _, script := range s.p.Scripts {
		declareConst(f, names.Script(script.Path), "is "+script.Path+" as JSON", code(script.JSON))
	}
	for i, a := range s.p.Agents {
		if s.graphs[i] != "" {
			declareConst(f, names.Graph(a.Name.Value), "is a diagram of "+a.Name.Value+", as Mermaid text", text(s.graphs[i]))
		}
	}
}
