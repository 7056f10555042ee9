package emit

import (
	"fmt"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// everything names the sources of the files that belong to no single agent.
const everything = "agents"

// shared emits what belongs to no single agent.
type shared struct {
	p *ir.Program
	// graphs are the diagrams of the agents, in the order of the program; "" without one. A diagram shows inner machines too, and
	// is emitted here so that a change of an inner machine does not change the file of the outer one.
	graphs []string
}

func sharedDraft(p *ir.Program, graphs []string) *draft {
	s := &shared{p: p, graphs: graphs}

	return &draft{
		name: names.SharedFile, source: everything, sourceHash: sourceHash(sourcesOf(p)...), fill: s.fill,
		doc: "Package " + p.Package + " has the agents of this project, compiled to Go. App runs them.",
	}
}

// sourcesOf returns the files of agents, their steps and skills.
func sourcesOf(p *ir.Program) []*source.File {
	files := []*source.File{nil} // so that one file is no special case
	for _, a := range p.Agents {
		files = append(files, filesOf(a)...)
	}
	for _, s := range p.Skills {
		files = append(files, s.File)
	}

	return files
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
			emitServerTool(f, tool)
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
	for _, m := range s.p.Models {
		pointed(f, names.RoleTemperature(m.Role.Value), names.RoleMaxTokens(m.Role.Value), m.Temperature, m.MaxTokens)
	}
	s.constants(f)
}

// versions emits the two constants that do not compile with a runtime that does not fit.
func (s *shared) versions(f *jen.File) {
	f.Add(comment("This code and the runtime check that they fit. If one of these lines does not compile, run agentc generate " +
		"again, or update the module of the runtime."))
	f.Const().Defs(
		jen.Id("_").Op("=").Add(in("EnforceVersion")).Call(jen.Lit(generation).Op("-").Add(in("MinVersion"))),
		jen.Id("_").Op("=").Add(in("EnforceVersion")).Call(in("MaxVersion").Op("-").Lit(generation)))
	f.Line()
}

func (s *shared) app(f *jen.File) {
	f.Add(comment("App runs the agents of this package. It is safe for concurrent use."))
	var written, values []jen.Code
	var uses []string
	for _, need := range s.needs() {
		written = append(written, jen.Id(need.name).Id(need.typ))
		values = append(values, jen.Id(need.name).Op(":").Id(need.name))
		uses = append(uses, "whose "+need.use)
	}
	doc := "New returns an App"
	if len(uses) > 0 {
		doc += " " + enumeration(uses) + ", which must be safe for concurrent use"
	}
	params := written
	if with := signalled(s.p); len(with) > 0 {
		written = append(slices.Clip(written), jen.Id("routes").Op("*").Add(inLive("Routes")))
		values = append(values, jen.Id("routes").Op(":").Add(inLive("NewRoutes")).Call(list(literals(with))))
	}
	f.Type().Id("App").Struct(written...)
	f.Line()
	f.Add(comment(doc + "."))
	f.Func().Id("New").Params(params...).Op("*").Id("App").Block(jen.Return(jen.Op("&").Id("App").Values(values...)))
	f.Line()

	if e := s.p.Entry; e != nil && !isExternal(e) {
		f.Add(comment("Run runs " + e.Name.Value + ", the entry point, on an engine."))
		f.Add(method("Run", jen.Id("ctx").Qual("context", "Context"), jen.Id("engine").Add(in("Engine")),
			jen.Id("input").String())).Block(
			jen.Return(jen.Id("engine").Dot("Run").Call(jen.Id("ctx"), jen.Id("a").Dot("Program").Call(),
				jen.Lit(e.Name.Value), jen.Id("input"))))
		f.Line()
	}
}

// need is an interface of the user's methods that the code of a program calls.
type need struct{ name, typ, use string }

// needs are those that New takes, in its order.
func (s *shared) needs() []need {
	var needs []need
	if len(s.p.Tools) > 0 {
		needs = append(needs, need{"tools", "Tools", "agents call tools"})
	}
	if len(s.p.Guards) > 0 {
		needs = append(needs, need{"guards", "Guards", "rows ask guards"})
	}
	if len(s.p.Funcs) > 0 {
		needs = append(needs, need{"funcs", "Funcs", "workflows call funcs"})
	}

	return needs
}

// program emits Program.
func (s *shared) program(f *jen.File) {
	l := &fields{}
	name := ProgramName(s.p)
	l.set("Name", jen.Lit(name))
	if s.p.Entry != nil {
		l.set("Entry", jen.Lit(name))
	}
	l.set("Shape", jen.Lit(ShapeHash(s.p)))
	l.set("Text", jen.Lit(TextHash(s.p)))
	if len(s.p.Agents) > 0 {
		l.set("Agents", in("Agents").Custom(broken, s.agentInfos()...))
	}
	if tools := s.p.AllTools(); len(tools) > 0 {
		l.set("Tools", jen.Index().Op("*").Add(in("ToolSpec")).CustomFunc(block, func(g *jen.Group) {
			for _, tool := range tools {
				g.Op("&").Id(names.Tool(tool.Name.Value))
			}
		}))
	}
	l.texts("Guards", guardNames(s.p.Guards))
	l.texts("Funcs", funcNames(s.p.Funcs))
	if len(s.p.Models) > 0 {
		l.set("Models", jen.Index().Add(in("ModelInfo")).Custom(block, modelInfos(s.p.Models)...))
	}
	if s.p.HasModels {
		l.set("HasModels", jen.True())
	}
	if infos := providerInfos(s.p.Providers); len(infos) > 0 {
		l.set("Providers", jen.Index().Add(in("ProviderInfo")).Custom(block, infos...))
	}
	if len(s.p.Scripts) > 0 {
		l.set("Scripts", jen.Index().Add(in("ScriptInfo")).Custom(block, scriptInfos(s.p.Scripts)...))
	}
	if len(s.p.Recordings) > 0 {
		l.set("Recordings", jen.Index().Add(in("RecordingInfo")).Custom(block, recordingInfos(s.p.Recordings)...))
	}
	if s.p.Prices != nil {
		l.set("Prices", prices(s.p.Prices))
	}
	l.texts("Vars", s.p.Vars())
	if opener := turnedOn(s.p.Reach); opener != nil {
		l.set("Builtins", opener)
	}
	if len(signalled(s.p)) > 0 {
		l.set("Router", jen.Id("a").Dot("routes"))
	}
	if infos := machineInfos(s.p); len(infos) > 0 {
		l.set("Machines", jen.Index().Add(in("MachineInfo")).Custom(block, infos...))
	}
	if s.hasCallTool() {
		l.set("Call", jen.Id("a").Dot("callTool"))
	}
	if isRemote(s.p) && len(s.p.Funcs) > 0 {
		l.set("Apply", jen.Id("a").Dot(names.FuncByName))
	}
	if isRemote(s.p) && len(s.p.Guards) > 0 {
		l.set("Judge", jen.Id(names.NamedGuards).Call(jen.Id("a").Dot("guards")))
	}
	if parts := programParts(s.p); parts != nil {
		l.set("Parts", parts)
	}

	if s.p.Budget != nil {
		l.set("Budget", budget(fieldDepth, s.p.Budget, jen.Op("&").Add(in("Budget"))))
	}
	if s.p.Limits != (ir.Limits{}) {
		l.set("Limits", limits(s.p.Limits))
	}

	f.Add(comment("Program describes the package to engines and command lines."))
	f.Func().Params(jen.Id("a").Op("*").Id("App")).Id("Program").Params().Op("*").Add(in("Program")).
		Block(jen.Return(jen.Op("&").Add(in("Program")).Add(l.braces())))
	f.Line()
}

var (
	// block is a list in braces with an item a line.
	block = jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}
	// broken is a list of parameters or arguments, one a line.
	broken = jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}
)

