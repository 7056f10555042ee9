package loader

import (
	"bytes"
	"errors"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/runtime/recording"
)

// takeRecording reads a recording, which a program has as it is.
func (l *loader) takeRecording(file string) {
	f := l.ReadFile(file)
	if d := checkRecording(f); d != nil {
		l.List.Add(d)
	}
	l.Program.Recordings = append(l.Program.Recordings, &ir.Recording{Path: file, File: f})
}

// checkRecording says what keeps a file from being played; nil for a recording. It is read by the very reader that plays it.
func checkRecording(f *source.File) *diag.Diagnostic {
	read, err := recording.Read(bytes.NewReader(f.Bytes), f.Path)
	line, problem := 1, "the recording has no replies"
	var format *recording.FormatError
	switch {
	case errors.As(err, &format):
		line, problem = format.Line, "this is not a recording: "+format.Problem
	case err != nil:
		panic(err) // bytes in memory are read without one
	case read.Len() > 0:
		return nil
	}
	start := f.LineStart(line)
	at := source.Span{File: f, Start: start, End: start + len(f.Line(line))}

	return diag.New(diag.BadValue, at, "%s", problem).WithHint("make it with agentc run --record FILE")
}
