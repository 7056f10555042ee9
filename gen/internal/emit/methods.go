package emit

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
)

// userMethod is a method that the user implements.
type userMethod struct {
	// source is its name in the source, doc its comment.
	source ir.Text
	doc    string
	// in and out are the Go types of its parameter and its result. fields is the Go type of the fields
	// of the context that it takes; nil without any.
	in, fields, out jen.Code
	// call is the code that calls it by its name.
	call *jen.Statement
}

// emitInterface emits an interface of methods that the user implements.
func emitInterface(f *jen.File, name, doc string, methods []userMethod) {
	emitDeclaration(f, doc, jen.Type().Id(name).InterfaceFunc(func(g *jen.Group) {
		for i, m := range methods {
			if i > 0 {
				g.Line()
			}
			g.Add(newComment(m.doc))
			g.Add(m.signatureCode())
		}
	}))
}

// signatureCode returns the method in an interface.
func (m userMethod) signatureCode() *jen.Statement {
	params := []jen.Code{ctxParam(), jen.Id("in").Add(m.in)}
	if m.fields != nil {
		params = append(params, jen.Id("c").Add(m.fields))
	}

	return jen.Id(names.Method(m.source.Value)).Params(params...).Params(m.out, jen.Error())
}

func ctxParam() jen.Code { return jen.Id("ctx").Qual("context", "Context") }

// callByName returns statements that call the method with a name in the source, and return
// otherwise if no method has the name.
func callByName(methods []userMethod, otherwise ...jen.Code) []jen.Code {
	return []jen.Code{
		jen.Switch(jen.Id("name")).BlockFunc(func(g *jen.Group) {
			for _, m := range methods {
				g.Case(jen.Lit(m.source.Value)).Block(jen.Return(m.call))
			}
		}),
		jen.Line(),
		jen.Return(otherwise...),
	}
}

// refuseNilCode returns a statement that returns ErrNotImplemented if an interface is nil, as in
// programs that run on a script. result is the other result of the function.
func refuseNilCode(given *jen.Statement, result jen.Code) jen.Code {
	return jen.If(given.Op("==").Nil()).Block(jen.Return(result, inRuntime("ErrNotImplemented")))
}

// sourceNames returns the names of methods in the source.
func sourceNames(methods []userMethod) []string {
	return ir.Map(methods, func(m userMethod) string { return m.source.Value })
}

// Interface is an interface of the generated package that the user implements and passes to New.
type Interface struct {
	// Name is the name of the interface. Field is the name of its parameter of New, and of its
	// section in scripts: tools.
	Name, Field string
	// What describes one of its methods.
	What    string
	Methods []Method
}

// Method is a method that the user implements.
type Method struct {
	// Name is its name in the source.
	Name ir.Text
	// Signature is the method as another package writes it: "SearchWeb(ctx context.Context, in
	// agents.SearchWebInput) (string, error)".
	Signature string
}

// ownType matches a type of the generated package in a signature.
var ownType = regexp.MustCompile(`([ (\[*])([A-Z]\w*)`)

// userInterface is an interface of methods that the user implements, with the name of its field, a
// description of its methods, and the code that calls them.
type userInterface struct {
	name, field, what, use string
	methods                []userMethod
}

// userInterfaces returns the interfaces that New takes, in its order.
func userInterfaces(p *ir.Program) []userInterface {
	fixed := names.FixedNames(p)

	return ir.Where([]userInterface{
		{fixed.Tools, "tools", "tool", "agents call tools", toolMethods(p.Tools)},
		{fixed.Guards, "guards", "guard", "rows ask guards", guardMethods(p.Guards)},
		{fixed.Funcs, "funcs", "function", "workflows call funcs", funcMethods(p.Funcs)},
	}, func(i userInterface) bool { return len(i.methods) > 0 })
}

