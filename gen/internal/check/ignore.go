package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// ignorable are the checks that a comment may silence: warnings, and errors that do not prevent the
// generation of correct Go.
var ignorable = []*diag.Check{
	diag.UnusedField, diag.DeprecatedForm,
	diag.MarkerNearAgent, diag.UndefinedRole,
	diag.UnreachableState, diag.NoExit, diag.BeyondBounds, diag.CatchAllNotLast, diag.UnroutedKey, diag.PromptWithoutTools, diag.PromptSecret,
}

// decidedElsewhere are the checks that depend on other files. A skill that several projects share
// is used in some of them only, so a comment may silence nothing.
var decidedElsewhere = []*diag.Check{diag.UnusedAgent, diag.UnusedSkill}

// inPrompts are the checks of the text of prompts.
var inPrompts = []*diag.Check{diag.PromptWithoutTools, diag.PromptKey, diag.PromptSecret}

// An ignore comment begins with ignoreMark and ignoreVerb: `# agentc:ignore <name> <reason>`.
const (
	ignoreMark = "agentc:"
	ignoreVerb = "ignore"
)

// ignoring is an ignore comment.
type ignoring struct {
	// at is the comment's text from ignoreMark on, and name is the name of the check. Both are on
	// line.
	at, name source.Span
	line     int
	// alone is true if the line holds nothing else; the comment then applies to the next line too.
	alone  bool
	reason string
	used   bool
	// misspelled is true for a comment that was likely meant as an ignore comment.
	misspelled bool
}

// diagnosticID identifies equal diagnostics: several passes may report one, and one comment
// silences it.
type diagnosticID struct {
	check   *diag.Check
	span    source.Span
	message string
}

func idOf(d *diag.Diagnostic) diagnosticID { return diagnosticID{d.Check, d.Span, d.Message} }

// ignore drops the diagnostics that comments silence. A comment silences one diagnostic of its
// line, or of the next line if it has a line of its own. A prompt cannot hold comments, so its
// diagnostics can be silenced anywhere in the frontmatter. A faulty comment or one without effect
// becomes bad-ignore.
func ignore(p *ir.Program, list *diag.List) {
	for _, f := range p.Files {
		comments := ignoreCommentsOf(f)
		if len(comments) == 0 {
			continue
		}
		silenced := map[diagnosticID]bool{}
		own := slices.DeleteFunc(list.Sorted(), func(d *diag.Diagnostic) bool { return d.Span.File != f })
		for _, c := range comments {
			c.silence(own, silenced)
		}
		list.Retain(func(d *diag.Diagnostic) bool { return !silenced[idOf(d)] })
		for _, c := range comments {
			if d := c.problem(own, silenced); d != nil {
				c.dropFixes(own)
				list.Add(d)
			}
		}
	}
}

// ignoreComment matches a comment for the compiler: the text from the mark on, spaces, the verb,
// spaces, the name of a check, and the reason.
var ignoreComment = regexp.MustCompile(`^[# \t]*(` + ignoreMark + `([ \t]*)([^ \t:]*)([ \t]*)([^ \t]*)[ \t]*(.*))$`)

// ignoreCommentsOf returns the ignore comments of f.
func ignoreCommentsOf(f *source.File) []*ignoring {
	var found []*ignoring
	for _, c := range f.Comments {
		m := ignoreComment.FindStringSubmatchIndex(c.Text())
		if m == nil {
			continue
		}
		part := func(group int) source.Span { return partOf(c, m[2*group], m[2*group+1]) }
		verb, name := part(3).Text(), part(5)
		right := part(2).Text() == "" && verb == ignoreVerb && (part(4).Text() != "" || name.Text() == "")
		if !right && !meansIgnore(verb) {
			continue
		}
		line := f.Pos(c.Start).Line
		before := strings.TrimSpace(string(f.Bytes[f.LineStart(line):c.Start]))
		found = append(found, &ignoring{
			at: part(1), name: name, reason: strings.TrimSpace(part(6).Text()), line: line,
			alone: strings.TrimPrefix(before, "\ufeff") == "", misspelled: !right,
		})
	}

	return found
}

// meansIgnore reports whether a word is ignoreVerb or a misspelling of it. Words such as "ignored"
// are not.
func meansIgnore(word string) bool {
	_, near := diag.Nearest(word, []string{ignoreVerb})

	return word == ignoreVerb || near && !strings.HasPrefix(word, ignoreVerb)
}

