package board

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files/filetest"
)

var errDisk = errors.New("no space left on device")

// play is what the tests with faults do: each returns the head of its entry.
func play() []func(*Board) (Head, error) {
	transition := func(id, key string) func(*Board) (Head, error) {
		return func(b *Board) (Head, error) {
			result, err := b.Transition(context.Background(), step(id, key))
			return result.Head, err
		}
	}
	write := func(key string, value json.RawMessage) func(*Board) (Head, error) {
		return func(b *Board) (Head, error) {
			_, head, err := b.Write(context.Background(), WriteRequest{Key: key, JSON: value})
			return head, err
		}
	}

	return []func(*Board) (Head, error){
		transition("desk", "submit"),
		write("a", json.RawMessage(`"text"`)),
		transition("desk", "nonsense"),
		transition("desk/two", "edit"),
		write("b", json.RawMessage(`"text"`)),
		transition("desk", "approve"),
		func(b *Board) (Head, error) {
			return b.Delete(context.Background(), "a", nil, "", "")
		},
		transition("desk/two", "submit"),
		write("c", json.RawMessage("1")),
	}
}

// entriesOfPlay is how many entries it makes: a machine begins with one more.
const entriesOfPlay = 11

func onDisk(disk *filetest.Disk) (*Board, error) {
	o := Options{Dir: "store", Program: deskProgram(), Clock: newHandClock().Now, LockWait: time.Millisecond}

	return openWithOptions(context.Background(), o, audit.Options{Files: disk})
}

// picture is all that can be seen of a board.
func picture(t *testing.T, b *Board) (seen []string) {
	t.Helper()
	machines, err := b.Machines(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range machines {
		history, err := b.History(context.Background(), m.ID)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, fmt.Sprintf("%+v %+v", m, history))
	}
	infos, err := b.List(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range infos {
		v, _, err := b.Read(context.Background(), info.Key)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, fmt.Sprintf("%+v %d %.80s", info, len(v.JSON), v.JSON))
	}

	return seen
}

// played plays without faults and returns the picture, and the steps with the disk that it took.
func played(t *testing.T) (seen []string, steps []filetest.Step) {
	t.Helper()
	disk := filetest.New()
	disk.Fail = func(s filetest.Step) filetest.Fault {
		steps = append(steps, s)
		return filetest.Fault{}
	}
	b, err := onDisk(disk)
	if err != nil {
		t.Fatal(err)
	}
	for i, move := range play() {
		if head, err := move(b); head == (Head{}) {
			t.Fatalf("move %d: %v", i, err)
		}
	}
	if b.Head().Seq != entriesOfPlay {
		t.Fatalf("%d entries", b.Head().Seq)
	}
	disk.Fail = nil

	return picture(t, b), steps
}

// parts are how many bytes a step that fails can have written before.
func parts(s filetest.Step, of ...int) []int {
	if s.Op != "write" {
		return of[:1]
	}

	return of
}

// TestEveryStepFails lets every step with the disk fail, and up to six after it: what is answered with a failure has not
// happened, and once the disk works again all goes on as if nothing had been.
func TestEveryStepFails(t *testing.T) {
	want, steps := played(t)
	for _, length := range []int{1, 2, 3, 6} {
		for _, first := range steps {
			for _, written := range parts(first, 40, 0, 1<<30) {
				failEvery(t, first.N, length, written, want)
			}
		}
	}
}

