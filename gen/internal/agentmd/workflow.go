package agentmd

import (
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// scriptExt stands behind the name of a workflow in that of the script with which it runs on its own.
const scriptExt = ".script.json"

// readWorkflows reads the workflows and what they import, and makes them known by name, which they share with the agents.
func (l *loader) readWorkflows(found *layout) error {
	set, err := statemachine.Read(statemachine.Project{
		FS: l.fsys, Read: l.readFile, Name: WorkflowName, List: l.list,
	}, found.workflows)
	if err != nil {
		return err
	}
	l.workflows = set
	workflows := set.Agents()
	for _, w := range workflows {
		w.Scripted = slices.Contains(found.scripts, stem(w.File.Path)+scriptExt)
		switch other := l.agents[w.Folder]; {
		case other == nil:
			l.addAgent(w)
		case !slices.Contains(workflows, other): // else it has been said
			at := w.Name.Span
			if at.Start < 0 { // the name is that of the file
				at = firstLine(w.File)
			}
			l.list.Add(diag.New(diag.DuplicateName, at, "agent %q and workflow %q have the same name", other.Name.Value,
				w.File.Path).WithHint("rename one of the two").Note(other.Name.Span, "the agent is here"))
		}
	}
	for _, w := range workflows {
		l.addFileName(w)
	}

	return nil
}

// addFileName lets references find a workflow by the name of its file, where that is written otherwise than the workflow's.
func (l *loader) addFileName(w *ir.Agent) {
	name := path.Base(stem(w.File.Path))
	if l.agents[name] == nil {
		l.agents[name] = w
	}
}

// stem is the path of a file without its extension.
func stem(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

// WorkflowName makes a name of the words of a workflow's path: "" if none can be made of them.
func WorkflowName(words string) string {
	if ValidName(words) {
		return words
	}

	return NearestName(words)
}

// lowerWorkflows gives every workflow its node. It comes after the agents, whose values are known then.
func (l *loader) lowerWorkflows(*layout) error {
	functions, err := l.workflows.Lower(func(name string) *ir.Agent { return l.agents[name] })
	l.program.Funcs = functions

	return err
}
