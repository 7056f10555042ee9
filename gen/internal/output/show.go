package output

import (
	"fmt"
	"io"

	"github.com/aymanbagabas/go-udiff"
)

const absent = "/dev/null"

// Diff returns the sink that prints a unified diff from what is there to what should be. label turns the path of a change
// into the name that the diff shows.
func Diff(w io.Writer, label func(path string) string) Sink {
	return func(c Change) error {
		if c.Same() {
			return nil
		}
		from, to := label(c.Path), label(c.Path)
		if c.Old == nil {
			from = absent
		}
		if c.New == nil {
			to = absent
		}
		_, err := io.WriteString(w, udiff.Unified(from, to, string(c.Old), string(c.New)))

		return err
	}
}

// Print returns the sink that prints the files that the sources give, each below a line `-- path --`: a txtar archive.
func Print(w io.Writer, label func(path string) string) Sink {
	return func(c Change) error {
		if c.New == nil {
			return nil
		}
		_, err := fmt.Fprintf(w, "-- %s --\n%s", label(c.Path), c.New)

		return err
	}
}
