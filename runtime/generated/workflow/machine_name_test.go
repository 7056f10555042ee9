package workflow_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// named is a phase that counts how often its name is asked for.
type named phase

var asked int

func (n named) String() string {
	asked++

	return phase(n).String()
}

func parseNamed(text string) (named, error) {
	p, err := parsePhase(text)

	return named(p), err
}

// TestNamesOfStatesAreAskedForWhereTheyAreRead: a switch over a thousand states a hop is dear, so a
// hop that nobody watches goes without.
func TestNamesOfStatesAreAskedForWhereTheyAreRead(t *testing.T) {
	r := start(t, &door{unwatched: true}, "{}")
	m := workflow.NewMachine(&r, "line", 2, parseNamed, workflow.Value{})
	asked = 0
	for _, to := range []named{named(review), named(publish)} {
		if !m.Enter(to - 1) {
			t.Fatal("the machine is over")
		}
		m.RecordOutput(workflow.Value{}, nil)
		m.RecordTransition(to, rt.MatchExact)
	}
	if asked != 0 {
		t.Errorf("names were asked for %d times", asked)
	}
	if got := r.CurrentState().String(); got != "review" {
		t.Errorf("current_state is %q where somebody reads it", got)
	}
	if m.Enter(named(publish)) {
		t.Error("more states than there may be")
	}
	if _, err := m.End(named(publish)); err == nil || asked != 2 {
		t.Errorf("got %v, names were asked for %d times", err, asked)
	}
}

// TestCurrentStateThatStepsWrite is what is read; events tell where the machine is.
func TestCurrentStateThatStepsWrite(t *testing.T) {
	fx := &door{}
	r := start(t, fx, "{}")
	var read string
	m := machine{name: "orchestrate", max: 3, rows: []row{{draft, workflow.Success, done, nil}}, steps: steps{
		draft: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
			err := r.SetContext(workflow.Text("elsewhere"), "current_state")
			read = r.CurrentState().String()

			return input, err
		},
	}}
	if _, err := m.run(&r, workflow.Value{}); err != nil || read != "elsewhere" {
		t.Errorf("current_state is %q, %v", read, err)
	}
	if path := walked(fx); path != "draft done" {
		t.Errorf("the path is %q", path)
	}
	for _, e := range fx.notes {
		if e.Kind == event.Transition && (e.State != "draft" || e.Visit != 1) {
			t.Errorf("got %+v", e)
		}
	}
}
