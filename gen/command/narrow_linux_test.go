package command

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/ptytest"
)

// TestNarrowTerminal: on 40 columns the terminal breaks no word of the help of any command, and none of what the commands print that
// show something of a project. Only a line of one word may be longer.
func TestNarrowTerminal(t *testing.T) {
	support, err := filepath.Abs(filepath.Join(root, "examples", "support"))
	if err != nil {
		t.Fatal(err)
	}
	calls := [][]string{
		{"--help"}, {"cost", support}, {"can", support}, {"preflight", support}, {"models", support}, {"simulate", support},
		{"check", "--stats", support}, {"explain", "--list"}, {"explain", "undefined-state"},
	}
	for _, c := range program().Commands {
		calls = append(calls, []string{c.Name, "--help"})
	}
	for _, args := range calls {
		text := printedOn40(t, args)
		if len(strings.Fields(text)) < 5 {
			t.Errorf("%q prints little: %s", args, text)
		}
		for line := range strings.Lines(text) {
			line = strings.TrimRight(line, "\n")
			if utf8.RuneCountInString(line) > 40 && strings.Contains(strings.TrimSpace(line), " ") {
				t.Errorf("%q: %d columns: %s", args, utf8.RuneCountInString(line), line)
			}
		}
	}
}

// printedOn40 returns what a command prints on a terminal of 40 columns.
func printedOn40(t *testing.T, args []string) string {
	t.Helper()
	person, terminal := ptytest.Open(t)
	ptytest.Resize(t, person, 40, 60)
	var shown, errs strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		for buffer := make([]byte, 4096); !strings.Contains(shown.String(), "THE END"); {
			n, err := person.Read(buffer)
			if shown.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	home := t.TempDir()
	env := &cli.Env{Stdin: strings.NewReader(""), Stdout: terminal, Stderr: &errs, Dir: home, Getenv: func(name string) string { return map[string]string{"NO_COLOR": "1", "HOME": home}[name] }}
	code := program().Run(env, slices.Clone(args))
	_, _ = terminal.WriteString("THE END")
	<-read
	if code == cli.Usage {
		t.Errorf("%q: %s", args, &errs)
	}

	return strings.ReplaceAll(strings.TrimSuffix(shown.String(), "THE END"), "\r", "")
}
