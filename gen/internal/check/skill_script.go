package check

import (
	"path"
	"regexp"
	"slices"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// namedScript matches a script in the text of a skill.
var namedScript = regexp.MustCompile(`\bscripts/[\w./-]*\w\.(?:py|sh|bash|js|mjs|ts|rb|pl|ps1)\b`)

// scriptEnds are the file name extensions of scripts.
var scriptEnds = []string{".py", ".sh", ".bash", ".js", ".mjs", ".ts", ".rb", ".pl", ".ps1"}

// checkSkillScript warns of a skill with scripts that unlocks no shell: a model can read the
// scripts, and nothing runs them.
func (u *unit) checkSkillScript(s *ir.Skill) {
	hasShell := slices.ContainsFunc(s.Tools, func(t ir.ToolRef) bool { return builtin.FlowOf(t.Builtin).Commands })
	if hasShell || s.Partial {
		return
	}
	at, script := firstScript(s)
	if script == "" || u.hasReported(diag.SkillFile, at) {
		return
	}
	u.report(diag.New(diag.SkillFile, at, "script %q of skill %q: nothing runs the scripts of a skill, and a model can only read them",
		script, s.Name.Value).Warn().
		WithHint("describe what it does as a tool of the skill, which a Go method implements, or unlock bash: tools: [bash]"))
}

// firstScript returns the first script that the text of a skill names, or the first script file of
// the skill, with its span. It returns "" if there is none.
func firstScript(s *ir.Skill) (at source.Span, script string) {
	body := s.Body.Span
	if m := namedScript.FindIndex(s.File.Bytes[body.Start:body.End]); m != nil {
		at = source.Span{File: s.File, Start: body.Start + m[0], End: body.Start + m[1]}
		return at, at.Text()
	}
	for _, f := range s.Files {
		if path.Dir(f.Path) == "scripts" && slices.Contains(scriptEnds, path.Ext(f.Path)) {
			return placeOf(s.Name, ir.Text{Span: body}), f.Path
		}
	}

	return at, ""
}
