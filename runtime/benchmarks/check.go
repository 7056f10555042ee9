package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// The goals of checking: a project beside one of a tenth of its size, a check beside reading and parsing the same files,
// the memory of the process, and guarded rows of one key beside as many keys.
const (
	checkGrowthGoal = 12
	checkParseGoal  = 2.5
	checkMemoryGoal = 250 // MB
	checkGuardsGoal = 2
)

// measureChecks measures what `agentc check` does, on projects of machines with twenty rows each.
func (b *bench) measureChecks() {
	sizes, rounds := []int{10, 100, 1000, 5000}, []int{15, 9, 5, 3}
	if b.small {
		sizes, rounds = []int{5, 10}, []int{2, 2}
	}

	var last float64
	for i, agents := range sizes {
		b.progress.say("check of %s agents", count(agents))
		folder := b.path(fmt.Sprintf("tables%d", agents))
		tablesProject(agents).write(folder)
		passed, busy := b.checks(folder, rounds[i])
		took := best(busy, "check")
		title := fmt.Sprintf("check, %s agents", count(agents))
		aim := goal{} // the goal is for one size; the others stand beside it
		if agents == 1000 {
			aim = goal{atMost, checkParseGoal}
		}
		b.compare(title+" / reading and parsing", passed, "check", "parse", aim)
		b.compare(title+" / the same, processor time", busy, "check", "parse", goal{})
		if i > 0 {
			growth := goal{atMost, checkGrowthGoal * float64(agents) / float64(10*sizes[i-1])}
			b.add(title+" / "+count(sizes[i-1])+" agents", took/last, "x", growth)
		}
		last = took
		if i == len(sizes)-1 {
			used := must(b.agentcOf("check", folder)())
			b.add(title+": memory", float64(used.peak)/1e6, " MB", goal{atMost, checkMemoryGoal})
		}
	}

	b.checkGuards()
}

// agentcOf is a command of agentc for a project, as a process.
func (b *bench) agentcOf(name, folder string) func() (usage, error) {
	return func() (usage, error) {
		_, used, err := execute(b.ctx, b.folder, nil, b.agentc(), name, folder)

		return used, err
	}
}

// checkGuards adds a state with many guarded rows of one key beside one with as many keys.
func (b *bench) checkGuards() {
	rows, rounds := b.size(2000, 20), b.size(9, 2)
	projects := map[string]project{
		"guards": rowsProject(rows, "    - go: sorter\n      when: data.n == %d\n", ""),
		"keys":   rowsProject(rows, "    - k%d: sorter\n", "k%d, "),
	}
	took := map[string]float64{}
	for name, p := range projects {
		b.progress.say("check of %s %s of one state", count(rows), name)
		folder := b.path(name)
		p.write(folder)
		_, busy := b.checks(folder, rounds)
		took[name] = best(busy, "check")
	}
	title := fmt.Sprintf("check, %s guarded rows of one key / %s keys", count(rows), count(rows))
	b.add(title, took["guards"]/took["keys"], "x", goal{atMost, checkGuardsGoal})
}

// rowsProject is a machine of one state with n rows, written by a format, and one that leads out. key is the format of the key of a
// row; "" if all have that of the last one.
func rowsProject(n int, format, key string) project {
	var rows, keys strings.Builder
	for i := range n {
		fmt.Fprintf(&rows, format, i)
		if key != "" {
			fmt.Fprintf(&keys, key, i)
		}
	}
	p := make(project)
	p.agent("table", "Routes what was sorted.", "fsm", "initial: sorter\nstates:\n  sorter:\n"+rows.String()+"    - go: done\n  done: ~\n", "")
	list := keys.String() + "go"
	p.agent("sorter", "Sorts.", "react", "keys: ["+list+"]\noutput: {type: object, required: [n], properties: {n: {type: integer}}}\n",
		"Call start() to get the work. When it is done call finish with one of the keys "+list+".\n")

	return p
}

// checks lets a check, and reading and parsing the same files, take turns.
func (b *bench) checks(folder string, rounds int) (passed, busy []contest.Score) {
	work := func() error {
		compile(b.ctx, folder, true)
		return nil
	}

	return inTurns(1, rounds, side{"check", timed(work)}, side{"parse", timed(func() error { return parseHeads(folder) })})
}

// parseHeads reads every AGENT.md and parses its frontmatter into the tree of the YAML library: what every tool for such
// files has to do at least.
func parseHeads(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		head, _, _ := bytes.Cut(bytes.TrimPrefix(content, []byte("---\n")), []byte("\n---"))
		var tree yaml.Node

		return yaml.Unmarshal(head, &tree)
	})
}

// The machines of tablesProject share their workers.
const tableWorkers = 10

// tablesProject is n machines with twenty rows each over the same ten workers, each row with a key that its worker declares.
func tablesProject(n int) project {
	p := make(project)
	for i := range tableWorkers {
		keys := fmt.Sprintf("next-%d, back-%d", i, i)
		p.agent(fmt.Sprintf("worker-%d", i), "Does a part of the work.", "react", "keys: ["+keys+"]\n",
			"Call start() to get the work. When it is done call finish with one of the keys "+keys+".\n")
	}
	for i := range n {
		var fields strings.Builder
		fields.WriteString("initial: worker-0\nstates:\n")
		for j := range tableWorkers {
			next := fmt.Sprintf("worker-%d", j+1)
			if j == tableWorkers-1 {
				next = "finished"
			}
			fmt.Fprintf(&fields, "  worker-%d:\n    - next-%d: %s\n    - back-%d: worker-%d\n", j, j, next, j, (j*7+i)%tableWorkers)
		}
		fields.WriteString("  finished: ~\n")
		p.agent(fmt.Sprintf("table-%d", i), fmt.Sprintf("Routes the work of desk %d.", i), "fsm", fields.String(), "")
	}

	return p
}
