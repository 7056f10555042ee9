package agentmd

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/source"
	"github.com/agentc-dev/agentc/gen/statemachine"
)

// scriptExt stands behind the name of a workflow in that of the script with which it runs on its own.
const scriptExt = ".script.json"

// readWorkflows reads the workflows and what they import, and makes them known by name. They share their names with the
// agents: one that has the name of an agent as well is found by it nowhere.
func (l *loader) readWorkflows(found *layout) (err error) {
	l.workflows, err = statemachine.Read(
		statemachine.Project{FS: l.fsys, Read: l.readFile, Name: workflowName, List: l.list}, found.workflows)
	if err != nil {
		return err
	}
	for _, a := range l.workflows.Agents() {
		l.program.Agents = append(l.program.Agents, a)
		if l.agents[a.Folder] == nil {
			l.agents[a.Folder] = a
		}
		script := strings.TrimSuffix(a.File.Path, path.Ext(a.File.Path)) + scriptExt
		a.Scripted = slices.Contains(found.scripts, script)
	}

	return nil
}

// workflowName makes a name of the words of a path: that of a file keeps its leading _.
func workflowName(words string) string {
	if ValidName(words) {
		return words
	}

	return NearestName(words)
}

// lowerWorkflows gives the workflows their nodes, after the agents: what a step is given by an agent is known then.
func (l *loader) lowerWorkflows(*layout) (err error) {
	l.program.Funcs, err = l.workflows.Lower(func(name string) *ir.Agent { return l.agents[name] })

	return err
}

// readStrays reports files that are passed over because their names are not quite right. What they were meant to be is
// known by name.
func (l *loader) readStrays(found *layout) error {
	for _, s := range found.strays {
		f, err := l.readFile(s.path)
		if err != nil {
			return err
		}
		l.list.Add(s.finding(f))

		name := path.Base(path.Dir(s.path))
		switch {
		case path.Dir(s.path) == agentsFolder || path.Dir(s.path) == skillsFolder: // it has no folder to name it
		case s.want == agentFile:
			l.addEmptyAgent(name, f)
		case s.want == skillFile:
			l.addEmptySkill(name, f)
		case name == workflowsFolder:
			l.addEmptyAgent(strings.TrimSuffix(s.want, path.Ext(s.want)), f)
		}
	}

	return nil
}

// finding says why the file is not read.
func (s stray) finding(f *source.File) *diag.Diagnostic {
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
