package core

import (
	"context"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Signals takes signals for the machines that run. The zero value is ready; it is safe for
// concurrent use.
type Signals struct {
	// routes are the rules of the agent tier and the host tier.
	routes drive.Routes

	mu sync.Mutex
	// listeners are the machines with rules whose agents work now, the one that was entered last at
	// the end.
	listeners []*machineState
}

// Route adds rules of the agent tier, for the machine with a name, or with "" of the host tier, for
// all runs that receive these signals. They apply in machines that have rules in their file, to
// signals for which the file has no rule, before the rules that the program itself has in the tier.
func (s *Signals) Route(agent string, rules ...signals.Rule) {
	s.routes.Add(agent, rules...)
}

// Send offers a signal to the innermost machine that runs and has a rule for it in its state. taken
// is false if there is no such machine: then nothing has happened. Otherwise the signal waits for
// the next safe point of that machine's run, where the rules are asked again. With force-stop the
// run is cancelled at once, with a *runtime.CancelledError as cause.
func (s *Signals) Send(signal signals.Signal) (taken bool) {
	return s.send(&queuedSignal{signal: signal})
}

// SendTo is Send for a signal that only some machines may receive, as may reports by their names.
func (s *Signals) SendTo(signal signals.Signal, may func(machine string) bool) (taken bool) {
	return s.send(&queuedSignal{signal: signal, permits: may})
}

// send offers a signal to the machines that it may reach.
func (s *Signals) send(sent *queuedSignal) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range slices.Backward(s.listeners) {
		if sent.reaches(m) && s.offer(m, sent) {
			return true
		}
	}

	return false
}

// offer offers a signal to a machine. taken is false if the machine has no rule for it. A signal
// whose rule panics is taken: the rule is asked again where the machine receives it, and ends the
// run there.
func (s *Signals) offer(m *machineState, sent *queuedSignal) (taken bool) {
	ruling, err := s.decide(m, sent.signal)
	if ruling == nil && err == nil {
		return false
	}
	isForceStop := err == nil && ruling.Answer == signals.ForceStop
	switch {
	case isForceStop && sent.isReplayed:
	case isForceStop && m.run.cancel != nil:
		m.run.cancel(&runtime.CancelledError{Reason: signalrule.StopReason(ruling, m.machine, m.state)})
	default:
		m.run.signals.add(sent)
	}

	return true
}

// decide decides about a signal, tier after tier; nil if there is no rule for it. A predicate of a
// rule that panics is a *runtime.PanicError.
func (s *Signals) decide(m *machineState, signal signals.Signal) (_ *signals.Ruling, err error) {
	defer usercode.Recover(usercode.Name{Kind: "a rule for signal", Name: signal.Kind + " of machine " + m.machine}, &err)
	for _, tier := range []struct {
		name  string
		rules []signals.Rule
	}{
		{"machine", m.rules}, {"agent", s.routesTo(m.run, m.machine)}, {"host", s.routesTo(m.run, "")},
	} {
		if rule := signalrule.Best(tier.rules, signal, m.state); rule != nil {
			return &signals.Ruling{Signal: signal, Answer: rule.Do, Key: rule.Key, Tier: tier.name}, nil
		}
	}

	return nil, nil
}

// routesTo returns the rules for the machine of an agent, or for all, and after them those of the
// program itself.
func (s *Signals) routesTo(r *run, agent string) []signals.Rule {
	rules := s.routes.Rules(agent)
	if r.program == nil || r.program.Routes == nil {
		return rules
	}

	return slices.Concat(rules, r.program.Routes.Rules(agent))
}

// listen adds a machine. It receives signals until end is called.
func (s *Signals) listen(m *machineState) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = append(s.listeners, m)

	return func() { s.drop(func(other *machineState) bool { return other == m }) }
}

// drop removes the machines for which isGone reports true. s may be nil.
func (s *Signals) drop(isGone func(*machineState) bool) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = slices.DeleteFunc(s.listeners, isGone)
}

// dropRun removes the machines of a run that has ended.
func (s *Signals) dropRun(r *run) { s.drop(func(m *machineState) bool { return m.run == r }) }

// dropBranch removes the machines of a branch that has ended. Those that have panicked did not end
// their listening.
func (s *Signals) dropBranch(branch *position) {
	s.drop(func(m *machineState) bool { return m.branch == branch })
}

// signalSource returns the signals that the run receives: those of the configuration, else those of
// its scripts; nil if there can be none.
func (r *run) signalSource() *Signals {
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

	return s.listen(&machineState{run: f.run, branch: &f.position, machine: machine, state: state, rules: rules})
}

// nextSignal answers a machine that asks for signals; nil if there is none for it.
func (e *guardEffect) nextSignal() (*signals.Ruling, error) {
	r := e.fx.run
	s := r.signalSource()
	if s == nil {
		return nil, nil
	}
	m := &machineState{
		run: r, branch: &e.fx.position, machine: e.call.Machine, state: e.call.State, rules: e.call.Signals.Rules,
	}
	if deferred := e.call.Signals.Deferred; deferred != nil {
		return s.decide(m, *deferred)
	}

	return r.signals.next(s, m)
}

// replyFromScript returns the reply of a script. The signals of its turn come while the model
// answers. isReplayed reports that the reply was given in an earlier process: what its signals have
// stopped then is not stopped again.
func (t *modelTurn) replyFromScript(player *script.Player, request *model.Request, attempt int, isReplayed bool) (model.Reply, error) {
	reply, err := player.Model(*request, t.fx.path(), attempt-1)
	undelivered := player.Signals(request.Agent, t.fx.path(), func(signal signals.Signal) bool {
		return t.fx.run.signalSource().send(&queuedSignal{signal: signal, branch: &t.fx.position, isReplayed: isReplayed})
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
		return func() { s.dropRun(r) }
	}
	r.ctx, r.cancel = context.WithCancelCause(r.ctx)

	return func() {
		s.dropRun(r)
		r.cancel(nil)
	}
}
