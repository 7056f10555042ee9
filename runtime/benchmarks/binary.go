package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The goals of binaries: their sizes in MB, and how long one takes to its first event beside a Go program that prints a line.
const (
	offlineGoal = 4
	modelGoal   = 8
	startGoal   = 3
)

// measureBinaries measures what agentc build makes of a small project: how large it is, without and with a provider of models, and how
// soon it says something.
func (b *bench) measureBinaries(ctx context.Context) (err error) {
	rounds := 101
	if b.small {
		rounds = 3
	}
	compiler, err := b.shop.agentc(ctx)
	if err != nil {
		return err
	}
	// Not in the workshop, whose module would make a project in it a package of its own.
	folder, err := os.MkdirTemp(filepath.Dir(b.shop.folder), "agentc-binary-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)

	b.progress.say("building binaries")
	offline, err := builtBinary(ctx, compiler, filepath.Join(folder, "offline"), binaryProject("script:answers.yaml"))
	if err != nil {
		return err
	}
	online, err := builtBinary(ctx, compiler, filepath.Join(folder, "model"), binaryProject("openai:gpt-5"))
	if err != nil {
		return err
	}
	line, err := b.lineProgram(ctx)
	if err != nil {
		return err
	}
	b.rows = append(b.rows,
		row{"binary, offline: size", megabytes(offline), " MB", goal{atMost, offlineGoal}},
		row{"binary, with an OpenAI-compatible model: size", megabytes(online), " MB", goal{atMost, modelGoal}},
		row{"binary: size of a Go program that prints a line", megabytes(line), " MB", goal{}})

	for _, run := range []struct {
		title string
		args  []string
		goal  goal
	}{
		{"binary, start to first event / a Go program that prints a line", []string{"run", "--json", "x"}, goal{atMost, startGoal}},
		{"binary, the same without a journal", []string{"run", "--json", "--store", "none", "x"}, goal{}},
	} {
		b.progress.say("%s", run.title)
		start := func(args ...string) func() (usage, error) {
			return func() (usage, error) { return firstLine(ctx, folder, args) }
		}
		passed, _, err := inTurns(1, rounds, side{"binary", start(append([]string{offline}, run.args...)...)}, side{"line", start(line)})
		if err != nil {
			return err
		}
		var ratios []float64 // each pair is measured under one load of the machine
		for i := range rounds {
			ratios = append(ratios, passed[0].Step[i]/passed[1].Step[i])
		}
		b.rows = append(b.rows, row{run.title, median(ratios), "x", run.goal})
	}

	return nil
}

// binaryProject is a machine of two agents with a model.
func binaryProject(model string) project {
	p := project{"agentc.yaml": "entrypoint: critic\nmodels: {default: \"" + model + "\"}\n",
		"answers.yaml": "draft: [{finish: {key: good, value: \"{{input}}\"}}]\n"}
	p.agent("critic", "Improves a text.", "fsm", "initial: draft\nstates:\n  draft:\n    - good: done\n    - bad: refine\n"+
		"  refine: draft\n  done: ~\n", "")
	p.agent("draft", "Writes.", "react", "", "Write. Finish with good or bad.\n")
	p.agent("refine", "Improves.", "oneshot", "", "Improve.\n")

	return p
}

// builtBinary has agentc build a project in a folder, and returns the binary.
func builtBinary(ctx context.Context, compiler, folder string, p project) (string, error) {
	if err := p.write(folder); err != nil {
		return "", err
	}
	binary := filepath.Join(folder, "binary.exe")
	_, _, err := execute(ctx, folder, nil, compiler, "build", folder, "-o", binary)

	return binary, err
}

// lineProgram builds the program that prints a line, as agentc builds its own.
func (b *bench) lineProgram(ctx context.Context) (string, error) {
	const source = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"a line\") }\n"
	if err := b.shop.put("line/main.go", []byte(source)); err != nil {
		return "", err
	}
	binary := b.shop.path("line.exe")
	_, err := b.shop.goTool(ctx, "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", binary, "./line")

	return binary, err
}

// megabytes is the size of a file; no number if it cannot be had.
func megabytes(file string) float64 {
	info, err := os.Stat(file)
	if err != nil {
		return math.NaN()
	}

	return float64(info.Size()) / 1e6
}

// firstLine is how long a program takes from its start to the first line of its output.
func firstLine(ctx context.Context, folder string, args []string) (usage, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = folder
	out, err := cmd.StdoutPipe()
	if err != nil {
		return usage{}, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return usage{}, err
	}
	lines := bufio.NewReader(out)
	_, err = lines.ReadString('\n')
	took := time.Since(start)
	if err != nil {
		_ = cmd.Wait()
		return usage{}, fmt.Errorf("%s prints no line: %w", args[0], err)
	}
	_, _ = io.Copy(io.Discard, lines)

	return usage{passed: took}, cmd.Wait()
}
