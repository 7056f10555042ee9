package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/client"
	"github.com/agentc-dev/agentc/runtime/internal/errs"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// waitInput is the argument of the tools that wait for a run.
type waitInput struct {
	Wait *float64 `json:"wait,omitempty" jsonschema:"seconds to wait for the run; it goes on afterwards, and run_status shows it; without it until the run ends or has a question"`
}

func (in waitInput) check() error {
	if in.Wait != nil && (*in.Wait < 0 || *in.Wait > longestTTL.Seconds()) {
		return wrong("wait", "is not a time from now on")
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

func (in statusInput) check() error { return waitInput{&in.Wait}.check() }

// answerInput are the arguments of run_answer.
type answerInput struct {
	runInput
	Question string          `json:"question" jsonschema:"the question's id, or ID#ADDRESS where several open questions have one id"`
	Value    json.RawMessage `json:"value" jsonschema:"the answer: one of the choices, any text, or JSON that fits the schema; of a question with an effect again, skip, fail, or {done: RESULT} if the call has happened"`
	waitInput
}

// runReply is a run: how it ended, or what it waits for.
type runReply struct {
	Run    string        `json:"run" jsonschema:"the run's id; run_status shows it, now and later"`
	Agent  string        `json:"agent" jsonschema:"the agent that ran"`
	Status client.Status `json:"status" jsonschema:"done, paused, running, queued, failed, cancelled, interrupted, quarantined or damaged"`
	// Key and Value are there when the run is done. Value is a text, or what the agent gave as JSON.
	Key   string          `json:"key,omitempty" jsonschema:"the word by which the agent says how it ended"`
	Value json.RawMessage `json:"value,omitempty" jsonschema:"the result"`
	// Questions have the names that they have over HTTP.
	Questions []client.Question `json:"questions,omitempty" jsonschema:"what a person has to answer before the run goes on"`
	Next      []string          `json:"next,omitempty" jsonschema:"calls that lead on: questions are for a person, whose answer run_answer takes"`
}

// statusReply is a run with what its journal has of it as a whole.
type statusReply struct {
	runReply
	Input   string          `json:"input" jsonschema:"the task"`
	By      string          `json:"by,omitempty" jsonschema:"who started it"`
	Begun   time.Time       `json:"begun"`
	Changed time.Time       `json:"changed" jsonschema:"when something was recorded last"`
	Problem *client.Problem `json:"problem,omitempty" jsonschema:"why it failed, was cancelled, or cannot go on"`
	Tokens  client.Tokens   `json:"tokens" jsonschema:"what its models have used"`
}

// addRuns adds the tools that show, answer and cancel runs, of any origin.
func (s *Server) addRuns() {
	if s.options.Runs == nil {
		return
	}
	add(s, tool{name: "run_status", reads: true, needs: ofRun, description: "Show a run of an agent: whether it is at work, done, or waits for " +
		"the answer to a question, and to which."}, s.runStatus)
	add(s, tool{name: "run_answer", needs: ofRun, description: "Give a run a person's answer to one of its questions, and wait for the run. Ask the " +
		"person; do not answer in their place."}, s.runAnswer)
	add(s, tool{name: "run_cancel", needs: ofRun, description: "End a run at its next safe point; called again, at once."}, s.runCancel)
}

// lookTime is how often run_status looks for a run that no process works on.
const lookTime = 50 * time.Millisecond

func (s *Server) runStatus(ctx context.Context, c call, in statusInput) (statusReply, error) {
	if _, err := s.show(ctx, c, in.Run); err != nil {
		return statusReply{}, err
	}
	waiting, stop := context.WithTimeout(ctx, time.Duration(in.Wait*float64(time.Second)))
	defer stop()
	for {
		_ = s.options.Runs.Wait(waiting, in.Run, reporter(ctx, c))
		shown, err := s.show(ctx, c, in.Run)
		if err != nil {
			return statusReply{}, err
		}
		if shown.Status != client.Interrupted || waiting.Err() != nil {
			return statusReply{
				runReply: replyTo(shown), Input: shown.Input, By: shown.By, Begun: shown.Begun, Changed: shown.Changed,
				Problem: shown.Problem, Tokens: shown.Tokens,
			}, nil
		}
		select { // a server may take it up
		case <-waiting.Done():
		case <-time.After(lookTime):
		}
	}
}

func (s *Server) runAnswer(ctx context.Context, c call, in answerInput) (runReply, error) {
	if _, err := s.show(ctx, c, in.Run); err != nil {
		return runReply{}, err
	}
	answer := wire.Reply{Question: in.Question, By: in.Agent}
	if err := answer.Value.UnmarshalJSON(in.Value); err != nil {
		return runReply{}, err
	}
	if err := s.answer(ctx, c, in.Run, answer); err != nil {
		return runReply{}, err
	}
	shown, err := s.wait(ctx, c, in.Run, s.following(in.Run), in.waitInput)
	if err != nil {
		return runReply{}, err
	}

	return replyOf(shown)
}

// answer records an answer. It is by the credential's name, or whom the call names where there is none.
func (s *Server) answer(ctx context.Context, c call, run string, in wire.Reply) error {
	problem, err := s.options.Runs.Answer(ctx, c.who, run, in, c.traceparent())
	if err != nil {
		return err
	}

	return problem
}

func (s *Server) runCancel(ctx context.Context, c call, in runInput) (runReply, error) {
	if _, err := s.show(ctx, c, in.Run); err != nil {
		return runReply{}, err
	}
	if err := s.options.Runs.Cancel(ctx, c.who, in.Run); err != nil {
		return runReply{}, err
	}
	shown, err := s.show(ctx, c, in.Run)
	if err != nil {
		return runReply{}, err
	}

	return replyTo(shown), nil
}

// show returns a run that the caller may see. Of another the caller learns no more than of one that does not exist.
func (s *Server) show(ctx context.Context, c call, run string) (*client.Run, error) {
	shown, err := s.options.Runs.Show(ctx, c.who, run)
	if c.who.HasToken() && errors.Is(err, journal.ErrUnknownRun) {
		const text = "there is no run %q that %s may see: a token shows the runs that its holder has started, and those of others " +
			"only if it has the right read"
		return nil, &errs.Coded{Code: runtime.ErrorType(err), Text: fmt.Sprintf(text, run, c.identity())}
	}

	return shown, err
}

// follow waits until a run is not worked on any more, and calls each with its events meanwhile.
type follow = func(ctx context.Context, each func(line []byte)) error

func (s *Server) following(run string) follow {
	return func(ctx context.Context, each func([]byte)) error { return s.options.Runs.Wait(ctx, run, each) }
}

// wait waits for a run, as long as the call asks for, and returns it. A client that cancels the call cancels the run; one that only
// leaves does not.
func (s *Server) wait(ctx context.Context, c call, run string, follow follow, in waitInput) (*client.Run, error) {
	waiting := ctx
	if in.Wait != nil {
		var stop context.CancelFunc
		waiting, stop = context.WithTimeout(ctx, time.Duration(*in.Wait*float64(time.Second)))
		defer stop()
	}
	err := follow(waiting, reporter(ctx, c))
	switch {
	case ctx.Err() == nil: // it is over, or the time is
		return s.show(ctx, c, run)
	case context.Cause(ctx) == context.Canceled: // of a connection that breaks the cause is another
		return nil, errors.Join(err, s.options.Runs.Cancel(context.WithoutCancel(ctx), c.who, run))
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

func replyTo(shown *client.Run) runReply {
	reply := runReply{
		Run: shown.ID, Agent: shown.Agent, Status: shown.Status, Questions: shown.Questions, Next: nextOf(shown),
	}
	if result := shown.Result; result != nil {
		reply.Key, reply.Value = result.Key, json.RawMessage(result.Value)
		if !result.JSON {
			reply.Value = encode(result.Value)
		}
	}

	return reply
}

// nextOf are the calls that lead a run on.
func nextOf(shown *client.Run) (next []string) {
	switch shown.Status {
	case client.Running, client.Queued:
		return []string{fmt.Sprintf(`run_status {"run":%q,"wait":60}`, shown.ID)}
	}
	for _, q := range shown.Questions {
		next = append(next, fmt.Sprintf(`run_answer {"run":%q,"question":%s,"value":"…"}`, shown.ID, encode(q.Name(shown.Questions))))
	}

	return next
}

// runError is a run that has ended without a result.
type runError struct{ run *client.Run }

func (e *runError) Error() string { return e.run.Problem.Message }

// ErrorType is that of the run's own error.
func (e *runError) ErrorType() string { return e.run.Problem.Type }

// traceparent is where in a distributed trace the call is; "" if it does not say.
func (c call) traceparent() string {
	from, _ := c.request.Params.Meta["traceparent"].(string)

	return from
}
