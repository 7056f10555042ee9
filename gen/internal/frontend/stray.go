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

// Stray is a file that is not read: its name is similar to that of a source file, it is at a wrong
// place, or it is not a regular file.
type Stray struct {
	Path string
	// Want is the name of the source file.
	Want string
	// Known registers the intended file, so that references to it are not reported. It may be nil.
	Known func(f *source.File)
}

// AddUnlessFile reports whether the path of s is a file. If it is not, it adds s to the strays.
func (p *Project) AddUnlessFile(s Stray) (isFile bool) {
	instead := p.DescribeNonFile(s.Path)
	if instead != "" {
		p.Strays = append(p.Strays, s)
	}

	return instead == ""
}

// ReportStray reports a stray file.
func (p *Project) ReportStray(s Stray) {
	instead := p.DescribeNonFile(s.Path)
	var f *source.File
	if instead == "" {
		f = p.ReadFile(s.Path)
	} else {
		f = p.addFile(s.Path, nil)
	}
	p.List.Add(s.newDiagnostic(f, instead))
	if s.Known != nil {
		s.Known(f)
	}
}

// newDiagnostic describes why the file is not read. instead describes what it is, if it is not a file.
func (s Stray) newDiagnostic(f *source.File, instead string) *diag.Diagnostic {
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

// WholeFile returns the span of a diagnostic about a file and not about a text in it.
func WholeFile(f *source.File) source.Span { return source.Span{File: f, Start: -1, End: -1} }

// FirstLine returns the span of the first line, for something that is missing at the top of a file.
func FirstLine(f *source.File) source.Span {
	start := bytes.Index(f.Bytes, []byte(f.Line(1)))

	return source.Span{File: f, Start: start, End: start + len(f.Line(1))}
}

// DescribeNonFile describes what is at the path of a file, such as a folder. It returns "" for a
// file, also after a link inside the project. Other things are not read: reading a named pipe would
// block.
func (p *Project) DescribeNonFile(path string) string {
	if link := source.EscapingLink(p.FS, path); link != "" {
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

	return DescribeMode(info.Mode())
}

// DescribeMode describes a mode that is not that of a regular file, or returns "".
func DescribeMode(mode fs.FileMode) string {
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
