package core

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/engine/script"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Signals takes signals for the machines that run. The zero value is ready; it is safe for concurrent use.
type Signals struct {
	mu sync.Mutex
	// listening are the machines with rules whose agents work now, the one that was entered last at the end.
	listening []*listener
	// routes are the rules of the agent tier and the host tier.
	routes drive.Routes
}

// Route adds rules of the agent tier, for the machine of that name, or with "" of the host tier, for all runs that receive these
// signals. They count where the file's rules have none for a signal, in machines that have rules in their file, and are before
// those that the program itself has in the tier.
func (s *Signals) Route(agent string, rules ...signals.Rule) {
	s.routes.Add(agent, rules...)
}

// Send offers a signal to the innermost machine that runs and has a rule for it in its state. taken is false if there is none:
// then nothing has happened. Else the signal waits for the next safe point of that machine's run, where the rules are asked
// again; with force-stop the run is cancelled at once, with a *runtime.CancelledError as cause.
func (s *Signals) Send(signal signals.Signal) (taken bool) {
	return s.send(waiting{signal: signal})
}

// SendTo is Send for a signal that only the machines receive whose names may reports.
func (s *Signals) SendTo(signal signals.Signal, may func(machine string) bool) (taken bool) {
	return s.send(waiting{signal: signal, may: may})
}

// waiting is a signal of which no machine has been notified.
type waiting struct {
	signal signals.Signal
	// run is the one whose machines it may reach, branch the one that they work in, or around; nil: any.
	run    *run
	branch *Effects
	// may reports whether a machine may receive it; nil: each.
	may func(machine string) bool
	// past says that it came in an earlier process, which has done what had to be done at once.
	past bool
}

// encloses reports whether f is a branch, or one in which that runs.
func (f *Effects) encloses(branch *Effects) bool {
	for ; branch != nil; branch = branch.parent {
		if branch == f {
			return true
		}
	}

	return false
}

// reaches reports whether the signal may reach a machine.
func (sent waiting) reaches(l *listener) bool {
	isOfTheRun := sent.run == nil || sent.run == l.run
	isOfTheBranch := sent.branch == nil || l.branch.encloses(sent.branch)

	return isOfTheRun && isOfTheBranch && sent.isFor(l.machine)
}

// isFor reports whether a machine may receive the signal.
func (sent waiting) isFor(machine string) bool { return sent.may == nil || sent.may(machine) }

// send offers a signal to those whom it may reach.
func (s *Signals) send(sent waiting) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	signal := sent.signal
	for _, l := range slices.Backward(s.listening) {
		if !sent.reaches(l) {
			continue
		}
		ruling, err := s.rule(l.run, signal, l.machine, l.state, l.rules)
		if ruling == nil && err == nil {
			continue
		}
		if err == nil && ruling.Answer == signals.ForceStop && sent.past {
			return true
		}
		if err == nil && ruling.Answer == signals.ForceStop && l.run.cancel != nil {
			l.run.cancel(&runtime.CancelledError{Reason: signalrule.StopReason(ruling, l.machine, l.state)})

			return true
		}
		l.run.signals = append(l.run.signals, sent) // a rule that panics ends the run where it is asked again

		return true
	}

	return false
}

// listener is a machine in a state whose agent works.
type listener struct {
	run            *run
	branch         *Effects
	machine, state string
	rules          []signals.Rule
}

