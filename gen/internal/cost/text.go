package cost

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/agentc-dev/agentc/gen/internal/words"
)

// line is a row of the table: what it is about, and what that uses.
type line struct {
	label string
	spend Spend
}

// lines are the rows of an entry point, those of its parts behind a title without numbers.
func (e *Entry) lines() (lines []line, parts []section) {
	lines = []line{{"at most", e.Most}}
	if e.Once != e.Most {
		lines = append(lines, line{"if no call fails", e.Once})
	}
	if e.Expected != nil {
		lines = append(lines, line{"median of " + words.Count(e.Expected.Runs, "run"), e.Expected.Median},
			line{"95 % of them", e.Expected.P95})
	}

	return lines, []section{{"by model", e.Models}, {"each time in a state", e.States}}
}

// section is a part of the table.
type section struct {
	title  string
	shares []Share
}

func (s Share) label() string {
	if s.Agent == "" {
		return s.Name
	}

	return s.Agent + ": " + s.Name
}

// Heads are what the cells of [Spend.Cells] are.
var Heads = []string{"calls", "tools", "tokens in", "tokens out", "USD"}

// Cells are the numbers of a row.
func (s Spend) Cells() []string {
	return []string{short(s.Calls), short(s.Tools), short(s.Input), short(s.Output), Dollars(s.Micro)}
}

// short writes a number in few characters: those beyond ten millions are rounded up.
func short(a Amount) string {
	for _, unit := range []struct {
		size Amount
		name string
	}{{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}} {
		if a == Unbounded {
			return "no bound"
		}
		if a >= 10*unit.size || unit.size > 1e6 && a >= unit.size {
			tenths := (a + unit.size/10 - 1) / (unit.size / 10)
			return strconv.FormatFloat(float64(tenths)/10, 'f', 1, 64) + unit.name
		}
	}

	return a.String()
}

// Dollars writes millionths of a dollar as dollars, rounded up to a part that says something.
func Dollars(micro Amount) string {
	const cent, dollar = 10_000, 1_000_000
	switch {
	case micro == Unbounded:
		return "no bound"
	case micro == 0:
		return "0"
	case micro < cent:
		return "0." + fmt.Sprintf("%06d", uint64(micro))
	}
	cents := (micro + cent - 1) / cent

	return (cents / (dollar / cent)).String() + fmt.Sprintf(".%02d", uint64(cents%(dollar/cent)))
}

// width is how wide a line is, and labelWidth the longest label of a row.
const width, labelWidth = 80, 28

// Text writes what entry points use for a person. The only errors are those of w.
func Text(w io.Writer, entries []Entry) error {
	for i := range entries {
		e := &entries[i]
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n", e.title())
		var b strings.Builder
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		row := func(label string, cells []string) {
			if runes := []rune(label); len(runes) > labelWidth {
				label = string(runes[:labelWidth-1]) + "…"
			}
			fmt.Fprintf(table, "%s\t%s\t\n", label+strings.Repeat(" ", max(0, labelWidth-len([]rune(label)))), strings.Join(cells, "\t"))
		}
		row("", Heads)
		lines, parts := e.lines()
		for _, l := range lines {
			row("  "+l.label, l.spend.Cells())
		}
		for _, part := range parts {
			if len(part.shares) > 0 {
				row("  "+part.title, make([]string, len(Heads)))
			}
			for _, s := range part.shares {
				row("    "+s.label(), s.Most.Cells())
			}
		}
		table.Flush() // into memory, which does not fail
		for row := range strings.Lines(b.String()) {
			fmt.Fprintln(w, strings.TrimRight(row, " \n"))
		}
		for _, said := range e.remarks() {
			if _, err := fmt.Fprint(w, words.Wrap("  ", "    ", said, width)); err != nil {
				return err
			}
		}
	}

	return nil
}

// title names an entry point and the least that it makes.
func (e *Entry) title() string {
	return fmt.Sprintf("%s: at least %s of models", e.Name, words.Count(e.Fewest, "call"))
}

// remarks are what is said below the table.
func (e *Entry) remarks() []string {
	var said []string
	if e.Main != "" {
		said = append(said, "most of it: "+e.Main)
	}
	for _, p := range e.Budgets {
		said = append(said, p.String())
	}
	for i, r := range e.Unbounded {
		same := func(of Reason) bool { return of.Field == r.Field }
		if slices.ContainsFunc(e.Unbounded[:i], same) {
			continue
		}
		var what []string
		for _, of := range e.Unbounded[i:] {
			if same(of) {
				what = append(what, of.What)
			}
		}
		said = append(said, "no bound: "+strings.Join(what, ", ")+"; set "+r.Field)
	}

	return said
}

// String says what is proved of a budget.
func (p Proof) String() string {
	of := "budget of the run"
	if p.Of != "" {
		of = "budget of " + p.Of
	}
	write := func(a Amount) string { return short(a) + " " + p.Limit }
	if p.Limit == "usd" {
		write = func(a Amount) string { return Dollars(a) + " USD" }
	}
	text := fmt.Sprintf("%s, %s: %s", of, write(p.Max), p.Verdict)
	if p.Verdict == Reachable {
		text += fmt.Sprintf(", without it at most %s", write(p.Most))
		if p.By != "" {
			text += ": " + p.By
		}
	}

	return text
}

// Markdown writes what entry points use as tables of Markdown. The only errors are those of w.
func Markdown(w io.Writer, entries []Entry) error {
	var b strings.Builder
	for i := range entries {
		e := &entries[i]
		fmt.Fprintf(&b, "### %s\n\n| | %s |\n|---|%s\n", cell(e.title()), strings.Join(Heads, " | "), strings.Repeat("---:|", len(Heads)))
		lines, parts := e.lines()
		for _, l := range lines {
			fmt.Fprintf(&b, "| **%s** | %s |\n", l.label, strings.Join(l.spend.Cells(), " | "))
		}
		for _, part := range parts {
			for _, s := range part.shares {
				fmt.Fprintf(&b, "| %s: %s | %s |\n", part.title, cell(s.label()), strings.Join(s.Most.Cells(), " | "))
			}
		}
		b.WriteByte('\n')
		for _, said := range e.remarks() {
			fmt.Fprintf(&b, "- %s\n", cell(said))
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")

	return err
}

// cell is a text that is not markup.
func cell(text string) string {
	return strings.NewReplacer("\n", " ", `\`, `\\`, "&", "&amp;", "@", "&#64;", "~", `\~`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`).Replace(text)
}
