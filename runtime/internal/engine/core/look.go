package core

import (
	"cmp"
	"context"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Questions returns the questions that a run waits for, in the order of its effects, with the
// checks of the answers. It reads the journal as it is now, which a process may be writing, and
// replays the program without carrying anything out. Effects whose outcome is not known are among
// them if a process has asked about them, or has left the run. Without a program (p is nil) they
// are the questions of the journal alone, without Check.
//
// Errors: ErrNoStore, journal.ErrUnknownRun and others of package journal, WrongProgramError,
// ShapeError, *DivergenceError.
func (e *Engine) Questions(ctx context.Context, p *compiled.Program, run string) ([]runtime.OpenQuestion, error) {
	j, err := e.readJournal(ctx, run)
	if err != nil {
		return nil, err
	}

	h := replay.ReadResumable(j)
	open, err := e.openQuestions(ctx, p, run, h)

	return slices.DeleteFunc(open, func(q runtime.OpenQuestion) bool { return canBeUnderWay(h, q) }), err
}

// canBeUnderWay reports whether a process may be carrying out an effect whose outcome is not known:
// no process has left the run in order, or has asked about the effect.
func canBeUnderWay(h *replay.History, q runtime.OpenQuestion) bool {
	prior := h.Effects[q.Address]
	if h.IsClosed() || prior.Intent.Name == replay.KindAsk {
		return false
	}

	return !slices.ContainsFunc(prior.Events, func(r *journal.Record) bool {
		return r.Name == string(event.Pause) && r.Value("question") == q.ID
	})
}

// openQuestions replays a program and returns the questions that are open.
func (e *Engine) openQuestions(ctx context.Context, p *compiled.Program, id string, h *replay.History) ([]runtime.OpenQuestion, error) {
	if p == nil {
		return recordedQuestions(h), nil
	}
	p, info, err := checkProgram(h, p, id, e.config.ForceShape || h.IsDone())
	if err != nil || h.IsDone() {
		return nil, err
	}
	r, _, err := e.replayOnly(ctx, p, info, id, h, nil)
	if err != nil {
		return nil, err
	}

	return r.journal.questions.All(), nil
}

// recordedQuestions returns the open questions of a run whose program is not known.
func recordedQuestions(h *replay.History) []runtime.OpenQuestion {
	var open question.List
	for address, p := range h.Effects {
		if p.Intent == nil || p.Result != nil || h.IsDone() {
			continue
		}
		if q, ok := recordedIntent(p.Intent).question(func(in *intent) *event.UnknownEffect {
			return &event.UnknownEffect{Kind: in.kind, Name: in.what, Agent: in.agent, Address: address, Renewed: h.Renewed(p)}
		}); ok && p.Answers[q.ID].Validate(q) != nil {
			open.Add(address, q)
		}
	}

	return open.All()
}

// replayOnly replays an agent without carrying anything out, and without an observer. prepare gets
// the run before that; nil: there is nothing to prepare. end is the error with which the agent ends
// where the journal does.
func (e *Engine) replayOnly(
	ctx context.Context, p *compiled.Program, info *compiled.Agent, id string, h *replay.History, prepare func(*run) error,
) (r *run, end, err error) {
	quiet := &Engine{config: e.config}
	quiet.config.Observer, quiet.config.Signals, quiet.config.Asker = nil, nil, nil
	r = &run{engine: quiet, program: p, id: id, equipment: &equipment{}, journal: &runJournal{history: h, readOnly: true}}
	r.events.start(quiet, id)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r.ctx = ctx
	r.setCancel(cancel)
	if prepare != nil {
		if err := prepare(r); err != nil {
			return nil, nil, err
		}
	}
	root := r.newEffects()
	defer root.caller.Close()
	_, end = runAgent(root, info, h.Begin.Value("input"))
	root.checkBranchEnd()

	return r, end, cmp.Or(r.failure(), r.stopped())
}

// readJournal reads the journal of a run.
func (e *Engine) readJournal(ctx context.Context, run string) (*journal.Journal, error) {
	if e.config.Store == nil {
		return nil, ErrNoStore
	}

	return journal.Read(ctx, e.config.Store, run)
}

// openJournal opens the journal of a run, which no other process may have open.
func (e *Engine) openJournal(ctx context.Context, run string) (*journal.Journal, *journal.Writer, error) {
	if e.config.Store == nil {
		return nil, nil, ErrNoStore
	}

	return journal.Open(ctx, e.config.Store, run)
}

// errPending ends a branch of a run that is only read, where an effect would have to be carried
// out.
var errPending = &runtime.CancelledError{Reason: "the run is only looked at"}

// reportPending ends a branch of a run that is only read, at an effect without a result. A question
// that is open is collected.
func (x *execution) reportPending() error {
	x.fx.replay.IsLive = true // later events of the branch are ignored
	if !x.prior.IsInterrupted() {
		return errPending
	}
	if x.intent.ask == nil && !x.prior.IsOutcomeUnknown(x.intent.class) {
		return errPending
	}
	q, ok := x.intent.question(func(*intent) *event.UnknownEffect { return x.unknownEffect() })
	if !ok || x.prior.Answers[q.ID].Validate(q) == nil {
		return errPending
	}
	x.fx.run.journal.questions.Add(x.address, q)

	return &runtime.PausedError{Run: x.fx.run.id, Question: q}
}

// question returns the question about an effect without a result: its own, or the one about its
// unknown outcome.
func (in *intent) question(unknown func(*intent) *event.UnknownEffect) (q runtime.Question, ok bool) {
	switch {
	case in.ask != nil:
		return *in.ask, true
	case in.class == replay.ClassOnce && in.onUnknown != onUnknownRetry:
		return eventtext.UnknownQuestion(unknown(in)), true
	}

	return q, false
}
