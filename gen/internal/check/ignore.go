package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// ignorable are the checks that a comment may silence: warnings, and errors without which Go can still be written that does
// what the sources say.
var ignorable = []*diag.Check{
	diag.UnusedField, diag.DeprecatedForm,
	diag.MarkerNearAgent, diag.UndefinedRole,
	diag.UnreachableState, diag.NoExit, diag.BeyondBounds, diag.CatchAllNotLast, diag.UnroutedKey, diag.PromptWithoutTools, diag.PromptSecret,
}

// decidedElsewhere are the checks of which other files decide whether they find something: a skill that several projects share
// is used in one of them and not in another. A comment says then that either is right, and silences something or not.
var decidedElsewhere = []*diag.Check{diag.UnusedAgent, diag.UnusedSkill}

// inPrompts are the checks of what is in prompts.
var inPrompts = []*diag.Check{diag.PromptWithoutTools, diag.PromptKey, diag.PromptSecret}

// An ignore comment begins with ignoreMark and ignoreVerb: `# agentc:ignore <name> <reason>`.
const (
	ignoreMark = "agentc:"
	ignoreVerb = "ignore"
)

// An ignoring is an ignore comment.
type ignoring struct {
	// at is the comment's text from ignoreMark on, name the place of the check's name; both on the line called line.
	at, name source.Span
	line     int
	// alone says that nothing but the comment is on its line, so that the next line is meant as well.
	alone  bool
	reason string
	used   bool
	// misspelled says that the comment is not written as one, but was meant to be.
	misspelled bool
}

// finding is what makes two diagnostics one: passes may find the same twice, and one comment silences both.
type finding struct {
	check   *diag.Check
	span    source.Span
	message string
}

func findingOf(d *diag.Diagnostic) finding { return finding{d.Check, d.Span, d.Message} }

// ignore drops the diagnostics that comments silence, each comment one of its own line or, if it has a line to itself, of the
// next one; one in a prompt, where no comment can be, from anywhere in the frontmatter. Comments that are faulty or
// silence nothing become bad-ignore.
func ignore(p *ir.Program, list *diag.List) {
	for _, f := range p.Files {
		comments := ignorings(f)
		if len(comments) == 0 {
			continue
		}
		silenced := map[finding]bool{}
		own := slices.DeleteFunc(list.Sorted(), func(d *diag.Diagnostic) bool { return d.Span.File != f })
		for _, c := range comments {
			c.silence(own, silenced)
		}
		list.Retain(func(d *diag.Diagnostic) bool { return !silenced[findingOf(d)] })
		for _, c := range comments {
			if d := c.problem(own, silenced); d != nil {
				c.keep(own)
				list.Add(d)
			}
		}
	}
}

// ignoreComment is a comment for the compiler: all of it from the mark on, spaces before the verb, the verb, spaces, the name of a
// check and the reason.
var ignoreComment = regexp.MustCompile(`^[# \t]*(` + ignoreMark + `([ \t]*)([^ \t:]*)([ \t]*)([^ \t]*)[ \t]*(.*))$`)

// ignorings returns the ignore comments of f.
func ignorings(f *source.File) []*ignoring {
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

// meansIgnore reports whether a word is ignoreVerb, or nearly that; "ignored" and the like are words of their own.
func meansIgnore(word string) bool {
	_, near := diag.Nearest(word, []string{ignoreVerb})

	return word == ignoreVerb || near && !strings.HasPrefix(word, ignoreVerb)
}

// silence marks the first finding that c means.
func (c *ignoring) silence(own []*diag.Diagnostic, silenced map[finding]bool) {
	if c.misspelled || c.reason == "" {
		return
	}
	for _, d := range own {
		if c.reaches(d) && d.Check.Name == c.name.Text() && !silenced[findingOf(d)] && canIgnore(d) {
			silenced[findingOf(d)] = true
			c.used = true
			return
		}
	}
}

// reaches reports whether c is where it could silence d.
func (c *ignoring) reaches(d *diag.Diagnostic) bool {
	line := d.Span.Pos().Line

	return d.Span.Start >= 0 && (line == c.line || c.alone && line == c.line+1 || isInPrompt(d))
}

// keep takes the fixes from what c, which is faulty, may have been meant to silence: it is to stay as it is.
func (c *ignoring) keep(own []*diag.Diagnostic) {
	meant := diag.Lookup(c.name.Text())
	for _, d := range own {
		if c.reaches(d) && (meant == nil || meant == d.Check) {
			d.Fixes = nil
		}
	}
}

// isInPrompt reports whether a finding is below a frontmatter, where no comment can be.
func isInPrompt(d *diag.Diagnostic) bool {
	if !slices.Contains(inPrompts, d.Check) {
		return false
	}
	end := headEnd(d.Span.File)

	return end > 0 && d.Span.Pos().Line > end
}

// headEnd returns the number of the line --- that ends the frontmatter of a Markdown file; 0 if it has none.
func headEnd(f *source.File) int {
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

// problem returns what is wrong with c; nil if it silenced a finding.
func (c *ignoring) problem(own []*diag.Diagnostic, silenced map[finding]bool) *diag.Diagnostic {
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
	case slices.Contains(decidedElsewhere, check) || unread(own, silenced):
		return nil
	}

	return diag.New(diag.BadIgnore, c.at, "nothing to ignore: no %s is found %s", name, c.where(check)).
		WithHint("remove the comment")
}

// where says where c could have silenced a finding of the check.
func (c *ignoring) where(check *diag.Check) string {
	switch {
	case slices.Contains(inPrompts, check):
		return "in this file"
	case c.alone:
		return "on this line or the next"
	}

	return "on this line"
}

// unread reports whether a file has errors: then checks may not have looked at all of it, and what a comment silences may
// show when they are fixed.
func unread(own []*diag.Diagnostic, silenced map[finding]bool) bool {
	return slices.ContainsFunc(own, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error && !silenced[findingOf(d)] })
}
