package agentmd_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/model"
)

// dumper writes a program as text: one thing a line, with its place.
type dumper struct{ strings.Builder }

func dumpProgram(p *ir.Program) string {
	d := &dumper{}
	d.line("package %s in %s", p.Package, p.Output)
	entry := "open"
	if p.Entry != nil {
		entry = p.Entry.Name.Value
	}
	d.line("entry %s%s", entry, at(p.EntryName.Span))
	if len(p.Include) > 0 {
		d.line("include %s", texts(p.Include))
	}
	if p.HasModels {
		d.line("models")
	}
	for _, m := range p.Models {
		d.line("  %s%s: %s%s%s", m.Role.Value, at(m.Role.Span), m.Name.Value, at(m.Name.Span), call(m.Settings))
		if m.BaseURL != "" {
			d.line("    at %s", m.BaseURL)
		}
		if m.Stream != nil {
			d.line("    stream %v", *m.Stream)
		}
		for _, fallback := range m.Fallback {
			d.line("    else %s%s", fallback.Value, at(fallback.Span))
		}
	}
	for _, provider := range p.Providers {
		address := ""
		if provider.BaseURL != "" {
			address = " at " + provider.BaseURL
		}
		if provider.Stream != nil {
			address += fmt.Sprintf(" stream %v", *provider.Stream)
		}
		d.line("provider %s%s%s", provider.Name.Value, at(provider.Name.Span), address)
	}
	d.budget("", p.Budget)
	if p.Limits.Reply > 0 {
		d.line("limit of a reply %d", p.Limits.Reply)
	}
	if p.Limits.ToolResult > 0 || p.Limits.ToolResultMax > 0 {
		d.line("limit of a result %d of %d", p.Limits.ToolResult, p.Limits.ToolResultMax)
	}
	if p.Reach.RootMax > 0 || p.Reach.HostsMax > 0 {
		d.line("limit of a file %d, of an answer %d", p.Reach.RootMax, p.Reach.HostsMax)
	}
	if p.Reach.Root.Value != "" {
		d.line("files below %s%s", p.Reach.Root.Value, at(p.Reach.Root.Span))
	}
	if len(p.Reach.Hosts) > 0 {
		d.line("hosts %s", texts(p.Reach.Hosts))
	}
	if p.Reach.Shell {
		d.line("shell")
	}
	if p.Prices != nil {
		d.line("prices as of %s", p.Prices.AsOf)
		for _, m := range p.Prices.Models {
			d.line("  %s%s: %d %d cached %d %d", m.Name.Value, at(m.Name.Span), m.Input, m.Output, m.Cached, m.Stored)
		}
	}
	for _, r := range p.Recordings {
		d.line("recording %s: %d bytes", r.Path, len(r.File.Bytes))
	}
	for _, s := range p.Scripts {
		d.line("script %s: %s", s.Path, s.JSON)
	}
	for _, a := range p.Agents {
		d.agent(a)
	}
	for _, s := range p.Skills {
		d.skill(s)
	}
	for _, t := range p.Tools {
		d.tool(t)
	}
	for _, f := range p.Funcs {
		d.line("func %s%s", f.Name.Value, at(f.Name.Span))
	}
	for _, g := range p.Guards {
		d.line("guard %s%s%s", g.Name.Value, at(g.Name.Span), typed(g.Data))
		for _, use := range g.Uses {
			d.line("  asked by %s in %s on %s%s", use.Agent.Name.Value, use.State.Name.Value, use.Row.Key.Value, at(use.Row.Key.Span))
		}
	}
	for _, f := range p.Files {
		d.line("read %s", f.Path)
	}

	return d.String()
}

func (d *dumper) line(format string, args ...any) { fmt.Fprintf(d, format+"\n", args...) }

func at(s source.Span) string {
	if !s.IsValid() {
		return ""
	}

	return fmt.Sprintf("@%d:%d", s.Pos().Line, s.Pos().Column)
}

func texts(list []ir.Text) string {
	var parts []string
	for _, text := range list {
		parts = append(parts, text.Value+at(text.Span))
	}

	return "[" + strings.Join(parts, " ") + "]"
}

func call(settings model.Settings) string {
	text := ""
	for _, setting := range model.SettingTable() {
		if value := setting.Text(settings); value != "" {
			text += " " + setting.Name + " " + value
		}
	}

	return text
}

