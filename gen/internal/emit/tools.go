package emit

import (
	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// toolMethods are the methods of Tools.
func toolMethods(tools []*ir.Tool) []userMethod {
	var methods []userMethod
	for _, tool := range tools {
		name := tool.Name.Value
		function, result := "rt.CallTool", jen.String()
		args := []jen.Code{
			jen.Id("ctx"), jen.Id("args"), jen.Id("read" + names.ToolInput(name)), jen.Id("a").Dot("tools").Dot(names.Method(name)),
		}
		if tool.Output != nil {
			function, result = "rt.CallToolJSON", jen.Id(names.ToolOutput(name))
			args = append(args, jen.Id("encode"+names.ToolOutput(name)))
		}
		doc := sentence(names.Method(name)+" is the tool "+name, tool.Description.Value)
		methods = append(methods, userMethod{tool.Name, doc, jen.Id(names.ToolInput(name)), result, in(function).Call(args...)})
	}

	return methods
}

// tools emits the Tools interface, the method that calls its methods by name, and what is known of each tool.
func (s *shared) tools(f *jen.File) {
	methods := toolMethods(s.p.Tools)
	interfaceOf(f, "Tools", "Tools are the typed tools of the skills. The error of a method is reported to the model, which may "+
		"try again; runtime.ErrNotImplemented ends the run.", methods)
	problem := jen.Lit("there is no tool ").Op("+").Id("name")
	declare(f, "callTool calls the method of the tool with this name.", ofApp("callTool").
		Params(ctxParam(), jen.Id("name").String(), jen.Id("args").Add(rawMessage())).Params(in("ToolResult"), jen.Error()).
		Block(byName(methods, in("ToolResult").Values(keyed("Problem", problem)), jen.Nil())...))
	for _, tool := range s.p.Tools {
		emitTool(f, tool)
	}
}

func emitTool(f *jen.File, tool *ir.Tool) {
	name := tool.Name.Value
	toolSpec(f, tool)
	emitSchemaTypes(f, names.ToolInput(name), tool.Input)
	emitSchemaOutput(f, names.ToolOutput(name), tool.Output)
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
	schemaText(f, names.ToolOutputSchema(name), "the result of "+name, tool.Output)
}

// effectNames are the constants of package runtime.
var effectNames = map[ir.Effect]string{
	ir.Read: "EffectRead", ir.Write: "EffectWrite", ir.External: "EffectExternal",
}

// emitSkill emits a skill.
func emitSkill(f *jen.File, skill *ir.Skill) {
	name := skill.Name.Value
	tools := eachOf(skill.Tools, func(ref ir.ToolRef) jen.Code {
		spec := in("rt.Builtin").Call(jen.Lit(ref.Builtin))
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
		"Tools", listOf(in("rt.SkillTool"), tools),
		"Vars", skill.Vars(),
		"Files", listOf(in("rt.SkillFile"), files))

	declare(f, names.Skill(name)+" describes "+name+" to the runtime.",
		jen.Var().Id(names.Skill(name)).Op("=").Add(in("rt.SkillSpec")).Add(l.braces()))
}
