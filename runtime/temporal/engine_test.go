package temporal_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/temporal"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
)

// differs are the rules that no engine can keep whose effects are carried out by other processes, and why.
var differs = map[string]string{
	"permuted branches":       "the branches of the case wait for each other by channels, which a workflow must not",
	"permuted groups":         "as above",
	"pause":                   "a workflow waits for its answers, however long; it does not end",
	"groups that pause":       "as above",
	"groups that end the run": "one of them pauses",
	"cancelled model":         "workers hear of a cancellation with their next sign of life, the workflow with its next task",

	"cancelled between branches": "branches without effects run within one task of the workflow, in which it hears nothing",
	"groups that are cancelled":  "a workflow that is cancelled within a task hears of it with the next: another branch may begin",
}

// TestConformance: a program runs in a workflow as it does in any engine.
func TestConformance(t *testing.T) {
	for _, c := range enginetest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			if why := differs[c.Name]; why != "" {
				t.Skip(why)
			}
			c.Run(t, func(s enginetest.Setup) compiled.Engine { return &tested{t: t, setup: s} })
		})
	}
}

// tested runs each run in a workflow environment of its own. The suite's programs have their tools, functions and guards in the
// calls; they are found again by what the calls carry.
type tested struct {
	t     *testing.T
	setup enginetest.Setup

	// ctx is the caller's, env the newest run's; told ends when its activities hear that the run is cancelled.
	ctx, told context.Context
	env       *testsuite.TestWorkflowEnvironment

	mu   sync.Mutex
	runs []func(ctx context.Context) (any, error)
	// unable is what the person who was asked last has failed with.
	unable error
	// was are errors as they were before they were carried.
	was []error
}

func (e *tested) Run(ctx context.Context, p *compiled.Program, agent, input string) (runtime.Finish, error) {
	if err := context.Cause(ctx); err != nil {
		return runtime.Finish{}, err
	}
	if _, err := core.Startable(p, agent); err != nil {
		return runtime.Finish{}, err
	}
	var suite testsuite.WorkflowTestSuite
	suite.SetLogger(log.NewStructuredLogger(silent))
	env := suite.NewTestWorkflowEnvironment()
	env.SetTestTimeout(20 * time.Second)
	e.ctx, e.env = ctx, env
	o := temporal.Options{
		Blobs: temporal.Files(e.t.TempDir()), Observer: e, Engine: engine.Options{Model: model.ProviderFunc(e.setup.Model)},
	}
	p = e.carried(p)
	c := temporal.Client{Program: p, Options: o}
	c.RegisterWorkflows(env)
	if err := c.RegisterActivities(env); err != nil {
		return runtime.Finish{}, err
	}
	told, tell := context.WithCancel(context.Background())
	defer tell()
	e.told = told
	defer context.AfterFunc(ctx, func() {
		env.RegisterDelayedCallback(func() {
			env.CancelWorkflow()
			env.RegisterDelayedCallback(tell, 0)
		}, 0)
	})()
	in := temporal.Input{Input: input}
	env.ExecuteWorkflow(temporal.WorkflowType(p, agent), in)
	if err := env.GetWorkflowError(); err != nil {
		return runtime.Finish{}, e.asItWas(temporal.ErrorOf(err))
	}
	var out temporal.Output
	err := env.GetWorkflowResult(&out)

	return runtime.Finish(out), err
}

// carried is a program that has what the calls of another one carry.
func (e *tested) carried(p *compiled.Program) *compiled.Program {
	with := *p
	with.Agents = append([]compiled.Agent(nil), p.Agents...)
	for i := range with.Agents {
		if run := with.Agents[i].Run; run != nil {
			with.Agents[i].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
				fin, err := run(&carrying{fx, e}, input)

				return fin, e.carries(err)
			}
		}
	}
	with.Tools = []*runtime.ToolSpec{enginetest.ProbeTool}
	with.Call = func(ctx context.Context, _ string, args json.RawMessage) (runtime.ToolResult, error) {
		return called[runtime.ToolResult](ctx, e, string(args))
	}
	with.Apply = func(ctx context.Context, _ string, args json.RawMessage) (json.RawMessage, error) {
		return called[json.RawMessage](ctx, e, string(args))
	}
	with.Judge = func(ctx context.Context, _ string, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
		return called[runtime.Verdict](ctx, e, in.Value)
	}

	return &with
}

