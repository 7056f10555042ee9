package board

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files/filetest"
)

// TestThousand: a thousand goroutines on one machine. Who insists on a number wins alone, and everybody is on the record; who
// does not insist gets a number of their own.
func TestThousand(t *testing.T) {
	const clients = 1000
	dir := t.TempDir() + "/store"
	disk := opened(t, dir, nil)
	for name, b := range map[string]*Board{"memory": opened(t, "", nil), "disk": disk} {
		var won, stale atomic.Int64
		var wait sync.WaitGroup
		numbers, heads := make([]uint64, clients), make([]uint64, clients)
		for i := range clients {
			wait.Go(func() {
				r := step("desk", "edit")
				r.Attempt.Seq = 1
				_, err := b.Transition(context.Background(), r)
				var late *drive.StaleError
				switch {
				case err == nil:
					won.Add(1)
				case errors.As(err, &late):
					stale.Add(1)
				default:
					t.Error(err)
				}
				result, err := b.Transition(context.Background(), step("desk", "edit"))
				if err != nil {
					t.Error(err)
				}
				numbers[i], heads[i] = result.Step.Seq, result.Head.Seq
			})
		}
		wait.Wait()
		if won.Load() > 1 || won.Load()+stale.Load() != clients {
			t.Errorf("%s: %d won, %d were stale", name, won.Load(), stale.Load())
		}
		total := uint64(clients) + uint64(won.Load())
		if s := stateOf(t, b); s.Seq != total+1 {
			t.Errorf("%s: the machine has made %d steps, want %d", name, s.Seq-1, total)
		}
		distinct(t, numbers)
		distinct(t, heads)
		if head := b.Head(); head.Seq != 2*clients+1 {
			t.Errorf("%s: %d entries", name, head.Seq)
		}
	}
	if _, err := audit.VerifyFolder(t.Context(), dir, ptr(audit.Head(disk.Head())), nil); err != nil {
		t.Error(err)
	}
}

func distinct(t *testing.T, numbers []uint64) {
	t.Helper()
	seen := map[uint64]bool{0: true}
	for _, n := range numbers {
		if seen[n] {
			t.Errorf("%d is there twice", n)
		}
		seen[n] = true
	}
}

