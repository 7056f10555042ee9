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

	// agentFolders are the folders with an AGENT.md, skillFolders those with a SKILL.md, sorted.
	agentFolders, skillFolders []folder
	// documents are the agents with their trees, in the order of their folders.
	documents []*document
	// skills finds a skill by its folder, or else by its written name.
	skills map[string]*ir.Skill
	// machines are the machines of all agents, in the order of their folders.
	machines []*machineBuilder
	// guards are the named guards that rows have used so far.
	guards map[string]*ir.GuardFunc
	// pins are the pinned servers.
	pins pins
}

// Find looks for the folders of agents and skills.
func (l *loader) Find() {
	l.agentFolders = l.findFolders(AgentsFolder, AgentFile, l.AddEmptyAgent)
	l.skillFolders = l.findFolders(skillsFolder, SkillFile, l.addEmptySkill)
}

// Read reads the skills and the agents.
func (l *loader) Read() {
	l.readSkills()
	l.readAgents()
}

// Link lowers the guards of machines, which use the values of agents and workflows, and records
// which skills and files are used.
func (l *loader) Link() {
	l.lowerGuards()
	for _, d := range l.documents { // for the checks of unused things
		l.markAsked(d.head)
		d.agent.Scripted = d.hasFile(scriptFile)
		d.agent.Unread = l.unreadFiles(d)
	}
	slices.SortFunc(l.Program.Skills, func(a, b *ir.Skill) int { return cmp.Compare(a.Name.Value, b.Name.Value) })
}

// markdown is a file with a frontmatter, parsed and validated. doc is not nil.
type markdown struct {
	file     *source.File
	doc      *yamldoc.Frontmatter
	findings []*diag.Diagnostic
}

// readMarkdowns reads files with a frontmatter, and validates those that could be parsed. A step
// file needs no frontmatter. Files are parsed and validated in parallel, which is most of the work
// of a check.
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
			m.findings = append(m.findings, frontend.ValidateAndFix(kind, m.doc.Head, m.file)...)
		}
	})
	for _, m := range all {
		l.Report(m.file, m.findings)
	}

	return all
}

// scriptFile is the script with which an agent runs on its own.
const scriptFile = "script.json"

// markAsked records the skills that the frontmatter of an agent or a step names.
func (l *loader) markAsked(head *yamldoc.Node) {
	for _, use := range frontend.Texts(head.Value("call").Value("uses")) {
		if s := l.skills[use.Value]; s != nil {
			s.Asked = true
		}
	}
}

// unreadFiles returns the Markdown files of an agent's folder that its pattern does not read. It
// returns nil if the pattern is unknown or lacks a step, because any of them may be meant then.
func (l *loader) unreadFiles(d *document) []string {
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
		isUsed := slices.Contains(read, file) || isForPeople(file)
		return path.Ext(file) != ".md" || isUsed || !source.IsFile(l.FS, d.filePath(file))
	})
}

// isForPeople reports whether a Markdown file describes the folder and is not a part of the agent:
// README.md in any case, and other names in capitals.
func isForPeople(file string) bool {
	stem := strings.TrimSuffix(file, ".md")

	return strings.EqualFold(stem, "readme") || stem == strings.ToUpper(stem) && stem != strings.ToLower(stem)
}
