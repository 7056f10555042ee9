package core

import (
	"context"
	"io"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Hosted is a run that a host carries out.
type Hosted struct {
	Host Host
	// Context reports whether the run has been cancelled; its Done is nil, and Cancel ends it.
	Context context.Context
	Cancel  context.CancelCauseFunc
	// Program, Agent and Input are what runs; the agent "" is the entry point.
	Program *compiled.Program
	Agent   string
	Input   string
	// Journal is the journal that RunOn returned when [Host.Boundary] ended the run; nil at the
	// start.
	Journal []byte
}

// RunOn is Run on a host: its models are resolved and not opened, and nothing is looked up before
// the run that workers have to look up; [Engine.Check] does so where they are. Config.Env and
// Config.Clock must give the same to each process that decides the run again. Config.Store and
// Config.Asker are not used.
//
// If the host ends the run at a boundary, that is err, and left is what the run goes on from:
// nothing that has happened happens again.
func (e *Engine) RunOn(h Hosted) (fin runtime.Finish, left []byte, err error) {
	info, err := Startable(h.Program, h.Agent)
	if err != nil {
		return runtime.Finish{}, nil, err
	}
	r, err := e.newRun(h.Context, h.Program, e.config.RunID())
	if err != nil {
		return runtime.Finish{}, nil, err
	}
	r.host = h.Host
	r.setCancel(h.Cancel)
	store := journal.Memory()
	if err := r.recordHosted(store, info, &h); err != nil {
		return runtime.Finish{}, nil, err
	}
	fin, err = r.playAgent(info, h.Input)
	if r.endedAtBoundary == nil {
		return fin, nil, err
	}
	left, err = readBytes(store)
	if err != nil {
		return runtime.Finish{}, nil, err
	}

	return runtime.Finish{}, left, r.endedAtBoundary
}

// hostedRun is what the journal in memory calls the run.
const hostedRun = "run"

// recordHosted begins the journal of a hosted run, or continues it. It is in memory: what survives
// is what the host keeps.
func (r *run) recordHosted(store journal.Store, info *compiled.Agent, h *Hosted) error {
	ctx := context.Background()
	if h.Journal == nil {
		return r.createJournal(ctx, store, hostedRun, info, "", "") // the host has the input and the context
	}
	if err := restoreJournal(store, h.Journal); err != nil {
		return err
	}
	j, w, err := journal.Open(ctx, store, hostedRun)
	if err != nil {
		return err
	}
	r.resumeFrom(replay.ReadResumable(j), w, nil)

	return nil
}

// restoreJournal puts the journal of a run into a store.
func restoreJournal(store journal.Store, data []byte) error {
	f, err := store.Create(context.Background(), hostedRun)
	if err != nil {
		return err
	}
	err = f.Append(data)

	return joinErrors(joinErrors(err, f.Sync()), f.Close())
}

// readBytes returns the journal of a run.
func readBytes(store journal.Store) ([]byte, error) {
	r, err := store.Read(context.Background(), hostedRun)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)

	return data, joinErrors(err, r.Close())
}

// endAtBoundary lets the host end the run before an effect outside of branches, unless signals
// wait.
func (r *run) endAtBoundary() error {
	if !r.signals.IsEmpty() {
		return nil
	}
	if err := r.host.Boundary(); err != nil {
		r.endedAtBoundary = err
		r.cancel(err)
	}

	return r.endedAtBoundary
}
