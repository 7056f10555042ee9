package signaling

import (
	"slices"
	"sync"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signalrule"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
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
	listeners []*Machine
}

// Machine is a machine in a state that may receive signals.
type Machine struct {
	// Run receives the signals of the machine's run.
	Run *Receiver
	// Branch is where the machine works.
	Branch *addr.Position
	// Name is the machine's agent.
	Name, State string
	// Rules are the rules of the machine's file.
	Rules []signals.Rule
}

// Sent is a signal about which no machine has decided.
type Sent struct {
	Signal signals.Signal
	// Run receives it; nil: each run may.
	Run *Receiver
	// Branch is where machines must work, or a branch within theirs; nil: they may work anywhere.
	Branch *addr.Position
	// Permits reports whether a machine may receive it; nil: each may.
	Permits func(machine string) bool
	// IsReplayed reports whether it came in an earlier process, which has done what had to be done
	// at once.
	IsReplayed bool
}

// canReach reports whether a machine may receive the signal.
func (s *Sent) canReach(m *Machine) bool {
	isOfRun := s.Run == nil || s.Run == m.Run
	isPermitted := s.Permits == nil || s.Permits(m.Name)

	return isOfRun && isPermitted && s.isWithin(m.Branch)
}

// isWithin reports whether the signal is for a branch, or for one that runs within it.
func (s *Sent) isWithin(branch *addr.Position) bool {
	return s.Branch == nil || branch.Encloses(s.Branch)
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
	return s.Offer(&Sent{Signal: signal})
}

// SendTo is Send for a signal that only some machines may receive, as may reports by their names.
func (s *Signals) SendTo(signal signals.Signal, may func(machine string) bool) (taken bool) {
	return s.Offer(&Sent{Signal: signal, Permits: may})
}

// Offer is Send for a signal that only some machines can receive.
func (s *Signals) Offer(sent *Sent) (taken bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range slices.Backward(s.listeners) {
		if sent.canReach(m) && s.offerTo(m, sent) {
			return true
		}
	}

	return false
}

// offerTo offers a signal to a machine. taken is false if the machine has no rule for it. A signal
// whose rule panics is taken: the rule is asked again where the machine receives it, and ends the
// run there.
func (s *Signals) offerTo(m *Machine, sent *Sent) (taken bool) {
	ruling, err := s.Decide(m, sent.Signal)
	if ruling == nil && err == nil {
		return false
	}
	isForceStop := err == nil && ruling.Answer == signals.ForceStop
	switch {
	case isForceStop && sent.IsReplayed:
	case isForceStop && m.Run.Cancel != nil:
		m.Run.Cancel(&runtime.CancelledError{Reason: signalrule.StopReason(ruling, m.Name, m.State)})
	default:
		m.Run.add(sent)
	}

	return true
}

// Decide decides about a signal, tier after tier; nil if there is no rule for it. A predicate of a
// rule that panics is a *runtime.PanicError.
func (s *Signals) Decide(m *Machine, signal signals.Signal) (_ *signals.Ruling, err error) {
	defer usercode.Recover(usercode.Name{Kind: "a rule for signal", Name: signal.Kind + " of machine " + m.Name}, &err)
	for _, tier := range []struct {
		name  string
		rules []signals.Rule
	}{
		{"machine", m.Rules}, {"agent", s.routesTo(m.Run, m.Name)}, {"host", s.routesTo(m.Run, "")},
	} {
		if rule := signalrule.Best(tier.rules, signal, m.State); rule != nil {
			return &signals.Ruling{Signal: signal, Answer: rule.Do, Key: rule.Key, Tier: tier.name}, nil
		}
	}

	return nil, nil
}

// routesTo returns the rules for the machine of an agent, or for all, and after them those of the
// program itself.
func (s *Signals) routesTo(run *Receiver, agent string) []signals.Rule {
	rules := s.routes.Rules(agent)
	if run.Routes == nil {
		return rules
	}

	return slices.Concat(rules, run.Routes.Rules(agent))
}

// Listen adds a machine. It receives signals until end is called.
func (s *Signals) Listen(m *Machine) (end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = append(s.listeners, m)

	return func() { s.drop(func(other *Machine) bool { return other == m }) }
}

// drop removes the machines for which isGone reports true. s may be nil.
func (s *Signals) drop(isGone func(*Machine) bool) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.listeners = slices.DeleteFunc(s.listeners, isGone)
}

// DropRun removes the machines of a run that has ended. s may be nil.
func (s *Signals) DropRun(run *Receiver) { s.drop(func(m *Machine) bool { return m.Run == run }) }

// DropBranch removes the machines of a branch that has ended. Those that have panicked did not end
// their listening. s may be nil.
func (s *Signals) DropBranch(branch *addr.Position) {
	s.drop(func(m *Machine) bool { return m.Branch == branch })
}
