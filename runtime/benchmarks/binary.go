package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// The goals of binaries: their sizes in MB, and how long one takes to its first event beside a Go program that prints a line.
const (
	offlineGoal = 3.9
	modelGoal   = 7.9
	startGoal   = 3
)

// measureBinaries measures what agentc build makes of a small project: how large it is, without and with a provider of models, and how
// soon it says something.
func (b *bench) measureBinaries() {
	rounds := b.size(101, 3)
	b.progress.say("building binaries")
	// Not in the workshop, whose module would make a project in it a package of its own.
	folder := must(os.MkdirTemp(filepath.Dir(b.folder), "agentc-binary-"))
	defer os.RemoveAll(folder)

	offline := b.builtBinary(filepath.Join(folder, "offline"), binaryProject("script:answers.yaml"))
	online := b.builtBinary(filepath.Join(folder, "model"), binaryProject("openai:gpt-5"))
	line := b.lineProgram()
	b.add("binary, offline: size", megabytes(offline), " MB", goal{atMost, offlineGoal})
	b.add("binary, with an OpenAI-compatible model: size", megabytes(online), " MB", goal{atMost, modelGoal})
	b.add("binary: size of a Go program that prints a line", megabytes(line), " MB", goal{})

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
			return func() (usage, error) { return firstLine(b.ctx, folder, args) }
		}
		passed, _ := inTurns(1, rounds, side{"binary", start(append([]string{offline}, run.args...)...)}, side{"line", start(line)})
		var ratios []float64 // each pair is measured under one load of the machine
		for i := range rounds {
			ratios = append(ratios, passed[0].Step[i]/passed[1].Step[i])
		}
		b.add(run.title, median(ratios), "x", run.goal)
	}
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
func (b *bench) builtBinary(folder string, p project) string {
	p.write(folder)
	binary := filepath.Join(folder, "binary.exe")
	_, _, err := execute(b.ctx, folder, nil, b.agentc(), "build", folder, "-o", binary)
	check(err)

	return binary
}

// lineProgram builds the program that prints a line, as agentc builds its own.
func (b *bench) lineProgram() string {
	const source = "package main\n\nimport \"fmt\"\n\nfunc main() { fmt.Println(\"a line\") }\n"
	b.put("line/main.go", []byte(source))
	binary := b.path("line.exe")
	must(b.goTool("build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", binary, "./line"))

	return binary
}

// megabytes is the size of a file.
func megabytes(file string) float64 { return float64(must(os.Stat(file)).Size()) / 1e6 }

// firstLine is how long a program takes from its start to the first line of its output.
func firstLine(ctx context.Context, folder string, args []string) (usage, error) {
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = folder
	out := must(cmd.StdoutPipe())
	start := time.Now()
	check(cmd.Start())
	lines := bufio.NewReader(out)
	_, err := lines.ReadString('\n')
	took := time.Since(start)
	if err != nil {
		_ = cmd.Wait()
		return usage{}, fmt.Errorf("%s prints no line: %w", args[0], err)
	}
	_, _ = io.Copy(io.Discard, lines)

	return usage{passed: took}, cmd.Wait()
}