// Listen implements runtime.Effects.
func (f *Effects) Listen(machine, state string, rules []signals.Rule) (end func()) {
	s := f.run.signalSource()
	if s == nil {
		return func() {}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	l := &listener{run: f.run, branch: f, machine: machine, state: state, rules: rules}
	s.listening = append(s.listening, l)

	return func() { s.drop(func(other *listener) bool { return other == l }) }
}

// drop forgets listeners.
func (s *Signals) drop(which func(*listener) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()

	s.listening = slices.DeleteFunc(s.listening, which)
}

// dropListeners forgets the machines of a branch that has ended: those that panicked have not said that they listen no more.
func (f *Effects) dropListeners() {
	if s := f.run.signalSource(); s != nil {
		s.drop(func(l *listener) bool { return l.branch == f })
	}
}

// signal answers a machine that asks for signals.
func (f *Effects) signal(call runtime.GuardCall) (*signals.Ruling, error) {
	s := f.run.signalSource()
	if s == nil {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()

	if again := call.Signals.Again; again != nil {
		return s.rule(f.run, *again, call.Machine, call.State, call.Signals.Rules)
	}
	for i, sent := range f.run.signals {
		if sent.branch != nil && !f.encloses(sent.branch) || !sent.isFor(call.Machine) {
			continue
		}
		ruling, err := s.rule(f.run, sent.signal, call.Machine, call.State, call.Signals.Rules)
		if ruling == nil && err == nil {
			continue // it waits for a machine, or a state, that has a rule
		}
		f.run.signals = slices.Delete(f.run.signals, i, i+1)

		return ruling, err
	}

	return nil, nil
}

// rule decides about a signal, tier after tier; nil if no rule is for it. A predicate of a rule that panics is a
// *runtime.PanicError.
func (s *Signals) rule(
	r *run, signal signals.Signal, machine, state string, file []signals.Rule,
) (_ *signals.Ruling, err error) {
	defer func() {
		if value := recover(); value != nil {
			where := "a rule for signal " + signal.Kind + " of machine " + machine
			err = &runtime.PanicError{Where: where, Value: value, Stack: debug.Stack()}
		}
	}()
	for _, tier := range []struct {
		name  string
		rules []signals.Rule
	}{
		{"machine", file}, {"agent", s.routed(r, machine)}, {"host", s.routed(r, "")},
	} {
		if rule := signalrule.Best(tier.rules, signal, state); rule != nil {
			return &signals.Ruling{Signal: signal, Answer: rule.Do, Key: rule.Key, Tier: tier.name}, nil
		}
	}

	return nil, nil
}

// routed returns the rules for the machine of an agent, or for all, and after them those that the program's own code has added.
func (s *Signals) routed(r *run, agent string) []signals.Rule {
	rules := s.routes.Rules(agent)
	if r.program == nil || r.program.Routes == nil {
		return rules
	}

	return slices.Concat(rules, r.program.Routes.Rules(agent))
}

// signalSource are the signals that the run takes: those of the configuration, else those that are in its scripts; nil if there can
// be none.
func (r *run) signalSource() *Signals {
	switch {
	case r.engine.config.Signals != nil:
		return r.engine.config.Signals
	case r.script != nil, r.program != nil && len(r.program.Scripts) > 0:
		return &r.scripted
	}

	return nil
}

// replyFromScript returns the reply of a script. The signals of its turn come while the model answers. isReplayed reports that
// the reply was given in an earlier process: what its signals have stopped then is not stopped again.
func (t *modelTurn) replyFromScript(player *script.Player, request *model.Request, attempt int, isReplayed bool) (model.Reply, error) {
	reply, err := player.Model(*request, t.fx.path(), attempt-1)
	undelivered := player.Signals(request.Agent, t.fx.path(), func(signal signals.Signal) bool {
		return t.fx.run.signalSource().send(waiting{signal: signal, branch: t.fx, past: isReplayed})
	})
	if undelivered != nil && !isReplayed {
		return model.Reply{}, undelivered
	}

	return reply, err
}

// ruled takes away a signal about which an earlier process has decided.
func (f *Effects) ruled(signal signals.Signal) {
	s := f.run.signalSource()
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(f.run.signals, func(sent waiting) bool {
		return sent.signal == signal && (sent.branch == nil || f.encloses(sent.branch))
	})
	if at >= 0 {
		f.run.signals = slices.Delete(f.run.signals, at, at+1)
	}
}

// makeCancellable gives a run that takes signals, or has a journal, a context that can be cancelled, and what ends it.
func (r *run) makeCancellable() (end func()) {
	s := r.signalSource()
	if s == nil && (r.journal == nil || r.host != nil) {
		return func() {}
	}
	if r.host != nil { // the host ends the context
		return func() { s.drop(func(l *listener) bool { return l.run == r }) }
	}
	r.ctx, r.cancel = context.WithCancelCause(r.ctx)

	return func() {
		if s != nil {
			s.drop(func(l *listener) bool { return l.run == r })
		}
		r.cancel(nil)
	}
}
