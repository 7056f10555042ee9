package app

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/testing/ptytest"
)

// TestNarrowTerminal: on 40 and 80 columns runs and what one did fit, so that the terminal breaks no line. The watched
// list leaves out the same columns as the list.
func TestNarrowTerminal(t *testing.T) {
	shop(t)
	t.Setenv("TERM", "xterm")
	for _, columns := range []int{40, 80} {
		list := onTerminal(t, columns, "runs")
		if watched := onTerminal(t, columns, "runs", "watch"); watched != list {
			t.Errorf("on %d columns runs watch prints\n%sruns prints\n%s", columns, watched, list)
		}
		onTerminal(t, columns, "runs", "show", "20251122-done")
		onTerminal(t, columns, "runs", "watch", "20251122-done")
	}
}

// onTerminal runs a command on a terminal of so many columns, interrupts it if it watches all runs, and returns what it
// printed, which has to fit.
func onTerminal(t *testing.T, columns int, args ...string) string {
	t.Helper()
	person, program := ptytest.Open(t)
	ptytest.Resize(t, person, uint16(columns), 60)
	var shown, errs strings.Builder
	read := make(chan struct{})
	go func() {
		defer close(read)
		isOver := len(args) != 2
		for buffer := make([]byte, 1024); !strings.Contains(shown.String(), "END"); {
			n, err := person.Read(buffer)
			if shown.Write(buffer[:n]); err != nil {
				return
			}
			if !isOver && strings.Contains(shown.String(), "\x1b[J") {
				isOver = true
				_ = syscall.Kill(os.Getpid(), syscall.SIGINT)
			}
		}
	}()
	code := Options{}.Run(desk{}, append(args, "--color", "never"), strings.NewReader(""), program, &errs)
	_, _ = program.WriteString("END\n")
	<-read
	text := cells.Plain(strings.NewReplacer("\x1b[H", "", "\x1b[K", "", "\x1b[J", "", "\r", "").Replace(shown.String()))
	if code != cli.Done || !strings.Contains(text, "20251122-done") {
		t.Errorf("%q: %d %s%s", args, code, text, &errs)
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); cells.Width(line) > columns {
			t.Errorf("%q: %d columns: %s", args, cells.Width(line), line)
		}
	}

	return text
}
