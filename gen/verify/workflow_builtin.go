package verify

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
)

// builtins are the functions that the language has itself: what is called, and the names of its arguments. The one that is
// marked is what the step is given, if no argument has its name.
var builtins = map[string]struct{ call, params string }{
	"stringify":               {"workflow.Stringify", "*x"},
	"context_set":             {"r.SetAt", "path *value"},
	"context_merge":           {"r.MergeAt", "path *value"},
	"context_get":             {"r.GetAt", "path default"},
	"to_csv":                  {"workflow.ToCSV", "*rows headers"},
	"aggregate":               {"workflow.Aggregate", "*data operation field"},
	"select_fields":           {"workflow.SelectFields", "*data include rename"},
	"flatten":                 {"workflow.Flatten", "*items"},
	"check_user_confirmation": {"workflow.Confirmation", "*user_input"},
}

// builtin is the call of a function that the language has itself.
func (s *steps) builtin(t *ir.Task, do *ir.UseBuiltin) (call string, fails bool) {
	args := map[string]*ir.Datum{}
	for _, arg := range do.Args {
		args[arg.Name.Value] = arg.Value
	}
	switch do.Builtin {
	case "passthrough":
		return s.giveOn(t), false
	case "http_get":
		return s.tool(t, do, "http_get", args["url"] != nil, "url"), true
	case "fs_write_file":
		return s.tool(t, do, "files_write", args["content"] != nil, "content"), true
	case ir.AskUser:
		if asked := args["question"]; asked != nil && asked.Kind == ir.DatumText {
			return ask(t, s.template(asked.Text), ir.Type{}), true
		}
		return ask(t, s.givenText(t), ir.Type{}), true
	}

	known := builtins[do.Builtin]
	var list []string
	for _, param := range strings.Fields(known.params) {
		name, isData := strings.CutPrefix(param, "*")
		switch arg := args[name]; {
		case arg != nil:
			list = append(list, s.datum(arg))
		case isData:
			list = append(list, s.given(t))
		default:
			list = append(list, "workflow.None")
		}
	}

	return known.call + "(" + strings.Join(list, ", ") + ")", true
}

// tool is the call of a tool. What the step is given is the argument called data, unless that is named.
func (s *steps) tool(t *ir.Task, do *ir.UseBuiltin, name string, named bool, data string) string {
	members := s.members(do.Args)
	if !named {
		members = append(members, member(data, "workflow.Text("+s.givenText(t)+")"))
	}

	return "r.Tool(" + quoted(name) + ", workflow.Object(" + strings.Join(members, ", ") + "))"
}
