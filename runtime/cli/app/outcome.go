package app

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// reportFailure prints why there is no result and how to continue, and returns the error that ends
// the command.
func (s *session) reportFailure(err error) error {
	if questions := core.Questions(err); len(questions) > 0 {
		s.tellPaused(questions)
		return s.c.Exit(cli.Paused)
	}

	if s.isAnswered && !s.isAtWork {
		err = core.NotResumed(err)
	}
	s.c.Sayf("%s", cells.CleanLines(err.Error()))
	if panicked := (*runtime.PanicError)(nil); errors.As(err, &panicked) {
		_, _ = s.c.Stderr.Write(panicked.Stack) // where it happened, which the fix needs
	}
	if s.hasJournal() {
		s.tellNext(err)
	}

	if errs.Is[*runtime.CancelledError](err) {
		return s.c.Exit(s.stop.exitCode())
	}

	return s.c.Exit(codeOf(err))
}

// tellNext prints the command that continues a run that has failed or was refused.
func (s *session) tellNext(err error) {
	var diverged *core.DivergenceError
	switch {
	case errs.Has(err, "WrongProgramError"):
	case errors.As(err, &diverged):
		fork := []string{"fork", s.run, "--at", diverged.Address}
		if s.c.On(forceShape.Name) {
			fork = append(fork, forceShape.Dashed())
		}
		fmt.Fprintf(s.c.Stderr, "to continue a copy from that effect: %s\n", s.called.commandLine(fork...))
	case errs.Has(err, "ShapeError"):
		fmt.Fprintf(s.c.Stderr, "to resume it with this program: %s\n", s.called.commandLine("resume", s.run, forceShape.Dashed()))
	default:
		fmt.Fprintf(s.c.Stderr, "to resume: %s\n", s.called.commandLine("resume", s.run))
	}
}

// codeOf is the exit code for an error with which a run ends, or does not begin.
func codeOf(err error) int {
	switch {
	case errs.Is[*journal.StoreError](err):
		return cli.Failure
	case errors.Is(err, journal.ErrUnknownRun):
		return cli.Usage
	}

	return cli.Problem
}

// runError is an error with which a run does not begin, as the command ends with it.
func runError(c *cli.Call, err error) error {
	return c.Errorf(codeOf(err), "%s", cells.CleanLines(err.Error()))
}

// hasJournal reports whether there is a journal from which another process can resume the run.
func (s *session) hasJournal() bool {
	_, kept := s.openQuestions()

	return kept
}

// tellPaused prints the answers for which a run waits, and how to give them.
func (s *session) tellPaused(asked []runtime.Question) {
	questions, kept := s.openQuestions()
	if !kept {
		for _, q := range asked {
			questions = append(questions, client.Question{ID: q.ID, Prompt: q.Prompt, Channel: q.Channel, Choices: q.Choices, Schema: json.RawMessage(q.Schema), Due: q.Due, Timer: q.IsTimer})
		}
	}
	for _, q := range questions {
		if q.Timer {
			s.c.Sayf("paused: step %q %s", q.ID, cells.Clean(q.Prompt))
			fmt.Fprintf(s.c.Stderr, "serve and mcp go on then; without them: %s\n", cells.Clean(s.called.commandLine("timers", "--once")))
			continue
		}
		s.c.Sayf("paused: question %q waits for an answer: %s", q.ID, cells.Clean(q.Prompt))
		if !q.Due.IsZero() {
			fmt.Fprintf(s.c.Stderr, "it is asked until %s\n", q.Due.Local().Format(time.RFC3339))
		}
		if q.Channel != "" {
			fmt.Fprintf(s.c.Stderr, "the channel is %s\n", cells.Clean(q.Channel))
		}
		if len(q.Choices) > 0 {
			fmt.Fprintf(s.c.Stderr, "the choices are %s\n", cells.Clean(strings.Join(q.Choices, ", ")))
		}
		if form := (runtime.Question{Schema: string(q.Schema)}).Form(); form != "" {
			fmt.Fprintf(s.c.Stderr, "the answer is %s\n", cells.Clean(form))
		}
		if !kept {
			fmt.Fprintf(s.c.Stderr, "answer it on a terminal, or in a script: ask: {%s: [...]}\n", q.ID)
			continue
		}
		fmt.Fprintf(s.c.Stderr, "to answer it: %s\n", cells.Clean(s.called.commandLine("answer", s.run, q.Name(questions), sampleAnswer(q))))
	}
	if kept {
		fmt.Fprintf(s.c.Stderr, "to be asked on a terminal: %s\n", cells.Clean(s.called.commandLine("resume", s.run)))
	}
}

// sampleAnswer is an answer that the person may give, or describes one.
func sampleAnswer(q client.Question) string {
	if len(q.Choices) > 0 && !strings.HasPrefix(q.Choices[0], "-") {
		return q.Choices[0]
	}

	return cmp.Or(q.Example, "ANSWER")
}

// openQuestions are what the run waits for; kept is false where no journal has that.
func (s *session) openQuestions() (open []client.Question, kept bool) {
	if s.store == nil || s.run == "" {
		return nil, false
	}
	j, err := journal.Read(context.Background(), s.store, s.run)
	if err != nil {
		return nil, false
	}

	return trace.Of(j.Records).Questions, true
}
