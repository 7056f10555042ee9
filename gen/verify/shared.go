package verify

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// shared compares the file that belongs to no single agent.
func shared(p *ir.Program, files map[string]*emit.File) error {
	f := files[names.SharedFile]
	if f == nil {
		return &MismatchError{Machine: allAgents, Where: names.SharedFile, Want: "a file", Got: "none"}
	}
	d, err := parse(f)
	if err != nil {
		return err
	}

	r := &reader{decls: d, agent: allAgents}
	r.app(p)
	r.routes(p)
	r.runEntry(p)
	r.program(p)
	r.functions(p)
	r.dispatch(p)
	for _, tool := range p.Tools {
		r.tool(tool)
	}
	for _, server := range p.Servers {
		for _, tool := range server.Tools {
			r.toolSpec(tool)
		}
	}
	for _, skill := range usedSkills(p) {
		r.skill(skill)
	}
	for _, m := range p.Models {
		r.settings(names.RoleTemperature(m.Role.Value), names.RoleMaxTokens(m.Role.Value), m.Temperature, m.MaxTokens)
	}
	for _, script := range p.Scripts {
		r.textOf(names.Script(script.Path), script.JSON)
	}

	return r.err
}

// allAgents stands for the machine in a mismatch of the shared file.
const allAgents = "all agents"

// runEntry compares the method that runs the entry point.
func (r *reader) runEntry(p *ir.Program) {
	if p.Entry == nil || driven(p.Entry) {
		r.absent("App.Run")
		return
	}
	r.writtenFunc("App.Run", `func (a *App) Run(ctx context.Context, engine runtime.Engine, input string) (runtime.Finish, error) {
		return engine.Run(ctx, a.Program(), `+strconv.Quote(p.Entry.Name.Value)+`, input)
	}`)
}

// program compares Program. Of its two hashes it is compared that they are there.
func (r *reader) program(p *ir.Program) {
	body := r.function("App.Program")
	if r.err != nil {
		return
	}
	if len(body) != 3 {
		r.fail("Program", "three statements", strconv.Itoa(len(body)))
		return
	}
	r.head("App.Program", "func (a *App) Program() *runtime.Program")
	r.programFields(p, body[0])

	var infos []string
	for _, a := range p.Agents {
		infos = append(infos, "(*App)."+names.Info(a.Name.Value))
	}
	r.written("Program, the agents", "for _, info := range [...]func(*App) runtime.AgentInfo{"+strings.Join(infos, ", ")+
		"} { program.Agents = append(program.Agents, info(a)) }", body[1])
	r.written("Program, the end", "return program", body[2])
}

func (r *reader) programFields(p *ir.Program, stmt ast.Stmt) {
	literal := programLiteral(stmt)
	if literal == nil {
		r.fail("Program", "program := &runtime.Program{…}", "something else")
		return
	}

	r.fields("Program", "runtime.Program", append(programName(p), slices.Concat(
		r.hash("Shape", literal), r.hash("Text", literal), programFields(p))...), literal)
}

// programLiteral returns what stands in the braces of program := &T{…}; nil for another statement.
func programLiteral(stmt ast.Stmt) *ast.CompositeLit {
	assign, isAssign := stmt.(*ast.AssignStmt)
	if !isAssign || len(assign.Lhs) != 1 || assign.Tok != token.DEFINE || ident(assign.Lhs[0]) != "program" {
		return nil
	}
	pointer, isPointer := assign.Rhs[0].(*ast.UnaryExpr)
	if !isPointer || pointer.Op != token.AND {
		return nil
	}
	literal, _ := pointer.X.(*ast.CompositeLit)

	return literal
}

// hash returns a field that holds a hash, as it is written: 32 hexadecimal digits, whichever they are.
func (r *reader) hash(name string, literal *ast.CompositeLit) []field {
	for _, e := range literal.Elts {
		pair, isPair := e.(*ast.KeyValueExpr)
		if !isPair || ident(pair.Key) != name {
			continue
		}
		if text, isText := constant(pair.Value); isText && hexadecimal.MatchString(text) {
			return []field{{name, strconv.Quote(text)}}
		}
	}
	r.fail("Program, "+name, "a hash", "none")

	return nil
}

var hexadecimal = regexp.MustCompile(`^[0-9a-f]{32}$`)

