package statemachine_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// work writes what a step does.
func (d *dumper) work(work ir.Op) {
	switch do := work.(type) {
	case nil:
		d.line("nothing")
	case *ir.PassOn:
		d.line("passes on")
		if do.Wait > 0 {
			d.line("after %s", do.Wait)
		}
		if do.WaitText != nil {
			d.line("after %s", template(do.WaitText))
		}
	case *ir.Run:
		if do.Step != nil {
			d.line("asks %s", do.Step.Name.Value)
			return
		}
		d.line("runs %s known %t", text(do.Agent.Text), do.Agent.Agent != nil)
	case *ir.UseFunc:
		d.line("calls %s%s%s", do.Func.Name.Value, params(do.Params), fieldNames(do.Fields))
	case *ir.UseBuiltin:
		d.line("builtin %s%s %s", do.Builtin, at(do.At), contextFields(do.Args))
		if do.Path != nil {
			d.line("at %s", place(do.Path))
		}
	case *ir.Import:
		d.imports(do)
	case *ir.Ask:
		d.line("asks a person %s, who answers %s", message(do.Message), typ(do.Answer))
		if do.Timeout > 0 {
			d.line("within %s, else %s", do.Timeout, do.OnTimeout.Value)
		}
	case *ir.Branch:
		d.conditional(do)
	case *ir.Loop:
		if do.IsForEach() {
			d.line("for each of %s", place(do.ItemsPath()))
		} else if do.Wraps {
			d.line("once")
		} else {
			d.line("repeats %d times%s until %s%s", do.Max, at(do.MaxAt), formula(do.Exit), calls(do.Func))
			if do.OnBound == ir.BoundDone {
				d.line("then takes the last turn")
			}
		}
		if do.Result != nil {
			d.line("gives %s", datum(do.Result))
		}
		d.pipeline("body", do.Body)
	case *ir.Parallel:
		d.fork(do)
	case *ir.Machine:
		d.machine(do)
	}
}

func params(p *ir.Datum) string {
	if p == nil {
		return ""
	}

	return " with " + datum(p)
}

func message(t *ir.Template) string {
	if t == nil {
		return "what it is given"
	}

	return template(t)
}

func calls(f *ir.Func) string {
	if f == nil {
		return ""
	}

	return " says " + f.Name.Value
}

func (d *dumper) imports(do *ir.Import) {
	d.line("runs import %s, which is %s: inherits %t, input to %d called %s, failure %d, all outputs %t, next_state %t",
		text(do.Agent.Text), do.Agent.Agent.Name.Value, do.Inherit, do.InputTo, do.Key, do.OnFailure, do.All, do.Next)
	for _, o := range do.Outputs {
		d.line("copies %s to %s", place(o.Child), place(o.Parent))
	}
}

func (d *dumper) conditional(do *ir.Branch) {
	d.line("chooses by %s%s", formula(do.Key), calls(do.Func))
	d.arms(do.Branches)
	if do.Default != nil {
		d.pipeline("default", do.Default)
	}
}

func (d *dumper) arms(arms []*ir.Arm) {
	for _, arm := range arms {
		d.pipeline("branch "+text(arm.Name), arm.Body)
	}
}

func (d *dumper) fork(do *ir.Parallel) {
	d.line("side by side: merge %d reduce %d ignore %t", do.Merge, do.Reduce, do.Failed == ir.FailureIgnored)
	for _, arm := range do.Branches {
		if arm.Only {
			var places []string
			for _, p := range arm.Fields {
				places = append(places, place(p))
			}
			d.line("fields of %s: %s", text(arm.Name), strings.Join(places, ", "))
		}
	}
	d.arms(do.Branches)
}

func (d *dumper) machine(m *ir.Machine) {
	d.line("machine starts in %s, at most %d steps, partial %t", ref(m.Initial), m.MaxSteps, m.Partial)
	for _, s := range m.States {
		if s.End {
			d.line("ends in %s", text(ir.Text{Value: s.Name.Value, Span: s.EndAt}))
		}
	}
	for _, s := range m.States {
		var next []string
		for _, r := range s.Next {
			next = append(next, ref(r))
		}
		if s.NextOpen {
			next = append(next, "…")
		}
		d.pipeline(fmt.Sprintf("state %s end %t next [%s]", text(s.Name), s.End, strings.Join(next, " ")), s.Body)
	}
	for _, r := range m.Rows() {
		when := "-"
		if r.When != nil {
			when = formula(r.When.Formula)
		}
		d.line("row%s from %s any %t on %s to %s when %s", at(r.Span), ref(r.From), r.IsFromAny(), text(r.Key), ref(r.To), when)
	}
}

func ref(r ir.Ref) string {
	if r.State == nil {
		return text(r.Text) + " (none)"
	}

	return text(r.Text)
}

// fieldNames returns the names of the fields of the context that a function takes.
func fieldNames(d *ir.Datum) string {
	if d == nil {
		return ""
	}

	return fmt.Sprintf(" with context %q", ir.Map(d.Fields, func(f ir.DatumField) string { return f.Name.Value }))
}
