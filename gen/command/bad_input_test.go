package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// fault is what no message of a command may have: a panic, or a value that was not meant for
// people.
var fault = regexp.MustCompile(`panic|goroutine|a fault of agentc|%!|<nil>`)

// Each command says what is wrong, in a line or a few, and does not exit 0: without arguments where
// there is no project, with a flag and with arguments that it does not know, and in a folder that
// is a file or does not exist.
func TestBadInput(t *testing.T) {
	empty := t.TempDir()
	file := filepath.Join(empty, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	inAnyFolder := "init import version completion"
	for _, c := range newProgram().Commands {
		for _, test := range []struct {
			args []string
			done string // the commands that can do what they are asked
		}{
			{[]string{"-C", filepath.Join(empty, "none"), c.Name}, "version"},
			{[]string{"-C", file, c.Name}, "version"},
			{[]string{c.Name}, inAnyFolder},
			{[]string{c.Name, "--no-such-flag"}, ""},
			{[]string{c.Name, "a", "b", "c", "d"}, ""},
			{[]string{c.Name, "none/of/this"}, "init"},
		} {
			dir := t.TempDir()
			r := agentc(dir, "", test.args...)
			if r.code == cli.Done && strings.Contains(" "+test.done+" ", " "+c.Name+" ") {
				continue
			}
			lines := strings.Count(r.stderr, "\n")
			if r.code == cli.Done || r.code == cli.Failure || lines == 0 || lines > 6 || fault.MatchString(r.stderr) || r.stdout != "" {
				t.Errorf("%s: exit code %d; stdout %q, stderr:\n%s", strings.Join(test.args, " "), r.code, r.stdout, r.stderr)
			}
		}
	}
}

// full is an output of which no byte can be written.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// Output that cannot be written is a failure of each command that prints.
func TestOutputThatCannotBeWritten(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	for _, args := range []string{
		"help", "version", "graph", "graph --format svg", "cost", "can", "preflight", "models", "simulate", "explain --list",
		"schema agent", "completion bash", "check --format json", "can --json", "diff . .",
	} {
		var stderr strings.Builder
		env := &cli.Env{Stdin: strings.NewReader(""), Stdout: full{}, Stderr: &stderr, Dir: dir, Getenv: os.Getenv}
		if code := runCatchingPanics(env, strings.Fields(args)); code != cli.Failure || !strings.Contains(stderr.String(), errFull.Error()) {
			t.Errorf("%s: exit code %d, stderr:\n%s", args, code, &stderr)
		}
	}
}
