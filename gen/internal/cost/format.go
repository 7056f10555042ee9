package cost

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// row is a row of the table: a label in a titled part, and its spend.
type row struct {
	part, label string
	spend       Spend
}

// tableRows returns the rows of an entry point, and then of its parts.
func (e *Entry) tableRows() []row {
	rows := []row{{"", "at most", e.Most}}
	if e.Once != e.Most {
		rows = append(rows, row{"", "if no call fails", e.Once})
	}
	if e.Expected != nil {
		rows = append(rows, row{"", "median of " + words.Count(e.Expected.Runs, "run"), e.Expected.Median}, row{"", "95 % of them", e.Expected.P95})
	}
	for _, s := range e.Models {
		rows = append(rows, row{"by model", s.label(), s.Most})
	}
	for _, s := range e.States {
		rows = append(rows, row{"each time in a state", s.label(), s.Most})
	}

	return rows
}

func (s Share) label() string {
	if s.Agent == "" {
		return s.Name
	}

	return s.Agent + ": " + s.Name
}

// Columns are the titles of [Spend.Cells].
var Columns = []string{"calls", "tools", "tokens in", "tokens out", "USD"}

// Cells returns the numbers of a row.
func (s Spend) Cells() []string {
	return []string{formatShort(s.Calls), formatShort(s.Tools), formatShort(s.Input), formatShort(s.Output), Dollars(s.Micro)}
}

// formatShort formats a number in few characters. Numbers above ten millions are rounded up.
func formatShort(a Amount) string {
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

// Dollars formats millionths of a dollar as dollars, rounded up to a significant part.
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

// width is the width of a line, and labelWidth of the longest label.
const width, labelWidth = 80, 28

// FormatText formats entry points as a text.
func FormatText(entries []Entry) string {
	var text strings.Builder
	for i := range entries {
		e := &entries[i]
		if i > 0 {
			text.WriteByte('\n')
		}
		fmt.Fprintln(&text, e.title())
		var b strings.Builder
		table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		line := func(label string, cells []string) {
			label = words.Cut(label, labelWidth)
			fmt.Fprintf(table, "%s\t%s\t\n", label+strings.Repeat(" ", max(0, labelWidth-len([]rune(label)))), strings.Join(cells, "\t"))
		}
		line("", Columns)
		indent, part := "  ", ""
		for _, r := range e.tableRows() {
			if r.part != part {
				line("  "+r.part, make([]string, len(Columns)))
				indent, part = "    ", r.part
			}
			line(indent+r.label, r.spend.Cells())
		}
		table.Flush() // writes to memory cannot fail
		for row := range strings.Lines(b.String()) {
			fmt.Fprintln(&text, strings.TrimRight(row, " \n"))
		}
		for _, said := range e.remarks() {
			text.WriteString(words.Wrap("  ", "    ", said, width))
		}
	}

	return text.String()
}

// title names an entry point and its fewest calls.
func (e *Entry) title() string {
	return fmt.Sprintf("%s: at least %s of models", e.Name, words.Count(e.Fewest, "call"))
}

// remarks are the lines below the table.
func (e *Entry) remarks() []string {
	var said []string
	if e.Main != "" {
		said = append(said, "most of it: "+e.Main)
	}
	if e.ListPrices != "" {
		said = append(said, e.PricesNote())
	}
	if slices.ContainsFunc(e.States, func(s Share) bool { return s.Most.max(e.Most) != e.Most }) {
		said = append(said, "budgets limit the total, but not the rows of states")
	}
	said = append(said, ir.Map(e.Budgets, Proof.String)...)
	for i, r := range e.Unbounded {
		same := func(of Reason) bool { return of.Field == r.Field }
		if slices.ContainsFunc(e.Unbounded[:i], same) {
			continue
		}
		what := ir.Map(ir.Where(e.Unbounded[i:], same), func(of Reason) string { return of.What })
		said = append(said, "no bound: "+strings.Join(what, ", ")+"; set "+r.Field)
	}

	return said
}

// PricesNote describes which prices are list prices.
func (e *Entry) PricesNote() string {
	return "list prices of " + e.ListPrices + ", for models that prices.yaml does not have"
}

// String describes the proof.
func (p Proof) String() string {
	of := "budget of the run"
	if p.Of != "" {
		of = "budget of " + p.Of
	}
	write := func(a Amount) string { return formatShort(a) + " " + p.Limit }
	if p.Limit == "usd" {
		write = func(a Amount) string { return Dollars(a) + " USD" }
	}
	text := of + ", " + write(p.Max) + ": "
	switch {
	case p.Verdict == Proved:
		return text + string(p.Verdict)
	case p.Most == Unbounded:
		text += "can be reached; without this budget there is no upper limit"
	default:
		text += "can be reached; without it at most " + write(p.Most)
	}
	if p.By != "" {
		text += ": " + p.By
	}

	return text
}

// FormatMarkdown formats entry points as tables of Markdown.
func FormatMarkdown(entries []Entry) string {
	var b strings.Builder
	for i := range entries {
		e := &entries[i]
		fmt.Fprintf(&b, "### %s\n\n| | %s |\n|---|%s\n", escapeCell(e.title()), strings.Join(Columns, " | "), strings.Repeat("---:|", len(Columns)))
		for _, r := range e.tableRows() {
			label := "**" + r.label + "**"
			if r.part != "" {
				label = r.part + ": " + escapeCell(r.label)
			}
			fmt.Fprintf(&b, "| %s | %s |\n", label, strings.Join(r.spend.Cells(), " | "))
		}
		b.WriteByte('\n')
		for _, said := range e.remarks() {
			fmt.Fprintf(&b, "- %s\n", escapeCell(said))
		}
		b.WriteByte('\n')
	}

	return strings.TrimRight(b.String(), "\n") + "\n"
}

// escapeCell escapes the markup in a text.
func escapeCell(text string) string {
	return strings.NewReplacer("\n", " ", `\`, `\\`, "&", "&amp;", "@", "&#64;", "~", `\~`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`).Replace(text)
}
