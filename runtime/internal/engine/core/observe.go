package core

import (
	"cmp"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/model"
)

// EventCall is an event for a [RunObserver] only: a method of Funcs, whose name is Name, has
// returned, or has failed with Type and Problem. Other observers are notified of the steps of
// workflows.
const EventCall event.Kind = "call"

// Observed is a run that is about to begin, or to be resumed, in this process.
type Observed struct {
	Program *compiled.Program
	Agent   *compiled.Agent
	Run     string
	// Env looks variables up, as Config.Env does.
	Env func(name string) (value string, ok bool)
	// Redact takes the secrets of the run out of a text.
	Redact func(text string) string
	// Began is when the run began, Now the time at which this process has it.
	Began, Now time.Time
	// Left is how often a process has left the run before: because it was paused, had failed or was
	// cancelled. A process that was killed has not left it.
	Left int
	// LeftAt is when a process has left the run last; zero if none has. The observers of that
	// process were notified of earlier events.
	LeftAt time.Time
	// Traceparent is the place in a distributed trace where the run began (see
	// [runtime.WithTraceparent]), and Resumed where it was resumed, here or in a process that was
	// killed then.
	Traceparent, Resumed string
}

// RunObserver observes one run in one process. It is notified in order and of one event at a time.
// One that panics is notified of nothing more, and the run continues. It must not delay the run.
type RunObserver interface {
	See(Sight)
	// Traceparent returns the position of an effect in a distributed trace, in the form of the W3C
	// header, for [runtime.CallInfo]. It returns "" if the effect is in no trace. Many goroutines may
	// call it, before the effect's event or during See.
	Traceparent(address string) string
}

// Sight is an event with what its line does not have.
type Sight struct {
	event.Event
	Detail
}

// Detail is what the line of an event does not have.
type Detail struct {
	// Began is when the branch's newest effect began.
	Began time.Time
	// Again reports whether an earlier process has reported the event, at its Time: it is repeated
	// so that the observer knows the state of the run.
	Again bool
	// Turn is the request and the reply of a model; nil for any other event.
	Turn *Turn
	// Tool is the tool of an effect, and CallID the model's id of the call; nil for a call that the
	// loop answers or refuses itself.
	Tool   *runtime.ToolSpec
	CallID string
	// Err is the failure of a call that is retried, or why a turn or a tool was cut off: the run
	// was cancelled, or its time ran out. Only a RunObserver is notified of that turn or tool,
	// because a process that resumes the run repeats it.
	Err error
}

// Turn is one turn of a model. Err is what it failed with, Attempts how often it and its fallbacks
// were asked.
type Turn struct {
	Request  model.Request
	Reply    model.Reply
	Err      error
	Attempts int
}

// observe finds the parts of the program that observe the run.
func (r *run) observe(info *compiled.Agent) {
	if r.host != nil {
		return // what is decided is decided again, by other processes
	}
	for _, source := range PartsOf[ObserverSource](r.program) {
		o := r.observedRun(info)
		var observer RunObserver
		_ = usercode.Catch("part "+source.Part(), func() error {
			observer = source.ObserveRun(o)

			return nil
		})
		if observer != nil {
			r.events.observers = append(r.events.observers, observer)
		}
	}
}

func (r *run) observedRun(info *compiled.Agent) Observed {
	header := runtime.TraceparentFrom(r.ctx)
	now := r.engine.config.Clock.Now()
	o := Observed{
		Program: r.program, Agent: info, Run: r.id, Env: r.engine.config.Env, Began: now, Now: now, Traceparent: header,
		Redact: func(text string) string { return r.redactor().Text(text) },
	}
	if r.journal != nil && r.journal.history != nil {
		h := r.journal.history
		o.Began, o.Left = h.Begin.Time, h.Exits
		if h.End != nil {
			o.LeftAt = h.End.Time
		}
		o.Traceparent, o.Resumed = h.Begin.Value("traceparent"), cmp.Or(header, h.Traceparent)
	}

	return o
}

// turnExtras returns what observers of the run see of a turn; nil without observers.
func (t *modelTurn) turnExtras(request *model.Request, result *turnResult, err error) *Turn {
	if !t.fx.run.events.hasRunObservers() {
		return nil
	}
	reply := result.reply
	if err != nil {
		reply.Usage, reply.Cost = model.Usage{}, 0 // the event has it as the usage of failed calls
	}

	return &Turn{Request: *request, Reply: reply, Err: err, Attempts: result.calls}
}

// showCutTurn notifies observers of a turn that was cut off.
func (t *modelTurn) showCutTurn(request *model.Request, result *turnResult, cause error) {
	var e event.Event
	describeTurn(&e, request, result, cause)
	t.fx.showOnly(&e, Detail{Turn: t.turnExtras(request, result, cause), Err: cause})
}
