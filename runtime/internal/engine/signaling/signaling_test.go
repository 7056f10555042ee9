package signaling_test

import (
	"context"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/internal/engine/signaling"
	"github.com/agentc-dev/agentc/runtime/signals"
)

var stop = signals.Signal{Kind: "stop"}

// ruleFor is a rule for a kind of signal.
func ruleFor(kind string, do signals.Answer) []signals.Rule {
	return []signals.Rule{{On: kind, Do: do}}
}

// TestSendReachesInnermost: a signal reaches the machine that was entered last, of those with a rule
// for it, and waits in the receiver of its run.
func TestSendReachesInnermost(t *testing.T) {
	var s signaling.Signals
	var run signaling.Receiver
	outer := &signaling.Machine{Run: &run, Name: "outer", Rules: ruleFor("stop", signals.GracefulStop)}
	inner := &signaling.Machine{Run: &run, Name: "inner", Rules: ruleFor("stop", signals.Continue)}
	deaf := &signaling.Machine{Run: &run, Name: "deaf", Rules: ruleFor("budget-alert", signals.Continue)}
	if s.Send(stop) {
		t.Error("a signal is taken although no machine listens")
	}
	s.Listen(outer)
	endInner := s.Listen(inner)
	s.Listen(deaf)
	if !s.Send(stop) || run.IsEmpty() {
		t.Fatal("no machine takes the signal")
	}
	if ruling, err := run.Next(&s, deaf); ruling != nil || err != nil {
		t.Errorf("a machine without a rule gets %v, %v", ruling, err)
	}
	ruling, err := run.Next(&s, inner)
	if err != nil || ruling == nil || ruling.Answer != signals.Continue || ruling.Tier != "machine" {
		t.Errorf("the innermost machine gets %v, %v", ruling, err)
	}
	endInner()
	s.DropRun(&run)
	if s.Send(stop) || !run.IsEmpty() {
		t.Error("a signal reaches a run that has ended")
	}
}

// TestForceStop: force-stop ends the run at once, unless it was replayed.
func TestForceStop(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	var s signaling.Signals
	run := signaling.Receiver{Cancel: cancel}
	s.Listen(&signaling.Machine{Run: &run, Name: "desk", State: "open", Rules: ruleFor("stop", signals.ForceStop)})
	if !s.Offer(&signaling.Sent{Signal: stop, IsReplayed: true}) || ctx.Err() != nil {
		t.Fatal("a replayed signal ends the run")
	}
	var cancelled *runtime.CancelledError
	if !s.Send(stop) || !errors.As(context.Cause(ctx), &cancelled) || !run.IsEmpty() {
		t.Errorf("the run has ended with %v", context.Cause(ctx))
	}
}

// TestOfferWithin: a signal of a branch reaches machines around the branch, and no others.
func TestOfferWithin(t *testing.T) {
	var s signaling.Signals
	var run signaling.Receiver
	var root addr.Position
	root.Advance()
	first, second := root.InBranch(0), root.InBranch(1)
	s.Listen(&signaling.Machine{Run: &run, Branch: &first, Name: "first", Rules: ruleFor("stop", signals.Continue)})
	if s.Offer(&signaling.Sent{Signal: stop, Branch: &second}) {
		t.Error("a signal reaches another branch")
	}
	around := &signaling.Machine{Run: &run, Branch: &root, Name: "around", Rules: ruleFor("stop", signals.Continue)}
	s.Listen(around)
	if !s.Offer(&signaling.Sent{Signal: stop, Branch: &second}) {
		t.Error("a signal does not reach the machine around its branch")
	}
	run.Drop(stop, &first)
	if run.IsEmpty() {
		t.Error("a branch drops the signal of another one")
	}
	run.Drop(stop, &root)
	if !run.IsEmpty() {
		t.Error("a signal is not dropped")
	}
	s.DropBranch(&root)
	if s.Offer(&signaling.Sent{Signal: stop, Branch: &second}) {
		t.Error("a machine listens after the end of its branch")
	}
}

// TestRulePanics: a rule that panics is an error where the machine asks for the signal.
func TestRulePanics(t *testing.T) {
	var s signaling.Signals
	var run signaling.Receiver
	m := &signaling.Machine{Run: &run, Name: "desk", Rules: []signals.Rule{
		{On: "stop", Do: signals.Continue, Fits: func(signals.Signal) bool { panic("boom") }},
	}}
	s.Listen(m)
	if !s.SendTo(stop, func(machine string) bool { return machine == "desk" }) {
		t.Fatal("the signal is not taken")
	}
	var panicked *runtime.PanicError
	if _, err := run.Next(&s, m); !errors.As(err, &panicked) {
		t.Errorf("got %v", err)
	}
}
