package stats

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Text writes the statistics for a person, a line for each entry point. The only errors are those of w.
func Text(w io.Writer, entries []Entry) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(table, "agents\tstates\trows\tcycles\tmodel calls at most\t  entry point\n")
	for _, e := range entries {
		fmt.Fprintf(table, "%d\t%d\t%d\t%d\t%s\t  %s\n", e.Agents, e.States, e.Rows, e.Cycles, e.Calls, e.Name)
	}

	return table.Flush()
}

// String writes the number in groups of three digits; [Most], which is no exact number, with a plus behind it.
func (c Calls) String() string {
	digits := strconv.FormatUint(uint64(c), 10)
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	text := strings.Join(append([]string{digits}, groups...), ",")
	if c == Most {
		text += "+"
	}

	return text
}
