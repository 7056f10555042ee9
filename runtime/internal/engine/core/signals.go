package core

import (
	"context"

	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// signalSource returns the signals that the run receives: those of the configuration, else those of
// its scripts; nil if there can be none.
func (r *run) signalSource() *signaling.Signals {
	switch {
	case r.engine.config.Signals != nil:
		return r.engine.config.Signals
	case r.script != nil, r.program != nil && len(r.program.Scripts) > 0:
		return &r.scripted
	}

	return nil
}

// Listen implements runtime.Effects.
func (f *Effects) Listen(machine, state string, rules []signals.Rule) (end func()) {
	s := f.run.signalSource()
	if s == nil {
		return func() {}
	}

	return s.Listen(&signaling.Machine{Run: &f.run.signals, Branch: &f.at, Name: machine, State: state, Rules: rules})
}

// nextSignal answers a machine that asks for signals; nil if there is none for it.
func (e *guardEffect) nextSignal() (*signals.Ruling, error) {
	r := e.fx.run
	s := r.signalSource()
	if s == nil {
		return nil, nil
	}
	m := &signaling.Machine{
		Run: &r.signals, Branch: &e.fx.at, Name: e.call.Machine, State: e.call.State, Rules: e.call.Signals.Rules,
	}
	if deferred := e.call.Signals.Deferred; deferred != nil {
		return s.Decide(m, *deferred)
	}

	return r.signals.Next(s, m)
}

// replyFromScript returns the reply of a script. The signals of its turn come while the model
// answers. isReplayed reports that the reply was given in an earlier process: what its signals have
// stopped then is not stopped again.
func (t *modelTurn) replyFromScript(player *script.Player, request *model.Request, attempt int, isReplayed bool) (model.Reply, error) {
	reply, err := player.Model(*request, t.fx.at.Path(), attempt-1)
	undelivered := player.Signals(request.Agent, t.fx.at.Path(), func(signal signals.Signal) bool {
		return t.fx.run.signalSource().Offer(&signaling.Sent{Signal: signal, Branch: &t.fx.at, IsReplayed: isReplayed})
	})
	if undelivered != nil && !isReplayed {
		return model.Reply{}, undelivered
	}

	return reply, err
}

// makeCancellable gives a run that takes signals, or has a journal, a context that can be
// cancelled, until end is called.
func (r *run) makeCancellable() (end func()) {
	s := r.signalSource()
	if s == nil && (r.journal == nil || r.host != nil) {
		return func() {}
	}
	if r.host != nil { // the host ends the context
		return func() { s.DropRun(&r.signals) }
	}
	ctx, cancel := context.WithCancelCause(r.ctx)
	r.ctx = ctx
	r.setCancel(cancel)

	return func() {
		s.DropRun(&r.signals)
		r.cancel(nil)
	}
}

// setCancel sets what ends the run.
func (r *run) setCancel(cancel context.CancelCauseFunc) { r.cancel, r.signals.Cancel = cancel, cancel }
