package board

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// bell is a desk that has names to act on: of its first state, of review, and of what a timer leads to.
type bell struct{ *desk }

func bellProgram() *compiled.Program {
	return &compiled.Program{Name: "test", Machines: []compiled.Machine{{Name: "desk", New: func(clock func() time.Time) drive.Machine {
		return bell{newDesk(clock).(*desk)}
	}}}}
}

func named(step drive.Step) drive.Step {
	if step.From == "review" {
		step.Exit = []string{"lamp-off"}
	}
	if step.To == "review" {
		step.Enter = []string{"lamp-on", "call"}
	}

	return step
}

func (b bell) Entered() []string { return []string{"open-desk"} }

func (b bell) Try(a drive.Attempt) (drive.Step, error) {
	step, err := b.desk.Try(a)
	if err != nil {
		return step, err
	}

	return named(step), nil
}

func (b bell) Tick() (drive.Step, bool, error) {
	step, fired, err := b.desk.Tick()

	return named(step), fired, err
}

// openBell opens the board of a folder as a process would.
func openBell(t *testing.T, dir string, clock *handClock) *Board {
	t.Helper()
	b, err := Open(t.Context(), Options{Dir: dir, Program: bellProgram(), Clock: clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })

	return b
}

// pendingOf is what is pending on a board, a line each.
func pendingOf(t *testing.T, b *Board, id string) string {
	t.Helper()
	all, err := b.Pending(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, o := range all {
		lines = append(lines, fmt.Sprintf("%d %s %s>%s %v %v", o.Entry, o.ID, o.From, o.To, o.Exit, o.Enter))
	}

	return strings.Join(lines, "; ")
}

// The names of every step, by callers and by timers, on whatever path it was made, are kept until they are acknowledged, also for the
// processes after the one that made it.
func TestPending(t *testing.T) {
	dir, clock := t.TempDir(), newHandClock()
	b := openBell(t, dir, clock)
	mustStep(t, b, step("desk/1", "submit"))
	clock.pass(deskTimeout)
	refused, err := b.Transition(t.Context(), step("desk/1", "approve"))
	if err == nil || len(refused.Timers) != 1 || !slices.Equal(refused.Timers[0].Exit, []string{"lamp-off"}) {
		t.Errorf("a step that is late: %+v, %v", refused, err)
	}
	mustStep(t, b, step("desk/2", "submit"))
	clock.pass(deskTimeout)
	state, err := b.State(t.Context(), "desk/2")
	if err != nil || len(state.Timers) != 1 || state.Pending != 3 || !slices.Equal(state.Timers[0].Exit, []string{"lamp-off"}) {
		t.Errorf("a look: %+v, %v", state, err)
	}
	mustStep(t, b, step("desk/3", "submit"))
	clock.pass(deskTimeout)

	const first = "1 desk/1 >draft [] [open-desk]; 2 desk/1 draft>review [] [lamp-on call]; 3 desk/1 review>draft [lamp-off] []"
	if got := pendingOf(t, b, "desk/1"); got != first {
		t.Errorf("pending: %s", got)
	}
	all := first + "; 5 desk/2 >draft [] [open-desk]; 6 desk/2 draft>review [] [lamp-on call]; 7 desk/2 review>draft [lamp-off] []" +
		"; 8 desk/3 >draft [] [open-desk]; 9 desk/3 draft>review [] [lamp-on call]; 10 desk/3 review>draft [lamp-off] []"
	if got := pendingOf(t, b, ""); got != all {
		t.Errorf("pending: %s", got)
	}
	history, err := b.History(t.Context(), "desk/3")
	if err != nil || len(history) != 2 || !slices.Equal(history[0].Enter, []string{"lamp-on", "call"}) || !slices.Equal(history[1].Exit, []string{"lamp-off"}) {
		t.Errorf("the history is %+v, %v", history, err)
	}

	other := openBell(t, dir, clock) // as after a crash: nothing was closed
	if got := pendingOf(t, other, ""); got != all {
		t.Errorf("pending elsewhere: %s", got)
	}
	for _, want := range [][]uint64{{1, 3}, nil} { // it may be said again
		done, _, err := other.Acknowledge(t.Context(), "desk/1", []uint64{3, 1, 99, 6}, "ann", "")
		if err != nil || !slices.Equal(done, want) {
			t.Errorf("acknowledged: %v, %v", done, err)
		}
	}
	if got := pendingOf(t, b, "desk/1"); got != "2 desk/1 draft>review [] [lamp-on call]" {
		t.Errorf("pending: %s", got)
	}
	if got := pendingOf(t, openBell(t, dir, clock), "desk/1"); got != "2 desk/1 draft>review [] [lamp-on call]" {
		t.Errorf("pending after it is read again: %s", got)
	}
	mustStep(t, b, step("desk/1", "submit")) // what is pending does not hold the machine up

	for name, r := range map[string]struct{ id, identity string }{
		"another machine": {id: "none"}, "no id": {}, "another name": {"desk/2", "bob"},
	} {
		if done, _, err := b.Acknowledge(t.Context(), r.id, []uint64{5}, "ann", r.identity); err == nil || done != nil {
			t.Errorf("%s: %v, %v", name, done, err)
		}
	}
	if _, err := b.Pending(t.Context(), "none"); err == nil {
		t.Error("an unknown machine has steps")
	}
}
