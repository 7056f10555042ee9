package verify

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// app compares what an App consists of: what the user implements. Named guards are found by their names.
func (r *reader) app(p *ir.Program) {
	var fields, set []string
	add := func(is bool, name, typ string) {
		if is {
			fields = append(fields, name+" "+typ)
			set = append(set, name+": "+name)
		}
	}
	add(len(p.Tools) > 0, "tools", "Tools")
	add(len(p.Guards) > 0, "guards", "Guards")
	add(len(p.Funcs) > 0, "funcs", "Funcs")
	params := strings.Join(fields, ", ")
	if heard := signalled(p); heard != "" {
		fields = append(fields, "routes *live.Routes")
		set = append(set, "routes: live.NewRoutes("+heard+")")
	}
	r.typeOf("App", "struct { "+strings.Join(fields, "\n")+" }")
	r.writtenFunc("New", "func New("+params+") *App { return &App{"+strings.Join(set, ", ")+"} }")
	r.namedGuards(p)
}

// typeOf compares a type.
func (r *reader) typeOf(name, want string) {
	typ, known := r.types[name]
	if !known {
		r.fail(name, "a type", "none")
		return
	}
	r.written(name, want, typ)
}

// functions compares the interface with the functions that workflows call, and what calls them.
func (r *reader) functions(p *ir.Program) {
	r.funcByName(p)
	if len(p.Funcs) == 0 {
		return
	}
	var methods strings.Builder
	for _, f := range p.Funcs {
		argument, result := argumentTypes(f)
		methods.WriteString(names.Method(f.Name.Value) + "(ctx context.Context, in " + argument + ") (" + result + ", error)\n")
	}
	r.typeOf("Funcs", "interface { "+methods.String()+" }")
	for _, f := range p.Funcs {
		r.apply(f)
	}
}

// argumentTypes are the Go types of what a function takes and gives: any value without a schema.
func argumentTypes(f *ir.Func) (argument, result string) {
	argument, result = "workflow.Value", "workflow.Value"
	if f.Input != nil {
		argument = names.FuncArgs(f.Name.Value)
	}
	if f.Output != nil {
		result = names.FuncResult(f.Name.Value)
	}

	return argument, result
}

// funcByName compares the method that calls a function by its name, where a part needs that.
func (r *reader) funcByName(p *ir.Program) {
	if len(p.Funcs) == 0 || !names.Remote(p.Include) {
		r.absent("App." + names.FuncByName)

		return
	}
	var cases strings.Builder
	for _, f := range p.Funcs {
		cases.WriteString("case " + strconv.Quote(f.Name.Value) + ": return a." + names.ApplyFunc(f.Name.Value) + "(ctx, argument)\n")
	}
	r.writtenFunc("App."+names.FuncByName, "func (a *App) "+names.FuncByName+
		`(ctx context.Context, name string, argument json.RawMessage) (json.RawMessage, error) {
		switch name {
		`+cases.String()+`}
		return nil, runtime.ErrNotImplemented
	}`)
}

// apply compares the method that decodes the argument of a function, calls it and encodes what it returns.
func (r *reader) apply(f *ir.Func) {
	name := names.ApplyFunc(f.Name.Value)
	method := "a.funcs." + names.Method(f.Name.Value)
	decode, encode := "workflow.Parse(argument)", "out.MarshalJSON()"
	if f.Input != nil {
		decode = "decode" + names.FuncArgs(f.Name.Value) + "(argument)"
	}
	if f.Output != nil {
		encode = "encode" + names.FuncResult(f.Name.Value) + "(out)"
	}
	body := `in, err := ` + decode + `
		if err != nil { return nil, err }
		out, err := ` + method + `(ctx, in)
		if err != nil { return nil, err }
		return ` + encode
	if f.Input == nil && f.Output == nil {
		body = "return workflow.CallValue(ctx, argument, " + method + ")"
	}
	r.writtenFunc("App."+name, "func (a *App) "+name+
		"(ctx context.Context, argument json.RawMessage) (json.RawMessage, error) { "+body+" }")
}
