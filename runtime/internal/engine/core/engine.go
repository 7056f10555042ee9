package core

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/clock"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
)

// Engine runs programs in memory. It is safe for concurrent use; its runs share nothing but the
// configuration.
type Engine struct {
	config Config
	// poll is how often the owner of a run looks for messages that others have left for it.
	poll time.Duration

	mu sync.Mutex
	// owned are the runs with a journal that are under way here.
	owned map[string]*run

	// promises are the promises of the code that runs call.
	promises usercode.Promises

	// script and err are Config.Script, read once.
	script *script.Script
	err    error
}

// configuredModel names Config.Model.
var configuredModel = usercode.Name{Kind: "the model of the engine"}

// New returns an engine. A faulty Config.Script is reported by what is started with it.
func New(config Config) *Engine {
	e := &Engine{config: config, poll: time.Second}
	if config.Script != "" {
		e.script, e.err = script.Parse(config.Script)
	}
	if err := config.checkConflict(); err != nil {
		e.err = err
	}
	if e.config.Env == nil {
		e.config.Env = os.LookupEnv
	}
	if e.config.Clock == nil {
		e.config.Clock = clock.System{}
		if config.Script != "" || config.Replay != nil {
			e.config.Clock = clock.NewLeap()
		}
	}
	if e.config.RunID == nil {
		e.config.RunID = func() string { return NewRunID(e.config.Clock.Now()) }
	}
	e.config.Retry = withDefaults(config.Retry)

	return e
}

// NewRunID is the time to the millisecond, so that runs sort, and enough random digits to keep runs
// of one millisecond apart.
func NewRunID(now time.Time) string {
	now = now.UTC()

	return now.Format("20060102-150405-") + fmt.Sprintf("%03d%07x", now.Nanosecond()/int(time.Millisecond), rand.Uint32()>>4)
}

// Run runs an agent of p with the input and returns its result; "" is the program's entry point.
// Before anything is spent it checks the script, the models and the variables of everything that
// the agent reaches. After cancellation it returns the cause of ctx. Beside an error the finish has
// nothing but the context of a workflow as it was then.
//
// Errors before the run: *compiled.UnknownAgentError, *runtime.ScriptError, *MissingModelError,
// *MissingProviderError, *MissingEnvError, *runtime.BadSettingError. The other errors come from the
// agents.
func (e *Engine) Run(ctx context.Context, p *compiled.Program, agent, input string) (runtime.Finish, error) {
	info, err := Startable(p, agent)
	if err != nil {
		return runtime.Finish{}, err
	}
	if err := info.CheckInput(input); err != nil {
		return runtime.Finish{}, err
	}
	r, err := e.newRun(ctx, p, e.config.RunID())
	if err != nil {
		return runtime.Finish{}, err
	}
	defer r.closeTools()
	if err := r.checkReady(info); err != nil {
		return runtime.Finish{}, err
	}

	if e.config.Store != nil {
		if err := r.createJournal(ctx, e.config.Store, r.id, info, input, string(info.Initial)); err != nil {
			return runtime.Finish{}, err
		}
	}

	return r.playAgent(info, input)
}

// playAgent runs the agent, from the beginning or from where its journal ends.
func (r *run) playAgent(info *compiled.Agent, input string) (runtime.Finish, error) {
	defer r.makeCancellable()()
	defer r.register()()
	r.observe(info)
	root := r.newEffects()
	defer root.caller.Close()
	p := r.program
	root.note(&event.Event{
		Kind: event.Run, Agent: info.Name, Name: p.Name, Shape: p.Shape, Text: p.TextHash(), Value: input,
	}, Detail{})
	fin, err := runAgent(root, info, input)
	root.checkBranchEnd()
	err = r.redactError(r.endError(err))
	if r.endedAtBoundary != nil {
		return runtime.Finish{}, r.endedAtBoundary
	}
	status := r.reportEnd(root, fin, err)
	err = joinErrors(err, r.redactError(r.events.err()))
	if r.journal != nil {
		err = r.writeEnd(status, fin, err)
	}
	if err != nil {
		return runtime.Finish{Key: endKey(err, fin), Context: fin.Context}, err
	}

	return fin, nil
}

// Effects returns the Effects for direct calls of generated functions, in a run of its own. p may
// be nil: then only the environment and the agents themselves name models. Models are resolved
// when they are first asked, and tools are made ready when one is first called. End must be called:
// it returns the turns that a script has left, closes the tools and ends goroutines.
func (e *Engine) Effects(ctx context.Context, p *compiled.Program) (*Effects, error) {
	r, err := e.newRun(ctx, p, e.config.RunID())
	if err == nil && r.script == nil && e.config.Replay == nil {
		err = r.findPrices()
	}
	if err != nil {
		return nil, err
	}

	return r.newEffects(), nil
}

