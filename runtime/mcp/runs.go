package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// waitInput is the argument of the tools that wait for a run.
type waitInput struct {
	Wait *float64 `json:"wait,omitempty" jsonschema:"seconds to wait for the run; it goes on afterwards, and run_status shows it; without it until the run ends or has a question"`
}

func (in waitInput) checkInput() error {
	if in.Wait != nil && (*in.Wait < 0 || *in.Wait > longestTTL.Seconds()) {
		return newArgumentError("wait", "is not a time from now on")
	}

	return nil
}

// runInput names a run.
type runInput struct {
	Run string `json:"run" jsonschema:"the run's id"`
	claimant
}

// statusInput are the arguments of run_status.
type statusInput struct {
	runInput
	Wait float64 `json:"wait,omitempty" jsonschema:"seconds to wait until the run ends or has a question; default: none"`
}

func (in statusInput) checkInput() error { return waitInput{&in.Wait}.checkInput() }

// answerInput are the arguments of run_answer.
type answerInput struct {
	runInput
	Question string          `json:"question" jsonschema:"the question's id, or ID#ADDRESS where several open questions have one id"`
	Value    json.RawMessage `json:"value" jsonschema:"the answer: one of the choices, any text, or JSON that fits the schema; of a question with an effect again, skip, fail, or {done: RESULT} if the call has happened"`
	waitInput
}

// runReply is a run in the shape that it has everywhere, and what leads it on.
type runReply struct {
	client.Run
	Next []string `json:"next,omitempty" jsonschema:"calls that lead on: questions are for a person, whose answer run_answer takes"`
}

// addRuns adds the tools that show, answer and cancel runs, of any origin.
func (s *Server) addRuns() {
	if s.options.Runs == nil {
		return
	}
	addTool(s, tool{name: "run_status", reads: true, needs: ofRun, description: "Show a run of an agent: whether it is at work, done, or waits for " +
		"the answer to a question, and to which."}, s.runStatus)
	addTool(s, tool{name: "run_answer", needs: ofRun, description: "Give a run a person's answer to one of its questions, and wait for the run. Ask the " +
		"person; do not answer in their place."}, s.runAnswer)
	addTool(s, tool{name: "run_cancel", needs: ofRun, description: "End a run at its next safe point; called again, at once."}, s.runCancel)
}

// lookTime is how often run_status looks for a run that no process works on.
const lookTime = 50 * time.Millisecond

func (s *Server) runStatus(ctx context.Context, c call, in statusInput) (runReply, error) {
	before, err := s.showRun(ctx, c, in.Run)
	if err != nil {
		return runReply{}, err
	}
	waiting, stop := context.WithTimeout(ctx, time.Duration(in.Wait*float64(time.Second)))
	defer stop()
	for {
		_ = s.followRun(waiting, c, before)
		shown, err := s.showRun(ctx, c, in.Run)
		if err != nil {
			return runReply{}, err
		}
		if shown.Status != client.Interrupted || waiting.Err() != nil {
			return replyTo(shown), nil
		}
		select { // a server may take it up
		case <-waiting.Done():
		case <-time.After(lookTime):
		}
	}
}

func (s *Server) runAnswer(ctx context.Context, c call, in answerInput) (runReply, error) {
	before, err := s.showRun(ctx, c, in.Run)
	if err != nil {
		return runReply{}, err
	}
	answer := client.Reply{Run: in.Run, Question: in.Question, By: in.Agent}
	if err := answer.Value.UnmarshalJSON(in.Value); err != nil {
		return runReply{}, err
	}
	if err := s.answerQuestion(ctx, c, answer); err != nil {
		return runReply{}, err
	}
	shown, err := s.waitForRun(ctx, c, before, in.waitInput)
	if err != nil {
		return runReply{}, err
	}

	return replyOf(shown)
}

// answerQuestion records an answer. It is by the credential's name, or whom the call names where there is none.
func (s *Server) answerQuestion(ctx context.Context, c call, in client.Reply) error {
	shown, err := s.clientFor(c).Answer(c.withTrace(ctx), in)
	if err == nil && shown.Status == client.Paused && shown.Problem != nil { // it is recorded, and the run does not go on
		err = &runError{shown}
	}

	return err
}

