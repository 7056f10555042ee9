package frontend

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// Stray is a file that is not read because its name is almost that of one that is, because it is elsewhere, or because it is no
// file.
type Stray struct {
	Path string
	// Want is the name that is read.
	Want string
	// Known makes known what the file was meant to be, so that references to it are not mistakes of their own; nil for a file that
	// defines nothing.
	Known func(f *source.File)
}

// AddUnlessFile adds what is called as the file want and is none to the strays, and reports whether it is a file.
func (p *Project) AddUnlessFile(s Stray) (isFile bool) {
	instead := p.NotFile(s.Path)
	if instead != "" {
		p.Strays = append(p.Strays, s)
	}

	return instead == ""
}

// ReportStray reports a stray file.
func (p *Project) ReportStray(s Stray) {
	instead := p.NotFile(s.Path)
	var f *source.File
	if instead == "" {
		f = p.ReadFile(s.Path)
	} else {
		f = p.addFile(s.Path, nil)
	}
	p.List.Add(s.finding(f, instead))
	if s.Known != nil {
		s.Known(f)
	}
}

// finding says why the file is not read; instead is what it is where that is not a file.
func (s Stray) finding(f *source.File, instead string) *diag.Diagnostic {
	if instead != "" && path.Base(s.Path) == s.Want {
		return diag.New(diag.Syntax, WholeFile(f), "%q is %s, but only regular files are read", path.Base(s.Path), instead).
			WithHint("put a file there, or a link to one in the project")
	}
	if path.Base(s.Path) != s.Want {
		return diag.New(diag.InvalidName, WholeFile(f), "the file is called %q, but only %q is read", path.Base(s.Path), s.Want).
			WithHint("rename the file to %q", s.Want)
	}

	parts := strings.Split(s.Path, "/")
	name := "<name>"
	if len(parts) > 2 {
		name = parts[len(parts)-2]
	}

	return diag.New(diag.InvalidName, WholeFile(f), "the file is not read here: each %s is in a folder of its own directly below %q",
		s.Want, parts[0]).WithHint("move it to %q", path.Join(parts[0], name, s.Want))
}

// WholeFile is the place of what is said about a file and not about a text in it.
func WholeFile(f *source.File) source.Span { return source.Span{File: f, Start: -1, End: -1} }

// FirstLine is the place where something is missing at the top of a file.
func FirstLine(f *source.File) source.Span {
	start := bytes.Index(f.Bytes, []byte(f.Line(1)))

	return source.Span{File: f, Start: start, End: start + len(f.Line(1))}
}

// NotFile says what is where a file is expected, such as a folder; "" for a file, also behind a link inside the project. Anything else is
// not read: a named pipe would be waited for.
func (p *Project) NotFile(path string) string {
	if link := source.Escape(p.FS, path); link != "" {
		return fmt.Sprintf("behind %q, a symbolic link out of the project", link)
	}
	info, err := fs.Stat(p.FS, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "a link that leads nowhere"
	case err != nil:
		p.Fail(err)
		return ""
	}

	return NotRegular(info.Mode())
}

// NotRegular says what has a mode that is not a file's; "" for a file.
func NotRegular(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return ""
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}

	return "no file"
}
