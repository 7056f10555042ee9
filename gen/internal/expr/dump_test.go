package expr_test

import (
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// dump writes an expression with its structure and types.
func dump(x ir.Expression) string {
	switch x := x.(type) {
	case *ir.Literal:
		return literal(x)
	case *ir.Tuple:
		return "[" + dumpAll(x.Items, " ") + "]"
	case *ir.Access:
		return dumpAccess(x)
	case *ir.Not:
		return "(not " + dump(x.X) + ")"
	case *ir.Logic:
		return "(" + dumpAll(x.X, map[bool]string{true: " or ", false: " and "}[x.Or]) + ")"
	case *ir.Compare:
		return fmt.Sprintf("(%s %s %s)", dump(x.X), x.Op, dump(x.Y))
	case *ir.Contains:
		return fmt.Sprintf("(%s %s %s)", dump(x.X), map[bool]string{true: "not in", false: "in"}[x.Not], dump(x.Y))
	case *ir.Arithmetic:
		return fmt.Sprintf("(%s %s %s)", dump(x.X), x.Op, dump(x.Y))
	case *ir.FuncCall:
		return x.Name + "(" + dump(x.X) + ")"
	case *ir.Method:
		if x.Arg != nil {
			return fmt.Sprintf("%s.%s(%s)", dump(x.X), x.Name, dump(x.Arg))
		}
		return fmt.Sprintf("%s.%s()", dump(x.X), x.Name)
	case *ir.Placeholder:
		return dumpPlaceholder(x)
	}

	return fmt.Sprintf("%T", x)
}

func dumpAll(all []ir.Expression, between string) string {
	texts := make([]string, len(all))
	for i, x := range all {
		texts[i] = dump(x)
	}

	return strings.Join(texts, between)
}

func literal(x *ir.Literal) string {
	if x.Value == nil {
		return "None"
	}
	if f, ok := x.Value.(float64); ok {
		return fmt.Sprintf("%g!", f)
	}

	return fmt.Sprintf("%#v", x.Value)
}

var rootNames = map[ir.Root]string{
	ir.RootContext: "context", ir.RootStep: "step", ir.RootInput: "input", ir.RootThis: "this", ir.RootResult: "result",
	ir.RootEvent: "event", ir.RootStepName: "stepname", ir.RootStepOK: "stepok", ir.RootFeedback: "feedback", ir.RootError: "error",
	ir.RootItemIndex: "index", ir.RootItemFirst: "first", ir.RootItemLast: "last", ir.RootAnswer: "answer", ir.RootNext: "next", ir.RootCurrent: "current", ir.RootSteps: "steps",
}

// dumpAccess writes a path: its fields, a bar behind each that is declared, and its type; a question mark where it
// can be none.
func dumpAccess(x *ir.Access) string {
	var b strings.Builder
	b.WriteString(rootNames[x.Root])
	if x.Output != nil {
		b.WriteString(":" + x.Output.Name.Value)
	}
	for _, field := range x.Path {
		b.WriteString("/" + field.Name.Value)
		if field.Property != nil {
			b.WriteString("!")
		}
	}
	if x.Type.Schema != nil {
		b.WriteString("<" + kindName(x.Type.Schema) + ">")
	}
	if x.MayBeNone {
		b.WriteString("?")
	}
	if x.Default != nil {
		b.WriteString(" else " + dump(x.Default))
	}

	return b.String()
}

func kindName(s *ir.Schema) string {
	return [...]string{"", "any", "object", "array", "text", "number", "whole", "bool"}[s.Kind]
}

func dumpPlaceholder(p *ir.Placeholder) string {
	text := "{" + dumpAll(p.Values, " or ")
	for _, f := range p.Filters {
		text += " | " + f.Name
		if len(f.Args) > 0 {
			text += "(" + strings.Join(ir.Map(f.Args, literal), ", ") + ")"
		}
	}

	return text + "}"
}

// dumpParts writes a template.
func dumpParts(parts []ir.Part) string {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case *ir.Verbatim:
			fmt.Fprintf(&b, "%q", part.Text)
		case *ir.Placeholder:
			b.WriteString(dumpPlaceholder(part))
		case *ir.IfPart:
			fmt.Fprintf(&b, "(if %s: %s", dump(part.Cond), dumpParts(part.Body))
			if part.Otherwise != nil {
				fmt.Fprintf(&b, " else: %s", dumpParts(part.Otherwise))
			}
			b.WriteString(")")
		case *ir.EachPart:
			fmt.Fprintf(&b, "(each %s: %s)", dump(part.Items), dumpParts(part.Body))
		}
	}

	return b.String()
}
