package engine

import (
	"io"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/core"
)

// Engine runs programs. It is safe for concurrent use; its runs share nothing but the options.
//
//   - Run runs an agent of a program and returns its result.
//   - Resume continues a run where its journal ends; Fork makes a copy of a run up to an effect, to be resumed from there.
//   - Questions returns what a run waits for, Answer records a reply to one of them, Cancel ends a run.
//   - Check and CheckAll find what an agent, or all of them, lack before anything is spent.
//   - Export makes a recording of a run, Request rebuilds what a model was asked.
//   - Effects is for direct calls of generated functions.
type Engine = core.Engine

// New returns an engine. Of two options that set the same thing the last counts; observers and middleware add up. Options that
// contradict each other are reported, as *ConflictError, by what is started with the engine.
func New(options ...Option) *Engine { return core.New(core.Config{}.With(options...)) }

// ResumeOptions say how a run is resumed, ForkOptions how it is copied.
type (
	ResumeOptions = core.ResumeOptions
	ForkOptions   = core.ForkOptions
)

// OpenQuestion is a question for whose answer a run waits.
type OpenQuestion = core.OpenQuestion

// Questions returns what a paused run waits for, in the order of its branches; none if err is no pause.
func Questions(err error) []runtime.Question { return core.Questions(err) }

// ErrNoStore is the error of what needs the journal of a run, on an engine without [WithStore].
var ErrNoStore = core.ErrNoStore

// Terminal asks a person at a terminal.
func Terminal(in io.Reader, out io.Writer) Asker { return core.Terminal(in, out) }
