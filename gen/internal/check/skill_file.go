package check

import (
	"bytes"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// skillFile finds links of a SKILL.md to missing files: a model would be asked to read a file that
// does not exist. A word without a dot or a slash is a placeholder. The pass also warns of scripts,
// which nothing runs.
var skillFile = Pass{Name: "skill-file", run: func(u *unit) {
	for _, s := range u.program.Skills {
		if s.File == nil || !s.Body.Span.IsValid() {
			continue
		}
		for _, at := range linkTargets(s.File.Bytes[s.Body.Span.Start:s.Body.Span.End]) {
			span := source.Span{File: s.File, Start: s.Body.Span.Start + at[0], End: s.Body.Span.Start + at[1]}
			u.checkSkillLink(s, span)
		}
		u.checkSkillScript(s)
	}
}}

// markdownLink matches an inline link or a link definition of Markdown; scheme begins a URL.
var (
	markdownLink = regexp.MustCompile(`\]\(\s*<?([^()<>\s]+)>?[^()]*\)|(?m:^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^<>\s]+))`)
	scheme       = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
)

// linkTargets returns the spans of link targets in a text, outside of code.
func linkTargets(text []byte) [][2]int {
	text = withoutCode(text)
	var found [][2]int
	for _, m := range markdownLink.FindAllSubmatchIndex(text, -1) {
		if m[2] < 0 {
			m[2], m[3] = m[4], m[5]
		}
		found = append(found, [2]int{m[2], m[3]})
	}

	return found
}

// codeSpan matches code within a line.
var codeSpan = regexp.MustCompile("``[^\n]*?``|`[^`\n]*`")

// withoutCode returns a text in which spaces replace fenced blocks and code within lines.
func withoutCode(text []byte) []byte {
	var out []byte
	fence := ""
	for line := range bytes.Lines(text) {
		bare := bytes.TrimSpace(line)
		opens := fence == "" && (bytes.HasPrefix(bare, []byte("```")) || bytes.HasPrefix(bare, []byte("~~~")))
		switch {
		case opens:
			fence = string(bare[:3])
			line = blankOut(line)
		case fence != "":
			if bytes.HasPrefix(bare, []byte(fence)) {
				fence = ""
			}
			line = blankOut(line)
		}
		out = append(out, line...)
	}

	return codeSpan.ReplaceAllFunc(out, blankOut)
}

// blankOut replaces a text by spaces and keeps its newlines.
func blankOut(text []byte) []byte {
	spaces := bytes.Repeat([]byte(" "), len(text))
	for i, c := range text {
		if c == '\n' {
			spaces[i] = c
		}
	}

	return spaces
}

// checkSkillLink reports a link to a missing file.
func (u *unit) checkSkillLink(s *ir.Skill, at source.Span) {
	target, _, _ := strings.Cut(at.Text(), "#")
	target, _, _ = strings.Cut(target, "?")
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if !isRelativePath(target) {
		return
	}
	name := path.Clean(target)
	if name == "." || name == "SKILL.md" || s.HasFile(name) {
		return
	}
	if strings.HasPrefix(name, "../") {
		u.report(diag.New(diag.SkillFile, at, "%q points outside the folder of skill %q, but a model can only read files of the skill", target, s.Name.Value).
			WithHint("copy the file into the folder of the skill"))

		return
	}
	paths := ir.Map(s.Files, func(f ir.SkillFile) string { return f.Path })
	u.report(diag.New(diag.SkillFile, at, "skill %q has no file %q", s.Name.Value, target).
		WithHint("add the file beside SKILL.md, or remove the link").Guess(name, paths))
}

// isRelativePath reports whether the target of a link is a path relative to the skill, and not a
// URL, an absolute path, a template or a placeholder without a dot or a slash.
func isRelativePath(target string) bool {
	if target == "" || scheme.MatchString(target) || strings.HasPrefix(target, "/") {
		return false
	}

	return strings.ContainsAny(target, "./") && !strings.ContainsAny(target, "{}$*")
}
