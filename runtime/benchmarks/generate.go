package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/gen/command"
	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
)

// The goals of generating: a clean run beside parsing and formatting its output, an unchanged one beside a clean one, and
// a large project beside one of a tenth of its size.
const (
	cleanGoal     = 1.8
	unchangedGoal = 0.2
	growthGoal    = 12
)

// measureGenerate measures what `agentc generate` does, on projects of three sizes.
func (b *bench) measureGenerate(ctx context.Context) error {
	sizes, rounds := []int{10, 100, 1000}, []int{15, 9, 5}
	if b.small {
		sizes, rounds = []int{5, 10}, []int{2, 2}
	}

	var last float64
	for i, agents := range sizes {
		scores, err := b.generations(agents, rounds[i])
		if err != nil {
			return fmt.Errorf("generate of %d agents: %w", agents, err)
		}
		whole, err := b.wholeCommand(ctx, agents, rounds[i])
		if err != nil {
			return fmt.Errorf("agentc generate of %d agents: %w", agents, err)
		}
		title := fmt.Sprintf("generate, %s agents: ", count(agents))
		clean := best(scores, "clean")
		b.rows = append(b.rows,
			row{title + "clean / parsing and formatting", clean / best(scores, "format"), "x", goal{atMost, cleanGoal}},
			row{title + "unchanged / clean", best(scores, "unchanged") / clean, "", goal{atMost, unchangedGoal}},
			row{title + "unchanged / clean, the whole command", best(whole, "unchanged") / best(whole, "clean"), "", goal{}})
		if i == len(sizes)-1 {
			title := fmt.Sprintf("generate, clean: %s agents / %s agents", count(agents), count(sizes[i-1]))
			b.rows = append(b.rows, row{title, clean / last, "x", goal{atMost, growthGoal}})
		}
		last = clean
	}

	return nil
}

// generations lets clean runs, unchanged runs, and parsing and formatting the output take turns.
func (b *bench) generations(agents, rounds int) ([]contest.Score, error) {
	sources := officeProject(agents, b.seed)
	scores := []contest.Score{{Name: "clean"}, {Name: "unchanged"}, {Name: "format"}}
	took := func(score int, watch stopwatch) {
		scores[score].Step = append(scores[score].Step, watch.nanoseconds())
	}

	for round := range rounds + 1 { // the first round warms the caches and does not count
		b.progress.say("generate of %s agents, round %d of %d", count(agents), round, rounds)
		if round == 1 {
			for i := range scores {
				scores[i].Step = nil
			}
		}
		g := generation{
			folder: b.shop.path(fmt.Sprintf("office%d-%d", agents, round)),
			home:   b.shop.path(fmt.Sprintf("cache%d-%d", agents, round)),
		}
		if err := sources.write(g.folder); err != nil {
			return nil, err
		}

		watch := startWatch()
		err := g.run(" written, 0 unchanged")
		took(0, watch)
		if err != nil {
			return nil, err
		}

		watch = startWatch()
		err = g.run("0 written, ")
		took(1, watch)
		if err != nil {
			return nil, err
		}

		files, err := g.output()
		if err != nil {
			return nil, err
		}
		watch = startWatch()
		err = parseAndFormat(files)
		took(2, watch)
		if err != nil {
			return nil, err
		}
		if err := errors.Join(os.RemoveAll(g.folder), os.RemoveAll(g.home)); err != nil {
			return nil, err
		}
	}

	return scores, nil
}

// wholeCommand lets clean and unchanged runs of agentc itself take turns, each a process of its own. The time that passes counts.
func (b *bench) wholeCommand(ctx context.Context, agents, rounds int) ([]contest.Score, error) {
	agentc, err := b.shop.agentc(ctx)
	if err != nil {
		return nil, err
	}
	sources := officeProject(agents, b.seed)
	scores := []contest.Score{{Name: "clean"}, {Name: "unchanged"}}
	for round := range rounds {
		b.progress.say("agentc generate of %s agents, round %d of %d", count(agents), round+1, rounds)
		folder, home := fmt.Sprintf("whole%d-%d", agents, round), fmt.Sprintf("home%d-%d", agents, round)
		if err := sources.write(b.shop.path(folder)); err != nil {
			return nil, err
		}
		for i, want := range []string{" written, 0 unchanged", "0 written, "} {
			cmd := exec.CommandContext(ctx, agentc, "generate", b.shop.path(folder))
			cmd.Env = withHome(b.shop.path(home))
			start := time.Now()
			said, err := cmd.CombinedOutput()
			scores[i].Step = append(scores[i].Step, float64(time.Since(start).Nanoseconds()))
			if err != nil || !strings.Contains(string(said), want) {
				return nil, fmt.Errorf("run %d says %q: %w", i+1, said, err)
			}
		}
		if err := errors.Join(os.RemoveAll(b.shop.path(folder)), os.RemoveAll(b.shop.path(home))); err != nil {
			return nil, err
		}
	}

	return scores, nil
}

// withHome is the environment with a home, and so a cache folder, of its own.
func withHome(folder string) []string {
	return append(os.Environ(), "HOME="+folder, "XDG_CACHE_HOME="+folder, "LocalAppData="+folder)
}

// generation is one project folder, and the folder in which agentc may keep what it remembers.
type generation struct{ folder, home string }

// run is agentc generate in this process. Its message has to hold want.
func (g generation) run(want string) error {
	const variable = "XDG_CACHE_HOME"
	before, isSet := os.LookupEnv(variable)
	if err := os.Setenv(variable, g.home); err != nil {
		return err
	}
	defer func() {
		if isSet {
			_ = os.Setenv(variable, before)
		} else {
			_ = os.Unsetenv(variable)
		}
	}()

	var message bytes.Buffer
	code := command.Main([]string{"generate", g.folder}, strings.NewReader(""), &message, &message)
	if code != 0 || !strings.Contains(message.String(), want) {
		return fmt.Errorf("agentc generate ends with %d and prints %q, want %q", code, &message, want)
	}

	return nil
}

// output reads the generated files.
func (g generation) output() ([][]byte, error) {
	names, err := filepath.Glob(filepath.Join(g.folder, "agents", "*.go"))
	if err != nil {
		return nil, err
	}
	files := make([][]byte, len(names))
	for i, name := range names {
		if files[i], err = os.ReadFile(name); err != nil {
			return nil, err
		}
	}

	return files, nil
}

// parseAndFormat parses and formats Go files with the standard library: what any generator of formatted Go has to do at least.
func parseAndFormat(files [][]byte) error {
	for _, content := range files {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "", content, parser.ParseComments)
		if err != nil {
			return err
		}
		if err := format.Node(io.Discard, set, file); err != nil {
			return err
		}
	}

	return nil
}