// TestWritesAreShared: those who wait while the disk syncs share the next write.
func TestWritesAreShared(t *testing.T) {
	disk := filetest.New()
	b, err := onDisk(disk)
	if err != nil {
		t.Fatal(err)
	}
	const clients = 200
	syncs := 0
	disk.Fail = func(s filetest.Step) filetest.Fault {
		if s.Op == "sync" && s.Path == "store/record.jsonl" {
			syncs++
			time.Sleep(5 * time.Millisecond)
		}
		return filetest.Fault{}
	}
	var wait sync.WaitGroup
	for i := range clients {
		wait.Go(func() {
			if _, err := b.Transition(context.Background(), step(fmt.Sprint("desk/", i), "submit")); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if syncs > clients/4 {
		t.Errorf("%d syncs for %d steps", syncs, clients)
	}
}

// TestGivenUp: who gives up waiting has tried nothing, and everybody else goes on.
func TestGivenUp(t *testing.T) {
	disk := filetest.New()
	b, err := onDisk(disk)
	if err != nil {
		t.Fatal(err)
	}
	syncing, goOn := make(chan bool), make(chan bool)
	disk.Fail = func(s filetest.Step) filetest.Fault {
		if s.Op == "sync" && s.Path == "store/record.jsonl" {
			syncing <- true
			<-goOn
		}
		return filetest.Fault{}
	}
	first := make(chan error)
	go func() {
		_, err := b.Transition(context.Background(), step("desk", "edit"))
		first <- err
	}()
	<-syncing
	ctx, cancel := context.WithCancelCause(t.Context())
	second := make(chan error)
	go func() {
		_, err := b.Transition(ctx, step("desk", "edit"))
		second <- err
	}()
	for b.waiting() == 0 {
		time.Sleep(time.Millisecond)
	}
	why := errors.New("tired")
	cancel(why)
	if err := <-second; !errors.Is(err, why) {
		t.Errorf("who gave up is told %v", err)
	}
	disk.Fail = nil
	goOn <- true
	if err := <-first; err != nil {
		t.Error(err)
	}
	if s := stateOf(t, b); s.Seq != 2 || b.Head().Seq != 2 {
		t.Errorf("the machine has number %d, the record %d entries", s.Seq, b.Head().Seq)
	}
	if _, err := b.Transition(ctx, step("desk", "edit")); !errors.Is(err, why) || b.Head().Seq != 2 {
		t.Errorf("who had given up before is told %v", err)
	}
}

func (b *Board) waiting() int {
	b.queue.mu.Lock()
	defer b.queue.mu.Unlock()

	return len(b.queue.waiting)
}

func TestClosed(t *testing.T) {
	b := opened(t, t.TempDir(), nil)
	mustStep(t, b, step("desk", "edit"))
	if err := errors.Join(b.Close(), b.Close()); err != nil {
		t.Error(err)
	}
	if _, err := b.Transition(t.Context(), step("desk", "edit")); !errors.Is(err, errClosed) {
		t.Errorf("error %v", err)
	}
}

// TestTimers: a timer that is due fires before whatever comes too late, before the state is told, and by Tick; it is a step of
// the record each time.
func TestTimers(t *testing.T) {
	dir := t.TempDir() + "/store"
	clock := newHandClock()
	b := opened(t, dir, clock.Now)
	for _, id := range []string{"desk", "desk/state", "desk/tick", "desk/early"} {
		mustStep(t, b, step(id, "submit"))
	}
	clock.pass(deskTimeout - 1)
	mustStep(t, b, step("desk/early", "approve"))
	s, err := b.State(t.Context(), "desk")
	if err != nil || s.State != "review" || !s.Deadline.Equal(clock.Now().Add(1)) {
		t.Fatalf("%+v, %v", s, err)
	}
	b = reopened(t, b, dir)
	clock.pass(1)
	before := b.Head().Seq

	var late *runtime.InvalidTransitionError
	result, err := b.Transition(t.Context(), step("desk", "approve"))
	if !errors.As(err, &late) || late.State != "draft" || len(result.Timers) != 1 || result.Timers[0].Key != "timeout" {
		t.Errorf("too late: %+v, %v", result, err)
	}
	if s, err := b.State(t.Context(), "desk/state"); err != nil || s.State != "draft" || s.Seq != 3 || !s.Deadline.IsZero() {
		t.Errorf("state: %+v, %v", s, err)
	}
	results, err := b.Tick(t.Context())
	if err != nil || len(results) != 1 || results[0].ID != "desk/tick" || len(results[0].Timers) != 1 || results[0].Head != b.Head() {
		t.Errorf("tick: %+v, %v", results, err)
	}
	if results, err := b.Tick(t.Context()); err != nil || results != nil {
		t.Errorf("a second tick: %+v, %v", results, err)
	}
	if after := b.Head().Seq; after != before+4 { // three timers and the one who came too late
		t.Errorf("%d entries more", after-before)
	}
	history, err := b.History(t.Context(), "desk/tick")
	if err != nil || len(history) != 2 || history[1].Agent != drive.AgentTimer || !history[1].Time.Equal(clock.Now()) {
		t.Errorf("history %+v, %v", history, err)
	}
}

func TestCreate(t *testing.T) {
	b := opened(t, "", newHandClock().Now)
	result, err := b.Create(t.Context(), "front_desk/1", "rita", "rita")
	if err != nil || result.ID != "front-desk/1" || result.Head.Seq != 1 {
		t.Fatalf("%+v, %v", result, err)
	}
	if _, err := b.Create(t.Context(), "front-desk/1", "rita", "rita"); runtime.ErrorType(err) != "BegunError" || lastEntry(t, b).Result != audit.Rejected {
		t.Errorf("error %v", err)
	}
	if s, err := b.State(t.Context(), "front-desk/1"); err != nil || !s.Begun || s.Seq != 1 || s.State != "draft" {
		t.Errorf("%+v, %v", s, err)
	}
	if first := mustStep(t, b, step("front-desk/1", "edit")); first.Head.Seq != 3 {
		t.Errorf("%+v: it began twice", first)
	}
}

// TestMachines: those that have begun, and one of each kind; those of another program stay in the record.
func TestMachines(t *testing.T) {
	dir := t.TempDir() + "/store"
	b := opened(t, dir, newHandClock().Now)
	mustStep(t, b, step("front_desk/b", "submit"))
	mustStep(t, b, step("desk", "edit"))
	want := "desk draft true; front-desk draft false; front-desk/b review true; "
	if got := machinesOf(t, b); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	program := deskProgram()
	program.Machines = program.Machines[1:]
	b, err := Open(t.Context(), Options{Dir: dir, Program: program, Clock: newHandClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := machinesOf(t, b), "desk draft true; "; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	b = reopened(t, b, dir)
	if got := machinesOf(t, b); got != want {
		t.Errorf("after another program: got %s, want %s", got, want)
	}
}

func machinesOf(t *testing.T, b *Board) (text string) {
	t.Helper()
	states, err := b.Machines(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		text += fmt.Sprintf("%s %s %v; ", s.ID, s.State, s.Begun)
	}

	return text
}
