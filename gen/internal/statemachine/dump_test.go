package statemachine_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/model"
)

// dumper writes workflows as text: one thing a line, with its place.
type dumper struct {
	strings.Builder
	indent string
}

func dump(agents []*ir.Agent, functions []*ir.Func) string {
	d := &dumper{}
	for _, a := range agents {
		d.line("workflow %s of %s, version %q: %s", a.Name.Value, a.File.Path, a.Version, a.Description.Value)
		w := a.Node.(*ir.Flow)
		d.within(func() { d.workflow(w) })
	}
	for _, f := range functions {
		d.line("func %s%s input %s output %s%s", f.Name.Value, at(f.Name.Span), schema(f.Input), schema(f.Output), traits(&f.CallTraits))
	}

	return d.String()
}

// traits returns what is declared about calls.
func traits(t *ir.CallTraits) string {
	if *t == (ir.CallTraits{OnUnknown: "ask"}) || *t == (ir.CallTraits{}) {
		return ""
	}

	return fmt.Sprintf(" effect %q idempotent %t on_unknown %s interruptible %t", t.Effect, t.Idempotent, t.OnUnknown, t.Interruptible)
}

func (d *dumper) line(format string, args ...any) { fmt.Fprintf(d, d.indent+format+"\n", args...) }

func (d *dumper) within(write func()) {
	d.indent += "  "
	write()
	d.indent = d.indent[2:]
}

func at(s source.Span) string {
	if !s.IsValid() {
		return ""
	}

	return fmt.Sprintf("@%d:%d", s.Pos().Line, s.Pos().Column)
}

func text(t ir.Text) string { return t.Value + at(t.Span) }

func schema(s *ir.Schema) string {
	switch {
	case s == nil:
		return "unknown"
	case s.JSON != "":
		return s.JSON
	case s.Kind == ir.SchemaObject:
		var parts []string
		for _, p := range s.Properties {
			parts = append(parts, p.Name.Value+": "+schema(p.Schema))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case s.Kind == ir.SchemaArray:
		return "list of " + schema(s.Items)
	case s.Enum != nil:
		return strings.Join(s.Enum, "|")
	}

	return [...]string{"", "any", "object", "array", "text", "number", "integer", "truth"}[s.Kind]
}

func typ(t ir.Type) string {
	owner := [...]string{"", "conversation ", "func ", "answer ", "context "}[t.Owner]

	return owner + strings.TrimSpace(t.OwnerName+" "+schema(t.Schema))
}

func (d *dumper) workflow(w *ir.Flow) {
	d.line("title %s partial %t", text(w.Title), w.Partial)
	if w.Context != nil {
		d.line("context %s", schema(w.Context))
	}
	for _, a := range w.Conversations {
		d.agent(a)
	}
	for _, o := range w.Outputs {
		d.line("output %s: %s", text(o.Name), typ(o.Type))
	}
	d.pipeline("body", w.Body)
}

func (d *dumper) agent(a *ir.Step) {
	node := a.Node.(*ir.Oneshot)
	d.line("agent %s of %s model %s repair %d timeout %s output %s", text(a.Name), a.File.Path, text(a.Call.Name), node.Repair, a.Timeout,
		schema(node.Output))
	d.within(func() {
		for _, setting := range model.SettingTable() {
			if value := setting.Text(a.Call.Settings); value != "" {
				d.line("%s %s", setting.Name, value)
			}
		}
		d.line("prompt %q%s", a.Prompt.Value, at(a.Prompt.Span))
		if a.Template != nil {
			d.line("template %s", template(a.Template))
		}
	})
}

func (d *dumper) pipeline(title string, p *ir.Pipeline) {
	d.line("%s: %q called %s%s", title, p.Description, strings.Join(p.Name, "/"), at(p.Span))
	d.within(func() {
		for _, t := range p.Tasks {
			d.task(t)
		}
	})
}

func (d *dumper) task(t *ir.Task) {
	d.line("task %s gives %s, kept as %s", text(t.Name), typ(t.Type), text(t.Output.Name))
	d.within(func() {
		if t.Input != nil {
			d.line("input %s", datum(t.Input))
		}
		if t.UpdatesContext {
			d.line("updates the context%s", at(t.UpdatesAt))
		}
		if t.SinkTo != nil {
			d.line("sink %s", place(t.SinkTo))
		}
		if t.Retries > 0 || t.Timeout > 0 || t.Tokens > 0 {
			d.line("retries %d timeout %s tokens %d", t.Retries, t.Timeout, t.Tokens)
		}
		if t.Within > 0 {
			d.line("within %s%s", t.Within, at(t.WithinAt))
		}
		if t.USD > 0 {
			d.line("usd %v", t.USD)
		}
		d.work(t.Do)
		if t.Fallback != nil {
			d.line("%s", map[bool]string{false: "fallback", true: "on timeout"}[t.Fallback.ForTimeout])
			d.within(func() { d.task(t.Fallback) })
		}
	})
}

func place(p *ir.ContextPath) string {
	var words []string
	for _, word := range p.Path {
		words = append(words, text(word))
	}

	return fmt.Sprintf("%s%s is %s", p.Value, at(p.Span), strings.Join(words, " "))
}

func datum(v *ir.Datum) string {
	switch v.Kind {
	case ir.DatumText:
		return template(v.Text)
	case ir.DatumValue:
		return expression(v.Value)
	case ir.DatumJSON:
		return v.JSON
	case ir.DatumList:
		var parts []string
		for _, item := range v.List {
			parts = append(parts, datum(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}

	return contextFields(v.Fields)
}

func contextFields(list []ir.DatumField) string {
	var parts []string
	for _, f := range list {
		parts = append(parts, text(f.Name)+": "+datum(f.Value))
	}

	return "{" + strings.Join(parts, ", ") + "}"
}
