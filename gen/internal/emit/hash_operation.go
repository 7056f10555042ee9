package emit

import (
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// body adds operations, and that they end, which separates what is behind them from what is in them. Guards and other expressions
// are part of it, and what functions are given: what was interrupted is resumed with values that they made. What agents and people
// are given is not: it is words, as a prompt is, and what was interrupted has the answer to it already.
func (d *digest) body(ops []ir.Op) {
	for _, op := range ops {
		d.op(op)
	}
	d.add("end")
}

func (d *digest) op(op ir.Op) {
	switch op := op.(type) {
	case *ir.Run:
		d.run(op)
	case *ir.Group:
		d.add("group", op.Var, strconv.Itoa(op.N))
		d.list(op.List)
		for _, run := range op.Runs {
			d.run(run)
		}
	case *ir.Loop:
		d.add("loop", strconv.Itoa(op.Times))
		d.list(op.List)
		d.body(op.Body)
	case *ir.If:
		d.condition(op.Cond)
		d.body(op.Then)
	case *ir.Ask:
		d.add("ask", op.Var, op.Question)
	case *ir.Return:
		d.add("return", number(op.Key), number(op.Form), op.Var)
	case *ir.Task:
		d.task(op)
	case *ir.Hitl:
		d.add("ask")
		d.schema("answer", op.Answer.Schema)
	case *ir.UseFunc:
		d.decision(nil, op.Func)
		d.datum(op.Params)
	case *ir.UseBuiltin:
		d.add("builtin", op.Builtin)
		d.fields(op.Args)
	case *ir.Conditional:
		d.add("conditional")
		d.decision(op.Key, op.Func)
	case *ir.Repeat:
		d.add("repeat")
		d.decision(op.Exit, op.Func)
	case *ir.Each:
		d.add("map", op.Items.Value)
		d.datum(op.Result)
	case *ir.Fork:
		d.fork(op)
	case *ir.Import:
		d.imports(op)
	case *ir.Machine:
		d.machine(op)
	}
}

func (d *digest) run(r *ir.Run) {
	if r.Agent != nil {
		d.add("agent", r.Agent.Agent.Name.Value)
	} else {
		d.add("step", r.Step.Name.Value)
	}
	d.add(r.Var, number(r.At.Kind), r.At.State)
	d.add(r.At.Keys...)
}

func (d *digest) list(l *ir.List) {
	if l != nil {
		d.add("list", listKinds[l.Kind], l.Of)
	}
}

func (d *digest) condition(c ir.Cond) {
	switch c := c.(type) {
	case ir.KeyIs:
		d.add("if key", c.Var, c.Key, strconv.FormatBool(c.Not))
	case ir.SaysDone:
		d.add("if done", c.Var)
	case ir.AtLimit:
		d.add("if limit", strconv.Itoa(c.N))
	}
}

func number[T ~uint8](value T) string { return strconv.Itoa(int(value)) }

// task adds a step of a workflow, with the pipelines that it runs.
func (d *digest) task(t *ir.Task) {
	d.add("task", t.Name.Value, strconv.Itoa(t.Retries), strconv.FormatBool(t.UpdatesContext))
	if !takesWords(t) {
		d.datum(t.Input)
	}
	if t.SinkTo != nil {
		d.add("sink", t.SinkTo.Value)
	}
	d.op(t.Do)
	for _, p := range t.Pipelines() {
		d.add("steps", strings.Join(p.Name, "/"))
		d.body(p.Ops())
	}
	if t.Fallback != nil {
		d.add("fallback")
		d.task(t.Fallback)
	}
}

// takesWords reports whether what a step is given is words for a model or a person.
func takesWords(t *ir.Task) bool {
	switch t.Do.(type) {
	case *ir.Run, *ir.Hitl:
		return true
	}

	return false
}

// words adds what the steps of a workflow give to models and people.
func (d *digest) words(body []ir.Op) {
	ir.Walk(body, func(op ir.Op) {
		switch op := op.(type) {
		case *ir.Task:
			if takesWords(op) {
				d.add("step", op.Name.Value)
				d.datum(op.Input)
			}
			if op.Tokens > 0 || op.USD > 0 {
				d.add("limits", op.Name.Value, strconv.Itoa(op.Tokens), dollars(op.USD))
			}
		case *ir.Hitl:
			if op.Message != nil {
				d.add("message", op.Message.Text.Value)
			}
		}
	})
}

func (d *digest) fork(do *ir.Fork) {
	d.add("parallel", number(do.Merge), number(do.Reduce), strconv.FormatBool(do.Ignore))
	for _, fields := range do.Fields {
		d.add("fields", fields.Branch.Value)
		for _, field := range fields.Fields {
			d.add(field.Value)
		}
	}
}

func (d *digest) imports(do *ir.Import) {
	d.add("import", do.Agent.Agent.Name.Value, strconv.FormatBool(do.Inherit), number(do.InputTo), do.Key,
		strconv.FormatBool(do.All), number(do.OnFailure))
	for _, o := range do.Outputs {
		d.add("output", o.Child.Value, o.Parent.Value)
	}
}

// decision adds what decides: an expression or a function, if there is one.
func (d *digest) decision(f *ir.Formula, by *ir.Func) {
	if f != nil {
		d.add("formula", f.Text.Value)
	}
	if by != nil {
		d.add("function", by.Name.Value)
	}
}

func (d *digest) fields(fields []ir.DatumField) {
	for _, field := range fields {
		d.add("field", field.Name.Value)
		d.datum(field.Value)
	}
	d.add("end")
}

// datum adds data of the source.
func (d *digest) datum(x *ir.Datum) {
	if x == nil {
		return
	}
	switch x.Kind {
	case ir.DatumText:
		d.add("text", x.Text.Text.Value)
	case ir.DatumValue:
		d.add("value", valueText(x.Value))
	case ir.DatumJSON:
		d.add("json", x.JSON)
	case ir.DatumList:
		d.add("list", strconv.Itoa(len(x.List)))
		for _, item := range x.List {
			d.datum(item)
		}
	case ir.DatumFields:
		d.add("fields")
		d.fields(x.Fields)
	}
}

// valueText is an expression as it is written in the source.
func valueText(x ir.Expression) string {
	at := x.At()
	if at.File == nil {
		return ""
	}

	return string(at.File.Bytes[at.Start:at.End])
}
