package app

import (
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/testing/ptytest"
)

// TestAPersonAnswersOnTheTerminal: the question is asked where the person is, an answer that is none is asked for again, and
// the value alone comes out.
func TestAPersonAnswersOnTheTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TERM", "xterm")
	person, program := ptytest.Open(t)
	seen := make(chan string)
	go func() {
		answers := []string{"perhaps\n", "YES\n"}
		var all strings.Builder
		buffer := make([]byte, 1024)
		for {
			n, err := person.Read(buffer)
			all.Write(buffer[:n])
			if len(answers) > 0 && strings.HasSuffix(all.String(), "approve> ") {
				_, _ = person.WriteString(answers[0])
				answers = answers[1:]
			}
			if err != nil || strings.Contains(all.String(), "END") {
				seen <- all.String()
				return
			}
		}
	}()

	var out strings.Builder
	code := Options{}.Run(desk{}, []string{"run", "--agent", "approve", "money"}, program, &out, program)
	_, _ = program.WriteString("END")
	if code != cli.Done || out.String() != "yes to money\n" {
		t.Errorf("exit code %d, stdout %q", code, out.String())
	}
	select {
	case screen := <-seen:
		for _, want := range []string{"channel: email", "May I?", "(yes, no)", "Please answer with one of: yes, no"} {
			if !strings.Contains(screen, want) {
				t.Errorf("the terminal lacks %q: %q", want, screen)
			}
		}
	case <-time.After(10 * time.Second):
		t.Error("the terminal went silent")
	}
}
