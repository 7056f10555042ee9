package simulate

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// pure are the builtins that compute something of their arguments: the names of these, the first of which is the step's data
// unless it is named, and what they compute.
var pure = map[string]struct {
	args []string
	of   func(a []workflow.Value) (workflow.Value, error)
}{
	"stringify":     {[]string{"x"}, func(a []workflow.Value) (workflow.Value, error) { return workflow.Stringify(a[0]) }},
	"to_csv":        {[]string{"rows", "headers"}, func(a []workflow.Value) (workflow.Value, error) { return workflow.ToCSV(a[0], a[1]) }},
	"aggregate":     {[]string{"data", "operation", "field"}, func(a []workflow.Value) (workflow.Value, error) { return workflow.Aggregate(a[0], a[1], a[2]) }},
	"select_fields": {[]string{"data", "include", "rename"}, func(a []workflow.Value) (workflow.Value, error) { return workflow.SelectFields(a[0], a[1], a[2]) }},
	"flatten":       {[]string{"items"}, func(a []workflow.Value) (workflow.Value, error) { return workflow.Flatten(a[0]) }},
	"check_user_confirmation": {
		[]string{"user_input"}, func(a []workflow.Value) (workflow.Value, error) { return workflow.Confirmation(a[0]) },
	},
}

// builtin does what a function of the language does.
func (r *workRun) builtin(do *ir.UseBuiltin, data workflow.Value) (workflow.Value, error) {
	arg := func(name string, missing workflow.Value) workflow.Value {
		i := slices.IndexFunc(do.Args, func(f ir.DatumField) bool { return f.Name.Value == name })
		if i < 0 {
			return missing
		}
		return r.datum(do.Args[i].Value)
	}
	path := func() workflow.Value { return arg("path", workflow.None) }
	switch do.Builtin {
	case "http_get":
		return r.tool(do, "http_get")
	case "fs_write_file":
		return r.tool(do, "files_write")
	case "context_set":
		return r.write(path(), arg("value", data), r.SetAt)
	case "context_merge":
		return r.write(path(), arg("value", data), r.MergeAt)
	case "context_get":
		at := path()
		if isUnknown(at) {
			return unknown, nil
		}
		return r.GetAt(at, arg("default", workflow.None))
	}
	f, known := pure[do.Builtin]
	if !known {
		return data, nil
	}
	args := []workflow.Value{arg(f.args[0], data)}
	for _, name := range f.args[1:] {
		args = append(args, arg(name, workflow.None))
	}
	if slices.ContainsFunc(args, isUnknown) {
		return unknown, nil
	}

	return f.of(args)
}

// write changes the context at a place that an argument names.
func (r *workRun) write(path, value workflow.Value, change func(path, value workflow.Value) (workflow.Value, error)) (workflow.Value, error) {
	if isUnknown(path) {
		r.x.depends(onGiven)
		return unknown, nil
	}

	return change(path, value)
}

// tool is a tool that answers, or fails.
func (r *workRun) tool(do *ir.UseBuiltin, name string) (workflow.Value, error) {
	args := workflow.Object(r.members(do.Args)...)
	if err := runtime.Builtin(name).Check([]byte(args.JSON())); err != nil {
		return workflow.None, err
	}

	return r.answers(kindOutput, name, []workflow.Value{workflow.Text("A result of " + do.Builtin + ".")})
}
