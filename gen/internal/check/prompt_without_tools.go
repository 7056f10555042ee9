package check

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// promptWithoutTools finds prompts of oneshots that ask their model to call finish or another tool. A oneshot has none: the
// model would write the call into its answer, or that it cannot do it. The first such place of a prompt is reported.
var promptWithoutTools = Pass{Name: "prompt-without-tools", run: func(u *unit) {
	tools := u.toolNames()
	for _, p := range u.prompts {
		if p.react != nil {
			continue
		}
		if found := u.firstCall(p.text, func(tool string) bool { return tools[tool] }); found.tool != "" {
			u.report(p.withoutTools(found))
		}
	}
}}

// withoutTools is the diagnostic for a call that the prompt of a oneshot asks for.
func (p *prompt) withoutTools(found call) *diag.Diagnostic {
	at, a := p.span(found.start, found.end), p.agent
	if _, flow := a.Node.(*ir.Flow); flow && p.step.Name.Value == "" {
		return diag.New(diag.PromptWithoutTools, at,
			"in pattern %q the model of agent %q has no tools, but its prompt asks for %q",
			a.Node.Pattern(), a.Name.Value, found.tool).WithHint("its whole reply counts: say what to write")
	}
	if _, isWorkflow := a.Node.(*ir.Workflow); isWorkflow {
		return diag.New(diag.PromptWithoutTools, at, "%s has no tools, but its prompt asks for %q", p.owner(), found.tool).
			WithHint("its whole reply counts: say what to write, or use an agent of the project that has tools: uses: agent:NAME")
	}
	d := diag.New(diag.PromptWithoutTools, at,
		"%s is a oneshot, whose model has no tools, but its prompt asks for %q", p.owner(), found.tool)
	if skill, _ := p.u.skillWith(found.tool); skill != nil {
		return d.WithHint("give it the pattern react and the skill %q", skill.Name.Value)
	}
	d.WithHint("give it the pattern react")
	if edit, ok := reactEdit(p.step); ok && (saysFinish.MatchString(p.text) || p.u.isRouted(a)) {
		d.Fixes = append(d.Fixes, diag.Fix{Message: "give " + p.owner() + " the pattern react", Edits: []diag.Edit{edit}})
	}

	return d
}

// saysFinish is what only a prompt for a react loop says: prose about a function finish does not.
var saysFinish = regexp.MustCompile("(?i)\\bfinish\\(\\s*key\\s*=|\\bcall\\s+(?:the\\s+)?[`*\"']*finish[`*\"']*(?:\\(\\))?(?:\\s+tool)?[`*\"']*\\s+with\\b")

// isRouted reports whether a row of a machine asks for a key of the agent.
func (u *unit) isRouted(a *ir.Agent) bool {
	asks := func(s *ir.State) bool {
		return s.Agent == a && slices.ContainsFunc(s.Rows, func(r *ir.Row) bool { return !r.IsCatchAll() })
	}

	return slices.ContainsFunc(u.machines, func(x *machine) bool { return slices.ContainsFunc(x.States, asks) })
}

// reactEdit returns the edit that gives a conversation the pattern react: in place of the pattern that it says, as the first
// line of its frontmatter, or with a frontmatter of its own. ok is false where a line cannot be put in without a parser.
func reactEdit(step *ir.Step) (edit diag.Edit, ok bool) {
	if at := step.PatternAt.Span; at.IsValid() {
		return diag.Replace(at, "react"), true
	}
	f := step.File
	if f == nil || step.Prompt.Span.File != f {
		return diag.Edit{}, false
	}
	line := "pattern: react\n"
	at, body := 0, step.Prompt.Span.Start
	head := f.Bytes[:body]
	if open := bytes.Index(head, []byte("---")); open >= 0 {
		at = open + bytes.IndexByte(f.Bytes[open:], '\n') + 1
	} else {
		at, line = body, "---\n"+line+"---\n\n"
	}
	if bytes.Contains(f.Bytes, []byte("\r\n")) {
		line = string(bytes.ReplaceAll([]byte(line), []byte("\n"), []byte("\r\n")))
	}
	edit = diag.Edit{Span: source.Span{File: f, Start: at, End: at}, New: line}

	return edit, at == body || startsField(f.Bytes[at:])
}

// startsField reports whether a line can be put before text: a field of a mapping begins there, a comment or the end of
// the frontmatter, and not an indented or a flow mapping.
func startsField(text []byte) bool {
	return len(text) > 0 && bytes.IndexByte([]byte(" \t{}[]\r\n,"), text[0]) < 0
}
