package agentmd

import (
	"cmp"
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/frontend"
	"github.com/agentc-dev/agentc/gen/internal/ir"
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
func (l *loader) Find() (err error) {
	if l.agentFolders, err = l.folders(AgentsFolder, AgentFile, l.AddEmptyAgent); err != nil {
		return err
	}
	l.skillFolders, err = l.folders(skillsFolder, SkillFile, l.addEmptySkill)

	return err
}

// Read reads the skills and the agents.
func (l *loader) Read() error {
	if err := l.readSkills(); err != nil {
		return err
	}

	return l.readAgents()
}

// Lower gives every agent its node.
func (l *loader) Lower() error { return l.lowerAgents() }

// Link lowers the guards of machines, which read what agents and workflows give, and notes what is used.
func (l *loader) Link() error {
	l.lowerGuards()
	l.noteUse()
	slices.SortFunc(l.Program.Skills, func(a, b *ir.Skill) int { return cmp.Compare(a.Name.Value, b.Name.Value) })

	return nil
}
