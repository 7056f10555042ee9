package output

import (
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Findings returns the sink that reports each difference: stale-output, edited-output or orphan-output. edited says of a
// file's content whether somebody changed it after it was generated.
func Findings(list *diag.List, edited func(content []byte) bool) Sink {
	return func(c Change) error {
		if c.Same() {
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
		case edited(c.Old):
			list.Add(diag.New(diag.EditedOutput, first, "the file was edited after it was generated").
				WithHint("to write it again: agentc generate"))
		default:
			list.Add(diag.New(diag.StaleOutput, first, "the file differs from what its source gives").
				WithHint("to write it again: agentc generate"))
		}

		return nil
	}
}