func (s *shared) agentInfos() []jen.Code {
	infos := []jen.Code{jen.Id("a")}
	for _, a := range s.p.Agents {
		infos = append(infos, jen.Parens(jen.Op("*").Id("App")).Dot(names.Info(a.Name.Value)))
	}

	return infos
}

func modelInfos(models []*ir.Model) []jen.Code {
	var infos []jen.Code
	for _, m := range models {
		infos = append(infos, jen.ValuesFunc(func(g *jen.Group) {
			g.Id("Role").Op(":").Lit(m.Role.Value)
			g.Id("Name").Op(":").Lit(m.Name.Value)
			if len(m.Fallback) > 0 {
				g.Id("Fallback").Op(":").Index().String().Values(list(literals(texts(m.Fallback))))
			}
			if m.Temperature != nil {
				g.Id("Temperature").Op(":").Op("&").Id(names.RoleTemperature(m.Role.Value))
			}
			if m.MaxTokens != nil {
				g.Id("MaxTokens").Op(":").Op("&").Id(names.RoleMaxTokens(m.Role.Value))
			}
			if m.BaseURL != "" {
				g.Id("BaseURL").Op(":").Lit(m.BaseURL)
			}
			if m.Stream != nil {
				g.Id("Stream").Op(":").Add(streaming(*m.Stream))
			}
		}))
	}

	return infos
}

