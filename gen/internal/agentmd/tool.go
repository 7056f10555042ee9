package agentmd

import (
	"cmp"
	"reflect"
	"regexp"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/schemadoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// reservedTools are the tools of every react loop.
var reservedTools = []string{"start", "finish", "read_skill", "read_result", "read_skill_file"}

// validToolName matches the names that all providers accept.
var validToolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// lowerTypedTool lowers the definition of a tool. It returns nil for an unusable name, but checks
// the schemas anyway.
func (l *loader) lowerTypedTool(n *yamldoc.Node) *ir.Tool {
	name := frontend.Text(n.Value("name"))
	tool := &ir.Tool{
		Name:        name,
		Description: frontend.Text(n.Value("description")),
		Input:       l.lowerToolInput(n.Value("input")),
		Output:      l.lowerSchema(n.Value("output")),
	}
	l.setEffect(tool, n)
	if !l.checkToolName(name) {
		return nil
	}

	return tool
}

// setEffect lowers the effect of a tool and the fields that depend on it.
func (l *loader) setEffect(tool *ir.Tool, n *yamldoc.Node) {
	tool.CallTraits = frontend.CallTraits(n.Value)
	tool.Effect = cmp.Or(tool.Effect, ir.External)
	l.setConfirm(tool, n.Value("confirm"))
}

// checkToolName reports an unusable name of a tool, and returns whether it is usable. The schema
// reports a missing name.
func (l *loader) checkToolName(name ir.Text) bool {
	switch {
	case name.Value == "":
	case slices.Contains(reservedTools, name.Value):
		l.List.Add(diag.New(diag.InvalidName, name.Span, "tool name %q is reserved: every react agent has it", name.Value))
	case !validToolName.MatchString(name.Value):
		l.List.Add(diag.New(diag.InvalidName, name.Span,
			"tool name %q: models take at most 64 letters, digits, _ and -", name.Value))
	case builtin.Tool(name.Value) != "":
		l.List.Add(diag.New(diag.DuplicateName, name.Span, "tool name %q is the name of a built-in tool", name.Value).
			WithHint("list the name alone to use the built-in tool, or choose another"))
	default:
		return true
	}

	return false
}

// lowerToolInput lowers the schema of a tool's arguments. A tool without a valid schema has no
// arguments.
func (l *loader) lowerToolInput(n *yamldoc.Node) *ir.Schema {
	if n != nil && n.Kind == yamldoc.Map {
		input, findings := schemadoc.LowerInput(n)
		l.List.Add(findings...)
		if input != nil {
			return input
		}
	}
	none, _ := schemadoc.LowerInput(noArguments)

	return none
}

// noArguments is the schema `type: object`.
var noArguments = &yamldoc.Node{Kind: yamldoc.Map, Fields: []*yamldoc.Field{{
	Key:   &yamldoc.Node{Kind: yamldoc.String, Text: "type"},
	Value: &yamldoc.Node{Kind: yamldoc.String, Text: "object"},
}}}

// addTool adds a tool to the program, or returns the existing one. It reports different
// definitions.
func (l *loader) addTool(tool *ir.Tool) *ir.Tool {
	first := addUnlessNamed(tool, &l.Program.Tools)
	if difference := toolDifference(first, tool); difference != "" {
		l.List.Add(diag.New(diag.DuplicateName, tool.Name.Span, "tool %q is defined twice, with a different %s",
			tool.Name.Value, difference).Note(first.Name.Span, "the first definition is here"))
	}

	return first
}

// addUnlessNamed returns the tool of a list with the same name, or adds the tool.
func addUnlessNamed(tool *ir.Tool, tools *[]*ir.Tool) *ir.Tool {
	first := ir.First(*tools, func(t *ir.Tool) bool { return t.Name.Value == tool.Name.Value })
	if first == nil {
		*tools = append(*tools, tool)
		return tool
	}

	return first
}

// toolDifference returns the name of the first field in which two tools differ, or "".
func toolDifference(a, b *ir.Tool) string {
	return firstDifference([]fieldComparison{
		{"description", a.Description.Value == b.Description.Value},
		{"input", schemaText(a.Input) == schemaText(b.Input)}, {"output", schemaText(a.Output) == schemaText(b.Output)},
		{"effect", a.Effect == b.Effect}, {"idempotent", a.Idempotent == b.Idempotent},
		{"confirm", a.Confirm == b.Confirm && reflect.DeepEqual(a.Question, b.Question)},
		{"on_unknown", a.OnUnknown == b.OnUnknown}, {"interruptible", a.Interruptible == b.Interruptible},
	})
}

func schemaText(s *ir.Schema) string {
	if s == nil {
		return ""
	}

	return s.JSON
}
