package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// tools emits the Tools interface, the dispatch, and what is known of each tool.
func (s *shared) tools(f *jen.File) {
	f.Add(comment("Tools are the typed tools of the skills. The error of a method is reported to the model, which may " +
		"try again; runtime.ErrNotImplemented ends the run."))
	f.Type().Id("Tools").InterfaceFunc(func(g *jen.Group) {
		for i, tool := range s.p.Tools {
			if i > 0 {
				g.Line()
			}
			g.Add(comment(sentence(names.Method(tool.Name.Value)+" is the tool "+tool.Name.Value, tool.Description.Value)))
			g.Id(names.Method(tool.Name.Value)).Params(ctxParam(), jen.Id("in").Id(names.ToolInput(tool.Name.Value))).
				Params(toolResult(tool), jen.Error())
		}
	})
	f.Line()

	s.dispatch(f)
	for _, tool := range s.p.Tools {
		emitTool(f, tool)
	}
}

func ctxParam() jen.Code { return jen.Id("ctx").Qual("context", "Context") }

func toolResult(tool *ir.Tool) jen.Code {
	if tool.Output == nil {
		return jen.String()
	}

	return jen.Id(names.ToolOutput(tool.Name.Value))
}

// dispatch emits callTool, if a skill in use offers a typed tool, or workers of other processes call tools.
func (s *shared) dispatch(f *jen.File) {
	if !s.hasCallTool() {
		return
	}

	f.Add(comment("callTool calls the method of the tool with this name."))
	f.Func().Params(jen.Id("a").Op("*").Id("App")).Id("callTool").
		Params(ctxParam(), jen.Id("name").String(), jen.Id("args").Add(rawMessage())).Params(in("ToolResult"), jen.Error()).
		Block(
			jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
				for _, tool := range s.p.Tools {
					g.Case(jen.Lit(tool.Name.Value)).Block(jen.Return(toolCall(tool)))
				}
			}),
			jen.Line(),
			jen.Return(in("ToolResult").Values(jen.Id("Problem").Op(":").Lit("there is no tool ").Op("+").Id("name")), jen.Nil()))
	f.Line()
}

// toolCall returns what calls the method of a tool.
func toolCall(tool *ir.Tool) *jen.Statement {
	name := tool.Name.Value
	function := "CallTool"
	args := []jen.Code{
		jen.Id("ctx"), jen.Id("args"), jen.Id("read" + names.ToolInput(name)), jen.Id("a").Dot("tools").Dot(names.Method(name)),
	}
	if tool.Output != nil {
		function = "CallToolJSON"
		args = append(args, jen.Id("encode"+names.ToolOutput(name)))
	}

	return in(function).Call(args...)
}

// hasCallTool reports whether the package has the method callTool, which engines get as Program.Call.
func (s *shared) hasCallTool() bool {
	return len(s.p.Tools) > 0 && (s.callsTools() || isRemote(s.p))
}

func (s *shared) callsTools() bool {
	for _, a := range s.p.Agents {
		if slices.ContainsFunc(a.Conversations(), callsTypedTool) {
			return true
		}
	}

	return false
}

func emitTool(f *jen.File, tool *ir.Tool) {
	name := tool.Name.Value
	toolSpec(f, tool)
	emitSchemaTypes(f, names.ToolInput(name), tool.Input)
	if tool.Output != nil {
		emitSchemaOutput(f, names.ToolOutput(name), tool.Output)
	}
}

// toolSpec emits what is known of a tool at compile time.
func toolSpec(f *jen.File, tool *ir.Tool) {
	name := tool.Name.Value
	l := &fields{}
	l.set("Name", jen.Lit(name))
	l.text("Description", tool.Description.Value)
	l.set("Input", jen.Id(names.ToolInputSchema(name)))
	if tool.Output != nil {
		l.set("Output", jen.Id(names.ToolOutputSchema(name)))
	}
	l.set("Effect", in(effectNames[tool.Effect]))
	if tool.Idempotent {
		l.set("Idempotent", jen.True())
	}
	if tool.Confirm {
		l.set("Confirm", jen.True())
	}
	l.set("OnUnknown", jen.Lit(tool.OnUnknown))
	if tool.Server != nil {
		l.set("Server", jen.Lit(tool.Server.Name.Value))
	}
	l.set("Check", checkOf(names.ToolInput(name)))
	if tool.Output != nil && isOnce(tool) {
		l.set("CheckOutput", checkOf(names.ToolOutput(name)))
	}

	f.Add(comment(names.Tool(name) + " describes " + name + " to models and engines."))
	f.Var().Id(names.Tool(name)).Op("=").Add(in("ToolSpec")).Add(l.braces())
	f.Line()
}

// isOnce says that a call of the tool must not happen twice: where one was interrupted, a person may give its result.
func isOnce(tool *ir.Tool) bool {
	return tool.Effect != ir.Read && !tool.Idempotent && tool.OnUnknown != "retry"
}

// toolSchemas emits the schemas of a tool as the model is shown them.
func toolSchemas(f *jen.File, tool *ir.Tool) {
	name := tool.Name.Value
	schemaText(f, names.ToolInputSchema(name), "the arguments of "+name, tool.Input)
	if tool.Output != nil {
		schemaText(f, names.ToolOutputSchema(name), "the result of "+name, tool.Output)
	}
}

// effectNames are the constants of package runtime.
var effectNames = map[ir.Effect]string{
	ir.Read: "EffectRead", ir.Write: "EffectWrite", ir.External: "EffectExternal",
}

// emitSkill emits a skill.
func emitSkill(f *jen.File, skill *ir.Skill) {
	name := skill.Name.Value
	l := &fields{}
	l.set("Name", jen.Lit(name))
	l.text("Description", skill.Description.Value)
	if skill.Body.Value != "" {
		l.set("Body", jen.Id(names.SkillBody(name)))
	}
	if len(skill.Tools) > 0 {
		var tools []jen.Code
		for _, ref := range skill.Tools {
			spec := in("Builtin").Call(jen.Lit(ref.Builtin))
			if ref.Tool != nil {
				spec = jen.Op("&").Id(names.Tool(ref.Tool.Name.Value))
			}
			tools = append(tools, jen.Values(
				jen.Id("Offered").Op(":").Lit(ref.Value), jen.Id("Spec").Op(":").Add(spec)))
		}
		l.set("Tools", jen.Index().Add(in("SkillTool")).Custom(block, tools...))
	}

	l.texts("Vars", skill.Vars())
	if len(skill.Files) > 0 {
		var files []jen.Code
		for i, file := range skill.Files {
			files = append(files, jen.ValuesFunc(func(g *jen.Group) {
				g.Id("Path").Op(":").Lit(file.Path)
				g.Id("Text").Op(":").Id(names.SkillFile(name, i))
				if file.Binary {
					g.Id("Base64").Op(":").True()
				}
			}))
		}
		l.set("Files", jen.Index().Add(in("SkillFile")).Custom(block, files...))
	}

	f.Add(comment(names.Skill(name) + " describes " + name + " to the runtime."))
	f.Var().Id(names.Skill(name)).Op("=").Add(in("SkillSpec")).Add(l.braces())
	f.Line()
}
