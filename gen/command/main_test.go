package command

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// home is where the tests keep what they share.
var home string

// ownBinary builds agentc, once.
func ownBinary(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(home, "agentc.exe")
	if fileExists(binary) {
		return binary
	}
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "../../cmd/agentc").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}

	return binary
}

// TestMain gives the tests a home and a cache folder of their own; Go's caches stay where they are.
// Runs are not kept.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if home, err = os.MkdirTemp("", "agentc-test-*"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(home)
		for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
			value, err := exec.Command("go", "env", name).Output()
			if err != nil {
				panic(err)
			}
			os.Setenv(name, strings.TrimSpace(string(value)))
		}
		os.Setenv("HOME", home)
		os.Setenv("GOSUMDB", "off")       // modules come from the cache, on machines that reach no database of sums too
		os.Setenv("AGENTC_STORE", "none") // many run from a folder of the repository
		os.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))

		return m.Run()
	}())
}

// result is what a run of agentc left.
type result struct {
	code           int
	stdout, stderr string
}

// agentc runs agentc in dir.
func agentc(dir, stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	env := &cli.Env{Stdin: strings.NewReader(stdin), Stdout: &stdout, Stderr: &stderr, Dir: dir, Getenv: os.Getenv}
	code := runCatchingPanics(env, args)

	return result{code, stdout.String(), stderr.String()}
}

// want compares; the texts must be contained, and "" means nothing at all for stdout.
func (r result) want(t *testing.T, code int, stdout string, stderr ...string) {
	t.Helper()
	if r.code != code || stdout == "" && r.stdout != "" || !strings.Contains(r.stdout, stdout) {
		t.Errorf("exit code %d, want %d; stdout %q, want %q; stderr:\n%s", r.code, code, r.stdout, stdout, r.stderr)
	}
	for _, text := range stderr {
		if !strings.Contains(r.stderr, text) {
			t.Errorf("stderr has no %q:\n%s", text, r.stderr)
		}
	}
}

// unpack writes a txtar archive, or several, into dir.
func unpack(t *testing.T, dir string, archives ...string) string {
	t.Helper()
	for _, archive := range archives {
		for _, f := range txtar.Parse([]byte(archive)).Files {
			name := filepath.Join(dir, filepath.FromSlash(f.Name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}

	return dir
}

// repository is the root of the repository.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}

	return dir
}

// userModule is a go.mod that requires agentc.
func userModule(t *testing.T) string {
	return fmt.Sprintf("-- go.mod --\nmodule example.org/user\n\ngo 1.25.0\n\n"+
		"require github.com/agentc-dev/agentc v0.0.0\n\nreplace github.com/agentc-dev/agentc => %q\n", repository(t))
}

// critic is a project of a machine and two agents.
const critic = `
-- agentc.yaml --
entrypoint: critic
-- agents/critic/AGENT.md --
---
name: critic
description: Improves a text.
version: "1"
pattern: fsm
initial: draft
states:
  draft:
    - good: done
    - bad: refine
  refine: draft
  done: ~
---
-- agents/draft/AGENT.md --
---
name: draft
description: Writes.
version: "1"
pattern: react
---

Write. Finish with good or bad.
-- agents/refine/AGENT.md --
---
name: refine
description: Rewrites.
version: "1"
pattern: oneshot
---

Rewrite.
`

// criticScript answers for it.
const criticScript = `
-- answers.yaml --
draft:
  - finish: {key: bad, value: "{{input}}, badly"}
  - finish: {key: good, value: "well done"}
refine:
  - say: "better"
`

// clerk is a project with two typed tools.
const clerk = `
-- agentc.yaml --
entrypoint: clerk
-- agents/clerk/AGENT.md --
---
name: clerk
description: Looks orders up.
version: "1"
pattern: react
call:
  uses: [orders]
---

Look the order up.
-- skills/orders/SKILL.md --
---
name: orders
description: Orders.
tools:
  - name: find_order
    description: Finds an order.
    effect: read
    input:
      type: object
      properties:
        id: {type: string}
      required: [id]
  - name: pay_back
    description: Pays back.
    confirm: true
    input:
      type: object
      properties:
        id: {type: string}
      required: [id]
---

Use find_order, then pay_back.
`

const clerkScript = `
-- answers.yaml --
clerk:
  - call: [{name: read_skill, args: {name: orders}}]
  - call: {name: find_order, args: {id: "7"}}
  - call: {name: pay_back, args: {id: "7"}}
  - finish: {key: done, value: "paid"}
ask:
  pay_back: [yes]
`

const clerkTools = `
-- tools.go --
package main

import (
	"context"
	"os"

	"example.org/user/agents"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

type tools struct{}

func (tools) FindOrder(_ context.Context, in agents.FindOrderInput) (string, error) {
	return "order " + in.ID + " of " + os.Getenv("CLERK"), nil
}

func main() { app.Main(agents.New(tools{})) }
`

const clerkPay = `
-- pay.go --
package main

import (
	"context"

	"example.org/user/agents"
)

func (tools) PayBack(_ context.Context, in agents.PayBackInput) (string, error) { return "paid", nil }
`

// Every command says what it is for, with an example that is one of its own, on a terminal of 80
// columns.
func TestHelpOfEveryCommand(t *testing.T) {
	fits(t, agentc(t.TempDir(), "", "--help").stdout)
	for _, c := range newProgram().Commands {
		r := agentc(t.TempDir(), "", c.Name, "--help")
		r.want(t, cli.Done, "\nexample:\n  ")
		fits(t, r.stdout)
		if c.Help == "" || c.Summary == "" || !strings.Contains(c.Example, "agentc "+c.Name) {
			t.Errorf("%s: help %q, summary %q, example %q", c.Name, c.Help, c.Summary, c.Example)
		}
		for _, f := range c.Flags {
			if f.Help == "" {
				t.Errorf("%s: -%s has no help", c.Name, f.Name)
			}
		}
	}
}

func fits(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("a line of %d characters: %s", n, line)
		}
	}
}

