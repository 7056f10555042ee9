package agentmd

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/validate"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// New returns the format of AGENT.md and SKILL.md.
func New(p *frontend.Project) frontend.Format { return newLoader(p) }

func newLoader(p *frontend.Project) *loader {
	return &loader{Project: p, skills: map[string]*ir.Skill{}, guards: map[string]*ir.GuardFunc{}}
}

// loader reads the agents and skills of a project.
type loader struct {
	*frontend.Project

	// agentFolders are the folders below agents that have an AGENT.md, skillFolders those below skills that have a SKILL.md, sorted.
	agentFolders, skillFolders []folder
	// documents are the agents with the trees that they are lowered from, in the order of their folders.
	documents []*document
	// skills finds by folder first and by the written name after that.
	skills map[string]*ir.Skill
	// machines are those of all agents, in the order of their folders.
	machines []*machineBuilder
	// guards are the named guards that rows have asked so far.
	guards map[string]*ir.GuardFunc
	// pins is what is known of servers.
	pins pins
}

// Find looks for the folders of agents and skills.
func (l *loader) Find() {
	l.agentFolders = l.folders(AgentsFolder, AgentFile, l.AddEmptyAgent)
	l.skillFolders = l.folders(skillsFolder, SkillFile, l.addEmptySkill)
}

// Read reads the skills and the agents.
func (l *loader) Read() {
	l.readSkills()
	l.readAgents()
}

// Link lowers the guards of machines, which read what agents and workflows give, and notes what is used.
func (l *loader) Link() {
	l.lowerGuards()
	for _, d := range l.documents { // what the checks for what is unused want to know
		l.ask(d.head)
		d.agent.Scripted = d.has(scriptFile)
		d.agent.Unread = l.unread(d)
	}
	slices.SortFunc(l.Program.Skills, func(a, b *ir.Skill) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
}

// markdown is a file with a head, parsed and validated. The frontmatter is not nil.
type markdown struct {
	file     *source.File
	doc      *yamldoc.Frontmatter
	findings []*diag.Diagnostic
}

// readMarkdowns reads files with a head, and validates the heads that could be parsed. A step file needs none. They are parsed and
// validated side by side: that is most of the work of a check, and nothing in one file depends on another.
func (l *loader) readMarkdowns(kind validate.Kind, paths ...string) []markdown {
	all := ir.Map(paths, func(path string) markdown { return markdown{file: l.ReadFile(path)} })
	needsHead := kind != validate.Step && kind != validate.Resume
	parallel.Do(len(all), func(i int) {
		m := &all[i]
		m.doc, m.findings = yamldoc.ParseFrontmatter(m.file)
		if needsHead && !m.doc.Found && len(m.findings) == 0 {
			m.findings = append(m.findings, diag.New(diag.Syntax, frontend.FirstLine(m.file), "the file has no frontmatter").
				WithHint("it starts with a line ---, then YAML, then a line ---"))
		}
		if m.doc.Head != nil {
			m.findings = append(m.findings, frontend.Validated(kind, m.doc.Head, m.file)...)
		}
	})
	for _, m := range all {
		l.Report(m.file, m.findings)
	}

	return all
}

// scriptFile is the script beside an AGENT.md with which the agent runs on its own.
const scriptFile = "script.json"

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
