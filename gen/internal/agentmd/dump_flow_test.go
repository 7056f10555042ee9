package agentmd_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// flow writes the steps of a flow, and what happens in it with an operation a line.
func (d *dumper) flow(f *ir.Flow) {
	d.line("  %s partial %t", f.Kind, f.Partial)
	for _, s := range f.Conversations {
		d.line("  step %q pattern %q%s of %s", s.Name.Value, s.PatternAt.Value, at(s.PatternAt.Span), s.File.Path)
		d.call(s.Call)
		d.line("  prompt%s %q", at(s.Prompt.Span), s.Prompt.Value)
		d.conversation(s.Node)
	}
	d.tasks(f.Body, "  | ")
}

func (d *dumper) tasks(p *ir.Pipeline, indent string) {
	for _, t := range p.Tasks {
		line, inside := operation(t)
		d.line("%s%s", indent, line)
		if inside != nil {
			d.tasks(inside, indent+"  ")
		}
	}
}

// operation writes one task, and returns what is inside of it.
func operation(t *ir.Task) (line string, inside *ir.Pipeline) {
	result := ""
	if t.Output != nil {
		result = t.Output.Name.Value + " := "
	}
	switch do := t.Do.(type) {
	case *ir.Run:
		return result + running(do) + "(" + ir.Describe(t.InputExpression()) + ")" + placed(do.At), nil
	case *ir.Parallel:
		return result + parallelRuns(do), nil
	case *ir.PassOn:
		return result + ir.Describe(t.InputExpression()), nil
	case *ir.Loop:
		if do.Reduce == ir.ReduceResults {
			return result + group(do), do.Body
		}
		return t.Name.Value + ": " + loop(do), do.Body
	case *ir.Branch:
		return t.Name.Value + ": if " + ir.Describe(do.Condition()), do.ThenBody()
	case *ir.Ask:
		return result + "ask " + ir.Describe(t.InputExpression()), nil
	case *ir.Return:
		key := [...]string{"", "done", "own", "exhausted", "unfinished"}[do.Key]
		line := fmt.Sprintf("return %s with %s", key, ir.Describe(t.InputExpression()))
		if do.Limit > 0 {
			line += fmt.Sprintf(" after %d with feedback %s", do.Limit, ir.Describe(do.Feedback))
		}
		return line, nil
	}

	return fmt.Sprintf("%T", t.Do), nil
}

func loop(do *ir.Loop) string {
	switch {
	case do.Over != nil:
		return fmt.Sprintf("range %s of %s", do.Item.Name.Value, ir.Describe(do.Over))
	case do.Turn == nil:
		return fmt.Sprintf("loop times %d", do.Max)
	}

	return fmt.Sprintf("loop %s times %d", do.Turn.Name.Value, do.Max)
}

func group(do *ir.Loop) string {
	if do.Over == nil {
		return fmt.Sprintf("%d times limit %d, each a %q", do.Max, do.Width, do.Title)
	}

	return fmt.Sprintf("for each %s of %s limit %d", do.Item.Name.Value, ir.Describe(do.Over), do.Width)
}

func parallelRuns(do *ir.Parallel) string {
	var names []string
	input := "input"
	for _, arm := range do.Branches {
		t := arm.Body.Tasks[0]
		names = append(names, agentRef(t.Do.(*ir.Run).Agent))
		input = ir.Describe(t.InputExpression())
	}

	return fmt.Sprintf("together limit %d [%s](%s)", do.Width, strings.Join(names, " "), input)
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