func failEvery(t *testing.T, first, length, written int, want []string) {
	t.Helper()
	disk := filetest.New()
	var failed []string
	disk.Fail = func(s filetest.Step) filetest.Fault {
		if s.N < first || s.N >= first+length {
			return filetest.Fault{}
		}
		failed = append(failed, s.Op+" "+s.Path)
		return filetest.Fault{Err: errDisk, Bytes: written}
	}
	b, err := onDisk(disk)
	for tries := 0; err != nil; tries++ {
		if !isStore(err) || tries > length {
			t.Fatalf("%v: open: %v", failed, err)
		}
		b, err = onDisk(disk)
	}
	for i, move := range play() {
		before := b.Head()
		head, err := move(b)
		for tries := 0; head == (Head{}); tries++ {
			if !isStore(err) || tries > length {
				t.Fatalf("%v: move %d: %v", failed, i, err)
			}
			if b.Head() != before {
				t.Fatalf("%v: move %d failed, and the head went from %v to %v", failed, i, before, b.Head())
			}
			head, err = move(b)
		}
	}
	disk.Fail = nil
	if got := picture(t, b); !reflect.DeepEqual(got, want) {
		t.Fatalf("%v:\ngot  %s\nwant %s", failed, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if _, err := audit.Verify(strings.NewReader(string(disk.Content("store/record.jsonl"))), ptr(audit.Head(b.Head()))); err != nil {
		t.Fatalf("%v: %v", failed, err)
	}
	for name, next := range map[string]*filetest.Disk{"killed": disk.AfterKill(), "crashed": disk.AfterCrash()} {
		again, err := onDisk(next)
		if err != nil {
			t.Fatalf("%v, %s: %v", failed, name, err)
		}
		if got := picture(t, again); !reflect.DeepEqual(got, want) {
			t.Fatalf("%v, %s:\ngot  %s\nwant %s", failed, name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

func isStore(err error) bool {
	var store *audit.StoreError

	return errors.As(err, &store)
}

func ptr[T any](v T) *T { return &v }

// TestDeathAtEveryStep lets the process die at every step with the disk, in the midst of writes too, and the computer with it:
// what was answered is there, what was not has happened as a whole or not at all, and all goes on.
func TestDeathAtEveryStep(t *testing.T) {
	want, steps := played(t)
	for _, at := range steps {
		for _, written := range parts(at, 0, 1, 300, 700, 1<<30) {
			die(t, at.N, written, false, want)
			die(t, at.N, written, true, want)
		}
	}
}

func die(t *testing.T, at, written int, crash bool, want []string) {
	t.Helper()
	disk := filetest.New()
	name := ""
	disk.Fail = func(s filetest.Step) filetest.Fault {
		if s.N != at {
			return filetest.Fault{}
		}
		name = fmt.Sprintf("%s %s (%d bytes, crash %v)", s.Op, s.Path, written, crash)
		return filetest.Fault{Err: filetest.ErrDead, Bytes: written}
	}
	moves := play()
	answered, last := 0, Head{}
	if b, err := onDisk(disk); err == nil {
		for _, move := range moves {
			head, _ := move(b)
			if head == (Head{}) {
				break
			}
			answered, last = answered+1, head
		}
	}
	next := disk.AfterKill()
	if crash {
		next = disk.AfterCrash()
	}
	b, err := onDisk(next)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	content := string(next.Content("store/record.jsonl"))
	var anchor *Head
	if last.Seq > 0 {
		anchor = &last
	}
	head, err := audit.Verify(strings.NewReader(content), (*audit.Head)(anchor))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	// What was under way may be there, as far as its lines were written; a machine that began without its step has begun.
	if head.Seq > last.Seq {
		if head.Seq > last.Seq+2 {
			t.Fatalf("%s: %d entries after the last that was answered", name, head.Seq-last.Seq)
		}
		if len(moves) > answered && isDone(t, b, answered) {
			answered++
		}
	}
	for _, move := range moves[answered:] {
		if head, err := move(b); head == (Head{}) {
			t.Fatalf("%s: %v", name, err)
		}
	}
	if got := picture(t, b); len(got) != len(want) || b.Head().Seq != entriesOfPlay {
		t.Fatalf("%s: %d entries\ngot  %s\nwant %s", name, b.Head().Seq, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// isDone reports whether the entry that a move ends with is the last of the record.
func isDone(t *testing.T, b *Board, move int) bool {
	t.Helper()
	ends := []uint64{2, 3, 4, 6, 7, 8, 9, 10, 11}

	return lastEntry(t, b).Seq == ends[move]
}

// TestReadOnlyFolder and a folder that cannot be made: the error says what and where.
func TestReadOnlyFolder(t *testing.T) {
	disk := filetest.New()
	disk.Fail = func(s filetest.Step) filetest.Fault {
		if s.Op == "open" || s.Op == "make" {
			return filetest.Fault{Err: errDisk}
		}
		return filetest.Fault{}
	}
	_, err := onDisk(disk)
	var store *audit.StoreError
	if !errors.As(err, &store) || store.Path != "store" || !errors.Is(err, errDisk) {
		t.Errorf("error %v", err)
	}
}

// TestRefusedStaysHidden: what could neither be written nor cut off is never seen by another process.
func TestRefusedStaysHidden(t *testing.T) {
	disk := filetest.New()
	one, err := onDisk(disk)
	if err != nil {
		t.Fatal(err)
	}
	two, err := onDisk(disk)
	if err != nil {
		t.Fatal(err)
	}
	disk.Fail = func(s filetest.Step) filetest.Fault {
		if s.Op == "sync" || s.Op == "truncate" {
			return filetest.Fault{Err: errDisk}
		}
		return filetest.Fault{}
	}
	if _, err := one.Transition(t.Context(), step("desk", "submit")); !isStore(err) {
		t.Fatalf("error %v", err)
	}
	if len(disk.Content("store/record.jsonl")) == 0 {
		t.Fatal("nothing was written: the test does not see what it should")
	}
	var locked *audit.LockError
	if s, err := two.State(t.Context(), "desk"); !errors.As(err, &locked) {
		t.Fatalf("the other process sees %+v, %v", s, err)
	}
	disk.Fail = nil
	if s := stateOf(t, one); s.Begun {
		// Bytes that are not true any more may not be read by this process either.
		t.Fatalf("it sees %+v itself", s)
	}
	mustStep(t, one, step("desk", "edit"))
	s, err := two.State(t.Context(), "desk")
	if err != nil || s.State != "draft" || s.Seq != 2 {
		t.Errorf("the other process sees %+v, %v", s, err)
	}
}

var _ drive.Machine = (*desk)(nil)