// Interfaces returns the interfaces that New of the generated package takes.
func Interfaces(p *ir.Program) []Interface {
	method := func(m userMethod) Method {
		signature := strings.TrimPrefix(jen.Func().Add(m.signatureCode()).GoString(), "func ")
		return Method{m.source, ownType.ReplaceAllString(signature, "${1}"+p.Package+".$2")}
	}

	return ir.Map(userInterfaces(p), func(i userInterface) Interface { return Interface{i.name, i.field, i.what, ir.Map(i.methods, method)} })
}

// toolMethods returns the methods of Tools.
func toolMethods(tools []*ir.Tool) []userMethod {
	var methods []userMethod
	for _, tool := range tools {
		name := tool.Name.Value
		result := jen.String()
		args := []jen.Code{
			jen.Id("ctx"), jen.Id("args"), jen.Id("read" + names.ToolInput(name)), jen.Id("a").Dot("tools").Dot(names.Method(name)),
		}
		if tool.Output != nil {
			result = jen.Id(names.ToolOutput(name))
			args = append(args, jen.Id("read"+names.ToolOutput(name)))
		}
		doc := joinSentence(names.Method(name)+" is the tool "+name, tool.Description.Value)
		methods = append(methods, userMethod{
			source: tool.Name, doc: doc, in: jen.Id(names.ToolInput(name)), out: result, call: inRuntime("rt.CallTool").Call(args...),
		})
	}

	return methods
}

// emitTools emits the Tools interface, the method that calls its methods by name, and the
// specifications of the tools.
func (s *shared) emitTools(f *jen.File) {
	methods := toolMethods(s.p.Tools)
	emitInterface(f, s.fixed.Tools, s.fixed.Tools+" are the typed tools of the skills. The error of a method is reported to the model, which may "+
		"try again; runtime.ErrNotImplemented ends the run.", methods)
	problem := jen.Lit("there is no tool ").Op("+").Id("name")
	emitDeclaration(f, "callTool calls the method of the tool with this name.", s.method("callTool").
		Params(ctxParam(), jen.Id("name").String(), jen.Id("args").Add(rawMessage())).Params(inRuntime("ToolResult"), jen.Error()).
		Block(append([]jen.Code{refuseNilCode(jen.Id("a").Dot("tools"), inRuntime("ToolResult").Values())},
			callByName(methods, inRuntime("ToolResult").Values(keyedField("Problem", problem)), jen.Nil())...)...))
	for _, tool := range s.p.Tools {
		emitTool(f, tool)
	}
}

// emitTool emits the specification of a tool, and the Go types of its arguments and result. Results
// of servers are only decoded.
func emitTool(f *jen.File, tool *ir.Tool) {
	name := tool.Name.Value
	emitToolSpec(f, tool)
	emitSchema(f, names.ToolInput(name), describeArguments(tool), tool.Input, false)
	emitSchema(f, names.ToolOutput(name), describeResult(tool), tool.Output, tool.Server == nil)
}

// emitToolSpec emits the specification of a tool.
func emitToolSpec(f *jen.File, tool *ir.Tool) {
	name := tool.Name.Value
	server := ""
	if tool.Server != nil {
		server = tool.Server.Name.Value
	}
	l := newFields(
		"Name", name,
		"Description", tool.Description,
		"Input", jen.Id(names.ToolInputSchema(name)),
		"Output", codeIf(tool.Output != nil, jen.Id(names.ToolOutputSchema(name))),
		"Effect", inRuntime("Effect"+upperFirst(string(tool.Effect))),
		"Idempotent", tool.Idempotent,
		"Confirm", tool.Confirm,
		"OnUnknown", onUnknownCode(&tool.CallTraits),
		"Interruptible", tool.Interruptible,
		"Server", server,
		"Check", checkFunc(names.ToolInput(name)),
		"CheckOutput", codeIf(tool.Output != nil && isOnce(tool), checkFunc(names.ToolOutput(name))),
		"Question", questionCode(tool))

	emitVar(f, names.Tool(name), "describes "+name+" to models and engines", inRuntime("ToolSpec").Add(l.onLines()))
}