func (e *Engine) newRun(ctx context.Context, p *compiled.Program, id string) (*run, error) {
	if e.err != nil {
		return nil, e.err
	}
	p = e.config.limitProgram(p)
	r := &run{
		ctx: ctx, engine: e, program: p, id: id, equipment: &equipment{}, priceOf: e.config.Price,
	}
	r.events.start(e, id)
	if p != nil {
		r.signals.Routes = p.Routes
	}
	var err error
	r.results, err = e.resultLimits(p)
	if err != nil {
		return nil, err
	}
	if e.config.Model != nil {
		r.every = &openModel{provider: e.config.Model, promise: e.promises.Of(configuredModel, e.config.Model)}
	}
	if err := r.startRecording(e.config.Record); err != nil || e.script == nil {
		return r, err
	}
	if p != nil {
		if err := e.script.Check(p); err != nil {
			return nil, err
		}
	}
	r.script = e.script.Play()
	r.every = &openModel{player: r.script}

	return r, nil
}

// Startable finds an agent that can be started, "" for the entry point. Errors:
// *compiled.UnknownAgentError.
func Startable(p *compiled.Program, agent string) (*compiled.Agent, error) {
	if agent == "" {
		agent = p.Entry
	}
	if known := p.Agent(agent); known != nil && known.Run != nil {
		return known, nil
	}
	var startable []string
	for i := range p.Agents {
		if p.Agents[i].Run != nil {
			startable = append(startable, p.Agents[i].Name)
		}
	}

	return nil, &compiled.UnknownAgentError{Agent: agent, Agents: startable}
}

// runAgent runs the agent. A panic in orchestrating code is a *runtime.PanicError.
func runAgent(fx *Effects, info *compiled.Agent, input string) (fin runtime.Finish, err error) {
	defer func() {
		if value := recover(); value != nil {
			fin, err = runtime.Finish{}, &runtime.PanicError{Where: "agent " + info.Name, Value: value, Stack: debug.Stack()}
		}
	}()

	return fx.run.engine.config.wrapAgent(info).Run(fx, input)
}

// endError returns the error with which a run ends: the cause after a cancellation, and after
// success what a script has not played.
func (r *run) endError(err error) error {
	if failure := r.failure(); failure != nil {
		return failure
	}
	if err == nil {
		return r.checkScriptEnd()
	}
	if cause := r.stopped(); cause != nil && !errors.Is(err, cause) {
		return cause
	}

	return err
}

// reportEnd notifies the observer of how the run ended, and returns that.
func (r *run) reportEnd(root *Effects, fin runtime.Finish, err error) (status string) {
	status = r.statusOf(err)
	if !root.Watched() {
		return status
	}
	if err != nil {
		fin = runtime.Finish{Key: endKey(err, fin), Context: endContext(status, fin)}
		r.noteUnreported(root, err)
	}
	root.note(&event.Event{
		Kind: event.End, Status: status, Key: fin.Key, Value: fin.Value, JSON: fin.JSON, Context: fin.Context,
		Count: r.events.steps(), Usage: r.usage(),
	}, Detail{})

	return status
}

// endKey returns the key of a failed run: that of an end state that is a failure.
func endKey(err error, fin runtime.Finish) string {
	if !errs.Is[*runtime.EndStateError](err) {
		return ""
	}

	return fin.Key
}

// endContext returns the context of a workflow at the end of a run; "" for a run that pauses, which
// has not ended.
func endContext(status string, fin runtime.Finish) string {
	if status == replay.StatusPaused {
		return ""
	}

	return fin.Context
}

// statusOf returns how a run has ended with an error.
func (r *run) statusOf(err error) string {
	switch {
	case err == nil:
		return replay.StatusDone
	case Questions(err) != nil:
		return replay.StatusPaused
	case r.failure() != nil:
		return replay.StatusFailed
	case r.stopped() != nil || isStoppedBySignal(err):
		return replay.StatusCancelled
	}

	return replay.StatusFailed
}

// isStoppedBySignal reports whether a machine has ended the run because of a signal. Its context
// has not ended then.
func isStoppedBySignal(err error) bool {
	var cancelled *runtime.CancelledError

	return errors.As(err, &cancelled)
}

// noteUnreported notifies the observer of an error that was not reported to it. Errors that a
// group has joined are reported one by one. Pauses are reported when they happen.
func (r *run) noteUnreported(root *Effects, err error) {
	if r.events.isReported(err) {
		return
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, one := range joined.Unwrap() {
			r.noteUnreported(root, one)
		}

		return
	}
	if Questions(err) == nil {
		root.note(&event.Event{Kind: event.Error, Type: runtime.ErrorType(err), Problem: err.Error()}, Detail{})
	}
}
