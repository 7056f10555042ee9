package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// A bench measures section by section and collects the rows.
type bench struct {
	seed     uint64
	small    bool
	progress *progress
	shop     *workshop
	rows     []row
}

// run measures the chosen sections in a workshop in folder.
func (b *bench) run(ctx context.Context, folder string, chosen []string) error {
	shop, err := newWorkshop(ctx, folder)
	if err != nil {
		return err
	}
	b.shop = shop
	for _, s := range sections {
		if !slices.Contains(chosen, s.name) {
			continue
		}
		if err := s.measure(b, ctx); err != nil {
			return err
		}
	}

	return nil
}

// generate writes a project below the workshop and its generated Go beside it, in the folder agents.
func (b *bench) generate(ctx context.Context, folder string, p project) error {
	if err := p.write(b.shop.path(folder)); err != nil {
		return err
	}
	result, err := compile(ctx, b.shop.path(folder), false)
	if err != nil {
		return err
	}
	for _, file := range result.Files {
		if err := b.shop.put(path.Join(folder, result.Program.Output, file.Name), file.Content); err != nil {
			return err
		}
	}

	return nil
}

// machine writes a machine into a folder of the workshop: its generated Go, and the same written by hand.
func (b *bench) machine(ctx context.Context, folder string, m contest.Machine) error {
	hand, err := handMachine(m)
	if err != nil {
		return err
	}

	return errors.Join(b.generate(ctx, folder, machineProject(m)), b.shop.put(folder+"/hand/hand.go", hand))
}

// compile compiles the project in folder. A diagnostic of the compiler is a mistake of this program.
func compile(ctx context.Context, folder string, checkOnly bool) (*gen.Result, error) {
	result, err := gen.Compile(ctx, gen.Options{FS: os.DirFS(folder), CheckOnly: checkOnly})
	if err != nil {
		return nil, err
	}
	if len(result.Diagnostics) > 0 {
		return nil, fmt.Errorf("the compiler finds %s in a generated project", result.Diagnostics[0].Message)
	}

	return result, nil
}
