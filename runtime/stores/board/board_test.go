package board

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
)

// opened opens a board in a folder, or in memory, and closes it with the test.
func opened(t *testing.T, dir string, clock func() time.Time) *Board {
	t.Helper()
	b, err := Open(t.Context(), Options{Dir: dir, Program: deskProgram(), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })

	return b
}

// step is an attempt by rita, or by somebody else for whom she is not taken.
func step(id, key string) Request {
	return Request{ID: id, Attempt: drive.Attempt{Key: key, Agent: "rita"}, Identity: "rita"}
}

func mustStep(t *testing.T, b *Board, r Request) Result {
	t.Helper()
	result, err := b.Transition(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}

	return result
}

func TestSteps(t *testing.T) {
	for _, dir := range []string{"", "store"} {
		t.Run("in "+dir, func(t *testing.T) {
			if dir != "" {
				dir = t.TempDir() + "/" + dir
			}
			clock := newHandClock()
			b := opened(t, dir, clock.Now)
			r := step("front_desk/A & B", "submit")
			r.Attempt.Value, r.Metadata = "line\nbreak", json.RawMessage("{\n \"a\": \"<&>\"}")
			first := mustStep(t, b, r)
			if first.ID != "front-desk/A & B" || first.Step.To != "review" || first.Head.Seq != 2 || !first.BlackboardWritten {
				t.Errorf("first = %+v", first)
			}
			clock.pass(time.Second)
			second := mustStep(t, b, step("front-desk/A & B", "approve"))
			if second.Step.Seq != 3 || second.Head.Seq != 3 {
				t.Errorf("second = %+v", second)
			}
			if dir != "" {
				if err := b.Close(); err != nil {
					t.Fatal(err)
				}
				b = opened(t, dir, clock.Now)
			}

			s, err := b.State(t.Context(), "front_desk/A & B")
			want := MachineState{
				ID: "front-desk/A & B", Machine: "front-desk", State: "done", Seq: 3, Valid: []string{"close"}, Begun: true, Since: clock.Now(),
			}
			if err != nil || !reflect.DeepEqual(s, want) {
				t.Errorf("state = %+v, %v, want %+v", s, err, want)
			}
			history, err := b.History(t.Context(), "front_desk/A & B")
			if err != nil || len(history) != 2 || string(history[0].Metadata) != "{\n \"a\": \"<&>\"}" || history[0].Value != "line\nbreak" ||
				history[1].From != "review" || history[1].Identity != "rita" {
				t.Errorf("history = %+v, %v", history, err)
			}
			if b.Head() != second.Head {
				t.Errorf("head = %v, want %v", b.Head(), second.Head)
			}
		})
	}
}

// TestRefused: each refusal is an entry with its result, and the machine is where it was.
func TestRefused(t *testing.T) {
	stale := step("desk", "submit")
	stale.Attempt.Seq = 9
	pretender := step("desk", "submit")
	pretender.Identity = "eve"
	nobody := step("desk", "approve")
	nobody.Identity = ""
	guarded := step("desk", "submit")
	guarded.Attempt.Value = "empty"
	state := step("desk", "")
	state.Attempt.To = "done"
	tests := []struct {
		name    string
		request Request
		target  any
		result  audit.Result
	}{
		{"no such key", step("desk", "approve!"), new(*runtime.InvalidTransitionError), audit.Rejected},
		{"no way to a state", state, new(*runtime.InvalidTransitionError), audit.Rejected},
		{"access", nobody, new(*drive.AccessError), audit.Denied},
		{"a pretender", pretender, "IdentityError", audit.Denied},
		{"stale", stale, new(*drive.StaleError), audit.Stale},
		{"a guard that says no", guarded, new(*runtime.GuardRejectedError), audit.Rejected},
		{"a guard that breaks", step("desk", "break"), new(*runtime.GuardError), audit.Failed},
		{"a guard that panics", step("desk", "panic"), new(*runtime.PanicError), audit.Failed},
		{"no such machine", step("disk", "submit"), "UnknownMachineError", audit.Rejected},
	}
	for _, test := range tests {
		for _, begun := range []bool{false, true} {
			b := opened(t, "", newHandClock().Now)
			if begun {
				mustStep(t, b, step("desk", "edit"))
			}
			before, entries := stateOf(t, b), b.Head().Seq
			result, err := b.Transition(t.Context(), test.request)
			code, isOwn := test.target.(string)
			if isOwn && runtime.ErrorType(err) != code || !isOwn && !errors.As(err, test.target) {
				t.Errorf("%s: error %v, want %T %[3]v", test.name, err, test.target)
			}
			if result.Head.Seq != entries+1 || result.Head != b.Head() || result.BlackboardWritten || result.Step.Key != "" {
				t.Errorf("%s: result %+v after %d entries", test.name, result, entries)
			}
			if after := stateOf(t, b); !reflect.DeepEqual(after, before) {
				t.Errorf("%s: the machine went from %+v to %+v", test.name, before, after)
			}
			if e := lastEntry(t, b); e.Result != test.result || e.Error == "" || e.Agent != "rita" || e.Identity != test.request.Identity {
				t.Errorf("%s: the entry is %+v, want result %s", test.name, e, test.result)
			}
			mustStep(t, b, step("desk", "submit"))
		}
	}
}

