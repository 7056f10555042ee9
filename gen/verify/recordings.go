package verify

import (
	"slices"
	"strconv"

	"github.com/agentc-dev/agentc/gen/emit"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/names"
)

// recordings compares the file of the recordings; a program without any has none.
func recordings(p *ir.Program, files map[string]*emit.File) error {
	if len(p.Recordings) == 0 {
		return absentFile(p, files, names.RecordingsFile)
	}
	f := files[names.RecordingsFile]
	if f == nil {
		return &MismatchError{Machine: allAgents, Where: names.RecordingsFile, Want: "a file", Got: "none"}
	}
	d, err := parse(f)
	if err != nil {
		return err
	}

	r := &reader{decls: d, agent: allAgents}
	for _, recording := range p.Recordings {
		r.textOf(names.Recording(recording.Path), string(recording.File.Bytes))
	}

	return r.err
}

// absentFile is a mismatch if there is a file that belongs to no agent and should not be.
func absentFile(p *ir.Program, files map[string]*emit.File, name string) error {
	ofAgent := func(a *ir.Agent) bool { return names.File(a.Name.Value) == name }
	if files[name] == nil || slices.ContainsFunc(p.Agents, ofAgent) {
		return nil
	}

	return &MismatchError{Machine: allAgents, Where: name, Want: "no file", Got: "one"}
}

func recordingInfos(p *ir.Program) []string {
	var infos []string
	for _, r := range p.Recordings {
		infos = append(infos, "{Path: "+strconv.Quote(r.Path)+", Text: "+names.Recording(r.Path)+"}")
	}

	return infos
}