// Observe implements event.Observer: it answers questions, as a person who gets the events.
func (e *tested) Observe(told event.Event) {
	if e.setup.Observer != nil {
		e.setup.Observer.Observe(told)
	}
	if told.Kind != event.Pause || e.setup.Ask == nil {
		return
	}
	q := runtime.Question{ID: told.Name, Agent: told.Agent, Prompt: told.Text, Choices: told.Choices}
	e.env.RegisterDelayedCallback(func() {
		answer, err := e.person(q)
		if e.ctx.Err() != nil {
			e.env.CancelWorkflow()

			return
		}
		if err != nil { // nobody but the suite's own person fails: the door tells of it, once the question has been answered
			e.unable, answer.Value = err, "yes"
		}
		e.env.UpdateWorkflow(temporal.AnswerUpdate, "", &testsuite.TestUpdateCallback{
			OnReject: func(err error) { e.t.Error(err) }, OnComplete: func(any, error) {}, OnAccept: func() {},
		}, temporal.Answer{Question: q.ID + "#" + told.Address, Value: answer.Value})
	}, 0)
}

// person asks the suite's person, as long as the run wants to know.
func (e *tested) person(q runtime.Question) (runtime.Answer, error) {
	type reply struct {
		answer runtime.Answer
		err    error
	}
	said := make(chan reply, 1)
	go func() {
		var r reply
		defer func() {
			if value := recover(); value != nil {
				r.err = &runtime.PanicError{Where: "the person", Value: value}
			}
			said <- r
		}()
		r.answer, r.err = e.setup.Ask(e.ctx, q)
	}()
	select {
	case r := <-said:
		return r.answer, r.err
	case <-e.ctx.Done():
		return runtime.Answer{}, context.Cause(e.ctx)
	}
}

// carries keeps an error as it is before it is carried to another process.
func (e *tested) carries(err error) error {
	if err != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.was = append(e.was, err)
	}

	return err
}

// asItWas is an error that was carried with those that it was, for the suite asks for its own.
func (e *tested) asItWas(err error) error {
	if err == nil {
		return nil
	}
	var cancelled *runtime.CancelledError
	if cause := context.Cause(e.ctx); cause != nil && errors.As(err, &cancelled) {
		return cause
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, was := range e.was {
		if strings.HasSuffix(err.Error(), was.Error()) {
			return &carriedError{err, was}
		}
	}

	return err
}

type carriedError struct{ carried, was error }

func (e *carriedError) Error() string   { return e.carried.Error() }
func (e *carriedError) Unwrap() []error { return []error{e.carried, e.was} }

// keep keeps what a call carries, under the text that is returned.
func (e *tested) keep(run func(ctx context.Context) (any, error)) (key string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.runs = append(e.runs, run)

	return strings.Repeat("1", len(e.runs))
}

func called[T any](ctx context.Context, e *tested, key string) (T, error) {
	e.mu.Lock()
	run := e.runs[len(key)-1]
	e.mu.Unlock()
	// A server tells a worker in its answer to the next sign of life (see TestCancelled); the test environment does not.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(e.told, cancel)()
	value, err := run(ctx)
	result, _ := value.(T)

	return result, e.carries(err)
}

// carrying is a door that keeps what calls carry.
type carrying struct {
	runtime.Effects
	e *tested
}

func (c *carrying) Tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	if run := call.Run; run != nil {
		args := call.Args
		call.Args = json.RawMessage(c.e.keep(func(ctx context.Context) (any, error) { return run(ctx, args) }))
	}

	result, err := c.Effects.Tool(call)

	return result, c.e.asItWas(err)
}

func (c *carrying) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	if run := call.Run; run != nil {
		args := call.Args
		call.Args = json.RawMessage(c.e.keep(func(ctx context.Context) (any, error) { return run(ctx, args) }))
	}

	result, err := c.Effects.Call(call)

	return result, c.e.asItWas(err)
}

func (c *carrying) Guard(call runtime.GuardCall) (runtime.Verdict, error) {
	if run := call.Run; run != nil {
		call.Input.Value = c.e.keep(func(ctx context.Context) (any, error) { return run(ctx) })
	}

	verdict, err := c.Effects.Guard(call)

	return verdict, c.e.asItWas(err)
}

func (c *carrying) Model(request model.Request) (model.Reply, error) {
	reply, err := c.Effects.Model(request)

	return reply, c.e.asItWas(err)
}

func (c *carrying) Ask(q runtime.Question) (runtime.Answer, error) {
	answer, err := c.Effects.Ask(q)
	if unable := c.e.unable; unable != nil && err == nil && c.e.ctx.Err() == nil {
		c.e.unable = nil

		return runtime.Answer{}, unable
	}

	return answer, c.e.asItWas(err)
}

func (c *carrying) Sleep(d time.Duration) error { return c.e.asItWas(c.Effects.Sleep(d)) }

func (c *carrying) Backoff(agent string, attempt int, failed error, limits model.Retry) error {
	return c.e.asItWas(c.Effects.Backoff(agent, attempt, failed, limits))
}

func (c *carrying) Parallel(n, limit int, branch func(int, runtime.Effects) error) error {
	return c.e.asItWas(c.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error { return branch(i, &carrying{fx, c.e}) }))
}
