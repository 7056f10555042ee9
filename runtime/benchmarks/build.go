package main

import (
	"context"
	"fmt"
	"math"
	"path"
	"time"
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

	b.progress.say("go build of %s states", count(states))
	folder := fmt.Sprintf("build%d", states)
	if err := b.machine(ctx, folder, newMachine(states, b.seed)); err != nil {
		return fmt.Errorf("building %d states: %w", states, err)
	}
	build := func(pkg string) side {
		return side{pkg, func() (usage, error) { return b.buildAnew(ctx, folder+"/"+pkg) }}
	}
	passed, busy, err := inTurns(1, rounds, build("agents"), build("hand"))
	if err != nil {
		return fmt.Errorf("building %d states: %w", states, err)
	}
	title := fmt.Sprintf("go build, %s states: ", count(states))
	b.compare(title+"generated / hand-written", passed, "agents", "hand", goal{atMost, buildGoal})
	b.compare(title+"the same, processor time", busy, "agents", "hand", goal{})

	b.progress.say("go build of %s states", count(huge))
	folder = fmt.Sprintf("build%d", huge)
	if err := b.generate(ctx, folder, machineProject(newMachine(huge, b.seed))); err != nil {
		return fmt.Errorf("building %d states: %w", huge, err)
	}
	used, err := b.buildAnew(ctx, folder+"/agents")
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

// buildAnew builds a package that the build cache cannot know, since one of its files has a comment that never was there before.
func (b *bench) buildAnew(ctx context.Context, pkg string) (usage, error) {
	comment := fmt.Sprintf("// Package %s is built at %s.\npackage %[1]s\n", path.Base(pkg), time.Now().Format(time.RFC3339Nano))
	if err := b.shop.put(pkg+"/anew.go", []byte(comment)); err != nil {
		return usage{}, err
	}

	return b.shop.goTool(ctx, "build", "./"+pkg)
}
