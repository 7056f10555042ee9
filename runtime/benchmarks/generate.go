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
	"path/filepath"
	"strings"

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
		sources := officeProject(agents, b.seed)
		b.progress.say("generate of %s agents", count(agents))
		scores, err := b.generations(sources, rounds[i])
		if err != nil {
			return fmt.Errorf("generate of %d agents: %w", agents, err)
		}
		b.progress.say("agentc generate of %s agents", count(agents))
		whole, err := b.wholeCommand(ctx, sources, rounds[i])
		if err != nil {
			return fmt.Errorf("agentc generate of %d agents: %w", agents, err)
		}
		title := fmt.Sprintf("generate, %s agents: ", count(agents))
		b.compare(title+"clean / parsing and formatting", scores, "clean", "format", goal{atMost, cleanGoal})
		b.share(title+"unchanged / clean", scores, goal{atMost, unchangedGoal})
		b.share(title+"unchanged / clean, the whole command", whole, goal{})
		clean := best(scores, "clean")
		if i == len(sizes)-1 {
			title := fmt.Sprintf("generate, clean: %s agents / %s agents", count(agents), count(sizes[i-1]))
			b.rows = append(b.rows, row{title, clean / last, "x", goal{atMost, growthGoal}})
		}
		last = clean
	}

	return nil
}

// share adds how much of a clean run an unchanged one takes.
func (b *bench) share(what string, scores []contest.Score, aim goal) {
	b.rows = append(b.rows, row{what, best(scores, "unchanged") / best(scores, "clean"), "", aim})
}

// What agentc generate prints of a clean run and of an unchanged one.
const (
	allWritten = " written, 0 unchanged"
	noneNew    = "0 written, "
)

// generations lets clean runs, unchanged runs, and parsing and formatting the output take turns.
func (b *bench) generations(sources project, rounds int) ([]contest.Score, error) {
	g := &generation{shop: b.shop}
	_, busy, err := inTurns(1, rounds,
		side{"clean", func() (usage, error) {
			if err := g.begin(sources); err != nil {
				return usage{}, err
			}
			return timed(func() error { return g.run(allWritten) })()
		}},
		side{"unchanged", timed(func() error { return g.run(noneNew) })},
		side{"format", func() (usage, error) {
			files, err := g.output()
			if err != nil {
				return usage{}, err
			}
			return timed(func() error { return parseAndFormat(files) })()
		}})

	return busy, errors.Join(err, g.remove())
}

// wholeCommand lets clean and unchanged runs of agentc itself take turns, each a process of its own. The time that passes counts.
func (b *bench) wholeCommand(ctx context.Context, sources project, rounds int) ([]contest.Score, error) {
	agentc, err := b.shop.agentc(ctx)
	if err != nil {
		return nil, err
	}
	g := &generation{shop: b.shop}
	run := func(want string) (usage, error) {
		home := []string{"HOME=" + g.home, "XDG_CACHE_HOME=" + g.home, "LocalAppData=" + g.home}
		output, used, err := execute(ctx, g.folder, home, agentc, "generate", g.folder)
		if err == nil && !bytes.Contains(output, []byte(want)) {
			err = fmt.Errorf("agentc generate prints %q, want %q", output, want)
		}

		return used, err
	}
	passed, _, err := inTurns(0, rounds,
		side{"clean", func() (usage, error) {
			if err := g.begin(sources); err != nil {
				return usage{}, err
			}
			return run(allWritten)
		}},
		side{"unchanged", func() (usage, error) { return run(noneNew) }})

	return passed, errors.Join(err, g.remove())
}

// generation is one project folder, and the folder in which agentc may keep what it remembers.
type generation struct {
	shop         *workshop
	folder, home string
}

// begin makes new folders, of which agentc remembers nothing, with the sources.
func (g *generation) begin(sources project) (err error) {
	if err := g.remove(); err != nil {
		return err
	}
	if g.folder, err = os.MkdirTemp(g.shop.folder, "office"); err != nil {
		return err
	}
	if g.home, err = os.MkdirTemp(g.shop.folder, "cache"); err != nil {
		return err
	}

	return sources.write(g.folder)
}

func (g *generation) remove() error { return errors.Join(os.RemoveAll(g.folder), os.RemoveAll(g.home)) }

// run is agentc generate in this process. Its message has to hold want.
func (g *generation) run(want string) error {
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
func (g *generation) output() ([][]byte, error) {
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
