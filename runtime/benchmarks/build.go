package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/contest"
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

	scores, err := b.compareBuilds(ctx, states, rounds)
	if err != nil {
		return fmt.Errorf("building %d states: %w", states, err)
	}
	title := fmt.Sprintf("go build, %s states: ", count(states))
	b.rows = append(b.rows, row{
		title + "generated / hand-written", best(scores, "generated") / best(scores, "hand"), "x", goal{atMost, buildGoal},
	})

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

// compareBuilds builds the generated package and the hand-written one in turns. What both need is built before.
func (b *bench) compareBuilds(ctx context.Context, states, rounds int) ([]contest.Score, error) {
	folder := fmt.Sprintf("build%d", states)
	m := newMachine(states, b.seed)
	hand, err := handMachine(m)
	if err != nil {
		return nil, err
	}
	if err := b.shop.put(folder+"/hand/hand.go", hand); err != nil {
		return nil, err
	}
	if err := b.generate(ctx, folder, machineProject(m)); err != nil {
		return nil, err
	}

	scores := []contest.Score{{Name: "generated"}, {Name: "hand"}}
	packages := []string{"./" + folder + "/agents", "./" + folder + "/hand"}
	for round := range rounds + 1 { // the first round warms the caches and does not count
		b.progress.say("go build of %s states, round %d of %d", count(states), round, rounds)
		for i := range packages {
			at := (round + i) % len(packages)
			took, err := b.buildAnew(ctx, packages[at])
			if err != nil {
				return nil, err
			}
			if round > 0 {
				scores[at].Step = append(scores[at].Step, float64(took.Nanoseconds()))
			}
		}
	}

	return scores, nil
}

// buildAnew builds a package that the build cache cannot know, since its files end in a comment that never was there before.
func (b *bench) buildAnew(ctx context.Context, pkg string) (time.Duration, error) {
	files, err := filepath.Glob(filepath.Join(b.shop.path(pkg), "*.go"))
	if err != nil {
		return 0, err
	}
	comment := fmt.Sprintf("\n// Built at %s.\n", time.Now().Format(time.RFC3339Nano))
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return 0, err
		}
		if err := os.WriteFile(file, append(content, comment...), 0o644); err != nil {
			return 0, err
		}
	}

	start := time.Now()
	_, err = b.shop.goTool(ctx, "build", pkg)

	return time.Since(start), err
}

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