// questionCode returns the code that makes the question of a confirmation; nil for the default one.
func questionCode(tool *ir.Tool) *jen.Statement {
	if len(tool.Question) == 0 {
		return nil
	}
	parts := ir.Map(tool.Question, func(part ir.QuestionPart) jen.Code {
		defaults := part.Defaults
		if strings.Join(defaults, "") == "" {
			defaults = nil
		}
		return jen.Values(newFields("Text", part.Text, "Path", part.Path, "Defaults", defaults)...)
	})

	return inRuntime("rt.Question").Call(structList(inRuntime("rt.QuestionPart"), parts))
}

// isOnce reports whether a call of the tool must not happen twice: a person may give the result of
// an interrupted call.
func isOnce(tool *ir.Tool) bool {
	return !tool.IsRepeatable() && tool.OnUnknown != "retry"
}

// onUnknownCode returns what happens after a crash during a call; nil for the default.
func onUnknownCode(t *ir.CallTraits) jen.Code {
	isDefault := t.OnUnknown == "" || t.OnUnknown == "ask"

	return codeIf(!isDefault, jen.Lit(t.OnUnknown))
}

// describeArguments and describeResult return the names of a tool's values in comments.
func describeArguments(tool *ir.Tool) string { return "the arguments of " + tool.Name.Value }
func describeResult(tool *ir.Tool) string    { return "the result of " + tool.Name.Value }

// emitSkill emits a skill.
func emitSkill(f *jen.File, skill *ir.Skill) {
	name := skill.Name.Value
	var prefixed, encoded []string
	tools := ir.Map(skill.Tools, func(ref ir.ToolRef) jen.Code {
		if ref.Tool != nil {
			return jen.Op("&").Id(names.Tool(ref.Tool.Name.Value))
		}
		if ref.Value != ref.Builtin {
			prefixed = append(prefixed, ref.Builtin)
		}
		return inRuntime("rt.Builtin").Call(jen.Lit(ref.Builtin))
	})
	var files []jen.Code
	for i, file := range skill.Files {
		files = append(files, jen.Lit(file.Path).Op(":").Id(names.SkillFile(name, i)))
		if file.Binary {
			encoded = append(encoded, file.Path)
		}
	}
	l := newFields(
		"Name", name,
		"Description", skill.Description,
		"Body", codeIf(skill.Body.Value != "", jen.Id(names.SkillBody(name))),
		"Tools", structList(jen.Op("*").Add(inRuntime("ToolSpec")), tools),
		"Prefixed", prefixed,
		"Vars", skill.EnvVars(),
		"Files", codeIf(files != nil, jen.Map(jen.String()).String().Custom(block, files...)),
		"Base64", encoded)

	emitVar(f, names.Skill(name), "describes "+name+" to the runtime", inRuntime("rt.SkillSpec").Add(l.onLines()))
}

// newServersDraft returns the file of the MCP servers that skills name; nil if there are none.
func newServersDraft(p *ir.Program) *draft {
	if len(p.Servers) == 0 {
		return nil
	}

	servers := jen.Qual(names.ClientPath, "Part").Values(keyedField("Servers", structList(inClient("Server"), ir.Map(p.Servers, serverCode))))

	return newPartsDraft(p, names.ServersFile, names.ServerParts, "the MCP servers of the skills, with their pins",
		jen.Index().Add(inRuntime("compiled.Part")), []jen.Code{servers})
}

func inClient(name string) *jen.Statement { return jen.Qual(names.ClientPath, name) }

// serverCode returns the specification of a server.
func serverCode(s *ir.Server) jen.Code {
	headers := ir.Map(s.Headers, func(h ir.Header) jen.Code { return newFields("Name", h.Name, "Value", h.Value).onOneLine() })

	return newFields(
		"Name", s.Name,
		"Command", s.Command,
		"URL", s.URL,
		"Env", s.Env,
		"Headers", codeIf(len(headers) > 0, jen.Index().Add(inClient("Header")).Values(headers...)),
		"Protocol", s.Protocol,
		"Tools", structList(inClient("Tool"), ir.Map(s.Tools, serverToolCode))).onLines()
}

