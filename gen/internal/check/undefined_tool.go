package check

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// undefinedTool finds unknown tools in skills, and prompts that ask for a tool which does not
// exist.
var undefinedTool = Pass{Name: "undefined-tool", run: func(u *unit) {
	for _, s := range u.program.Skills {
		for _, tool := range s.Tools {
			if tool.Builtin == "" && tool.Tool == nil {
				u.report(undefinedToolDiagnostic(u, s, tool))
			}
		}
	}
	u.reportToolsInPrompts()
}}

func undefinedToolDiagnostic(u *unit, s *ir.Skill, tool ir.ToolRef) *diag.Diagnostic {
	d := diag.New(diag.UndefinedTool, tool.Span, "tool %q of skill %q is not a built-in tool", tool.Value, s.Name.Value)
	known := builtin.Tools()
	if strings.HasPrefix(tool.Value, builtin.OlderToolPrefix) {
		known = olderTools()
	}
	d.Suggest(tool.Value, known)
	dropRepeatingFixes(d, ir.Map(s.Tools, func(t ir.ToolRef) string { return t.Value }))
	for _, typed := range u.program.Tools {
		if d.Hint == "" && typed.Name.Value == tool.Value {
			d.WithHint("each skill with a typed tool defines it completely: name, description and input")
			return d.Note(typed.Name.Span, "%q is defined here", typed.Name.Value)
		}
	}
	if d.Hint == "" {
		d.WithHint("a tool of your own is written as {name: …, description: …, input: …}")
	}

	return d.Note(noSpan, "the built-in tools are %s", diag.JoinNames(builtin.Tools()))
}

// dropRepeatingFixes drops fixes that would write a name into a list a second time.
func dropRepeatingFixes(d *diag.Diagnostic, list []string) {
	d.Fixes = slices.DeleteFunc(d.Fixes, func(f diag.Fix) bool { return slices.Contains(list, f.Edits[0].New) })
}

// reportToolsInPrompts reports the first request of each prompt of a react loop for a tool that
// does not exist. Its name must be similar to a tool of the conversation, or have the older prefix
// of built-in tools.
func (u *unit) reportToolsInPrompts() {
	exists := u.toolNames()
	for _, p := range u.prompts {
		reach, known := reachableTools(p)
		if !known {
			continue
		}
		found := u.firstToolRequest(p.text, func(name string) bool {
			if exists[name] {
				return false
			}
			_, near := nearestMistyped(name, reach)

			return (near || strings.HasPrefix(name, builtin.OlderToolPrefix)) && !u.hasSkill(name)
		})
		if found.tool == "" {
			continue
		}
		d := diag.New(diag.UndefinedTool, p.span(found.start, found.end), "the prompt of %s asks for the tool %q, which does not exist",
			p.owner(), found.tool).Warn()
		if near, ok := diag.Nearest(found.tool, append(reach, olderTools()...)); ok {
			d.WithHint("did you mean %q?", near)
		}
		u.report(d.Note(noSpan, "it has %s", diag.JoinNames(reach)))
	}
}

// reachableTools returns the tools that a react loop can have. known is false for other
// conversations and if a skill is not completely known.
func reachableTools(p *prompt) (names []string, known bool) {
	names = slices.Clone(loopTools)
	known = eachUnlocked(p.step.Skills(), func(_ *ir.Skill, tool ir.ToolRef) { names = append(names, tool.Value) })

	return names, known && p.react != nil
}

func olderTools() []string {
	return ir.Map(builtin.Tools(), func(name string) string { return builtin.OlderToolPrefix + name })
}
