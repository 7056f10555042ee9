package emit

import (
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// workflow adds what a workflow does, step by step. Guards and other expressions are part of it, and what functions are given:
// what was interrupted goes on with values that they made. What agents and people are given is not: it is words, as a prompt is.
func (d *digest) workflow(w *ir.Workflow) {
	d.schema("context", w.Context)
	for _, s := range w.Agents {
		d.add("agent", s.Name.Value)
		d.conversation(s)
	}
	d.pipeline(w.Body)
}

// pipeline adds steps, and that they end.
func (d *digest) pipeline(p *ir.Pipeline) {
	if p != nil {
		for _, t := range p.Tasks {
			d.task(t)
		}
	}
	d.add("end")
}

func (d *digest) task(t *ir.Task) {
	d.add("step", t.Name.Value, strconv.Itoa(t.Retries))
	if !takesWords(t) {
		d.datum(t.Input)
	}
	if t.UpdatesContext {
		d.add("updates context")
	}
	if t.SinkTo != nil {
		d.add("sink", t.SinkTo.Value)
	}
	d.work(t.Do)
	if t.Fallback != nil {
		d.add("fallback")
		d.task(t.Fallback)
	}
}

// takesWords reports whether what a step is given is words for a model or a person.
func takesWords(t *ir.Task) bool {
	switch t.Do.(type) {
	case *ir.UseAgent, *ir.UseContained, *ir.Hitl:
		return true
	}

	return false
}

// words adds what the steps of a workflow give to models and people.
func (d *digest) words(w *ir.Workflow) {
	ir.WalkTasks(w.Body, func(t *ir.Task) {
		if takesWords(t) {
			d.add("step", t.Name.Value)
			d.datum(t.Input)
		}
		if ask, isHitl := t.Do.(*ir.Hitl); isHitl && ask.Message != nil {
			d.add("message", ask.Message.Text.Value)
		}
		if t.Tokens > 0 || t.USD > 0 {
			d.add("limits", t.Name.Value, strconv.Itoa(t.Tokens), dollars(t.USD))
		}
	})
}

func (d *digest) work(do ir.Work) {
	switch do := do.(type) {
	case *ir.UseAgent:
		d.add("agent", do.Agent.Name.Value)
	case *ir.UseContained:
		d.add("contained", do.Agent.Agent.Name.Value)
	case *ir.UseFunc:
		d.add("function", do.Func.Name.Value)
		d.datum(do.Params)
	case *ir.UseBuiltin:
		d.add("builtin", do.Builtin)
		d.fields(do.Args)
	case *ir.Import:
		d.imports(do)
	case *ir.Hitl:
		d.add("ask")
		d.schema("answer", do.Answer.Schema)
	case *ir.Conditional:
		d.add("conditional")
		d.formula(do.Key)
		d.function(do.Func)
		d.arms(do.Branches)
		if do.Default != nil {
			d.add("default")
			d.pipeline(do.Default)
		}
	case *ir.Repeat:
		d.add("loop")
		d.formula(do.Exit)
		d.function(do.Func)
		d.pipeline(do.Body)
	case *ir.Each:
		d.add("map", do.Items.Value)
		d.pipeline(do.Body)
		d.datum(do.Result)
	case *ir.Fork:
		d.add("parallel", number(do.Merge), number(do.Reduce), strconv.FormatBool(do.Ignore))
		for _, fields := range do.Fields {
			d.add("fields", fields.Branch.Value)
			for _, field := range fields.Fields {
				d.add(field.Value)
			}
		}
		d.arms(do.Branches)
	case *ir.Machine:
		d.stateMachine(do)
	}
}

func (d *digest) imports(do *ir.Import) {
	d.add("import", do.Agent.Agent.Name.Value, strconv.FormatBool(do.Inherit), number(do.InputTo), do.Key,
		strconv.FormatBool(do.All), number(do.OnFailure))
	for _, o := range do.Outputs {
		d.add("output", o.Child.Value, o.Parent.Value)
	}
}

func (d *digest) arms(arms []*ir.Arm) {
	for _, arm := range arms {
		d.add("branch", arm.Name.Value)
		d.pipeline(arm.Body)
	}
}

func (d *digest) stateMachine(m *ir.Machine) {
	d.add("machine", m.Initial.Value)
	for _, s := range m.States {
		d.add("state", s.Name.Value, strconv.FormatBool(s.End))
		if !s.End {
			d.pipeline(s.Body)
		}
	}
	for _, row := range m.Rows() {
		d.add("row", row.From.Value, strconv.Itoa(1+slices.Index(ir.Events, row.Key.Value)), row.To.Value)
		if row.When != nil {
			d.add("formula", row.When.Text.Value)
		}
	}
}

func (d *digest) formula(f *ir.Formula) {
	if f != nil {
		d.add("formula", f.Text.Value)
	}
}

func (d *digest) function(f *ir.Func) {
	if f != nil {
		d.add("function", f.Name.Value)
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

// valueText is an expression as it stands in the source.
func valueText(x ir.Expression) string {
	at := x.At()
	if at.File == nil {
		return ""
	}

	return string(at.File.Bytes[at.Start:at.End])
}
