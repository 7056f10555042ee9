package main

import (
	"context"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// A bench measures section by section and collects the rows.
type bench struct {
	*workshop
	seed     uint64
	small    bool
	progress *progress
	rows     []row
}

// failure is the panic that ends the measuring, which run reports: after a step that fails there is nothing left to measure.
type failure struct{ error }

// check ends the measuring if a step has failed.
func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// must is the value of a step, which ends the measuring if it has failed.
func must[T any](value T, err error) T {
	check(err)

	return value
}

// run measures the chosen sections in a workshop in folder.
func (b *bench) run(ctx context.Context, folder string, chosen []string) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			failed, ok := problem.(failure)
			if !ok {
				panic(problem)
			}
			err = fmt.Errorf("%s: %w", b.progress.what, failed.error)
		}
	}()
	b.progress.say("workshop")
	b.workshop = newWorkshop(ctx, folder, self)
	for _, s := range sections {
		if slices.Contains(chosen, s.name) {
			b.progress.say("%s", s.name)
			s.measure(b)
		}
	}

	return nil
}

// measureBesidePeers measures in a workshop whose programs can import the peers.
func (b *bench) measureBesidePeers(measure func()) {
	own := b.workshop
	defer func() { b.workshop = own }()
	b.workshop = newWorkshop(b.ctx, own.path("peers"), peers)
	measure()
}

// size is one of two sizes, the second if all that counts is whether everything runs.
func (b *bench) size(full, small int) int {
	if b.small {
		return small
	}

	return full
}

// add adds a row.
func (b *bench) add(what string, measured float64, unit string, aim goal) {
	b.rows = append(b.rows, row{what, measured, unit, aim})
}

// generate writes a project below the workshop and its generated Go beside it, in the folder agents.
func (b *bench) generate(folder string, p project) {
	p.write(b.path(folder))
	result := compile(b.ctx, b.path(folder), false)
	for _, file := range result.Files {
		b.put(path.Join(folder, result.Program.Output, file.Name), file.Content)
	}
}

// machine writes a machine into a folder of the workshop: its generated Go, and the same written by hand.
func (b *bench) machine(folder string, m contest.Machine) {
	b.put(folder+"/hand/hand.go", handMachine(m))
	b.generate(folder, machineProject(m))
}

// compile compiles the project in folder. A diagnostic of the compiler is a mistake of this program.
func compile(ctx context.Context, folder string, checkOnly bool) *gen.Result {
	result := must(gen.Compile(ctx, gen.Options{FS: os.DirFS(folder), CheckOnly: checkOnly}))
	if len(result.Diagnostics) > 0 {
		check(fmt.Errorf("the compiler finds %s in a generated project", result.Diagnostics[0].Message))
	}

	return result
}
