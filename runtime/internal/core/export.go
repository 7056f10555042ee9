package core

import (
	"context"

	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/recording"
)

// Export records what a run has asked models and what they have answered, up to where it stands. It plays the program through the run's
// journal without doing anything, as [Engine.Questions] does.
//
// Errors: ErrNoStore, journal.ErrUnknownRun and others of package journal, *WrongProgramError, *ShapeError,
// *DivergenceError, *recording.ProgramError.
func (e *Engine) Export(ctx context.Context, p *compiled.Program, id string, to *recording.Recorder) error {
	return e.play(ctx, p, id, func(r *run, _ *history) error { return r.startRecording(to) })
}

// play plays a program through the journal of a run without doing anything. prepare gets the run before that.
func (e *Engine) play(ctx context.Context, p *compiled.Program, id string, prepare func(*run, *history) error) error {
	if e.config.Store == nil {
		return ErrNoStore
	}
	j, err := journal.Read(ctx, e.config.Store, id)
	if err != nil {
		return err
	}
	h := readHistory(j)
	p, info, err := h.program(p, id, false)
	if err != nil {
		return err
	}
	r := e.looker(ctx, p, id, h)
	defer r.cancel(nil)
	if err := prepare(r, h); err != nil {
		return err
	}

	_, err = r.look(info)

	return err
}