func (d *dumper) agent(a *ir.Agent) {
	d.line("agent %s%s version %s: %s", a.Name.Value, at(a.Name.Span), a.Version, a.Description.Value)
	if len(a.Env) > 0 {
		d.line("  env %s", texts(a.Env))
	}
	d.call(a.Call)
	d.budget("  ", a.Budget)
	if a.Prompt.Value != "" {
		d.line("  prompt%s %q", at(a.Prompt.Span), a.Prompt.Value)
	}
	switch node := a.Node.(type) {
	case *ir.Machine:
		d.machine(node)
	case *ir.Flow:
		if node.IsWorkflow() {
			d.workflow(node)
		} else {
			d.flow(node)
		}
	case nil:
		d.line("  nothing")
	default:
		d.conversation(node)
	}
}

func (d *dumper) budget(indent string, b *ir.Budget) {
	if b != nil {
		d.line("%sbudget tokens %d usd %v calls %d time %s", indent, b.Tokens, b.USD, b.Calls, b.Time)
	}
}

func (d *dumper) conversation(node ir.Node) {
	switch node := node.(type) {
	case *ir.React:
		d.line("  react max_iter %d repair %d stuck %d keys %s", node.MaxIter, node.Repair, node.Stuck, texts(node.Keys))
		for _, use := range node.Uses {
			d.line("    uses %s%s known %t", use.Value, at(use.Span), use.Skill != nil)
		}
		d.list(node.List)
		d.schema("output", node.Output)
		if gate := node.Gate; gate != nil {
			d.line("  gate%s ungated %s", at(gate.Span), texts(gate.Ungated))
			d.machine(gate.Machine)
		}
	case *ir.Oneshot:
		d.line("  oneshot repair %d", node.Repair)
		d.list(node.List)
		d.schema("output", node.Output)
	}
}

// workflow writes what the front end for workflows has been told of the project; how it lowers them is shown there.
func (d *dumper) workflow(w *ir.Flow) {
	d.line("  workflow of %d steps, partial %t", len(w.Body.Tasks), w.Partial)
	for _, a := range w.Conversations {
		d.line("    agent %s model %q", a.Name.Value, a.Call.Name.Value)
	}
	for _, t := range w.Body.Tasks {
		if do, ok := t.Do.(*ir.Run); ok && do.Agent != nil {
			d.line("    runs %s%s known %t", do.Agent.Value, at(do.Agent.Span), do.Agent.Agent != nil)
		}
	}
}

func (d *dumper) list(rule *ir.ListRule) {
	if rule != nil {
		d.line("    list of kind %d key %q max %d", rule.Kind, rule.Key, rule.Max)
	}
}

func (d *dumper) call(c ir.Call) {
	if c.Role.Value != "" {
		d.line("  role %s%s name %q%s", c.Role.Value, at(c.Role.Span), c.Name.Value, call(c.Settings))
	}
}

func (d *dumper) skill(s *ir.Skill) {
	d.line("skill %s%s: %s", s.Name.Value, at(s.Name.Span), s.Description.Value)
	if len(s.Env) > 0 {
		d.line("  env %s", texts(s.Env))
	}
	for _, t := range s.Tools {
		kind := "unknown"
		switch {
		case t.Builtin != "":
			kind = "builtin " + t.Builtin
		case t.Tool != nil:
			kind = "typed"
		}
		d.line("  tool %s%s %s", t.Value, at(t.Span), kind)
	}
}

func (d *dumper) tool(t *ir.Tool) {
	interruptible := ""
	if t.Interruptible {
		interruptible = " interruptible"
	}
	d.line("tool %s%s effect %s idempotent %t confirm %t on_unknown %s%s: %s", t.Name.Value, at(t.Name.Span),
		t.Effect, t.Idempotent, t.Confirm, t.OnUnknown, interruptible, t.Description.Value)
	if t.Question != nil {
		d.line("  question %q", t.Question)
	}
	d.schema("input", t.Input)
	d.schema("output", t.Output)
}

func (d *dumper) schema(what string, s *ir.Schema) {
	if s != nil {
		d.line("  %s %s", what, s.JSON)
	}
}
