package output

import (
	"fmt"
	"io"

	"github.com/aymanbagabas/go-udiff"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

const absent = "/dev/null"

// DiffSink returns a sink that prints a unified diff of each change. label returns the name of a path
// in the diff.
func DiffSink(w io.Writer, label func(path string) string) Sink {
	return func(c Change) error {
		if c.IsSame() {
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

// PrintSink returns a sink that prints the generated files as a txtar archive.
func PrintSink(w io.Writer, label func(path string) string) Sink {
	return func(c Change) error {
		if c.New == nil {
			return nil
		}
		_, err := fmt.Fprintf(w, "-- %s --\n%s", label(c.Path), c.New)

		return err
	}
}

// FindingsSink returns a sink that reports each difference as stale-output, edited-output or
// orphan-output. isEdited reports whether a content was changed after it was generated.
func FindingsSink(list *diag.List, isEdited func(content []byte) bool) Sink {
	return func(c Change) error {
		if c.IsSame() {
			return nil
		}
		file := source.NewFile(c.Path, c.Old)
		first := source.Span{File: file, End: len(file.Line(1))}
		switch {
		case c.New == nil:
			list.Add(diag.New(diag.OrphanOutput, first, "no source produces this file any more").
				WithHint("agentc generate removes it"))
		case c.Old == nil:
			whole := source.Span{File: file, Start: -1, End: -1}
			list.Add(diag.New(diag.StaleOutput, whole, "the file is missing").WithHint("agentc generate writes it"))
		case isEdited(c.Old):
			list.Add(diag.New(diag.EditedOutput, first, "the file was edited after it was generated").
				WithHint("to write it again: agentc generate"))
		default:
			list.Add(diag.New(diag.StaleOutput, first, "the file differs from what its source gives").
				WithHint("to write it again: agentc generate"))
		}

		return nil
	}
}
