package agentmd

import (
	"bytes"
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// readStrays reports files that are passed over because their names are not quite right, and what has a right name and is no file. What
// they were meant to be is known by name.
func (l *loader) readStrays(found *layout) error {
	for _, s := range found.strays {
		f, instead, err := l.strayFile(s.path)
		if err != nil {
			return err
		}
		l.list.Add(s.finding(f, instead))

		name := path.Base(path.Dir(s.path))
		switch {
		case path.Dir(s.path) == agentsFolder || path.Dir(s.path) == skillsFolder: // it has no folder to name it
		case s.want == agentFile:
			l.addEmptyAgent(name, f)
		case s.want == skillFile:
			l.addEmptySkill(name, f)
		case name == statemachine.Folder:
			l.addEmptyAgent(strings.TrimSuffix(s.want, path.Ext(s.want)), f)
		}
	}

	return nil
}

// strayFile reads a file, if it is one; else it says what it is.
func (l *loader) strayFile(path string) (f *source.File, instead string, err error) {
	if instead, err = notFile(l.fsys, path); err != nil {
		return nil, "", err
	}
	if instead != "" {
		return l.noFile(path), instead, nil
	}
	f, err = l.readFile(path)

	return f, "", err
}

// finding says why the file is not read; instead is what it is where that is no file.
func (s stray) finding(f *source.File, instead string) *diag.Diagnostic {
	if instead != "" && path.Base(s.path) == s.want {
		return diag.New(diag.Syntax, wholeFile(f), "%q is %s, and only a file is read", path.Base(s.path), instead).
			WithHint("put a file there, or a link to one in the project")
	}
	if path.Base(s.path) != s.want {
		return diag.New(diag.InvalidName, wholeFile(f), "the file is called %q, and only %q is read", path.Base(s.path), s.want).
			WithHint("rename the file to %q", s.want)
	}

	parts := strings.Split(s.path, "/")
	name := "<name>"
	if len(parts) > 2 {
		name = parts[len(parts)-2]
	}

	return diag.New(diag.InvalidName, wholeFile(f), "the file is not read here: each %s lies in a folder of its own directly below %q",
		s.want, parts[0]).WithHint("move it to %q", path.Join(parts[0], name, s.want))
}

// addEmptyAgent makes an agent known of which nothing but its name can be used.
func (l *loader) addEmptyAgent(name string, f *source.File) {
	if l.agents[name] == nil {
		l.addAgent(&ir.Agent{Name: ir.Text{Value: name}, Folder: name, File: f})
	}
}

// addEmptySkill makes a skill known of which nothing but its name can be used.
func (l *loader) addEmptySkill(name string, f *source.File) {
	l.skills[name] = &ir.Skill{Name: ir.Text{Value: name}, Folder: name, File: f}
	l.program.Skills = append(l.program.Skills, l.skills[name])
}

// wholeFile is the place of what is said about a file and not about a text in it.
func wholeFile(f *source.File) source.Span { return source.Span{File: f, Start: -1, End: -1} }

// firstLine is the place where something is missing at the top of a file.
func firstLine(f *source.File) source.Span {
	start := bytes.Index(f.Bytes, []byte(f.Line(1)))

	return source.Span{File: f, Start: start, End: start + len(f.Line(1))}
}
