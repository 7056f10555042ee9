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

// skillFile finds links of a SKILL.md to files that the skill does not have: a model would be asked to read what is not there. What looks
// like no path, a word without a dot or a slash, is taken for a placeholder. It also warns of scripts, which nothing runs.
var skillFile = Pass{Name: "skill-file", run: func(u *unit) {
	for _, s := range u.program.Skills {
		if s.File == nil || !s.Body.Span.IsValid() {
			continue
		}
		for _, at := range links(s.File.Bytes[s.Body.Span.Start:s.Body.Span.End]) {
			span := source.Span{File: s.File, Start: s.Body.Span.Start + at[0], End: s.Body.Span.Start + at[1]}
			u.skillLink(s, span)
		}
		u.skillScript(s)
	}
}}

// markdownLink is a link of Markdown, inline or as a definition; scheme begins an address.
var (
	markdownLink = regexp.MustCompile(`\]\(\s*<?([^()<>\s]+)>?[^()]*\)|(?m:^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^<>\s]+))`)
	scheme       = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)
)

// links are where the targets of links are in a text, outside of code.
func links(text []byte) [][2]int {
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

// codeSpan is code within a line.
var codeSpan = regexp.MustCompile("``[^\n]*?``|`[^`\n]*`")

// withoutCode is a text whose code is blank: blocks between fences, and code within lines.
func withoutCode(text []byte) []byte {
	var out []byte
	fence := ""
	for line := range bytes.Lines(text) {
		bare := bytes.TrimSpace(line)
		opens := fence == "" && (bytes.HasPrefix(bare, []byte("```")) || bytes.HasPrefix(bare, []byte("~~~")))
		switch {
		case opens:
			fence = string(bare[:3])
			line = blank(line)
		case fence != "":
			if bytes.HasPrefix(bare, []byte(fence)) {
				fence = ""
			}
			line = blank(line)
		}
		out = append(out, line...)
	}

	return codeSpan.ReplaceAllFunc(out, blank)
}

// blank returns spaces in place of a text, but for the ends of its lines.
func blank(text []byte) []byte {
	spaces := bytes.Repeat([]byte(" "), len(text))
	for i, c := range text {
		if c == '\n' {
			spaces[i] = c
		}
	}

	return spaces
}

// skillLink judges where one link leads.
func (u *unit) skillLink(s *ir.Skill, at source.Span) {
	target, _, _ := strings.Cut(at.Text(), "#")
	target, _, _ = strings.Cut(target, "?")
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	if target == "" || scheme.MatchString(target) || strings.HasPrefix(target, "/") || !strings.ContainsAny(target, "./") || strings.ContainsAny(target, "{}$*") {
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
