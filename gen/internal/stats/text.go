package stats

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
)

// Text writes the statistics for a person, a line for each entry point. Guarded rows and gates have columns if there are any.
// The only errors are those of w.
func Text(w io.Writer, entries []Entry) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns := columnsOf(entries)
	for _, c := range columns {
		fmt.Fprintf(table, "%s\t", c.head)
	}
	fmt.Fprint(table, "  entry point\n")
	for _, e := range entries {
		for _, c := range columns {
			fmt.Fprintf(table, "%s\t", c.cell(e))
		}
		fmt.Fprintf(table, "  %s\n", e.Name)
	}

	return table.Flush()
}

type column struct {
	head string
	cell func(Entry) string
}

func columnsOf(entries []Entry) []column {
	number := func(head string, of func(Entry) int) column {
		return column{head, func(e Entry) string { return strconv.Itoa(of(e)) }}
	}
	guarded, gates := func(e Entry) int { return e.Guarded }, func(e Entry) int { return e.Gates }
	columns := []column{
		number("agents", func(e Entry) int { return e.Agents }), number("states", func(e Entry) int { return e.States }),
		number("rows", func(e Entry) int { return e.Rows }),
	}
	if slices.ContainsFunc(entries, func(e Entry) bool { return guarded(e) > 0 }) {
		columns = append(columns, number("guarded", guarded))
	}
	if slices.ContainsFunc(entries, func(e Entry) bool { return gates(e) > 0 }) {
		columns = append(columns, number("gates", gates))
	}

	return append(columns, number("cycles", func(e Entry) int { return e.Cycles }),
		column{"model calls at most", func(e Entry) string { return e.Calls.String() }})
}
