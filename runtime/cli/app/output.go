package app

import (
	"io"
	"strings"
	"time"
	"unicode"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
)

// jsonLines writes every event as a line. Events come one at a time.
type jsonLines struct {
	w     io.Writer
	line  []byte
	count int
	err   error // the first
}

// Observe implements event.Observer.
func (j *jsonLines) Observe(e event.Event) {
	j.count++
	j.line = append(e.AppendJSON(j.line[:0]), '\n')
	if _, err := j.w.Write(j.line); err != nil && j.err == nil {
		j.err = err
	}
}

// notStarted writes the last two events of a run that never began, so that the last line is an end
// whatever happens.
func (j *jsonLines) notStarted(agent string, err error) {
	if j.count > 0 {
		return
	}
	now := time.Now()
	if questions := core.Questions(err); questions != nil { // it waits, and was not resumed for that reason
		for i, q := range questions {
			e := q.Pause()
			e.Seq, e.Time = i+1, now
			j.Observe(e)
		}
		j.Observe(event.Event{Kind: event.End, Seq: len(questions) + 1, Time: now, Status: trace.Paused})
		return
	}
	j.Observe(event.Event{
		Kind: event.Error, Seq: 1, Time: now, Agent: agent, Type: runtime.ErrorType(err), Problem: err.Error(),
	})
	j.Observe(event.Event{Kind: event.End, Seq: 2, Time: now, Agent: agent, Status: "failed"})
}

// printValue writes the final value to stdout and a line break if it has none. On a terminal,
// control characters of the value cannot act.
func printValue(c *cli.Call, value string) error {
	if !strings.HasSuffix(value, "\n") {
		value += "\n"
	}
	if c.IsTerminal(c.Stdout) {
		value = strings.Map(func(r rune) rune {
			if (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) && r != '\n' && r != '\t' {
				return unicode.ReplacementChar
			}
			return r
		}, value)
	}
	_, err := io.WriteString(c.Stdout, value)

	return err
}
