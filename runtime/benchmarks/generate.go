package main

import (
	"bytes"
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
func (b *bench) measureGenerate() {
	sizes, rounds := []int{10, 100, 1000}, []int{15, 9, 5}
	if b.small {
		sizes, rounds = []int{5, 10}, []int{2, 2}
	}

	var last float64
	for i, agents := range sizes {
		sources := officeProject(agents, b.seed)
		b.progress.say("generate of %s agents", count(agents))
		scores := b.generations(sources, rounds[i])
		b.progress.say("agentc generate of %s agents", count(agents))
		whole := b.wholeCommand(sources, rounds[i])
		title := fmt.Sprintf("generate, %s agents: ", count(agents))
		b.compare(title+"clean / parsing and formatting", scores, "clean", "format", goal{atMost, cleanGoal})
		b.share(title+"unchanged / clean", scores, goal{atMost, unchangedGoal})
		b.share(title+"unchanged / clean, the whole command", whole, goal{})
		clean := best(scores, "clean")
		if i == len(sizes)-1 {
			title := fmt.Sprintf("generate, clean: %s agents / %s agents", count(agents), count(sizes[i-1]))
			b.add(title, clean/last, "x", goal{atMost, growthGoal})
		}
		last = clean
	}
}

// share adds how much of a clean run an unchanged one takes.
func (b *bench) share(what string, scores []contest.Score, aim goal) {
	b.add(what, best(scores, "unchanged")/best(scores, "clean"), "", aim)
}

// What agentc generate prints of a clean run and of an unchanged one.
const (
	allWritten = " written, 0 unchanged"
	noneNew    = "0 written, "
)

// generations lets clean runs, unchanged runs, and parsing and formatting the output take turns.
func (b *bench) generations(sources project, rounds int) []contest.Score {
	g := &generation{shop: b.workshop}
	defer g.remove()
	_, busy := inTurns(1, rounds,
		side{"clean", func() (usage, error) {
			g.begin(sources)
			return timed(func() error { return g.run(allWritten) })()
		}},
		side{"unchanged", timed(func() error { return g.run(noneNew) })},
		side{"format", func() (usage, error) {
			files := g.output()
			return timed(func() error { return parseAndFormat(files) })()
		}})

	return busy
}

// wholeCommand lets clean and unchanged runs of agentc itself take turns, each a process of its own. The time that passes counts.
func (b *bench) wholeCommand(sources project, rounds int) []contest.Score {
	agentc := b.agentc()
	g := &generation{shop: b.workshop}
	defer g.remove()
	run := func(want string) (usage, error) {
		home := []string{"HOME=" + g.home, "XDG_CACHE_HOME=" + g.home, "LocalAppData=" + g.home}
		output, used, err := execute(b.ctx, g.folder, home, agentc, "generate", g.folder)
		if err == nil && !bytes.Contains(output, []byte(want)) {
			err = fmt.Errorf("agentc generate prints %q, want %q", output, want)
		}

		return used, err
	}
	passed, _ := inTurns(0, rounds,
		side{"clean", func() (usage, error) {
			g.begin(sources)
			return run(allWritten)
		}},
		side{"unchanged", func() (usage, error) { return run(noneNew) }})

	return passed
}

// generation is one project folder, and the folder in which agentc may keep what it remembers.
type generation struct {
	shop         *workshop
	folder, home string
}

// begin makes new folders, of which agentc remembers nothing, with the sources.
func (g *generation) begin(sources project) {
	g.remove()
	g.folder = must(os.MkdirTemp(g.shop.folder, "office"))
	g.home = must(os.MkdirTemp(g.shop.folder, "cache"))
	sources.write(g.folder)
}

func (g *generation) remove() { check(errors.Join(os.RemoveAll(g.folder), os.RemoveAll(g.home))) }

// run is agentc generate in this process. Its message has to hold want.
func (g *generation) run(want string) error {
	const variable = "XDG_CACHE_HOME"
	before, isSet := os.LookupEnv(variable)
	check(os.Setenv(variable, g.home))
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
func (g *generation) output() (files [][]byte) {
	for _, name := range must(filepath.Glob(filepath.Join(g.folder, "agents", "*.go"))) {
		files = append(files, must(os.ReadFile(name)))
	}

	return files
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
