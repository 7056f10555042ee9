package agentmd

import (
	"bytes"
	"path"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/source"
)

// readWorkflows makes the workflows known by name, which they share with the agents, and says of each that it is not
// built yet.
func (l *loader) readWorkflows(found *layout) error {
	for _, file := range found.workflows {
		f, err := l.readFile(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(path.Base(file), path.Ext(file))
		l.notYet(wholeFile(f), "workflow %q", name)
		if l.agents[name] == nil {
			l.addAgent(&ir.Agent{Name: ir.Text{Value: name}, Folder: name, File: f})
		}
	}

	return nil
}

// readStrays reports files that are passed over because of the case of their names.
func (l *loader) readStrays(found *layout) error {
	for _, s := range found.strays {
		f, err := l.readFile(s.path)
		if err != nil {
			return err
		}
		l.list.Add(diag.New(diag.InvalidName, wholeFile(f), "the file is called %q, and only %q is read", path.Base(s.path), s.want).
			WithHint("rename the file to %q", s.want))
	}

	return nil
}

// wholeFile is the place of what is said about a file and not about a text in it.
func wholeFile(f *source.File) source.Span { return source.Span{File: f, Start: -1, End: -1} }

// firstLine is the place where something is missing at the top of a file.
func firstLine(f *source.File) source.Span {
	start := bytes.Index(f.Bytes, []byte(f.Line(1)))

	return source.Span{File: f, Start: start, End: start + len(f.Line(1))}
}
