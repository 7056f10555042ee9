package app

import (
	"fmt"
	"io"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
)

var noResume = cli.Flag{Name: "no-resume", Help: "do not go on with the run"}

func answerCommand(p *runtime.Program) *cli.Command {
	return &cli.Command{
		Name: "answer", Args: "RUN QUESTION ANSWER", Max: 4,
		Summary: "answer a question that a run waits for, and go on with it",
		Help: `QUESTION is the question's id, as the pause and runs say it; ID#ADDRESS where several questions have one id. ANSWER - is read
from stdin. An answer that does not fit is refused, and the question stays; of two answers the first counts. ` + aboutRuns + `

A question unknown:NAME is about a call of a tool or a function that was interrupted: it is not known whether it has happened. The
answer again calls it again, skip continues without a result, fail ends the run, and done VALUE says that it has happened: VALUE is its
result, JSON if the tool has an output schema, and the run continues as if the tool had returned it. VALUE - is read from stdin.`,
		Example: p.Name + " answer last approve yes --by ada\n" + p.Name + " answer last review - --no-resume < review.md",
		Flags: append([]cli.Flag{
			{Name: "by", Value: "NAME", Help: "who answers; without: the user's name"}, noResume, forceShape,
		}, sessionFlags()...),
		Run: func(c *cli.Call) int { return answer(c, p) },
	}
}

func answer(c *cli.Call, p *runtime.Program) int {
	switch n := len(c.Args); {
	case n > 0 && n < 3:
		return c.Usagef("%s", [...]string{"which question, and what is the answer?", "what is the answer?"}[n-1])
	case n > 3 && runtime.FoldKey(c.Args[2]) != runtime.UnknownDone:
		return c.Usagef("%q is one argument too many: an answer of several words is quoted", c.Args[3])
	}
	s, code, ok := sessionOf(c, p, c.Args)
	if !ok {
		return code
	}
	words := c.Args[2:]
	if last := len(words) - 1; words[last] == "-" {
		text, err := io.ReadAll(c.Stdin)
		if err != nil {
			return c.Errorf(cli.Failure, "stdin: %v", err)
		}
		words[last] = strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	}
	value := strings.Join(words, " ")
	if err := s.engine.Answer(s.ctx, s.program, s.run, c.Args[1], value, answeredBy(c)); err != nil {
		return c.Errorf(codeOf(err), "%s", cleanLines(err.Error()))
	}
	if c.On("no-resume") {
		fmt.Fprintf(c.Stderr, "%s: the answer is recorded; to go on: %s\n", c.Program.Name, clean(s.called.with("resume", s.run)))
		return cli.Done
	}

	return s.resume()
}

// answeredBy is who answers: the person at the command line, if nobody else is named.
func answeredBy(c *cli.Call) string {
	for _, name := range []string{c.Flag("by"), c.Getenv("USER"), c.Getenv("USERNAME")} {
		if name != "" {
			return name
		}
	}

	return ""
}