func providerInfos(providers []*ir.Provider) []jen.Code {
	var infos []jen.Code
	for _, p := range providers {
		if p.BaseURL == "" && p.Stream == nil {
			continue
		}
		infos = append(infos, jen.ValuesFunc(func(g *jen.Group) {
			g.Id("Name").Op(":").Lit(p.Name.Value)
			if p.BaseURL != "" {
				g.Id("BaseURL").Op(":").Lit(p.BaseURL)
			}
			if p.Stream != nil {
				g.Id("Stream").Op(":").Add(streaming(*p.Stream))
			}
		}))
	}

	return infos
}

// streaming is the constant for a stream setting.
func streaming(on bool) *jen.Statement {
	if on {
		return in("StreamOn")
	}

	return in("StreamOff")
}

func scriptInfos(scripts []*ir.Script) []jen.Code {
	var infos []jen.Code
	for _, s := range scripts {
		infos = append(infos, jen.Values(
			jen.Id("Path").Op(":").Lit(s.Path), jen.Id("JSON").Op(":").Id(names.Script(s.Path))))
	}

	return infos
}

// usedSkills returns the skills that an agent or a step uses, in the order of the program.
func (s *shared) usedSkills() []*ir.Skill {
	used := map[*ir.Skill]bool{}
	for _, a := range s.p.Agents {
		for _, step := range a.Conversations() {
			for _, use := range step.Skills() {
				used[use.Skill] = true
			}
		}
	}

	var skills []*ir.Skill
	for _, skill := range s.p.Skills {
		if used[skill] {
			skills = append(skills, skill)
		}
	}

	return skills
}

// constants emits the long texts at the end of the file.
func (s *shared) constants(f *jen.File) {
	for _, skill := range s.usedSkills() {
		if skill.Body.Value != "" {
			name := names.SkillBody(skill.Name.Value)
			f.Add(comment(name + " is what reading " + skill.Name.Value + " answers."))
			f.Const().Id(name).Op("=").Add(text(skill.Body.Value))
			f.Line()
		}
		for i, file := range skill.Files {
			name := names.SkillFile(skill.Name.Value, i)
			f.Add(comment(fmt.Sprintf("%s is %q of %s.", name, file.Path, skill.Name.Value)))
			f.Const().Id(name).Op("=").Add(text(file.Text()))
			f.Line()
		}
	}
	for _, tool := range s.p.AllTools() {
		toolSchemas(f, tool)
	}
	for _, script := range s.p.Scripts {
		f.Add(comment(names.Script(script.Path) + " is " + script.Path + " as JSON."))
		f.Const().Id(names.Script(script.Path)).Op("=").Add(code(script.JSON))
		f.Line()
	}
	for i, a := range s.p.Agents {
		if s.graphs[i] == "" {
			continue
		}
		f.Add(comment(names.Graph(a.Name.Value) + " is a diagram of " + a.Name.Value + ", as Mermaid text."))
		f.Const().Id(names.Graph(a.Name.Value)).Op("=").Add(text(s.graphs[i]))
		f.Line()
	}
}
