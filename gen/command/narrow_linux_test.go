package command

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/testing/ptytest"
)

// TestNarrowTerminal: on 40 columns the terminal breaks no word of the help of any command, none of
// what the commands print that show something of a project, and none of their messages. Only a line
// of one word may be longer. Lines of source files are cut.
func TestNarrowTerminal(t *testing.T) {
	support, err := filepath.Abs(filepath.Join(root, "examples", "support"))
	if err != nil {
		t.Fatal(err)
	}
	calls := [][]string{
		{"--help"}, {"cost", support}, {"can", support}, {"preflight", support}, {"models", support}, {"simulate", support},
		{"check", "--stats", support}, {"explain", "--list"}, {"explain", "undefined-state"},
	}
	for _, c := range newProgram().Commands {
		calls = append(calls, []string{c.Name, "--help"}, []string{c.Name, "--bogus"}, []string{c.Name, "none/of/this"})
	}
	misspelled, err := filepath.Abs(filepath.Join("testdata", "misspelled"))
	if err != nil {
		t.Fatal(err)
	}
	calls = append(calls, []string{"serve"}, []string{"frobnicate"}, []string{"init", "type"}, []string{"add", "reakt", "x"}, []string{"check"},
		[]string{"-C", misspelled, "check"}, []string{"-C", misspelled, "generate"})
	for _, args := range calls {
		text := printedOn(t, 40, args)
		if len(strings.Fields(text)) < 4 {
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

// A diagnostic about a long line fits a terminal of any width: the line is cut around the caret,
// and the message broken at words.
func TestDiagnosticsFitTheTerminal(t *testing.T) {
	sentence := strings.Repeat("Look at everything that the customer wrote. ", 4)
	dir := unpack(t, t.TempDir(), "-- agents/a/AGENT.md --\n---\nname: a\ndescription: >-\n  "+sentence+"\nversion: \"1\"\npattern: oneshot\n"+
		"call: {model: {role: default, tempratur: 0.5}, uses: [a-skill-with-a-very-long-name, another-skill-with-a-very-long-name-that-is-not-there]}\n---\nWrite.\n")
	for _, columns := range []int{60, 80, 100} {
		text := printedOn(t, columns, []string{"-C", dir, "check"})
		if !strings.Contains(text, "^^^") || !strings.Contains(text, "tempratur") || !strings.Contains(text, "…") {
			t.Errorf("%d columns:\n%s", columns, text)
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > columns {
				t.Errorf("%d columns of %d: %s", utf8.RuneCountInString(line), columns, line)
			}
		}
	}
}

// printedOn returns what a command prints on a terminal of so many columns.
func printedOn(t *testing.T, columns int, args []string) string {
	t.Helper()
	person, terminal := ptytest.Open(t)
	ptytest.Resize(t, person, uint16(columns), 60)
	var shown strings.Builder
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
	env := &cli.Env{Stdin: strings.NewReader(""), Stdout: terminal, Stderr: terminal, Dir: home, Getenv: func(name string) string { return map[string]string{"NO_COLOR": "1", "HOME": home}[name] }}
	newProgram().Run(env, slices.Clone(args))
	_, _ = terminal.WriteString("THE END")
	<-read

	return strings.ReplaceAll(strings.TrimSuffix(shown.String(), "THE END"), "\r", "")
}
