package engine

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// Engine runs programs. It is safe for concurrent use; its runs share nothing but the options. A program is what the
// generated package returns from App.Program. Of the errors that its methods name, those that this package does not export are
// recognized by their code: [runtime.ErrorType].
type Engine struct{ core *core.Engine }

// New returns an engine. Options that contradict each other are reported, with the code ConflictError, by what is
// started with the engine.
func New(o Options) *Engine {
	var config core.Config
	o.configure(&config)

	return &Engine{core.New(config)}
}

// Run runs an agent of p with the input and returns its result; "" is the program's entry point. It checks the
// script, the models and the variables of everything that the agent reaches before anything is spent. After
// cancellation it returns the cause of ctx.
//
// Errors before the run: *compiled.UnknownAgentError, *runtime.ScriptError, MissingModelError,
// MissingProviderError, MissingEnvError, *runtime.BadSettingError. A run that needs an answer ends
// with *runtime.PausedError. The other errors come from the agents.
func (e *Engine) Run(ctx context.Context, p *compiled.Program, agent, input string) (runtime.Finish, error) {
	return e.core.Run(ctx, p, agent, input)
}

// Check returns the errors that Run would return before the run; "" is the entry point.
func (e *Engine) Check(ctx context.Context, p *compiled.Program, agent string) error {
	return e.core.Check(ctx, p, agent)
}

// Resume continues a run from the end of its journal and returns its result; a finished run returns it at once. An
// effect that has a result is not repeated. One that was begun and has none is repeated or asked about, as its kind
// allows; one that failed is tried again.
//
// Errors before the run, besides those of Run: no store, WrongProgramError, ShapeError,
// journal.ErrRunLocked, journal.ErrUnknownRun and others of package journal. A program that does something other than
// what was recorded ends with *DivergenceError.
func (e *Engine) Resume(ctx context.Context, p *compiled.Program, run string) (runtime.Finish, error) {
	return e.core.Resume(ctx, p, run, core.ResumeOptions{})
}

// Questions returns what a run waits for, in the order of its effects, with functions that check
// answers. It reads the journal and executes no effect; another process may be executing the run. p
// may be nil: then the questions come from the journal alone.
//
// Errors: no store, WrongProgramError, ShapeError, *DivergenceError, journal.ErrUnknownRun and others of package
// journal.
func (e *Engine) Questions(ctx context.Context, p *compiled.Program, run string) ([]runtime.OpenQuestion, error) {
	return e.core.Questions(ctx, p, run)
}

// Answer records the answer to a question of a run; Resume continues the run with it. The question is named by its
// id, or as ID#ADDRESS. by names the person who answers; it may be empty. p may be nil: then Resume finds out whether
// the answer fits a schema.
//
// Errors, besides those of Questions: *runtime.AnswerError for an answer that does not fit, AnsweredError for a second one,
// *UnknownQuestionError, RunEndedError, journal.ErrRunLocked while another process executes the run.
func (e *Engine) Answer(ctx context.Context, p *compiled.Program, run, question, value, by string) error {
	return e.core.Answer(ctx, p, run, question, value, by)
}

// Cancel asks a run to end. It ends by the signal stop where a machine has a rule for it, else with the effect that is
// under way: a run of this engine at once, one of another engine or process when that reads its messages, which is
// before an effect, at most every 50 ms, and each second during one. A run that no process executes is marked as
// cancelled. Either can be resumed. by is the name of the caller, "" if it is not known. p may be nil.
//
// Errors: no store, RunEndedError, WrongProgramError, journal.ErrUnknownRun and others of package journal.
func (e *Engine) Cancel(ctx context.Context, p *compiled.Program, run, by string) error {
	return e.core.Cancel(ctx, p, run, by)
}

// Fork makes a copy of a run up to the effect at an address and returns its id. Resume continues the copy. The run
// itself does not change. Unless reply is nil, it replaces the result of the effect: for a model its text, or JSON
// {"text":…,"calls":[{"name":…,"args":{…}}]}; for a tool its result; for a function its value as JSON; for a person
// the answer; for a guard JSON {"ok":…,"reason":…}. With nil the effect is executed again.
//
// Errors: no store, UnknownAddressError, WrongProgramError, journal.ErrUnknownRun and others of package journal.
func (e *Engine) Fork(ctx context.Context, p *compiled.Program, run, address string, reply []byte) (newRun string, err error) {
	return e.core.Fork(ctx, p, run, address, core.ForkOptions{Reply: reply})
}

// Effects returns what generated functions, such as RunDesk, take as their first argument, for direct calls in a run
// of their own. end releases the tools and returns what the scripts have left, as *runtime.ScriptError. p may be nil:
// then only the environment and the agents name models.
func (e *Engine) Effects(ctx context.Context, p *compiled.Program) (fx runtime.Effects, end func() error, err error) {
	effects, err := e.core.Effects(ctx, p)
	if err != nil {
		return nil, nil, err
	}

	return effects, effects.End, nil
}
