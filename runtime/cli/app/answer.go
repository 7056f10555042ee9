package app

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/internal/text/cells"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

var noResume = cli.Flag{Name: "no-resume", Help: "do not resume the run"}

func answerCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "answer", Args: "RUN QUESTION ANSWER", Max: 4,
		Summary: "answer a question that a run waits for, and resume it",
		Help: `QUESTION is the question's id, as printed when the run paused and by runs; if several questions have the same id, ID#ADDRESS.
With - as the ANSWER, the answer is read from stdin. An answer that does not fit is refused, and the question stays open. If a question
is answered twice, the first answer counts. If the answer is recorded and the run cannot be resumed here, for example because a key is
missing, the command says both and exits with 1. ` + aboutTokens + ` ` + aboutRuns + `

A question unknown:NAME asks about a call of a tool or a function that was interrupted, so that its outcome is unknown. Answer again to
repeat the call, skip to continue without a result, fail to end the run, or done VALUE if the call took effect: the run then continues
as if the tool had returned VALUE, which is JSON if the tool has an output schema. With - as the VALUE, it is read from stdin.`,
		Example: p.Name + " answer last approve yes --by ada\n" + p.Name + " answer last review - --no-resume < review.md",
		Flags: slices.Concat([]cli.Flag{
			{Name: "by", Value: "NAME", Help: "who answers, where there is no tokens file; default: the user's name"}, noResume, forceShape,
		}, callerFlags(), sessionFlags()),
		Run: func(c *cli.Call) error { return runAnswer(c, p) },
	}
}

func runAnswer(c *cli.Call, p *compiled.Program) error {
	if err := wantAnswer(c); err != nil {
		return err
	}
	s, err := sessionOf(c, p, c.Args)
	if err != nil {
		return err
	}
	s.by, err = recordAnswer(c, s.store, s.engine, p, s.run)
	if err != nil {
		return err
	}
	s.isAnswered = true
	if c.On("no-resume") {
		reportAnswer(c, s.called, s.run)
		return nil
	}

	return s.resumeRun()
}

// Answer is the command answer without the program of the run: it records the answer and does not
// resume the run. Whether the answer matches the schema of the question is checked when the run is
// resumed.
func (r RunsCall) Answer() error {
	c := r.Call
	if err := wantAnswer(c); err != nil {
		return err
	}
	store, run, err := namedRun(c, nil, c.Args)
	if err != nil {
		return err
	}
	if _, err := recordAnswer(c, store, core.New(core.Config{Store: store}), nil, run); err != nil {
		return err
	}
	reportAnswer(c, calledBy(c, runFlags...), run)

	return nil
}

// wantAnswer returns what is missing of RUN QUESTION ANSWER behind a RUN.
func wantAnswer(c *cli.Call) error {
	switch n := len(c.Args); {
	case n > 0 && n < 3:
		missing := [...]string{"QUESTION and ANSWER are missing", fmt.Sprintf("ANSWER is missing, unless %q is one: then QUESTION is", c.Args[n-1])}[n-1]
		return c.Usagef("%s: answer RUN QUESTION ANSWER; runs lists the questions that are open", missing)
	case n > 3 && wording.Fold(c.Args[2]) != unknown.Done:
		return c.Usagef("%q is one argument too many: an answer of several words is quoted", c.Args[3])
	}

	return nil
}

// recordAnswer records the answer of the command line, if the caller may give it, and returns the
// name of the caller.
func recordAnswer(c *cli.Call, store journal.Store, engine *core.Engine, p *compiled.Program, run string) (by string, err error) {
	who, err := permitCaller(c, store, run, func(*client.Run) []access.Right {
		if c.On(forceShape.Name) {
			return []access.Right{access.Answer, access.Admin}
		}
		return []access.Right{access.Answer}
	})
	if err != nil {
		return "", err
	}
	words := slices.Clone(c.Args[2:])
	if last := len(words) - 1; words[last] == "-" {
		words[last], err = inputs.Stdin(c)
		if err != nil {
			return "", err
		}
	}
	value := strings.Join(words, " ")
	may := func(question string) error { return who.Check(access.Answer, access.Target{Question: question}) }
	given := question.Given{
		Run: run, Question: c.Args[1], Value: value, By: who.Name(), StayPaused: c.On("no-resume"), Permit: may,
	}
	err = engine.RecordAnswer(context.Background(), p, given)
	if errs.Has(err, "ShapeError") {
		again := slices.Concat([]string{"answer"}, c.Args, []string{forceShape.Dashed()})
		err = fmt.Errorf("%w; to answer and resume it with this program: %s", err, calledBy(c, runFlags...).commandLine(again...))
	}
	if err != nil {
		return "", runError(c, err)
	}

	return who.Name(), nil
}

// reportAnswer reports that the answer is recorded, and how to continue the run.
func reportAnswer(c *cli.Call, as called, run string) {
	c.Sayf("the answer is recorded; to resume: %s", cells.Clean(as.commandLine("resume", run)))
}
