package resumetest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	release "github.com/agentc-dev/agentc/examples/all-patterns/agents"
	coder "github.com/agentc-dev/agentc/examples/coder/agents"
	orchestrate "github.com/agentc-dev/agentc/examples/orchestrate/agents"
	support "github.com/agentc-dev/agentc/examples/support/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// example is an example of the repository, as a process runs it.
type example struct {
	name, input string
	// script answers instead of models, where the project says nothing; a path from here.
	script  string
	program func(work folder) *compiled.Program
}

// examples are one of each family: a machine of agents, every pattern with branches and a person, a workflow with a person, a
// gate with tools that read and write.
var examples = []example{
	{"support", "The app charged me twice.", "", func(folder) *compiled.Program { return support.New().Program() }},
	{"all-patterns", "All patterns compile.", "", func(folder) *compiled.Program { return release.New().Program() }},
	{"orchestrate", "Since when does Go have generics?", "../../../examples/orchestrate/scripts/approved.json",
		func(folder) *compiled.Program { return orchestrate.New().Program() }},
	{"coder", "Write a greeting.", "", func(work folder) *compiled.Program {
		return coder.New(desk{work}, content{}).Program()
	}},
}

// folder is where the tools of a process work; they leave a line for each time that they were run.
type folder string

func (f folder) ran(tool string) error {
	log, err := os.OpenFile(filepath.Join(string(f), "log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	_, err = fmt.Fprintln(log, tool)

	return err
}

// times is how often a tool was run.
func (f folder) times(tool string) int {
	log, err := os.ReadFile(filepath.Join(string(f), "log"))
	if err != nil {
		return 0
	}

	n := 0
	for line := range strings.Lines(string(log)) {
		if line == tool+"\n" {
			n++
		}
	}

	return n
}

// written are the results of the tools that write.
var written = map[string]string{"delete_files": "deleted", "propose_deletion": "proposed", "write_file": "written"}

// desk are the tools of the coder.
type desk struct{ folder }

func (d desk) DeleteFiles(context.Context, coder.DeleteFilesInput) (string, error) {
	return written["delete_files"], d.ran("delete_files")
}

func (d desk) ProposeDeletion(context.Context, coder.ProposeDeletionInput) (string, error) {
	return written["propose_deletion"], d.ran("propose_deletion")
}

func (d desk) ReadFile(context.Context, coder.ReadFileInput) (string, error) {
	return "package hello", d.ran("read_file")
}

func (d desk) Research(context.Context, coder.ResearchInput) (string, error) {
	return "A greeting is one line.", d.ran("research")
}

func (d desk) RunTests(context.Context, coder.RunTestsInput) (coder.RunTestsOutput, error) {
	return coder.RunTestsOutput{Passed: true}, d.ran("run_tests")
}

func (d desk) WriteFile(context.Context, coder.WriteFileInput) (string, error) {
	return written["write_file"], d.ran("write_file")
}

// content is a person who finds everything good.
type content struct{}

func (content) ReportIsTrue(context.Context, runtime.GuardInput[coder.CoderOutput]) (runtime.Verdict, error) {
	return runtime.Yes(), nil
}

func (content) TestsPass(context.Context, runtime.GuardInput[coder.ProposeDeletionInput]) (runtime.Verdict, error) {
	return runtime.Yes(), nil
}

func (content) WasProposed(context.Context, runtime.GuardInput[coder.DeleteFilesInput]) (runtime.Verdict, error) {
	return runtime.Yes(), nil
}
