package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/trace"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/local"
)

// failed tells why there is no result and how to go on, and returns the exit code.
func (s *session) failed(err error) int {
	if questions := local.Questions(err); len(questions) > 0 {
		s.tellPaused(questions)
		return cli.Paused
	}

	code := s.c.Errorf(codeOf(err), "%s", cleanLines(err.Error()))
	if panicked := (*runtime.PanicError)(nil); errors.As(err, &panicked) {
		_, _ = s.c.Stderr.Write(panicked.Stack) // where it happened, or nobody can mend it
	}
	if s.kept() {
		fmt.Fprintf(s.c.Stderr, "to go on: %s\n", s.called.with("resume", s.run))
	}

	return code
}

// unseen says that what the run gave could not be written, and how to see it, and returns the exit code.
func (s *session) unseen(err error) int {
	if !s.kept() {
		return s.c.Errorf(cli.Failure, "%v", err)
	}

	return s.c.Errorf(cli.Failure, "%v; it is kept, and can be seen: %s", err, s.called.with("resume", s.run))
}

// codeOf is the exit code for an error with which a run ends, or does not begin.
func codeOf(err error) int {
	var store *journal.StoreError
	switch {
	case errors.As(err, &store):
		return cli.Failure
	case errors.Is(err, journal.ErrUnknownRun), errors.Is(err, journal.ErrRunName):
		return cli.Usage
	}

	return cli.Problem
}

// kept reports whether there is a journal with which another process can go on.
func (s *session) kept() bool {
	if s.store == nil || s.run == "" {
		return false
	}
	_, err := journal.Read(context.Background(), s.store, s.run)

	return err == nil
}

// tellPaused says which answers a run waits for, and how to give them.
func (s *session) tellPaused(questions []runtime.Question) {
	kept := s.kept()
	names := questionNames(questions, nil)
	if kept {
		names = s.openQuestions(questions)
	}
	for i, q := range questions {
		s.c.Errorf(cli.Paused, "paused: question %q waits for an answer: %s", q.ID, clean(q.Prompt))
		if q.Channel != "" {
			fmt.Fprintf(s.c.Stderr, "the channel is %s\n", clean(q.Channel))
		}
		if len(q.Choices) > 0 {
			fmt.Fprintf(s.c.Stderr, "the choices are %s\n", clean(strings.Join(q.Choices, ", ")))
		}
		if !kept {
			fmt.Fprintf(s.c.Stderr, "answer it on a terminal, or in a script: ask: {%s: [...]}\n", q.ID)
			continue
		}
		fmt.Fprintf(s.c.Stderr, "to answer it: %s\n", clean(s.called.with("answer", s.run, names[i], sampleAnswer(q))))
	}
	if kept {
		fmt.Fprintf(s.c.Stderr, "to be asked on a terminal: %s\n", clean(s.called.with("resume", s.run)))
	}
}

// sampleAnswer is an answer that the person may give, or stands for one.
func sampleAnswer(q runtime.Question) string {
	if len(q.Choices) > 0 && !strings.HasPrefix(q.Choices[0], "-") {
		return q.Choices[0]
	}

	return "ANSWER"
}

// openQuestions are the names of questions as answer takes them; the journal knows where they were asked.
func (s *session) openQuestions(questions []runtime.Question) []string {
	j, err := journal.Read(context.Background(), s.store, s.run)
	if err != nil {
		return questionNames(questions, nil)
	}

	return questionNames(questions, trace.Of(j.Records).Questions)
}

// questionNames are the ids of questions, with the address where several have one.
func questionNames(questions []runtime.Question, open []*trace.Node) []string {
	addresses := map[string][]string{}
	for _, q := range open {
		addresses[q.Name] = append(addresses[q.Name], q.Address)
	}
	names := make([]string, len(questions))
	for i, q := range questions {
		names[i] = q.ID
		if same := addresses[q.ID]; len(same) > 0 {
			if len(same) > 1 || strings.HasSuffix(q.ID, "#"+same[0]) {
				names[i] += "#" + same[0]
			}
			addresses[q.ID] = append(same[1:], same[0])
		}
	}

	return names
}
