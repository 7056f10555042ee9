package main

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/agentc-dev/agentc/gen/command"
)

// The goals of the analyses: their time compared with a check of the same project, the memory of a
// process, and a workflow compared with one of a tenth of its states.
const (
	analysisGoal       = 3
	analysisMemoryGoal = 150 // MB
	analysisGrowthGoal = 12
)

// measureAnalyses measures what `agentc cost`, `agentc can` and `agentc simulate` do, in this process.
func (b *bench) measureAnalyses() {
	sizes, rounds := []int{100, 1000, 5000}, []int{9, 5, 3}
	if b.small {
		sizes, rounds = []int{5, 10}, []int{2, 2}
	}
	for i, agents := range sizes {
		b.progress.say("cost and can of %s agents", count(agents))
		folder := b.path(fmt.Sprintf("analysed%d", agents))
		tablesProject(agents).write(folder)
		_, busy := inTurns(1, rounds[i], commandSide("check", folder), commandSide("cost", folder), commandSide("can", folder))
		for _, name := range []string{"cost", "can"} {
			b.compare(fmt.Sprintf("%s, %s agents / check", name, count(agents)), busy, name, "check", goal{atMost, analysisGoal})
		}
	}
	b.measureLongWorkflows()
}

// measureLongWorkflows measures a workflow with a machine of many states, one after another.
func (b *bench) measureLongWorkflows() {
	states, rounds := b.size(2000, 20), b.size(5, 2)
	long, short := b.lineFolder(states), b.lineFolder(states/10)
	for _, name := range []string{"check", "cost", "can", "simulate"} {
		b.progress.say("%s of a workflow of %s states", name, count(states))
		_, busy := inTurns(1, rounds, commandSide(name, long), side{"short", timed(func() error { return runCommand(name, short) })})
		title := fmt.Sprintf("%s of a workflow: %s states / %s states", name, count(states), count(states/10))
		b.compare(title, busy, name, "short", goal{atMost, analysisGrowthGoal})
	}
	used := must(b.agentcOf("cost", long)())
	title := fmt.Sprintf("cost of a workflow of %s states: memory", count(states))
	b.add(title, float64(used.peak)/1e6, " MB", goal{atMost, analysisMemoryGoal})
}

// lineFolder writes a project whose workflow is a machine of n states, each followed by the next.
func (b *bench) lineFolder(n int) string {
	folder := b.path(fmt.Sprintf("line%d", n))
	p := make(project)
	p.workflow("line", lines[0].machine(n))
	p.write(folder)

	return folder
}

// commandSide is a command of agentc for a project, in this process.
func commandSide(name, folder string) side {
	return side{name, timed(func() error { return runCommand(name, folder) })}
}

// runCommand runs a command of agentc for a project in this process.
func runCommand(name, folder string) error {
	var message bytes.Buffer
	if code := command.Main([]string{name, folder}, strings.NewReader(""), io.Discard, &message); code != 0 {
		return fmt.Errorf("agentc %s ends with %d: %s", name, code, head(message.Bytes()))
	}

	return nil
}
