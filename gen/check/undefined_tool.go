package check

import (
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
)

// builtinTools are the names that a skill may list alone. They are written here once more, for suggestions, because a
// reference carries only its own canonical name; a test holds them against the front end.
var builtinTools = []string{
	"bash", "files_read", "files_write", "http_get", "http_post", "mem_append", "mem_get", "mem_set",
}

// olderPrefix may stand before the name of each built-in tool.
const olderPrefix = "tama_"

// undefinedTool finds names in the tools of a skill that are no built-in tool.
var undefinedTool = Pass{Name: "undefined-tool", run: func(u *unit) {
	for _, s := range u.program.Skills {
		for _, tool := range s.Tools {
			if tool.Builtin == "" && tool.Tool == nil {
				u.report(undefinedToolAt(u, s, tool))
			}
		}
	}
}}

func undefinedToolAt(u *unit, s *ir.Skill, tool ir.ToolRef) *diag.Diagnostic {
	d := diag.New(diag.UndefinedTool, tool.Span, "tool %q of skill %q is not a built-in tool", tool.Value, s.Name.Value)
	known := builtinTools
	if strings.HasPrefix(tool.Value, olderPrefix) {
		known = nil
		for _, name := range builtinTools {
			known = append(known, olderPrefix+name)
		}
	}
	d.Suggest(tool.Value, known)
	for _, typed := range u.program.Tools {
		if d.Hint == "" && typed.Name.Value == tool.Value {
			d.WithHint("a typed tool is written out in each skill that has it, with its name, description and input")
			return d.Note(typed.Name.Span, "%q is defined here", typed.Name.Value)
		}
	}
	if d.Hint == "" {
		d.WithHint("a tool of your own is written as {name: …, description: …, input: …}")
	}

	return d.Note(noSpan, "the built-in tools are %s", listed(builtinTools))
}