func stateOf(t *testing.T, b *Board) MachineState {
	t.Helper()
	s, err := b.State(context.Background(), "desk")
	if err != nil {
		t.Fatal(err)
	}

	return s
}

// lastEntry is the end of the record of a board.
func lastEntry(t *testing.T, b *Board) (last audit.Entry) {
	t.Helper()
	for _, e := range entriesOf(t, b) {
		last = e
	}

	return last
}

func TestBadRequests(t *testing.T) {
	b := opened(t, "", newHandClock().Now)
	long := strings.Repeat("x", maxValue)
	for name, change := range map[string]func(*Request){
		"no id":             func(r *Request) { r.ID = "" },
		"no instance":       func(r *Request) { r.ID = "desk/" },
		"no machine":        func(r *Request) { r.ID = "/a" },
		"a line break":      func(r *Request) { r.ID = "desk/a\nb" },
		"a separator":       func(r *Request) { r.ID = "desk/a\u2028b" },
		"bytes":             func(r *Request) { r.ID = "desk/\xff" },
		"a long instance":   func(r *Request) { r.ID = "desk/" + long[:maxInstance+1] },
		"a long machine":    func(r *Request) { r.ID = long },
		"metadata":          func(r *Request) { r.Metadata = json.RawMessage(`{"a":`) },
		"no metadata":       func(r *Request) { r.Metadata = json.RawMessage{} },
		"metadata of bytes": func(r *Request) { r.Metadata = json.RawMessage("\"\xff\"") },
		"large metadata":    func(r *Request) { r.Metadata = json.RawMessage(`"` + long + `"`) },
		"a large value":     func(r *Request) { r.Attempt.Value = long + "x" },
		"a long key":        func(r *Request) { r.Attempt.Key = long },
		"a key of lines":    func(r *Request) { r.Attempt.Key = "a\rb" },
		"a long agent":      func(r *Request) { r.Attempt.Agent = long },
	} {
		r := step("desk", "submit")
		change(&r)
		result, err := b.Transition(t.Context(), r)
		if code := runtime.ErrorType(err); code != "InvalidError" && code != "TooLargeError" || result.Head.Seq != 0 {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
	}
	if b.Head().Seq != 0 {
		t.Errorf("there are %d entries", b.Head().Seq)
	}
	for _, id := range []string{"../../etc", "a b", "a#b", `say "hi"`, "👩‍👩‍👧", "A:state", "ü", "a/b/../c", strings.Repeat("y", maxInstance)} {
		mustStep(t, b, step("desk/"+id, "submit"))
		for _, suffix := range []string{":state", ":history"} {
			if v, ok, err := b.Read(t.Context(), "fsm:desk/"+id+suffix); err != nil || !ok || !strings.Contains(string(v.JSON), `"review"`) {
				t.Errorf("%q%s: %s, %v, %v", id, suffix, v.JSON, ok, err)
			}
		}
	}
}
