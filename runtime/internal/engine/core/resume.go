package core

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// ErrNoStore is the error of an engine without Config.Store that is asked for the journal of a run.
var ErrNoStore = errors.New("this engine has no store for the journals of runs")

// ResumeOptions describe how a run is resumed.
type ResumeOptions struct {
	// ForceShape resumes with a program of another shape. Each effect must still be the recorded
	// one.
	ForceShape bool
	// By is the name of the caller who resumes the run; "" if it is not known.
	By string
	// Recovery is set by a server that resumes the run by itself. With nil a caller has requested
	// it, which is always allowed and starts the count of recoveries again.
	Recovery *Recovery
}

// Recovery limits what a server does by itself about a run whose process has died.
type Recovery struct {
	// Max is how often the run is recovered without progress (see [journal.Journal.Recoveries]).
	// After that it is recorded as quarantined, and the error is a QuarantinedError.
	Max int
	// Wanted reports whether the run should still be recovered, now that no other process can
	// change that. If not, the error is a RunEndedError.
	Wanted func(*journal.Journal) bool
}

// Resume continues a run where its journal ends, whatever the reason, and returns its result. A run
// that is done returns its result at once. Effects with a result are not carried out again.
// Interrupted effects are repeated or asked about, as their kind allows. A run that failed tries
// again the effects with which it failed.
//
// Errors before the run, besides those of [Engine.Run]: ErrNoStore, journal.ErrRunLocked,
// journal.ErrUnknownRun and others of package journal, WrongProgramError, ShapeError,
// QuarantinedError. A program that does not do what was recorded ends with *DivergenceError.
func (e *Engine) Resume(ctx context.Context, p *compiled.Program, id string, o ResumeOptions) (runtime.Finish, error) {
	j, w, err := e.openJournal(ctx, id)
	if err != nil {
		return runtime.Finish{}, err
	}
	h := replay.ReadResumable(j)
	with, info, err := checkProgram(h, p, id, o.ForceShape || e.config.ForceShape || h.IsDone())
	if err == nil && h.IsDone() {
		return h.Finish(), w.Close()
	}
	if err == nil && o.Recovery != nil {
		err = e.checkRecovery(id, h, j, w, o.Recovery)
	}
	var r *run
	if err == nil {
		r, err = e.reopenRun(ctx, with, info, id, h, w, o)
	}
	if err != nil {
		return runtime.Finish{}, joinErrors(err, w.Close())
	}

	defer r.closeTools()

	return r.playAgent(info, h.Begin.Value("input"))
}

// checkResumable returns why a run does not continue. Then nothing is recorded: the program is
// another one and does not do what was recorded, or the run can do nothing before one of its
// questions is answered, and nothing here answers it. It returns nil if the run can continue.
func (e *Engine) checkResumable(ctx context.Context, p *compiled.Program, info *compiled.Agent, id string, h *replay.History) error {
	isPaused := h.IsClosed() && h.End.Name == replay.StatusPaused
	waits := isPaused && !e.hasAnswerer(p) && !h.HasUncheckedAnswer() && !h.IsDue(e.config.Clock.Now())
	changed := p.Shape != h.Shape || p.TextHash() != h.Text
	if !waits && !changed {
		return nil
	}
	_, paused, err := e.replayOnly(ctx, p, info, id, h, nil)
	switch {
	case err != nil:
		return err
	case waits && !changed && Questions(paused) != nil:
		return paused
	}

	return nil
}

// hasAnswerer reports whether this process answers the questions of a program: by the asker of the
// engine, by a script, or by a script of the program.
func (e *Engine) hasAnswerer(p *compiled.Program) bool {
	return e.config.Asker != nil || e.script != nil || answersQuestions(p)
}

// answersQuestions reports whether a script that is compiled in does.
func answersQuestions(p *compiled.Program) bool {
	for _, text := range p.Scripts {
		if parsed, err := script.Parse(text); err == nil && parsed.Asks() {
			return true
		}
	}

	return false
}

// reopenRun makes a run ready to continue.
func (e *Engine) reopenRun(
	ctx context.Context, p *compiled.Program, info *compiled.Agent, id string, h *replay.History, w *journal.Writer, o ResumeOptions,
) (*run, error) {
	r, err := e.newRun(ctx, p, id)
	if err != nil {
		return nil, err
	}
	err = r.checkReady(info)
	if err == nil {
		err = e.checkResumable(ctx, p, info, id, h)
	}
	if err == nil {
		_, err = w.Messages() // they were for an owner that is gone
	}
	if err != nil {
		r.closeTools()

		return nil, err
	}
	renewed := ""
	if at := w.Renewed(); !at.IsZero() {
		renewed = at.UTC().Format(time.RFC3339Nano)
	}
	h.AddTakeover(math.MaxInt, renewed) // after all that was recorded
	r.resumeFrom(h, w, resumeEvent(h, p))
	r.appendRecord(journal.Record{Type: journal.Opened, Fields: field.Optional(
		"shape", p.Shape, "text", p.TextHash(), "runtime", version, "forced", field.Bool(p.Shape != h.Shape), "by", o.By,
		"traceparent", runtime.TraceparentFrom(ctx), "recovery", field.Bool(o.Recovery != nil),
		replay.FieldRenewed, renewed,
	)})
	if o.Recovery != nil || h.Status() == replay.StatusQuarantined { // a run that ends the process before its next flush has been resumed anyway
		if err := w.Sync(); err != nil {
			r.closeTools()

			return nil, err
		}
	}

	return r, nil
}

// resumeEvent returns the event that reports where new work begins, and what has changed.
func resumeEvent(h *replay.History, p *compiled.Program) *event.Event {
	e := &event.Event{Kind: event.Resume, Agent: h.Begin.Value("agent")}
	if p.TextHash() != h.Text {
		e.Text = p.TextHash()
	}
	if p.Shape != h.Shape {
		e.Shape = p.Shape
	}
	if h.Cut != nil {
		e.Problem = h.Cut.Error() + ": they were cut off"
	}

	return e
}

// checkProgram returns p as it was when the run began, if it is the run's program, and the run's
// agent. force allows another shape.
func checkProgram(h *replay.History, p *compiled.Program, run string, force bool) (*compiled.Program, *compiled.Agent, error) {
	agent := h.Begin.Value("agent")
	if recorded := h.Begin.Value("program"); recorded != p.Name {
		return nil, nil, wrongProgramError(run, recorded, p.Name)
	}
	if p.Shape != h.Shape && !force {
		return nil, nil, shapeError(run, h.Shape, p.Shape)
	}
	info, err := Startable(p, agent)
	if err != nil {
		const text = "run %s is a run of agent %q, which program %q does not have"

		return nil, nil, &errs.Coded{Code: "WrongProgramError", Text: fmt.Sprintf(text, run, agent, p.Name)}
	}
	initial := []byte(h.Begin.Value("context"))
	if len(initial) == 0 || bytes.Equal(initial, info.Initial) {
		return p, info, nil
	}
	p, err = p.WithContext(agent, initial)
	if err != nil {
		return nil, nil, err
	}
	info, err = Startable(p, agent)

	return p, info, err
}
