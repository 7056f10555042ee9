package agentmd

import (
	"fmt"
	"io/fs"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/statemachine"
)

// Load reads the project whose folder is the root of fsys and adds every mistake in it to list. The program is what could
// be built and never nil; with errors in list it may have gaps, but no reference in it is wrong because of them. The
// error is that of a file or folder which could not be read.
func Load(fsys fs.FS, list *diag.List) (*ir.Program, error) { return load(fsys, findFiles, list) }

// LoadAlone is Load for a workflow that is a project of its own: file, which lies in the root of fsys, what it imports, and the
// config beside it. The workflow is the entry point.
func LoadAlone(fsys fs.FS, file string, list *diag.List) (*ir.Program, error) {
	return load(fsys, func(fsys fs.FS) (*layout, error) { return findAlone(fsys, file) }, list)
}

func load(fsys fs.FS, find func(fs.FS) (*layout, error), list *diag.List) (*ir.Program, error) {
	l := &loader{fsys: fsys, list: list, program: &ir.Program{}, faulty: map[*source.File]bool{}}
	found, err := find(fsys)
	if err != nil {
		return l.program, fmt.Errorf("looking for the project's files: %w", err)
	}

	for _, step := range []func(*layout) error{
		l.readConfig, l.readPrices, l.readSkills, l.readAgents, l.readWorkflows, l.readStrays, l.lowerAgents, l.lowerWorkflows, l.lowerGuards,
		l.noteUse, l.readScripts,
	} {
		if err := step(found); err != nil {
			return l.program, err
		}
	}
	l.resolveEntry(found)

	return l.program, nil
}

// loader holds what the steps of one Load share.
type loader struct {
	fsys    fs.FS
	list    *diag.List
	program *ir.Program

	// documents are the agents with the trees that they are lowered from, in the order of their folders.
	documents []*document
	// agents and skills find by folder first and by the written name after that.
	agents map[string]*ir.Agent
	skills map[string]*ir.Skill
	// machines are those of all agents, in the order of their folders.
	machines []*machineBuilder
	// guards are the named guards that rows have asked so far.
	guards map[string]*ir.GuardFunc
	// workflows are the workflow files, and what they import.
	workflows *statemachine.Set
	// faulty are the files whose head has an error.
	faulty map[*source.File]bool
	// pins is what is known of servers.
	pins pins
}
