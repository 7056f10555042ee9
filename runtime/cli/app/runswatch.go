package app

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// watchPause is how often runs are read.
const watchPause = 500 * time.Millisecond

// watchRuns prints the list of runs, or what one did, and again whenever that changes, until it is
// interrupted or the run has ended.
func watchRuns(c *cli.Call, p *compiled.Program, store journal.Store, run string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	for before := ""; ; {
		text, err := drawNow(c, p, store, run)
		if err != nil {
			return err
		}
		if text != before {
			before = text
			if c.Screen(c.Stdout) {
				columns, rows := c.Size(c.Stdout)
				text = fitScreen(text, columns, rows, run != "")
			}
			if _, err := io.WriteString(c.Stdout, text); err != nil {
				return err
			}
		}
		if of, err := readRun(ctx, store, run); run != "" && err == nil && of.Status != client.Running && of.Status != client.Paused {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchPause):
		}
	}
}

// drawn is text for a terminal of so many columns.
type drawn struct {
	bytes.Buffer
	columns int
}

// drawNow returns what runs, or runs show, prints now.
func drawNow(c *cli.Call, p *compiled.Program, store journal.Store, run string) (text string, err error) {
	stdout := drawn{columns: columnsOf(c)}
	env, call := *c.Env, *c
	env.Stdout, env.Stderr, call.Env = &stdout, io.Discard, &env
	if run == "" {
		err = listRuns(&call, p, store)
	} else {
		err = showRun(&call, p, store, run)
	}
	if stdout.Len() == 0 {
		return "no runs yet\n", err
	}

	return stdout.String(), err
}

// fitScreen returns a text drawn over the whole of a terminal, as far as it fits: of a run its end.
func fitScreen(text string, columns, rows int, isRun bool) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if most := max(rows-1, 1); len(lines) > most {
		if isRun {
			lines = append(lines[:1:1], lines[len(lines)-most+1:]...)
		} else {
			lines = lines[:most]
		}
	}
	var b strings.Builder
	b.WriteString("\x1b[H")
	for _, line := range lines {
		b.WriteString(cells.Cut(line, columns) + "\x1b[K\n")
	}
	b.WriteString("\x1b[J")

	return b.String()
}
