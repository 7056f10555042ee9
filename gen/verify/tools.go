package verify

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// dispatch compares the switch that finds a typed tool by its name.
func (r *reader) dispatch(p *ir.Program) {
	if !slices.ContainsFunc(p.Agents, func(a *ir.Agent) bool { return slices.ContainsFunc(a.Conversations(), callsTools) }) {
		r.absent("App.callTool")
		return
	}

	var cases strings.Builder
	for _, tool := range p.Tools {
		cases.WriteString("case " + strconv.Quote(tool.Name.Value) + ": return a." + names.CallTool(tool.Name.Value) + "(ctx, args)\n")
	}
	r.writtenFunc("App.callTool", `func (a *App) callTool(ctx context.Context, name string, args json.RawMessage) (runtime.ToolResult, error) {
		switch name {
		`+cases.String()+`}
		return runtime.ToolResult{Problem: "there is no tool " + name}, nil
	}`)
}

// tool compares the method that runs a tool, and what models are told of it.
func (r *reader) tool(tool *ir.Tool) {
	name := tool.Name.Value
	result := "return runtime.ToolResult{Text: out}, nil"
	if tool.Output != nil {
		result = `text, err := encode` + names.ToolOutput(name) + `(out)
		if err != nil { return runtime.ToolResult{}, err }
		return runtime.ToolResult{Text: string(text), JSON: true}, nil`
	}
	r.writtenFunc("App."+names.CallTool(name), `func (a *App) `+names.CallTool(name)+
		`(ctx context.Context, args json.RawMessage) (runtime.ToolResult, error) {
		in, err := decode`+names.ToolInput(name)+`(args)
		if err != nil { return runtime.ToolResult{Problem: err.Error()}, nil }
		out, err := a.tools.`+names.Method(name)+`(ctx, in)
		if err != nil { return runtime.ToolResult{}, err }
		`+result+`
	}`)

	r.toolSpec(tool)
}

// toolSpec compares what models are told of a tool.
func (r *reader) toolSpec(tool *ir.Tool) {
	name := tool.Name.Value
	r.fields(names.Tool(name), "runtime.ToolSpec", toolFields(tool), r.values[names.Tool(name)])
	r.textOf(names.ToolInputSchema(name), tool.Input.JSON)
	if tool.Output != nil {
		r.textOf(names.ToolOutputSchema(name), tool.Output.JSON)
	}
}

func toolFields(tool *ir.Tool) []field {
	name := tool.Name.Value
	want := []field{{"Name", strconv.Quote(name)}}
	add := func(set bool, name, value string) {
		if set {
			want = append(want, field{name, value})
		}
	}
	add(tool.Description.Value != "", "Description", strconv.Quote(tool.Description.Value))
	add(true, "Input", names.ToolInputSchema(name))
	add(tool.Output != nil, "Output", names.ToolOutputSchema(name))
	effect := "runtime.EffectExternal"
	switch tool.Effect {
	case ir.Read:
		effect = "runtime.EffectRead"
	case ir.Write:
		effect = "runtime.EffectWrite"
	}
	add(true, "Effect", effect)
	add(tool.Idempotent, "Idempotent", "true")
	add(tool.Confirm, "Confirm", "true")
	add(true, "OnUnknown", strconv.Quote(tool.OnUnknown))
	if tool.Server != nil {
		add(true, "Server", strconv.Quote(tool.Server.Name.Value))
	}
	add(true, "Check", "check"+names.ToolInput(name))
	once := tool.Effect != ir.Read && !tool.Idempotent && tool.OnUnknown != "retry"
	add(tool.Output != nil && once, "CheckOutput", "runtime.CheckValue(read"+names.ToolOutput(name)+")")

	return want
}

// skill compares a skill: what it says, and which tools it unlocks under which names.
func (r *reader) skill(skill *ir.Skill) {
	name := skill.Name.Value
	want := []field{{"Name", strconv.Quote(name)}}
	if skill.Description.Value != "" {
		want = append(want, field{"Description", strconv.Quote(skill.Description.Value)})
	}
	if skill.Body.Value != "" {
		want = append(want, field{"Body", names.SkillBody(name)})
		r.textOf(names.SkillBody(name), skill.Body.Value)
	}
	var tools []string
	for _, ref := range skill.Tools {
		spec := "runtime.Builtin(" + strconv.Quote(ref.Builtin) + ")"
		if ref.Tool != nil {
			spec = "&" + names.Tool(ref.Tool.Name.Value)
		}
		tools = append(tools, "{Offered: "+strconv.Quote(ref.Value)+", Spec: "+spec+"}")
	}
	if len(tools) > 0 {
		want = append(want, field{"Tools", "[]runtime.SkillTool{" + strings.Join(tools, ", ") + "}"})
	}
	if vars := skill.Vars(); len(vars) > 0 {
		want = append(want, field{"Vars", textList(vars)})
	}
	var files []string
	for i, file := range skill.Files {
		r.textOf(names.SkillFile(name, i), file.Text())
		written := "{Path: " + strconv.Quote(file.Path) + ", Text: " + names.SkillFile(name, i)
		if file.Binary {
			written += ", Base64: true"
		}
		files = append(files, written+"}")
	}
	if len(files) > 0 {
		want = append(want, field{"Files", "[]runtime.SkillFile{" + strings.Join(files, ", ") + "}"})
	}
	r.fields(names.Skill(name), "runtime.SkillSpec", want, r.values[names.Skill(name)])
}

// usedSkills returns the skills that agents use, in the order of the program.
func usedSkills(p *ir.Program) []*ir.Skill {
	used := map[*ir.Skill]bool{}
	for _, a := range p.Agents {
		for _, s := range a.Conversations() {
			for _, use := range s.Skills() {
				used[use.Skill] = true
			}
		}
	}

	return slices.DeleteFunc(slices.Clone(p.Skills), func(skill *ir.Skill) bool { return !used[skill] })
}
