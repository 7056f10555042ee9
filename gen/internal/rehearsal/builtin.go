package rehearsal

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// builtin does what a function of the language does.
func (s *search) builtin(p point, do *ir.UseBuiltin, data workflow.Value) []point {
	in := p.env.eval()
	arg := func(name string) workflow.Value {
		i := slices.IndexFunc(do.Args, func(f ir.DatumField) bool { return f.Name.Value == name })
		if i < 0 {
			return workflow.None
		}
		return in.datum(do.Args[i].Value)
	}
	given := func(name string) workflow.Value { // what is the step's data unless it is named
		if slices.ContainsFunc(do.Args, func(f ir.DatumField) bool { return f.Name.Value == name }) {
			return arg(name)
		}
		return data
	}
	switch do.Builtin {
	case "http_get", "fs_write_file":
		return s.tool(p, do)
	case "context_set":
		return written(p, arg("path"), given("value"), (*workflow.Run).SetAt)
	case "context_merge":
		return written(p, arg("path"), given("value"), (*workflow.Run).MergeAt)
	case "context_get":
		return computed(p, func() (workflow.Value, error) { return p.env.run.GetAt(arg("path"), arg("default")) }, arg("path"))
	case "stringify":
		x := given("x")
		return computed(p, func() (workflow.Value, error) { return workflow.Stringify(x) })
	case "to_csv":
		rows, headers := given("rows"), arg("headers")
		return computed(p, func() (workflow.Value, error) { return workflow.ToCSV(rows, headers) }, rows, headers)
	case "aggregate":
		list, operation, field := given("data"), arg("operation"), arg("field")
		return computed(p, func() (workflow.Value, error) { return workflow.Aggregate(list, operation, field) }, list, operation, field)
	case "select_fields":
		list, include, rename := given("data"), arg("include"), arg("rename")
		return computed(p, func() (workflow.Value, error) { return workflow.SelectFields(list, include, rename) }, list, include, rename)
	case "flatten":
		items := given("items")
		return computed(p, func() (workflow.Value, error) { return workflow.Flatten(items) }, items)
	case "check_user_confirmation":
		said := given("user_input")
		return computed(p, func() (workflow.Value, error) { return workflow.Confirmation(said) }, said)
	}

	return []point{p.with(data)}
}

// computed gives the result of a function; something unknown if an argument is.
func computed(p point, function func() (workflow.Value, error), args ...workflow.Value) []point {
	if slices.ContainsFunc(args, isUnknown) {
		return []point{p.with(unknown)}
	}
	v, err := function()
	if err != nil {
		return []point{p.failing()}
	}

	return []point{p.with(v)}
}

// written changes the context at a place that an argument names.
func written(p point, path, value workflow.Value, change func(*workflow.Run, workflow.Value, workflow.Value) (workflow.Value, error)) []point {
	if isUnknown(path) {
		p.doubtful = true
		return []point{p.with(unknown)}
	}
	p.env = p.env.copied()
	var result workflow.Value
	ok := p.env.write(func(r *workflow.Run) (err error) {
		result, err = change(r, path, value)
		return err
	})
	if !ok {
		return []point{p.failing()}
	}

	return []point{p.with(result)}
}

// tools are the builtins that are a tool.
var tools = map[string]string{"http_get": "http_get", "fs_write_file": "files_write"}

// tool is a tool that answers, or fails.
func (s *search) tool(p point, do *ir.UseBuiltin) []point {
	name := tools[do.Builtin]
	args := workflow.Object(p.env.eval().members(do.Args)...)
	if runtime.Builtin(name).Check([]byte(args.JSON())) != nil {
		return []point{p.failing()}
	}
	v := workflow.Text("A result of " + do.Builtin + ".")

	return []point{
		p.noting(s, Item{Kind: Tool, Name: name, Said: v.JSON()}).with(v),
		p.noting(s, Item{Kind: Tool, Name: name, Fails: true}).failing(),
	}
}