func TestVersionFlag(t *testing.T) {
	dir := t.TempDir()
	if want, got := agentc(dir, "", "version"), agentc(dir, "", "--version"); got.code != cli.Done || got.stdout != want.stdout {
		t.Errorf("--version prints %q, version %q", got.stdout, want.stdout)
	}
}

// What cannot be written is no success, whichever command writes it.
func TestDataThatCannotBeWritten(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	for _, command := range []string{"--help", "help check", "check --help", "version", "schema agent", "explain no-exit", "explain --list", "graph", "generate --stdout", "check --format json"} {
		var stderr bytes.Buffer
		env := &cli.Env{Stdin: strings.NewReader(""), Stdout: fullDisk{}, Stderr: &stderr, Dir: dir, Getenv: os.Getenv}
		if code := runCatchingPanics(env, strings.Fields(command)); code != cli.Failure || strings.Count(stderr.String(), "agentc: disk full\n") != 1 {
			t.Errorf("%s: exit code %d, %s", command, code, &stderr)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}

// Each answer to a word of other tools names commands that exist, and no word is a command.
func TestAnswersToOtherWords(t *testing.T) {
	p := newProgram()
	commands := ir.SetOf(ir.Map(p.Commands, func(c *cli.Command) string { return c.Name }))
	lines := 0
	for range strings.Lines(otherWords) {
		lines++
	}
	if lines != len(p.Words) {
		t.Errorf("%d lines for %d words", lines, len(p.Words))
	}
	named := regexp.MustCompile(`(?:^|[ ,])agentc ([a-z]+)`)
	for word, answer := range p.Words {
		if commands[word] || answer == "" {
			t.Errorf("%s: %q", word, answer)
		}
		for _, m := range named.FindAllStringSubmatch(answer, -1) {
			isProse := slices.Contains([]string{"does", "formats"}, m[1]) // agentc does not ...
			if !commands[m[1]] && !isProse {
				t.Errorf("%s: there is no command %s: %s", word, m[1], answer)
			}
		}
	}
}
