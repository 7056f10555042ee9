package board

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/internal/stores/audit"
	"github.com/agentc-dev/agentc/runtime/internal/stores/files/filetest"
)

// FuzzRequests: whatever is asked for is refused before it is an attempt, or is on a record that verifies and that another process
// reads the same.
func FuzzRequests(f *testing.F) {
	f.Add("desk/a b", "submit", "", "text", `{"a": 1}`, "rita", "rita", "key", ` [1, "x"] `, uint64(0))
	f.Add("desk", "", "review", "", "", "eve", "", "fsm:desk:state", "null", uint64(3))
	f.Add("front_desk/../\"#", "panic", "", "\x00", "\"\xff\"", "", "\u2028", "\x7f", "{", uint64(1))
	f.Add("desk", "edit", "", "empty", "", "timer", "", "a", `"\ud800"`, uint64(0))
	f.Fuzz(func(t *testing.T, id, fired, to, value, metadata, agent, identity, key, text string, number uint64) {
		disk := filetest.New()
		b, err := onDisk(disk)
		if err != nil {
			t.Fatal(err)
		}
		r := Request{ID: id, Identity: identity, Attempt: drive.Attempt{Key: fired, To: to, Value: value, Agent: agent, Seq: number}}
		if metadata != "" {
			r.Metadata = json.RawMessage(metadata)
		}
		for range 2 {
			before := b.Head()
			_, err := b.Transition(context.Background(), r)
			recorded(t, b, before, err)
		}
		before := b.Head()
		w := WriteRequest{Key: key, JSON: json.RawMessage(text), Agent: agent, Identity: identity}
		written, _, err := b.Write(context.Background(), w)
		recorded(t, b, before, err)
		if err == nil && string(written.JSON) != text {
			t.Fatalf("%q became %q", text, written.JSON)
		}

		head := b.Head()
		if _, err := audit.Verify(strings.NewReader(string(disk.Content("store/record.jsonl"))), ptr(audit.Head(head))); head.Seq > 0 && err != nil {
			t.Fatal(err)
		}
		again, err := onDisk(disk.AfterCrash())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := strings.Join(picture(t, again), "\n"), strings.Join(picture(t, b), "\n"); got != want || again.Head() != head {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	})
}

// recorded holds an answer against the record: what was no attempt is not there, and all else is.
func recorded(t *testing.T, b *Board, before Head, err error) {
	t.Helper()
	if code := runtime.ErrorType(err); code == "InvalidError" || code == "TooLargeError" {
		if b.Head() != before {
			t.Fatalf("%v is on the record", err)
		}
		return
	}
	e := lastEntry(t, b)
	if Head(e.Head()) != b.Head() || e.Seq == before.Seq || (e.Result == audit.Accepted) != (err == nil) {
		t.Fatalf("%v: the entry is %+v", err, e)
	}
}
