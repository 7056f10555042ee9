package agentmd_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// flow writes the steps of a flow, and what happens in it with an operation a line.
func (d *dumper) flow(f *ir.Flow) {
	d.line("  %s partial %t", f.Kind, f.Partial)
	for _, s := range f.Steps {
		d.line("  step %q pattern %q%s of %s", s.Name.Value, s.PatternAt.Value, at(s.PatternAt.Span), s.File.Path)
		d.call(s.Call)
		d.line("  prompt%s %q", at(s.Prompt.Span), s.Prompt.Value)
		d.conversation(s.Node)
	}
	d.body(f.Body, "  | ")
}

func (d *dumper) body(ops []ir.Op, indent string) {
	for _, op := range ops {
		line, inside := operation(op)
		d.line("%s%s", indent, line)
		d.body(inside, indent+"  ")
	}
}

// operation writes one operation, and returns those inside of it.
func operation(op ir.Op) (line string, inside []ir.Op) {
	switch op := op.(type) {
	case *ir.Run:
		return strings.TrimPrefix(op.Var+" := ", " := ") + running(op) + "(" + text(op.Input) + ")" + placed(op.At), nil
	case *ir.Parallel:
		return group(op)
	case *ir.Set:
		notes, isNotes := op.Value.(ir.Notes)
		switch {
		case isNotes && op.New:
			return op.Var + " := notes " + text(ir.Brief(notes)), nil
		case isNotes && notes.Base == op.Var:
			return op.Var + " += " + text(ir.Brief{Sections: notes.Sections}), nil
		case op.New:
			return op.Var + " := " + text(op.Value), nil
		}
		return op.Var + " = " + text(op.Value), nil
	case *ir.Loop:
		if op.List != nil {
			return fmt.Sprintf("range %s of %s", op.Item, list(op.List)), op.Body.Body
		}
		return fmt.Sprintf("loop %s times %d", op.Counter, op.Times), op.Body.Body
	case *ir.Branch:
		return "if " + condition(op.Cond), op.Then()
	case *ir.Ask:
		return fmt.Sprintf("%s := ask %s", op.Var, op.Question), nil
	case *ir.Return:
		key := [...]string{"", "done", "own", "exhausted", "unfinished"}[op.Key]
		form := [...]string{"value", "document", "object"}[op.Form]
		line := fmt.Sprintf("return %s with the %s of %s", key, form, op.Var)
		if op.Limit > 0 {
			line += fmt.Sprintf(" after %d with feedback %s", op.Limit, op.Feedback)
		}
		return line, nil
	}

	return fmt.Sprintf("%T", op), nil
}

func group(op *ir.Parallel) (line string, inside []ir.Op) {
	switch {
	case op.List != nil:
		return fmt.Sprintf("%s := for each %s of %s limit %d", op.Var, op.Item, list(op.List), op.Limit), []ir.Op{op.Runs()[0]}
	case op.N > 0:
		return fmt.Sprintf("%s := %d times limit %d, each a %q", op.Var, op.N, op.Limit, op.Title), []ir.Op{op.Runs()[0]}
	}
	var names []string
	input := "input"
	for _, run := range op.Runs() {
		names = append(names, agentRef(run.Agent))
		input = text(run.Input)
	}

	return fmt.Sprintf("%s := together limit %d [%s](%s)", op.Var, op.Limit, strings.Join(names, " "), input), nil
}

func running(r *ir.Run) string {
	if r.Agent != nil {
		return "agent " + agentRef(r.Agent)
	}

	return fmt.Sprintf("step %q", r.Step.Name.Value)
}

func agentRef(r *ir.AgentRef) string {
	if r.Agent == nil {
		return r.Value + at(r.Span) + " (undefined)"
	}

	return r.Value + at(r.Span)
}

func placed(p ir.Place) string {
	if p.Kind == ir.PlaceFree {
		return ""
	}

	kind := [...]string{"", "outer", "open", "or"}[p.Kind]

	return strings.TrimRight(fmt.Sprintf(" at %s %s %s", kind, p.State, strings.Join(p.Keys, " ")), " ")
}

func list(l *ir.List) string {
	return [...]string{"", "the items", "the plan", "the claims"}[l.Kind] + " in " + l.Of
}

func text(e ir.Expr) string {
	switch e := e.(type) {
	case ir.Input:
		return "input"
	case ir.Value:
		return e.Var + ".value"
	case ir.TextOf:
		return e.Var
	case ir.Report:
		return e.Var + ".report"
	case ir.Brief:
		var parts []string
		if e.Base != "" {
			parts = append(parts, e.Base)
		}
		for _, s := range e.Sections {
			parts = append(parts, s.Title+": "+text(s.Text))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}

	return fmt.Sprintf("%T", e)
}

func condition(c ir.Cond) string {
	switch c := c.(type) {
	case ir.KeyIs:
		if c.Not {
			return fmt.Sprintf("key of %s is not %s", c.Var, c.Key)
		}
		return fmt.Sprintf("key of %s is %s", c.Var, c.Key)
	case ir.SaysDone:
		return c.Var + " says done"
	case ir.AtLimit:
		return fmt.Sprintf("%s is %d", c.Counter, c.N)
	}

	return fmt.Sprintf("%T", c)
}
