package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// The goals of checking: a project beside one of a tenth of its size, a check beside reading and parsing the same files,
// the memory of the process, guarded rows of one key beside as many keys, and a cost beside a check of the same project.
const (
	checkGrowthGoal = 12
	checkParseGoal  = 2.5
	checkMemoryGoal = 250 // MB
	checkGuardsGoal = 2
	costGoal        = 3
)

// measureChecks measures what `agentc check` does, on projects of machines with twenty rows each.
func (b *bench) measureChecks(ctx context.Context) error {
	sizes, rounds := []int{10, 100, 1000, 5000}, []int{15, 9, 5, 3}
	if b.small {
		sizes, rounds = []int{5, 10}, []int{2, 2}
	}

	var last float64
	for i, agents := range sizes {
		b.progress.say("check of %s agents", count(agents))
		folder := b.shop.path(fmt.Sprintf("tables%d", agents))
		if err := tablesProject(agents).write(folder); err != nil {
			return err
		}
		scores, err := checks(ctx, folder, rounds[i])
		if err != nil {
			return fmt.Errorf("check of %d agents: %w", agents, err)
		}
		took := best(scores, "check")
		title := fmt.Sprintf("check, %s agents", count(agents))
		aim := goal{} // the goal is for one size; the others stand beside it
		if agents == 1000 {
			aim = goal{atMost, checkParseGoal}
		}
		b.rows = append(b.rows, row{title + " / reading and parsing", best(scores, "check passed") / best(scores, "parse passed"), "x", aim},
			row{title + " / the same, processor time", took / best(scores, "parse"), "x", goal{}})
		if i > 0 {
			growth := goal{atMost, checkGrowthGoal * float64(agents) / float64(10*sizes[i-1])}
			b.rows = append(b.rows, row{title + " / " + count(sizes[i-1]) + " agents", took / last, "x", growth})
		}
		last = took
		if i == 1 {
			if err := b.costBesideCheck(ctx, count(agents), folder, rounds[i]); err != nil {
				return err
			}
		}
		if i == len(sizes)-1 {
			if err := b.checkMemory(ctx, title, folder); err != nil {
				return err
			}
		}
	}

	return b.checkGuards(ctx)
}

// costBesideCheck adds how long `agentc cost` takes beside `agentc check`, both as processes that take turns. A check faster than 17 ms
// counts as that: a cost below 50 ms is fast enough.
func (b *bench) costBesideCheck(ctx context.Context, agents, folder string, rounds int) error {
	agentc, err := b.shop.agentc(ctx)
	if err != nil {
		return err
	}
	scores := []contest.Score{{Name: "check"}, {Name: "cost"}}
	for range rounds + 1 { // the best round counts, so that the first one may warm up
		for i := range scores {
			start := time.Now()
			cmd := exec.CommandContext(ctx, agentc, scores[i].Name, folder)
			if said, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%s: %w\n%s", cmd, err, head(said))
			}
			scores[i].Step = append(scores[i].Step, float64(time.Since(start).Nanoseconds()))
		}
	}
	check := max(best(scores, "check"), float64(50*time.Millisecond)/costGoal)
	b.rows = append(b.rows, row{"cost, " + agents + " agents / check", best(scores, "cost") / check, "x", goal{atMost, costGoal}})

	return nil
}

// checkGuards adds a state with many guarded rows of one key beside one with as many keys.
func (b *bench) checkGuards(ctx context.Context) error {
	rows, rounds := 2000, 9
	if b.small {
		rows, rounds = 20, 2
	}
	projects := map[string]project{
		"guards": rowsProject(rows, "    - go: sorter\n      when: data.n == %d\n", nil),
		"keys":   rowsProject(rows, "    - k%d: sorter\n", func(i int) string { return fmt.Sprintf("k%d", i) }),
	}
	took := map[string]float64{}
	for name, p := range projects {
		b.progress.say("check of %s %s of one state", count(rows), name)
		folder := b.shop.path(name)
		if err := p.write(folder); err != nil {
			return err
		}
		scores, err := checks(ctx, folder, rounds)
		if err != nil {
			return fmt.Errorf("check of %s: %w", name, err)
		}
		took[name] = best(scores, "check")
	}
	title := fmt.Sprintf("check, %s guarded rows of one key / %s keys", count(rows), count(rows))
	b.rows = append(b.rows, row{title, took["guards"] / took["keys"], "x", goal{atMost, checkGuardsGoal}})

	return nil
}

// rowsProject is a machine of one state with n rows, written by a format, and one that leads out. key is the key of a row; nil if all
// have that of the last one.
func rowsProject(n int, format string, key func(i int) string) project {
	var rows strings.Builder
	var keys []string
	for i := range n {
		fmt.Fprintf(&rows, format, i)
		if key != nil {
			keys = append(keys, key(i))
		}
	}
	p := make(project)
	p.agent("table", "Routes what was sorted.", "fsm", "initial: sorter\nstates:\n  sorter:\n"+rows.String()+"    - go: done\n  done: ~\n", "")
	list := strings.Join(append(keys, "go"), ", ")
	p.agent("sorter", "Sorts.", "react", "keys: ["+list+"]\noutput: {type: object, required: [n], properties: {n: {type: integer}}}\n",
		"Call start() to get the work. When it is done call finish with one of the keys "+list+".\n")

	return p
}

// checks lets a check, and reading and parsing the same files, take turns. The first round warms up and does not count.
func checks(ctx context.Context, folder string, rounds int) ([]contest.Score, error) {
	scores := []contest.Score{{Name: "check"}, {Name: "parse"}, {Name: "check passed"}, {Name: "parse passed"}}
	for round := range rounds + 1 {
		for i, work := range []func() error{
			func() error { return checkOnly(ctx, folder) },
			func() error { return parseHeads(folder) },
		} {
			watch := startWatch()
			err := work()
			if err != nil {
				return nil, err
			}
			if round > 0 {
				scores[i].Step = append(scores[i].Step, watch.nanoseconds())
				scores[i+2].Step = append(scores[i+2].Step, float64(time.Since(watch.start).Nanoseconds()))
			}
		}
	}

	return scores, nil
}

func checkOnly(ctx context.Context, folder string) error {
	result, err := gen.Compile(ctx, gen.Options{FS: os.DirFS(folder), CheckOnly: true})
	if err != nil {
		return err
	}
	if len(result.Diagnostics) > 0 {
		return errors.New("the compiler finds: " + result.Diagnostics[0].Message)
	}

	return nil
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

// checkMemory adds how much memory a process holds that checks the project in folder.
func (b *bench) checkMemory(ctx context.Context, title, folder string) error {
	agentc, err := b.shop.agentc(ctx)
	if err != nil {
		return err
	}
	forgetPeak()
	start := time.Now()
	cmd := exec.CommandContext(ctx, agentc, "check", folder)
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, head(said))
	}
	used := usageOf(cmd.ProcessState, time.Since(start))
	b.rows = append(b.rows, row{title + ": memory", float64(used.peak) / 1e6, " MB", goal{atMost, checkMemoryGoal}})

	return nil
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
