package emit

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// builtinCall is a function that the language has itself: what it becomes, and which arguments it has.
type builtinCall struct {
	code *jen.Statement
	// params are its parameters in order. That called data is what the step is given where no argument has its name.
	params []string
	data   string
}

// builtins are those that are a call with all their arguments.
var builtins = map[string]builtinCall{
	"stringify":               {inWorkflow("Stringify"), []string{"x"}, "x"},
	"context_set":             {jen.Id("r").Dot("SetAt"), []string{"path", "value"}, "value"},
	"context_merge":           {jen.Id("r").Dot("MergeAt"), []string{"path", "value"}, "value"},
	"context_get":             {jen.Id("r").Dot("GetAt"), []string{"path", "default"}, ""},
	"to_csv":                  {inWorkflow("ToCSV"), []string{"rows", "headers"}, "rows"},
	"aggregate":               {inWorkflow("Aggregate"), []string{"data", "operation", "field"}, "data"},
	"select_fields":           {inWorkflow("SelectFields"), []string{"data", "include", "rename"}, "data"},
	"flatten":                 {inWorkflow("Flatten"), []string{"items"}, "items"},
	"check_user_confirmation": {inWorkflow("Confirmation"), []string{"user_input"}, "user_input"},
}

// tools are builtins that are a tool: which, and the argument that is what the step is given where none has its name.
var tools = map[string]struct{ name, data string }{
	"http_get": {"http_get", "url"}, "fs_write_file": {"files_write", "content"},
}

// builtin returns the call of a function that the language has itself.
func (b *paragraphs) builtin(t *ir.Task, do *ir.UseBuiltin) taskWork {
	if do.Builtin == ir.AskUser {
		return fallible(b.ask(t, b.question(t, do), ir.Type{}))
	}
	if tool := tools[do.Builtin]; tool.name != "" {
		args := fitted(argumentDepth, func(broken bool) *jen.Statement { return b.toolArguments(t, do, tool.data, broken) })
		return fallible(jen.Id("r").Dot("Tool").Call(jen.Lit(tool.name), args))
	}
	call, known := builtins[do.Builtin]
	if !known { // passthrough
		if t.Input == nil {
			return taskWork{}
		}
		return infallible(b.given(t))
	}

	return fallible(fitted(argumentDepth, func(broken bool) *jen.Statement {
		var args []jen.Code
		for _, param := range call.params {
			args = append(args, b.argumentOf(t, do, param, param == call.data, broken))
		}
		return call.code.Clone().Call(args...)
	}))
}

// toolArguments returns the arguments of a tool as an object.
func (b *paragraphs) toolArguments(t *ir.Task, do *ir.UseBuiltin, data string, broken bool) *jen.Statement {
	members := b.members(do.Args, broken)
	if !slices.ContainsFunc(do.Args, func(f ir.DatumField) bool { return f.Name.Value == data }) {
		members = append(members, memberOf(data, inWorkflow("Text").Call(b.givenText(t, innerDepth))))
	}

	return listed(inWorkflow("Object"), members, broken)
}

// argumentOf returns an argument of a builtin; none if there is none.
func (b *paragraphs) argumentOf(t *ir.Task, do *ir.UseBuiltin, param string, isData, broken bool) *jen.Statement {
	for _, arg := range do.Args {
		if arg.Name.Value == param {
			return b.data(arg.Value, broken)
		}
	}
	if isData {
		return b.given(t)
	}

	return inWorkflow("None")
}

// question returns what ask_user asks.
func (b *paragraphs) question(t *ir.Task, do *ir.UseBuiltin) *jen.Statement {
	for _, arg := range do.Args {
		if arg.Name.Value == "question" && arg.Value.Kind == ir.DatumText {
			return b.template(argumentDepth, arg.Value.Text)
		}
	}

	return b.givenText(t, argumentDepth)
}
