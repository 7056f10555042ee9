package preflight

import (
	"fmt"
	"io"
	"strings"
)

// Text writes needs for a person. The only errors are those of w.
func Text(w io.Writer, needs []Need) error {
	var b strings.Builder
	for _, n := range needs {
		switch {
		case n.Unused:
			fmt.Fprintf(&b, "unused   %s %s: files answer for all models\n", n.Kind, n.Name)
			continue
		case n.Missing == "":
			fmt.Fprintf(&b, "ok       %s %s, from %s\n", n.Kind, n.Name, n.From)
			continue
		}
		fmt.Fprintf(&b, "missing  %s %s: %s\n", n.Kind, n.Name, strings.ReplaceAll(n.Missing, "\n", "\n           "))
		fmt.Fprintf(&b, "           for %s\n", strings.Join(n.For, ", "))
		switch {
		case n.Config:
			fmt.Fprintf(&b, "           add to agentc.yaml: %s\n", n.Add)
		case n.Add != "":
			fmt.Fprintf(&b, "           add: %s\n", n.Add)
		}
	}
	_, err := io.WriteString(w, b.String())

	return err
}
