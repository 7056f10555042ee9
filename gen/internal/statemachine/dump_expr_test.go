package statemachine_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func formula(f *ir.Formula) string {
	if f == nil {
		return "-"
	}

	return expression(f.Root)
}

func template(t *ir.Template) string { return "“" + parts(t.Parts) + "”" }

func parts(list []ir.Part) string {
	var b strings.Builder
	for _, part := range list {
		switch p := part.(type) {
		case *ir.Verbatim:
			b.WriteString(strings.ReplaceAll(p.Text, "\n", `\n`))
		case *ir.Placeholder:
			b.WriteString(expression(p))
		case *ir.IfPart:
			otherwise := ""
			if p.Otherwise != nil {
				otherwise = " else " + parts(p.Otherwise)
			}
			fmt.Fprintf(&b, "⟨if %s: %s%s⟩", expression(p.Cond), parts(p.Body), otherwise)
		case *ir.EachPart:
			fmt.Fprintf(&b, "⟨each %s: %s⟩", expression(p.Items), parts(p.Body))
		}
	}

	return b.String()
}

func expression(x ir.Expression) string {
	switch x := x.(type) {
	case *ir.Placeholder:
		return "⟨" + strings.Join(expressions(x.Values), " or ") + filters(x.Filters) + "⟩"
	case *ir.Literal:
		return fmt.Sprintf("%#v", x.Value)
	case *ir.Tuple:
		return "[" + strings.Join(expressions(x.Items), ", ") + "]"
	case *ir.Access:
		return access(x)
	case *ir.Not:
		return "not(" + expression(x.X) + ")"
	case *ir.Logic:
		word := " and "
		if x.Or {
			word = " or "
		}
		return "(" + strings.Join(expressions(x.X), word) + ")"
	case *ir.Compare:
		return "(" + expression(x.X) + " " + string(x.Op) + " " + expression(x.Y) + ")"
	case *ir.Contains:
		return fmt.Sprintf("in(%s, %s, not %t)", expression(x.X), expression(x.Y), x.Not)
	case *ir.Arithmetic:
		return "(" + expression(x.X) + " " + string(x.Op) + " " + expression(x.Y) + ")"
	case *ir.FuncCall:
		return x.Name + "(" + expression(x.X) + ")"
	case *ir.Method:
		return expression(x.X) + "." + x.Name + "()"
	}

	return fmt.Sprintf("%T", x)
}

func expressions(list []ir.Expression) []string {
	texts := make([]string, len(list))
	for i, x := range list {
		texts[i] = expression(x)
	}

	return texts
}

func filters(list []ir.Filter) string {
	text := ""
	for _, f := range list {
		text += " | " + f.Name
		if len(f.Args) > 0 {
			values := ir.Map(f.Args, func(arg *ir.Literal) string { return fmt.Sprintf("%#v", arg.Value) })
			text += "(" + strings.Join(values, ", ") + ")"
		}
	}

	return text
}

// access writes what is named: the root, the way from it, "?" if it may be none, and what it is.
func access(x *ir.Access) string {
	root := [...]string{
		ir.RootContext: "context", ir.RootStep: "step", ir.RootInput: "input", ir.RootThis: "this", ir.RootResult: "result",
		ir.RootEvent: "event", ir.RootStepName: "stepname", ir.RootStepOK: "stepok", ir.RootFeedback: "feedback",
		ir.RootAnswer: "answer", ir.RootNext: "next", ir.RootCurrent: "current", ir.RootSteps: "steps", ir.RootError: "error",
	}[x.Root]
	if x.Output != nil {
		root += ":" + x.Output.Name.Value
	}
	for _, f := range x.Path {
		root += "." + f.Name.Value
	}
	if x.MayBeNone {
		root += "?"
	}
	if x.Type.Schema != nil {
		root += " " + typ(x.Type)
	}

	return root
}