// silence marks the first diagnostic that c applies to.
func (c *ignoring) silence(own []*diag.Diagnostic, silenced map[diagnosticID]bool) {
	if c.misspelled || c.reason == "" {
		return
	}
	for _, d := range own {
		if !c.appliesTo(d) || d.Check.Name != c.name.Text() {
			continue
		}
		if !silenced[idOf(d)] && canIgnore(d) {
			silenced[idOf(d)] = true
			c.used = true
			return
		}
	}
}

// appliesTo reports whether c is at a position where it can silence d.
func (c *ignoring) appliesTo(d *diag.Diagnostic) bool {
	line := d.Span.Pos().Line

	isOnLine := line == c.line || c.alone && line == c.line+1

	return d.Span.Start >= 0 && (isOnLine || isInPrompt(d))
}

// dropFixes drops the fixes of the diagnostics that the faulty comment c may be meant to silence.
func (c *ignoring) dropFixes(own []*diag.Diagnostic) {
	meant := diag.Lookup(c.name.Text())
	for _, d := range own {
		if c.appliesTo(d) && (meant == nil || meant == d.Check) {
			d.Fixes = nil
		}
	}
}

// isInPrompt reports whether a diagnostic is below the frontmatter, where no comment is possible.
func isInPrompt(d *diag.Diagnostic) bool {
	if !slices.Contains(inPrompts, d.Check) {
		return false
	}
	end := frontmatterEnd(d.Span.File)

	return end > 0 && d.Span.Pos().Line > end
}

// frontmatterEnd returns the number of the closing line --- of a Markdown file, or 0.
func frontmatterEnd(f *source.File) int {
	if strings.TrimRight(f.Line(1), " \t") != "---" {
		return 0
	}
	for line := 2; line <= f.LineCount(); line++ {
		if strings.TrimRight(f.Line(line), " \t") == "---" {
			return line
		}
	}

	return 0
}

func canIgnore(d *diag.Diagnostic) bool {
	return d.Severity == diag.Warning || slices.Contains(ignorable, d.Check)
}

// problem describes what is wrong with c. It returns nil if c silenced a diagnostic.
func (c *ignoring) problem(own []*diag.Diagnostic, silenced map[diagnosticID]bool) *diag.Diagnostic {
	if c.misspelled {
		return diag.New(diag.BadIgnore, c.at, "this comment ignores nothing: it does not begin with %s%s and a space", ignoreMark, ignoreVerb).
			WithHint("write # agentc:ignore <name> <reason>")
	}
	name := c.name.Text()
	check := diag.Lookup(name)
	switch {
	case c.used:
		return nil
	case name == "":
		return diag.New(diag.BadIgnore, c.at, "an ignore comment needs the name of a check and a reason").
			WithHint("write # agentc:ignore <name> <reason>")
	case check == nil:
		names := ir.Map(diag.Checks(), func(c *diag.Check) string { return c.Name })
		d := diag.New(diag.BadIgnore, c.name, "there is no check %q", name)
		if strings.Contains(name, ",") {
			return d.WithHint("a comment silences one diagnostic: write another comment for the next name")
		}
		return d.WithHint("agentc explain --list prints their names").Suggest(name, names)
	case c.reason == "":
		return diag.New(diag.BadIgnore, c.at, "ignoring %s needs a reason", name).
			WithHint("write the reason after the name")
	case !slices.Contains(ignorable, check) && check.Severity == diag.Error:
		return diag.New(diag.BadIgnore, c.name, "%s cannot be ignored: no Go can be generated in spite of it", name)
	case slices.Contains(decidedElsewhere, check) || hasOtherErrors(own, silenced):
		return nil
	}

	return diag.New(diag.BadIgnore, c.at, "nothing to ignore: no %s is found %s", name, c.describeRange(check)).
		WithHint("remove the comment")
}

// describeRange describes where c can silence diagnostics of the check.
func (c *ignoring) describeRange(check *diag.Check) string {
	switch {
	case slices.Contains(inPrompts, check):
		return "in this file"
	case c.alone:
		return "on this line or the next"
	}

	return "on this line"
}

// hasOtherErrors reports whether a file has errors that no comment silences. Checks may have
// skipped parts of such a file, so a comment without effect is not a problem yet.
func hasOtherErrors(own []*diag.Diagnostic, silenced map[diagnosticID]bool) bool {
	return slices.ContainsFunc(own, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && !silenced[idOf(d)] })
}
