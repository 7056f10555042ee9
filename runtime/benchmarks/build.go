package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// The goals of building: the time beside the hand-written switch, and the memory of the largest process.
const (
	buildGoal       = 1.3
	buildMemoryGoal = 2 // GB
)

// measureBuilds measures `go build` of the code of a large machine beside the hand-written switch, and that a very large one
// can be built at all.
func (b *bench) measureBuilds(ctx context.Context) error {
	states, huge, rounds := 1000, 10000, 5
	if b.small {
		states, huge, rounds = 20, 300, 1
	}

	passed, busy, err := b.compareBuilds(ctx, states, rounds)
	if err != nil {
		return fmt.Errorf("building %d states: %w", states, err)
	}
	title := fmt.Sprintf("go build, %s states: ", count(states))
	b.rows = append(b.rows,
		row{title + "generated / hand-written", best(passed, "generated") / best(passed, "hand"), "x", goal{atMost, buildGoal}},
		row{title + "the same, processor time", best(busy, "generated") / best(busy, "hand"), "x", goal{}})

	b.progress.say("go build of %s states", count(huge))
	used, err := b.buildHuge(ctx, huge)
	if err != nil {
		return fmt.Errorf("building %d states: %w", huge, err)
	}
	memory := float64(used.peak) / 1e9
	if used.peak == 0 {
		memory = math.NaN()
	}
	title = fmt.Sprintf("go build, %s states: ", count(huge))
	b.rows = append(b.rows, row{title + "memory of the largest process", memory, " GB", goal{atMost, buildMemoryGoal}})

	return nil
}

// compareBuilds builds the generated package and the hand-written one in turns: the time that passes, and processor time.
func (b *bench) compareBuilds(ctx context.Context, states, rounds int) (passed, busy []contest.Score, err error) {
	folder := fmt.Sprintf("build%d", states)
	m := newMachine(states, b.seed)
	hand, err := handMachine(m)
	if err != nil {
		return nil, nil, err
	}
	if err := b.shop.put(folder+"/hand/hand.go", hand); err != nil {
		return nil, nil, err
	}
	if err := b.generate(ctx, folder, machineProject(m)); err != nil {
		return nil, nil, err
	}

	passed = []contest.Score{{Name: "generated"}, {Name: "hand"}}
	busy = []contest.Score{{Name: "generated"}, {Name: "hand"}}
	packages := []string{"./" + folder + "/agents", "./" + folder + "/hand"}
	for round := range rounds + 1 { // the first round warms the caches and does not count
		b.progress.say("go build of %s states, round %d of %d", count(states), round, rounds)
		for i := range packages {
			at := (round + i) % len(packages)
			took, err := b.buildAnew(ctx, packages[at])
			if err != nil {
				return nil, nil, err
			}
			if round > 0 {
				passed[at].Step = append(passed[at].Step, float64(took.passed.Nanoseconds()))
				busy[at].Step = append(busy[at].Step, float64(took.busy.Nanoseconds()))
			}
		}
	}

	return passed, busy, nil
}

// buildAnew builds a package that the build cache cannot know, since its files end in a comment that never was there before.
func (b *bench) buildAnew(ctx context.Context, pkg string) (buildTime, error) {
	files, err := filepath.Glob(filepath.Join(b.shop.path(pkg), "*.go"))
	if err != nil {
		return buildTime{}, err
	}
	comment := fmt.Sprintf("\n// Built at %s.\n", time.Now().Format(time.RFC3339Nano))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return buildTime{}, err
		}
		if err := os.WriteFile(file, append(content, comment...), 0o644); err != nil {
			return buildTime{}, err
		}
	}

	start := time.Now()
	used, err := b.shop.goTool(ctx, "build", pkg)

	return buildTime{passed: time.Since(start), busy: used.busy}, err
}

// buildTime is what one go build took.
type buildTime struct{ passed, busy time.Duration }

// buildHuge builds the generated package of a very large machine.
func (b *bench) buildHuge(ctx context.Context, states int) (usage, error) {
	folder := fmt.Sprintf("build%d", states)
	if err := b.generate(ctx, folder, machineProject(newMachine(states, b.seed))); err != nil {
		return usage{}, err
	}
	comment := fmt.Sprintf("// Package agents is built at %s.\npackage agents\n", time.Now().Format(time.RFC3339Nano))
	if err := b.shop.put(folder+"/agents/anew.go", []byte(comment)); err != nil {
		return usage{}, err
	}

	return b.shop.goTool(ctx, "build", "./"+folder+"/agents")
}
