package app

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/cells"
	"github.com/agentc-dev/agentc/runtime/ptytest"
)

// TestNarrowTerminal: on 40 columns runs and what one did fit, so that the terminal breaks no line.
func TestNarrowTerminal(t *testing.T) {
	shop(t)
	t.Setenv("TERM", "xterm")
	for _, args := range [][]string{{"runs"}, {"runs", "show", "20251122-done"}, {"runs", "watch", "20251122-done"}} {
		person, program := ptytest.Open(t)
		ptytest.Resize(t, person, 40, 60)
		var shown, errs strings.Builder
		read := make(chan struct{})
		go func() {
			defer close(read)
			for buffer := make([]byte, 1024); !strings.Contains(shown.String(), "END"); {
				n, err := person.Read(buffer)
				if shown.Write(buffer[:n]); err != nil {
					return
				}
			}
		}()
		code := Run(desk{}, append(args, "--color", "never"), strings.NewReader(""), program, &errs)
		_, _ = program.WriteString("END\n")
		<-read
		text := cells.Plain(strings.NewReplacer("\x1b[H", "", "\x1b[K", "", "\x1b[J", "", "\r", "").Replace(shown.String()))
		if code != cli.Done || !strings.Contains(text, "20251122-done") {
			t.Errorf("%q: %d %s%s", args, code, text, &errs)
		}
		for line := range strings.Lines(text) {
			if line = strings.TrimSuffix(line, "\n"); cells.Width(line) > 40 {
				t.Errorf("%q: %d columns: %s", args, cells.Width(line), line)
			}
		}
	}
}