func (s *Server) runCancel(ctx context.Context, c call, in runInput) (runReply, error) {
	if _, err := s.showRun(ctx, c, in.Run); err != nil {
		return runReply{}, err
	}
	shown, err := s.clientFor(c).Cancel(ctx, in.Run)
	if err != nil {
		return runReply{}, err
	}

	return replyTo(shown), nil
}

// clientFor returns a client for the runs, with the rights of the caller.
func (s *Server) clientFor(c call) client.Client { return s.options.Runs.Client(c.who) }

// showRun returns a run that the caller may see. Of another the caller learns no more than of one that does not exist.
func (s *Server) showRun(ctx context.Context, c call, run string) (*client.Run, error) {
	shown, err := s.clientFor(c).Get(ctx, run)
	if c.who.HasToken() && errors.Is(err, journal.ErrUnknownRun) {
		const text = "there is no run %q that %s may see: a token shows the runs that its holder has started, and those of others " +
			"only if it has the right read"
		return nil, &errs.Coded{Code: runtime.ErrorType(err), Text: fmt.Sprintf(text, run, c.identity())}
	}

	return shown, err
}

// followRun waits until a run is not worked on any more, and reports its progress meanwhile: what comes after it was as before.
func (s *Server) followRun(ctx context.Context, c call, before *client.Run) error {
	report := newProgressReporter(ctx, c)
	for e, err := range s.clientFor(c).Watch(ctx, client.Watch{Run: before.ID, From: before.Seq + 1}) {
		if err != nil {
			return err
		}
		report(e)
	}

	return nil
}

// waitForRun waits for a run, as long as the call asks for, and returns it. A client that cancels the call cancels the run; one that only
// leaves does not.
func (s *Server) waitForRun(ctx context.Context, c call, before *client.Run, in waitInput) (*client.Run, error) {
	waiting := ctx
	if in.Wait != nil {
		var stop context.CancelFunc
		waiting, stop = context.WithTimeout(ctx, time.Duration(*in.Wait*float64(time.Second)))
		defer stop()
	}
	err := s.followRun(waiting, c, before)
	switch {
	case ctx.Err() == nil: // it is over, or the time is
		return s.showRun(ctx, c, before.ID)
	case context.Cause(ctx) == context.Canceled: // of a connection that breaks the cause is another
		_, cancelling := s.clientFor(c).Cancel(context.WithoutCancel(ctx), before.ID)
		return nil, errors.Join(err, cancelling)
	}

	return nil, err
}

// replyOf is a run as it is returned to a caller that has waited for its result: one that failed is an error.
func replyOf(shown *client.Run) (runReply, error) {
	if shown.Problem != nil {
		return runReply{}, &runError{shown}
	}

	return replyTo(shown), nil
}

func replyTo(shown *client.Run) runReply { return runReply{*shown, nextOf(shown)} }

// nextOf are the calls that lead a run on.
func nextOf(shown *client.Run) (next []string) {
	switch shown.Status {
	case client.Running, client.Queued:
		return []string{fmt.Sprintf(`run_status {"run":%q,"wait":60}`, shown.ID)}
	}
	for _, q := range shown.Questions {
		next = append(next, fmt.Sprintf(`run_answer {"run":%q,"question":%s,"value":"…"}`, shown.ID, encodeJSON(q.Name(shown.Questions))))
	}

	return next
}

// runError is a run that has ended without a result.
type runError struct{ run *client.Run }

func (e *runError) Error() string { return e.run.Problem.Message }

// ErrorType returns the type of the run's own error.
func (e *runError) ErrorType() string { return e.run.Problem.Type }

// withTrace returns a context with the place of the call in a distributed trace, if the call has
// one.
func (c call) withTrace(ctx context.Context) context.Context {
	from, _ := c.request.Params.Meta["traceparent"].(string)

	return runtime.WithTraceparent(ctx, from)
}
