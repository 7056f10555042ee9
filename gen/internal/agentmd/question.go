package agentmd

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// question parses the text of `confirm`: the question before a call of the tool, with {{names}} of
// arguments.
type question struct {
	*loader
	tool   *ir.Tool
	text   string
	places *yamldoc.Positions
}

// setConfirm lowers `confirm`: whether a person is asked before a call of the tool, and the
// question.
func (l *loader) setConfirm(tool *ir.Tool, n *yamldoc.Node) {
	if n == nil || n.Kind != yamldoc.String {
		tool.Confirm = frontend.Bool(n)
		return
	}
	tool.Confirm = true
	text := frontend.Text(n)
	if meant, isTruth := olderTruth[strings.ToLower(text.Value)]; isTruth {
		l.List.Add(diag.New(diag.WrongType, text.Span, "field \"confirm\" of tool %q must be true, false or a question, found %q", tool.Name.Value, text.Value).
			WithHint("write %t", meant).WithFix(fmt.Sprintf("write %t", meant), text.Span, fmt.Sprint(meant)))
		return
	}
	q := question{l, tool, text.Value, yamldoc.NewPositions(text.Span, text.Value)}
	tool.Question = q.parseParts()
}

// olderTruth are words that are booleans in older YAML and texts in YAML 1.2. None of them is a
// question.
var olderTruth = map[string]bool{"yes": true, "on": true, "true": true, "y": true, "no": false, "off": false, "false": false, "n": false}

var (
	argumentPlaceholder = regexp.MustCompile(`\{\{([^{}]*)\}\}|\{\{|\}\}`)
	argumentPath        = regexp.MustCompile(`^[\pL_][\pL\pN_-]*(\.[\pL_][\pL\pN_-]*)*$`)
)

// parseParts returns the texts of the question and the arguments between them.
func (q question) parseParts() (parts []ir.QuestionPart) {
	end := 0
	add := func(text string) {
		if text != "" {
			parts = append(parts, ir.QuestionPart{Text: text})
		}
	}
	for _, at := range argumentPlaceholder.FindAllStringSubmatchIndex(q.text, -1) {
		add(q.text[end:at[0]])
		end = at[1]
		if at[2] < 0 {
			q.List.Add(diag.New(diag.TemplateSyntax, q.places.Span(at[0], at[1]), "%s is not part of a placeholder", q.text[at[0]:at[1]]).
				WithHint("a placeholder is the name of an argument between braces: {{NAME}}"))
			continue
		}
		if part, ok := q.parseArgument(at[2], at[3]); ok {
			parts = append(parts, part)
		}
	}
	add(q.text[end:])

	return parts
}

// parseArgument parses the text between the braces of a placeholder. It reports a mistake and
// returns false.
func (q question) parseArgument(start, end int) (part ir.QuestionPart, ok bool) {
	start += len(q.text[start:end]) - len(strings.TrimLeft(q.text[start:end], " "))
	path := strings.TrimRight(q.text[start:end], " ")
	if !argumentPath.MatchString(path) {
		q.List.Add(diag.New(diag.TemplateSyntax, q.places.Span(start, end), "%q is not the name of an argument", path).
			WithHint("a placeholder is the name of an argument, or of a field of one: {{cents}}, {{order.id}}"))
		return part, false
	}

	schema, of := q.tool.Input, fmt.Sprintf("tool %q has no argument", q.tool.Name.Value)
	for name := range strings.SplitSeq(path, ".") {
		place := q.places.Span(start, start+len(name))
		start += len(name) + len(".")
		members, isOpen := membersOf(schema)
		member := ir.First(members, func(p *ir.Property) bool { return p.Name.Value == name })
		if member == nil && !isOpen {
			q.List.Add(unknownArgumentDiagnostic(place, name, of, members))
			return part, false
		}
		fallback := ""
		schema = nil
		if member != nil {
			schema, fallback = member.Schema, member.Schema.Default
		}
		part.Path, part.Defaults = append(part.Path, name), append(part.Defaults, fallback)
		of = fmt.Sprintf("argument %q has no field", name)
	}

	return part, true
}

// membersOf returns the possible members of a value; isOpen is true if all members are possible.
func membersOf(s *ir.Schema) (members []*ir.Property, isOpen bool) {
	s = s.Resolved()
	switch {
	case s == nil || s.Kind == ir.SchemaAny:
		return nil, true
	case s.Kind == ir.SchemaUnion:
		for _, variant := range s.Variants {
			own, _ := membersOf(variant.Schema)
			members = append(members, own...)
		}
		return members, false
	}

	return s.Properties, s.Additional != nil && len(s.Properties) == 0
}

// unknownArgumentDiagnostic describes a name that is not among the members. of names their owner.
func unknownArgumentDiagnostic(place source.Span, name, of string, members []*ir.Property) *diag.Diagnostic {
	names := ir.Sorted(ir.Map(members, func(p *ir.Property) string { return p.Name.Value }))
	d := diag.New(diag.UndefinedVariable, place, "%s %q", of, name).Suggest(name, names)
	if d.Hint == "" && len(names) > 0 {
		d.WithHint("there is %s", strings.Join(names, ", "))
	}

	return d
}
