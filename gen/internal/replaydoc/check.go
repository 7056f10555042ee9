package replaydoc

import (
	"bytes"
	"errors"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/recording"
)

// Check reports what keeps a file from being played; a recording has no diagnostics.
func Check(f *source.File) []*diag.Diagnostic {
	read, err := recording.Read(bytes.NewReader(f.Bytes), f.Path)
	var format *recording.FormatError
	switch {
	case errors.As(err, &format):
		return []*diag.Diagnostic{diag.New(diag.BadValue, lineOf(f, format.Line), "this is not a recording: %s", format.Problem).
			WithHint("make it with agentc run --record FILE")}
	case err != nil:
		panic(err) // bytes in memory are read without one
	case read.Len() == 0:
		return []*diag.Diagnostic{diag.New(diag.BadValue, lineOf(f, 1), "the recording has no replies").
			WithHint("make it with agentc run --record FILE")}
	}

	return nil
}

// lineOf returns the place of a line, which is counted from 1.
func lineOf(f *source.File, line int) source.Span {
	start := f.LineStart(line)

	return source.Span{File: f, Start: start, End: start + len(f.Line(line))}
}