func programName(p *ir.Program) []field {
	if p.Entry == nil {
		return []field{{"Name", strconv.Quote(p.Package)}}
	}
	name := strconv.Quote(p.Entry.Name.Value)

	return []field{{"Name", name}, {"Entry", name}}
}

func programFields(p *ir.Program) []field {
	var want []field
	add := func(name, typ string, items []string) {
		if len(items) > 0 {
			want = append(want, field{name, "[]runtime." + typ + "{" + strings.Join(items, ", ") + "}"})
		}
	}

	var tools, models, providers, scripts []string
	for _, tool := range p.AllTools() {
		name := tool.Name.Value
		run := ", Run: a." + names.CallTool(name)
		if tool.Server != nil {
			run = ""
		}
		tools = append(tools, "{Spec: &"+names.Tool(name)+run+"}")
	}
	for _, m := range p.Models {
		models = append(models, "{"+modelInfo(m)+"}")
	}
	for _, provider := range p.Providers {
		if provider.BaseURL != "" || provider.Stream != nil {
			providers = append(providers, "{"+providerInfo(provider)+"}")
		}
	}
	for _, s := range p.Scripts {
		scripts = append(scripts, "{Path: "+strconv.Quote(s.Path)+", JSON: "+names.Script(s.Path)+"}")
	}
	add("Tools", "ToolInfo", tools)
	if len(p.Guards) > 0 {
		want = append(want, field{"Guards", textList(guardNames(p))})
	}
	if len(p.Funcs) > 0 {
		want = append(want, field{"Funcs", textList(funcNames(p))})
	}
	add("Models", "ModelInfo", models)
	if p.HasModels {
		want = append(want, field{"HasModels", "true"})
	}
	add("Providers", "ProviderInfo", providers)
	add("Scripts", "ScriptInfo", scripts)
	add("Recordings", "RecordingInfo", recordingInfos(p))
	if p.Prices != nil {
		want = append(want, field{"Prices", prices(p.Prices)})
	}
	if vars := p.Vars(); len(vars) > 0 {
		want = append(want, field{"Vars", textList(vars)})
	}
	if opener := turnedOn(p.Reach); opener != "" {
		want = append(want, field{"Builtins", opener})
	}
	if signalled(p) != "" {
		want = append(want, field{"Router", "a.routes"})
	}
	add("Machines", "MachineInfo", machineInfos(p))
	if names.Remote(p.Include) && len(p.Funcs) > 0 {
		want = append(want, field{"Apply", "a." + names.FuncByName})
	}
	if names.Remote(p.Include) && len(p.Guards) > 0 {
		want = append(want, field{"Judge", names.NamedGuards + "(a.guards)"})
	}
	if parts := withServers(p, programParts(p)); parts != "" {
		want = append(want, field{"Parts", parts})
	}
	if p.Budget != nil {
		want = append(want, field{"Budget", "&" + budgetText(p.Budget)})
	}
	if p.Limits != (ir.Limits{}) {
		want = append(want, field{"Limits", boundsText(p.Limits)})
	}

	return want
}

func funcNames(p *ir.Program) []string {
	var list []string
	for _, f := range p.Funcs {
		list = append(list, f.Name.Value)
	}

	return list
}

func modelInfo(m *ir.Model) string {
	info := "Role: " + strconv.Quote(m.Role.Value) + ", Name: " + strconv.Quote(m.Name.Value)
	if len(m.Fallback) > 0 {
		info += ", Fallback: " + textList(values(m.Fallback))
	}
	if m.Temperature != nil {
		info += ", Temperature: &" + names.RoleTemperature(m.Role.Value)
	}
	if m.MaxTokens != nil {
		info += ", MaxTokens: &" + names.RoleMaxTokens(m.Role.Value)
	}
	if m.BaseURL != "" {
		info += ", BaseURL: " + strconv.Quote(m.BaseURL)
	}

	return info + streaming(m.Stream)
}

func providerInfo(p *ir.Provider) string {
	info := "Name: " + strconv.Quote(p.Name.Value)
	if p.BaseURL != "" {
		info += ", BaseURL: " + strconv.Quote(p.BaseURL)
	}

	return info + streaming(p.Stream)
}

// streaming is how a stream setting is written behind other fields; "" without one.
func streaming(on *bool) string {
	switch {
	case on == nil:
		return ""
	case *on:
		return ", Stream: runtime.StreamOn"
	}

	return ", Stream: runtime.StreamOff"
}
