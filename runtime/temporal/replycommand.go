package temporal

import (
	"context"
	"fmt"
	"os/user"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

func replyCommand(p *compiled.Program) *cli.Command {
	return &cli.Command{
		Name: "reply", Args: "RUN [QUESTION VALUE]", Max: 3,
		Summary: "answer a question of a run on Temporal",
		Help: `Without QUESTION and VALUE, lists what the run waits for. An answer that does not fit is refused, and the question stays
open. If a question is answered twice, the first answer counts and the second is refused.`,
		Example: p.Name + " reply order-17\n" + p.Name + " reply order-17 approve yes",
		Flags: append(connectFlags(),
			cli.Flag{Name: "by", Value: "NAME", Help: "who answers; default: the user of this process"},
		),
		Run: func(c *cli.Call) error { return answerQuestion(c, p) },
	}
}

func answerQuestion(c *cli.Call, p *compiled.Program) error {
	if len(c.Args) != 1 && len(c.Args) != 3 {
		return c.Usagef("reply takes a run, or a run, a question and its answer")
	}
	server, err := dialServer(c, p)
	if err != nil {
		return err
	}
	defer server.Close()
	ctx := context.Background()
	if len(c.Args) == 1 {
		questions, err := server.Questions(ctx, c.Args[0])
		if err != nil {
			return err
		}
		for _, q := range questions {
			fmt.Fprintf(c.Stdout, "%s: %s%s\n", q.ID, q.Prompt, formatChoices(q))
		}

		return nil
	}
	by := c.Flag("by")
	if me, err := user.Current(); err == nil && !c.On("by") {
		by = me.Username
	}
	if err := server.Answer(ctx, c.Args[0], c.Args[1], c.Args[2], by); err != nil {
		return c.Errorf(codeOf(err), "%w", err)
	}

	return nil
}

// codeOf is the exit code of an answer that was not taken: refused, or not received.
func codeOf(err error) int {
	if errs.Has(err, "UnknownQuestionError", "AnsweredError", "AnswerError") {
		return cli.Problem
	}

	return cli.Failure
}