func serverToolCode(tool *ir.Tool) jen.Code {
	name := tool.Name.Value

	return newFields(
		"Spec", jen.Op("&").Id(names.Tool(name)),
		"Remote", tool.Remote,
		"Hints", tool.Hints,
		"CheckOutput", codeIf(tool.Output != nil, checkFunc(names.ToolOutput(name)))).onLines()
}

// funcMethods returns the methods of Funcs.
func funcMethods(funcs []*ir.Func) []userMethod {
	var methods []userMethod
	for _, fn := range funcs {
		name := fn.Name.Value
		input, output := inWorkflow("Value"), inWorkflow("Value") // without a schema, any value
		if fn.Input != nil {
			input = jen.Id(names.FuncArgs(name))
		}
		if fn.Output != nil {
			output = jen.Id(names.FuncResult(name))
		}
		method := userMethod{
			source: fn.Name, doc: names.Method(name) + " is the function " + name + ".", in: input, out: output,
			call: jen.Id("a").Dot(names.ApplyFunc(name)).Call(jen.Id("ctx"), jen.Id("argument")),
		}
		if fn.Context != nil {
			method.fields = jen.Id(names.FuncContext(name))
		}
		methods = append(methods, method)
	}

	return methods
}

// emitFuncs emits the Funcs interface, and calls of its methods: also by name, for engines whose
// workers are other processes.
func (s *shared) emitFuncs(f *jen.File) {
	methods := funcMethods(s.p.Funcs)
	emitInterface(f, s.fixed.Funcs, s.fixed.Funcs+" are the functions that workflows call. The error of a method fails the step that calls it; "+
		"runtime.ErrNotImplemented ends the run.", methods)
	for _, fn := range s.p.Funcs {
		s.emitFunc(f, fn)
	}
	if hasRemoteGo(s.p) {
		emitDeclaration(f, names.FuncByName+" calls the function with this name.", s.method(names.FuncByName).
			Params(ctxParam(), jen.Id("name").String(), jen.Id("argument").Add(rawMessage())).Params(rawMessage(), jen.Error()).
			Block(callByName(methods, jen.Nil(), inRuntime("ErrNotImplemented"))...))
	}
}

func (s *shared) emitFunc(f *jen.File, fn *ir.Func) {
	name := fn.Name.Value
	decode, encode := inWorkflow("Parse"), inWorkflow("Value").Dot("MarshalJSON")
	if fn.Input != nil {
		decode = readerCode(names.FuncArgs(name)).Dot("Decode")
	}
	if fn.Output != nil {
		encode = readerCode(names.FuncResult(name)).Dot("Encode")
	}
	call, args := "CallFunc", []jen.Code{jen.Id("ctx"), jen.Id("argument"), decode}
	if fn.Context != nil {
		call, args = "CallFuncWithContext", append(args, readerCode(names.FuncContext(name)).Dot("Decode"))
	}
	args = append(args, jen.Id("a").Dot("funcs").Dot(names.Method(name)), encode)
	layout := jen.Options{Open: "(", Close: ")", Separator: ","}
	if fn.Input != nil && fn.Output != nil || fn.Context != nil {
		layout = broken
	}
	emitDeclaration(f, names.ApplyFunc(name)+" calls the method for "+name+".",
		s.method(names.ApplyFunc(name)).Params(ctxParam(), jen.Id("argument").Add(rawMessage())).Params(rawMessage(), jen.Error()).
			Block(refuseNilCode(jen.Id("a").Dot("funcs"), jen.Nil()), jen.Line(), jen.Return(inWorkflow(call).Custom(layout, args...))))
	emitFuncSpec(f, fn)
	emitSchema(f, names.FuncArgs(name), "the argument of "+name, fn.Input, false)
	emitSchema(f, names.FuncContext(name), "the fields of the context that "+name+" takes", fn.Context, false)
	emitSchema(f, names.FuncResult(name), "the result of "+name, fn.Output, true)
}

