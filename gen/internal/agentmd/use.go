package agentmd

import (
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// scriptFile is the script beside an AGENT.md with which the agent runs on its own.
const scriptFile = "script.json"

// noteUse notes of each agent what the checks for what is unused want to know.
func (l *loader) noteUse() {
	for _, d := range l.documents {
		l.ask(d.head)
		d.agent.Scripted = d.has(scriptFile)
		d.agent.Unread = l.unread(d)
	}
}

// ask notes the skills that the head of an agent or a step names.
func (l *loader) ask(head *yamldoc.Node) {
	for _, use := range frontend.Texts(head.Value("call").Value("uses")) {
		if s := l.skills[use.Value]; s != nil {
			s.Asked = true
		}
	}
}

// unread returns the Markdown files of an agent's folder that its pattern does not read. There are none where the pattern is
// not known or lacks a step: any of them may be meant then.
func (l *loader) unread(d *document) []string {
	if d.agent.Node == nil || d.older {
		return nil
	}
	read := []string{AgentFile}
	for _, step := range d.agent.Conversations() {
		if step.Name.Value != "" && !step.Name.Span.IsValid() {
			return nil
		}
		read = append(read, step.Name.Value+".md")
	}

	return slices.DeleteFunc(slices.Clone(d.folder.files), func(file string) bool {
		return path.Ext(file) != ".md" || slices.Contains(read, file) || isForPeople(file) || !source.IsFile(l.FS, d.path(file))
	})
}

// isForPeople reports whether a Markdown file is about the folder and no part of the agent: README.md in any case, and, as is
// the custom, what is written in capitals.
func isForPeople(file string) bool {
	stem := strings.TrimSuffix(file, ".md")

	return strings.EqualFold(stem, "readme") || stem == strings.ToUpper(stem) && stem != strings.ToLower(stem)
}
