package verify

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// shared compares the file that belongs to no single agent, and parses the tests.
func shared(p *ir.Program, files map[string]*emit.File) error {
	if tests := files[names.TestFile]; tests != nil {
		if _, err := parse(tests); err != nil {
			return err
		}
	}
	f := files[names.SharedFile]
	if f == nil {
		return &MismatchError{Machine: allAgents, Where: names.SharedFile, Want: "a file", Got: "none"}
	}
	d, err := parse(f)
	if err != nil {
		return err
	}

	r := &reader{decls: d, agent: allAgents}
	r.runEntry(p)
	r.program(p)
	r.dispatch(p)
	for _, tool := range p.Tools {
		r.tool(tool)
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
	m, isMachine := entryNode(p).(*ir.Machine)
	if p.Entry == nil || isMachine && m.External {
		r.absent("App.Run")
		return
	}
	r.writtenFunc("App.Run", `func (a *App) Run(ctx context.Context, engine runtime.Engine, input string) (runtime.Finish, error) {
		return engine.Run(ctx, a.Program(), `+strconv.Quote(p.Entry.Name.Value)+`, input)
	}`)
}

func entryNode(p *ir.Program) ir.Node {
	if p.Entry == nil {
		return nil
	}

	return p.Entry.Node
}

// program compares Program but for its two hashes.
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
	var literal *ast.CompositeLit
	if assign, isAssign := stmt.(*ast.AssignStmt); isAssign && len(assign.Lhs) == 1 && ident(assign.Lhs[0]) == "program" {
		if pointer, isPointer := assign.Rhs[0].(*ast.UnaryExpr); isPointer {
			literal, _ = pointer.X.(*ast.CompositeLit)
		}
	}
	if literal == nil {
		r.fail("Program", "program := &runtime.Program{…}", "something else")
		return
	}

	known := *literal
	known.Elts = slices.DeleteFunc(slices.Clone(literal.Elts), func(e ast.Expr) bool {
		pair, isPair := e.(*ast.KeyValueExpr)
		return isPair && (ident(pair.Key) == "Shape" || ident(pair.Key) == "Text")
	})
	if len(literal.Elts)-len(known.Elts) != 2 {
		r.fail("Program", "two hashes", strconv.Itoa(len(literal.Elts)-len(known.Elts)))
	}
	r.fields("Program", "runtime.Program", programFields(p), &known)
}

func programFields(p *ir.Program) []field {
	want := []field{{"Name", strconv.Quote(p.Package)}}
	if p.Entry != nil {
		name := strconv.Quote(p.Entry.Name.Value)
		want = []field{{"Name", name}, {"Entry", name}}
	}
	add := func(name, typ string, items []string) {
		if len(items) > 0 {
			want = append(want, field{name, "[]runtime." + typ + "{" + strings.Join(items, ", ") + "}"})
		}
	}

	var tools, models, scripts []string
	for _, tool := range p.Tools {
		name := tool.Name.Value
		tools = append(tools, "{Spec: &"+names.Tool(name)+", Run: a."+names.CallTool(name)+"}")
	}
	for _, m := range p.Models {
		models = append(models, "{"+modelInfo(m)+"}")
	}
	for _, s := range p.Scripts {
		scripts = append(scripts, "{Path: "+strconv.Quote(s.Path)+", JSON: "+names.Script(s.Path)+"}")
	}
	add("Tools", "ToolInfo", tools)
	add("Models", "ModelInfo", models)
	if p.HasModels {
		want = append(want, field{"HasModels", "true"})
	}
	add("Scripts", "ScriptInfo", scripts)

	return want
}

func modelInfo(m *ir.Model) string {
	info := "Role: " + strconv.Quote(m.Role.Value) + ", Name: " + strconv.Quote(m.Name.Value)
	if m.Temperature != nil {
		info += ", Temperature: &" + names.RoleTemperature(m.Role.Value)
	}
	if m.MaxTokens != nil {
		info += ", MaxTokens: &" + names.RoleMaxTokens(m.Role.Value)
	}
	if m.BaseURL != "" {
		info += ", BaseURL: " + strconv.Quote(m.BaseURL)
	}

	return info
}
