package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// tools emits the Tools interface, the dispatch, and what is known of each tool.
func (s *shared) tools(f *jen.File) {
	declare(f, "Tools are the typed tools of the skills. The error of a method is reported to the model, which may "+
		"try again; runtime.ErrNotImplemented ends the run.",
		jen.Type().Id("Tools").InterfaceFunc(func(g *jen.Group) {
			for i, tool := range s.p.Tools {
				if i > 0 {
					g.Line()
				}
				g.Add(comment(sentence(names.Method(tool.Name.Value)+" is the tool "+tool.Name.Value, tool.Description.Value)))
				g.Id(names.Method(tool.Name.Value)).Params(ctxParam(), jen.Id("in").Id(names.ToolInput(tool.Name.Value))).
					Params(toolResult(tool), jen.Error())
			}
		}))

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

	declare(f, "callTool calls the method of the tool with this name.",
		jen.Func().Params(jen.Id("a").Op("*").Id("App")).Id("callTool").
			Params(ctxParam(), jen.Id("name").String(), jen.Id("args").Add(rawMessage())).Params(in("ToolResult"), jen.Error()).
			Block(
				jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
					for _, tool := range s.p.Tools {
						g.Case(jen.Lit(tool.Name.Value)).Block(jen.Return(toolCall(tool)))
					}
				}),
				jen.Line(),
				jen.Return(in("ToolResult").Values(jen.Id("Problem").Op(":").Lit("there is no tool ").Op("+").Id("name")), jen.Nil())))
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
	server := ""
	if tool.Server != nil {
		server = tool.Server.Name.Value
	}
	l := fieldsOf(
		"Name", name,
		"Description", tool.Description,
		"Input", jen.Id(names.ToolInputSchema(name)),
		"Output", wanted(tool.Output != nil, jen.Id(names.ToolOutputSchema(name))),
		"Effect", in(effectNames[tool.Effect]),
		"Idempotent", tool.Idempotent,
		"Confirm", tool.Confirm,
		"OnUnknown", jen.Lit(tool.OnUnknown),
		"Server", server,
		"Check", checkOf(names.ToolInput(name)),
		"CheckOutput", wanted(tool.Output != nil && isOnce(tool), checkOf(names.ToolOutput(name))))

	declare(f, names.Tool(name)+" describes "+name+" to models and engines.",
		jen.Var().Id(names.Tool(name)).Op("=").Add(in("ToolSpec")).Add(l.braces()))
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
	tools := eachOf(skill.Tools, func(ref ir.ToolRef) jen.Code {
		spec := in("Builtin").Call(jen.Lit(ref.Builtin))
		if ref.Tool != nil {
			spec = jen.Op("&").Id(names.Tool(ref.Tool.Name.Value))
		}
		return fieldsOf("Offered", ref.Text, "Spec", spec).line()
	})
	var files []jen.Code
	for i, file := range skill.Files {
		files = append(files, fieldsOf("Path", file.Path, "Text", jen.Id(names.SkillFile(name, i)), "Base64", file.Binary).line())
	}
	l := fieldsOf(
		"Name", name,
		"Description", skill.Description,
		"Body", wanted(skill.Body.Value != "", jen.Id(names.SkillBody(name))),
		"Tools", listOf(in("SkillTool"), tools),
		"Vars", skill.Vars(),
		"Files", listOf(in("SkillFile"), files))

	declare(f, names.Skill(name)+" describes "+name+" to the runtime.",
		jen.Var().Id(names.Skill(name)).Op("=").Add(in("SkillSpec")).Add(l.braces()))
}
