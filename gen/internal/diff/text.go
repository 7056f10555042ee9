package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/cost"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// section is a part of a report: a title, and lines that begin with a sign. Only lines contain
// texts of sources.
type section struct {
	title string
	lines []string
}

// nonEmptySections returns the parts of a report that are not empty.
func (r *Report) nonEmptySections() []section {
	all := []section{
		{"worse", r.Worse}, {"what changed", r.changeLines()}, {"cost of a run, at most", r.costLines()},
		{"where a run can pause", ir.Map(r.Places, Place.formatLine)}, {"runs of the store", ir.Map(r.Runs, Run.formatLine)}, {"runs that cannot be read", r.Problems},
	}

	return slices.DeleteFunc(all, func(s section) bool { return len(s.lines) == 0 })
}

// FormatText returns a report for a person, in lines of at most 80 columns.
func (r *Report) FormatText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", words.Line(r.Old+" -> "+r.New))
	for _, s := range r.nonEmptySections() {
		fmt.Fprintf(&b, "\n%s\n", s.title)
		for _, line := range s.lines {
			b.WriteString(wrapLine("  ", line))
		}
	}

	return b.String()
}

// Marker is the first line of a report as Markdown, by which a comment can be found and replaced.
const Marker = "<!-- agentc diff -->"

// FormatMarkdown returns a report as a comment. Texts of sources are only in code blocks, so that none
// becomes markup.
func (r *Report) FormatMarkdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n### agentc diff: %s\n\n", Marker, r.formatSummary())
	b.WriteString(fenceCode("text", []string{words.Line(r.Old + " -> " + r.New)}))
	for _, s := range r.nonEmptySections() {
		fmt.Fprintf(&b, "\n#### %s\n\n", s.title)
		language, lines := "text", []string{}
		if s.title == "what changed" {
			language = "diff"
		}
		for _, line := range s.lines {
			lines = append(lines, strings.TrimSuffix(wrapLine("", line), "\n"))
		}
		b.WriteString(fenceCode(language, lines))
	}
	if r.Picture != "" {
		b.WriteString("\n<details><summary>picture</summary>\n\n" + fenceCode("mermaid", []string{strings.TrimSuffix(r.Picture, "\n")}) + "\n</details>\n")
	}

	return b.String()
}

// formatSummary returns a title without any text of a source.
func (r *Report) formatSummary() string {
	switch {
	case len(r.Worse) > 0:
		return fmt.Sprintf("%d worse", len(r.Worse))
	case len(r.Problems) > 0:
		return "not all runs can be read"
	case len(r.Changes) == 0:
		return "nothing has changed"
	}

	return "nothing is worse"
}

// fenceCode returns a code block that none of its lines can end.
func fenceCode(language string, lines []string) string {
	text := strings.Join(lines, "\n")
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}

	return fence + language + "\n" + text + "\n" + fence + "\n"
}

// changedPart names the changed part.
func (c Change) changedPart() string {
	switch {
	case c.Agent == "":
		return c.Name
	case c.Name == "":
		return c.Agent
	}

	return c.Agent + ": " + c.Name
}

// headline describes the change, without long values.
func (c Change) headline() string {
	text := c.Kind + " " + c.changedPart()
	switch {
	case c.Change == Changed && c.isLong(), c.Change == Changed && c.Old+c.New == "":
		return text + " has changed"
	case c.Kind == kindNumber:
		return fmt.Sprintf("number of %s: %s -> %s", c.changedPart(), c.Old, c.New)
	case c.Change == Changed:
		return fmt.Sprintf("%s: %s, was %s", text, cmp.Or(c.New, "none"), cmp.Or(c.Old, "none"))
	case c.isLong(), c.Old+c.New == "":
		return text + " is " + presence[c.Change]
	}

	return fmt.Sprintf("%s (%s) is %s", text, c.Old+c.New, presence[c.Change])
}

// presence describes a part that only one version has.
var presence = map[string]string{Added: "new", Removed: "gone"}

// isLong reports whether a value is a text to compare word by word.
func (c Change) isLong() bool {
	return slices.Contains([]string{kindPrompt, kindSkill, kindText, kindStep, kindSchema}, c.Kind)
}

func (r *Report) changeLines() []string {
	var lines []string
	if len(r.Changes) == 0 {
		lines = []string{"nothing"}
	}
	for _, c := range r.Changes {
		text := c.Kind + " " + c.changedPart()
		switch {
		case c.Change != Changed:
			if value := c.Old + c.New; value != "" && !c.isLong() {
				text += ", " + value
			}
			lines = append(lines, map[string]string{Added: "+ ", Removed: "- "}[c.Change]+text)
		case c.isLong():
			lines = append(lines, "! "+text+": "+wordDiff(c.Old, c.New))
		default:
			lines = append(lines, "! "+c.headline())
		}
	}

	return lines
}

// costLines returns a table of bounds.
func (r *Report) costLines() []string {
	row := func(cells []string) string {
		var b strings.Builder
		for _, cell := range cells {
			fmt.Fprintf(&b, "%12s", cell)
		}
		return strings.TrimRight(b.String(), " ")
	}
	var lines []string
	for _, c := range r.Costs {
		lines = append(lines, c.Name, "        "+row(cost.Columns))
		for _, version := range []struct {
			label string
			spend *cost.Spend
		}{{"before", c.Old}, {"after", c.New}} {
			cells := []string{"–"}
			if version.spend != nil {
				cells = version.spend.Cells()
			}
			lines = append(lines, fmt.Sprintf("%-8s", "  "+version.label)+row(cells))
		}
	}

	return lines
}

func (p Place) formatLine() string {
	text := fmt.Sprintf("%-8s %s", p.Verdict, p.Path)
	if len(p.Reasons) > 0 {
		text += " (" + strings.Join(p.Reasons, "; ") + ")"
	}

	return text
}

func (r Run) formatLine() string {
	return Place{fmt.Sprintf("%s, %s: %s", r.Name, r.Status, r.Path), r.Verdict, r.Reasons}.formatLine()
}

// wrapLine breaks a line at spaces, so that no part is wider than 80 columns. A word that is too
// long is cut.
func wrapLine(indent, line string) string {
	const width = 80
	text, margin, rest := "", indent, []rune(words.Line(line))
	for len(rest) > width-len(margin) {
		room := width - len(margin)
		at := room
		for at > room/2 && rest[at] != ' ' {
			at--
		}
		if rest[at] != ' ' {
			at = room
		}
		text += strings.TrimRight(margin+string(rest[:at]), " ") + "\n"
		rest, margin = []rune(strings.TrimLeft(string(rest[at:]), " ")), indent+"    "
	}

	return text + margin + string(rest) + "\n"
}
