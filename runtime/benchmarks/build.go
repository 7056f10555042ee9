package main

import (
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
func (b *bench) measureBuilds() {
	states, huge, rounds := b.size(1000, 20), b.size(10000, 300), b.size(5, 1)

	b.progress.say("go build of %s states", count(states))
	folder := fmt.Sprintf("build%d", states)
	b.machine(folder, newMachine(states, b.seed))
	build := func(pkg string) side {
		return side{pkg, func() (usage, error) { return b.buildAnew(folder + "/" + pkg) }}
	}
	passed, busy := inTurns(1, rounds, build("agents"), build("hand"))
	title := fmt.Sprintf("go build, %s states: ", count(states))
	b.compare(title+"generated / hand-written", passed, "agents", "hand", goal{atMost, buildGoal})
	b.compare(title+"the same, processor time", busy, "agents", "hand", goal{})

	b.progress.say("go build of %s states", count(huge))
	folder = fmt.Sprintf("build%d", huge)
	b.generate(folder, machineProject(newMachine(huge, b.seed)))
	used := must(b.buildAnew(folder + "/agents"))
	memory := float64(used.peak) / 1e9
	if used.peak == 0 {
		memory = math.NaN()
	}
	title = fmt.Sprintf("go build, %s states: ", count(huge))
	b.add(title+"memory of the largest process", memory, " GB", goal{atMost, buildMemoryGoal})
}

// buildAnew builds a package that the build cache cannot know, since one of its files has a comment that never was there before.
func (b *bench) buildAnew(pkg string) (usage, error) {
	comment := fmt.Sprintf("// Package %s is built at %s.\npackage %[1]s\n", path.Base(pkg), time.Now().Format(time.RFC3339Nano))
	b.put(pkg+"/anew.go", []byte(comment))

	return b.goTool("build", "./"+pkg)
}
