package verify

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/internal/emit"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/names"
	"github.com/agentc-dev/agentc/gen/internal/parallel"
)

// MismatchError reports a table of an emitted machine that differs from its source.
type MismatchError struct {
	// Machine is the agent's name.
	Machine string
	// Where is the position, such as `Next, row 3`.
	Where string
	// Want is from the program, Got from the emitted Go.
	Want, Got string
}

func (e *MismatchError) Error() string {
	return fmt.Sprintf("agentc emitted Go for %s that is not its source, please report it: %s: want %s, got %s",
		e.Machine, e.Where, e.Want, e.Got)
}

// Files compares the tables of the emitted files with the program they come from.
func Files(p *ir.Program, files []emit.File) error {
	byName := make(map[string]*emit.File, len(files))
	for i := range files {
		byName[files[i].Name] = &files[i]
	}

	final, fixed := ir.FinalKeysOf(p.Agents...), names.FixedNames(p)
	errs := make([]error, len(p.Agents))
	parallel.Do(len(errs), func(i int) { errs[i] = compareAgent(p.Agents[i], fixed, final.TypedKeys(p.Agents[i]), byName) })
	for _, err := range errs {
		if err != nil {
			return err
		}
	}

	return nil
}

// compareAgent compares the file of one agent with the program. typed are the agent's final keys
// with constants.
func compareAgent(a *ir.Agent, fixed names.Fixed, typed []ir.Text, files map[string]*emit.File) error {
	name := names.File(a.Name.Value)
	f := files[name]
	if f == nil {
		return &MismatchError{Machine: a.Name.Value, Where: name, Want: "a file", Got: "none"}
	}
	if a.MachineOf() == nil && a.Body() == nil && typed == nil {
		return nil // there is no table
	}
	r, err := newReader(a.Name.Value, fixed, f)
	if err != nil {
		return err
	}
	r.compareKeys(a, typed)
	switch n := a.Node.(type) {
	case *ir.Machine:
		r.compareMachine(n)
	case *ir.React:
		if n.Gate != nil {
			r.compareGate(n.Gate.Machine)
		}
	case *ir.Flow:
		if n.IsWorkflow() {
			r.comparePipeline(n.Body)
		} else {
			r.compareFlow(n)
		}
	}

	return r.err
}