// emitFuncSpec emits what is declared about a function, if anything is.
func emitFuncSpec(f *jen.File, fn *ir.Func) {
	name := fn.Name.Value
	spec := funcSpecFields(fn)
	if len(spec) > 0 {
		emitVar(f, names.FuncSpec(name), "is what the workflows declare about "+name, inWorkflow("FuncSpec").Add(spec.onLines()))
	}
}

// funcSpecFields returns what is declared about a function; none if nothing is.
func funcSpecFields(fn *ir.Func) fields {
	name := fn.Name.Value
	argument := codeIf(fn.Input != nil, checkFunc(names.FuncArgs(name)))
	if fn.Context != nil {
		input := jen.Nil()
		if fn.Input != nil {
			input = argument
		}
		argument = inWorkflow("CheckWithContext").Call(input, checkFunc(names.FuncContext(name)))
	}

	return newFields(
		"Argument", argument,
		"Result", codeIf(fn.Output != nil, checkFunc(names.FuncResult(name))),
		"Repeatable", fn.IsRepeatable(),
		"OnUnknown", onUnknownCode(&fn.CallTraits),
		"Interruptible", fn.Interruptible)
}

// guardMethods returns the methods of Guards.
func guardMethods(guards []*ir.GuardFunc) []userMethod {
	var methods []userMethod
	for _, guard := range guards {
		name := guard.Name.Value
		call := jen.Id("guards").Dot(names.Method(name))
		data := rawMessage()
		if guard.Data.IsStruct() {
			data = jen.Id(names.TypeOf(guard.Data))
			call = inRuntime("rt.AskTyped").Call(jen.Id("ctx"), jen.Id("in"), jen.Id("read"+names.TypeOf(guard.Data)), call)
		} else {
			call = call.Call(jen.Id("ctx"), jen.Id("in"))
		}
		doc := names.Method(name) + " is the guard " + name + "." + describeUses(guard)
		methods = append(methods, userMethod{
			source: guard.Name, doc: doc, in: inRuntime("GuardInput").Types(data), out: inRuntime("Verdict"), call: call,
		})
	}

	return methods
}

// emitGuards emits the Guards interface, and the function that finds its methods by name.
func (s *shared) emitGuards(f *jen.File) {
	methods := guardMethods(s.p.Guards)
	emitInterface(f, s.fixed.Guards, s.fixed.Guards+" are the named guards of rows. An error or a panic of a method ends the run with a *runtime.GuardError; "+
		"a live machine keeps its state. A live machine calls them while it is locked: they must not wait, and must not call "+
		"the machine.", methods)
	emitDeclaration(f, names.NamedGuards+" finds the methods of guards by their names in rows.",
		jen.Func().Id(names.NamedGuards).Params(jen.Id("guards").Id(s.fixed.Guards)).Add(inRuntime("rt.NamedGuards")).Block(
			jen.Return(jen.Func().
				Params(ctxParam(), jen.Id("name").String(), jen.Id("in").Add(inRuntime("GuardInput").Types(rawMessage()))).
				Params(inRuntime("Verdict"), jen.Error()).
				Block(append([]jen.Code{refuseNilCode(jen.Id("guards"), inRuntime("Verdict").Values())},
					callByName(methods, inRuntime("Verdict").Values(), inRuntime("ErrNotImplemented"))...)...))))
}

// describeUses describes where a guard is called: each state once, if there are few.
func describeUses(guard *ir.GuardFunc) string {
	const shown = 8
	places := ir.Unique(ir.Map(guard.Uses, func(use ir.GuardUse) string {
		return fmt.Sprintf("in state %s of %s on %s", use.State.Name.Value, use.Agent.Name.Value, use.Row.Key.Value)
	}))
	if len(places) == 0 {
		return ""
	}
	more := ""
	if left := len(places) - shown; left > 0 {
		places, more = places[:shown], fmt.Sprintf("; and %d more", left)
	}

	return " It is asked " + strings.Join(places, "; ") + more + "."
}
