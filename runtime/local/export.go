package local

import (
	"context"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/recording"
)

// Export records what a run has asked models and what they have answered, up to where it stands. It plays the program through the run's
// journal without doing anything, as [Engine.Questions] does.
//
// Errors: ErrNoStore, journal.ErrUnknownRun and others of package journal, *runtime.WrongProgramError, *runtime.ShapeError,
// *runtime.DivergenceError, *recording.ProgramError.
func (e *Engine) Export(ctx context.Context, p *runtime.Program, run string, to *recording.Recorder) error {
	if e.config.Store == nil {
		return ErrNoStore
	}
	j, err := journal.Read(ctx, e.config.Store, run)
	if err != nil {
		return err
	}
	h := readHistory(j)
	p, info, err := h.program(p, run, false)
	if err != nil {
		return err
	}
	r := e.looker(ctx, p, run, h)
	defer r.cancel(nil)
	if err := r.startRecording(to); err != nil {
		return err
	}

	_, err = r.look(info)

	return err
}
