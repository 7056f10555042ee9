package serve_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/client/httpclient"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// bothClients tests a client in the process of the server, and one over HTTP, each with a server of its own.
func bothClients(t *testing.T, test func(t *testing.T, d *desk, c client.Client)) {
	t.Run("in process", func(t *testing.T) {
		d := newDesk()
		s := serve.New(serve.Options{Program: d.program(), Engine: priced()})
		defer s.CloseNow()
		test(t, d, s.Client(access.Caller{}))
	})
	t.Run("over HTTP", func(t *testing.T) {
		d := newDesk()
		s := serve.New(serve.Options{Program: d.program(), Engine: priced()})
		h := httptest.NewServer(s.Handler())
		defer h.Close()
		defer s.CloseNow()
		test(t, d, httpclient.New(httpclient.Options{URL: h.URL + "/"}))
	})
}

// watched are the kinds of the events of a run until no one works on it.
func watched(t *testing.T, c client.Client, in client.Watch) (kinds []event.Kind) {
	t.Helper()
	last := in.From - 1
	for e, err := range c.Watch(t.Context(), in) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Run != in.Run || e.Seq <= last {
			t.Errorf("after %d of %s comes %+v", last, in.Run, e)
		}
		last = e.Seq
		kinds = append(kinds, e.Kind)
	}

	return kinds
}

// A service starts a run, waits for it, answers its question, and sees what came of it.
func TestClients(t *testing.T) {
	bothClients(t, func(t *testing.T, d *desk, c client.Client) {
		ctx := t.Context()
		run, err := c.Start(ctx, client.Start{Agent: "pay", Input: "7", Run: "order-7"})
		if err != nil || run.ID != "order-7" || run.Agent != "pay" || run.Input != "7" {
			t.Fatalf("%+v, %v", run, err)
		}
		if kinds := watched(t, c, client.Watch{Run: run.ID}); kinds[0] != event.Run || !slices.Contains(kinds, event.Pause) {
			t.Errorf("it has the events %q", kinds)
		}
		if run, err = c.Get(ctx, run.ID); err != nil || run.Status != client.Paused || len(run.Questions) != 1 {
			t.Fatalf("%+v, %v", run, err)
		}
		list, err := c.List(ctx, client.List{Status: client.Paused, Agent: "pay", Since: run.Begun.Add(-time.Minute), Limit: 1})
		if err != nil || len(list.Runs) != 1 || list.Runs[0].Questions[0].ID != "approve" || list.Runs[0].Cost.USD != 0.000007 {
			t.Fatalf("%+v, %v", list, err)
		}

		q := run.Questions[0]
		run, err = c.Answer(ctx, client.Reply{Run: run.ID, Question: q.ID, Address: q.Address, Value: "yes", By: "ann"})
		if err != nil || run.Problem != nil {
			t.Fatalf("%+v, %v", run, err)
		}
		seen := watched(t, c, client.Watch{Run: run.ID, From: 2})
		if slices.Contains(seen, event.Run) || seen[len(seen)-1] != event.End {
			t.Errorf("from the second on it has the events %q", seen)
		}
		run, err = c.Get(ctx, run.ID)
		if err != nil || run.Status != client.Done || run.Result.Value != "paid" || run.Answers[0].By != "ann" || d.paid.Load() != 1 {
			t.Fatalf("%+v, %v", run, err)
		}
		if kinds := watched(t, c, client.Watch{Run: run.ID, From: run.Seq + 1}); kinds != nil {
			t.Errorf("after the last event come %q", kinds)
		}
	})
}

// What is refused has the same code for both, and what the refusal says of the choices.
func TestClientsAreRefused(t *testing.T) {
	bothClients(t, func(t *testing.T, d *desk, c client.Client) {
		ctx := t.Context()
		if _, err := c.Start(ctx, client.Start{Agent: "both", Run: "b"}); err != nil {
			t.Fatal(err)
		}
		watched(t, c, client.Watch{Run: "b"})
		get := func(run string) error { _, err := c.Get(ctx, run); return err }
		start := func(in client.Start) error { _, err := c.Start(ctx, in); return err }
		list := func(in client.List) error { _, err := c.List(ctx, in); return err }
		answer := func(in client.Reply) error { _, err := c.Answer(ctx, in); return err }
		cancel := func(run string) error { _, err := c.Cancel(ctx, run); return err }
		watch := func(run string) (last error) {
			for _, err := range c.Watch(ctx, client.Watch{Run: run}) {
				last = err
			}
			return last
		}
		for _, test := range []struct {
			code string
			err  error
		}{
			{"UnknownRunError", get("none")},
			{"UnknownRunError", get("../none")},
			{"UnknownRunError", cancel("none")},
			{"UnknownRunError", watch("none")},
			{"UnknownRunError", answer(client.Reply{Run: "none", Question: "approve", Value: "x"})},
			{"UnknownAgentError", start(client.Start{Agent: "nobody"})},
			{"RunExistsError", start(client.Start{Run: "b"})},
			{"RunNameError", start(client.Start{Run: "../b"})},
			{"ContextError", start(client.Start{Agent: "letter", Context: json.RawMessage(`{}`)})},
			{"QueryError", list(client.List{Status: "happy"})},
			{"QueryError", list(client.List{Limit: 5000})},
			{"UnknownQuestionError", answer(client.Reply{Run: "b", Question: "refuse", Value: "x"})},
		} {
			if code := runtime.ErrorType(test.err); code != test.code {
				t.Errorf("want %s, got %s: %v", test.code, code, test.err)
			}
		}
	})
}

// In the same process an error is the one of the package that found it.
func TestErrorsInProcess(t *testing.T) {
	s := serve.New(serve.Options{Program: newDesk().program(), Engine: echoing})
	defer s.CloseNow()
	c := s.Client(access.Named("ada"))
	if _, err := c.Get(t.Context(), "none"); !errors.Is(err, journal.ErrUnknownRun) {
		t.Error(err)
	}
	if _, err := c.Start(t.Context(), client.Start{Agent: "nobody"}); !errors.As(err, new(*compiled.UnknownAgentError)) {
		t.Error(err)
	}
	run, err := c.Start(t.Context(), client.Start{Agent: "pay", Input: "7"})
	if err != nil || run.By != "ada" {
		t.Fatalf("%+v, %v", run, err)
	}
	watched(t, c, client.Watch{Run: run.ID})
	_, err = c.Answer(t.Context(), client.Reply{Run: run.ID, Question: "approve", Value: "yes", By: "bob"})
	if runtime.ErrorType(err) != "IdentityError" {
		t.Errorf("ada answers for bob: %v", err)
	}
}

// What a caller may not do, a client of that caller cannot do in the same process either.
func TestClientOfAHolder(t *testing.T) {
	s := serve.New(serve.Options{Program: newDesk().program(), Engine: echoing})
	defer s.CloseNow()
	who, err := access.Holder(func(string) (access.Grant, bool) {
		return access.Grant{Name: "web", Rights: []access.Right{access.Start}}, true
	}, "secret")
	if err != nil {
		t.Fatal(err)
	}
	c := s.Client(who)
	run, err := c.Start(t.Context(), client.Start{Agent: "pay", Input: "7"})
	if err != nil {
		t.Fatal(err)
	}
	watched(t, c, client.Watch{Run: run.ID})
	if _, err := c.Answer(t.Context(), client.Reply{Run: run.ID, Question: "approve", Value: "yes"}); runtime.ErrorType(err) != "RightError" {
		t.Errorf("it approves its own payment: %v", err)
	}
	if _, err := c.Cancel(t.Context(), run.ID); runtime.ErrorType(err) != "RightError" {
		t.Errorf("it cancels: %v", err)
	}
	other, err := s.Client(access.Named("ann")).Start(t.Context(), client.Start{Agent: "pay", Input: "8"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Get(t.Context(), other.ID); runtime.ErrorType(err) != "UnknownRunError" {
		t.Errorf("it sees the run of another: %v", err)
	}
	for _, err := range c.Watch(t.Context(), client.Watch{Run: other.ID}) {
		if runtime.ErrorType(err) != "UnknownRunError" {
			t.Errorf("it watches the run of another: %v", err)
		}
	}
	if list, err := c.List(t.Context(), client.List{}); err != nil || len(list.Runs) != 1 {
		t.Errorf("it lists %+v, %v", list, err)
	}
}

// Who watches sees what happens while it does, and who stops watching changes nothing.
func TestWatch(t *testing.T) {
	bothClients(t, func(t *testing.T, d *desk, c client.Client) {
		run, err := c.Start(t.Context(), client.Start{Agent: "slow", Input: "x"})
		if err != nil {
			t.Fatal(err)
		}
		<-d.busy
		short, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
		defer stop()
		var last error
		for _, err := range c.Watch(short, client.Watch{Run: run.ID}) {
			last = err
		}
		if !errors.Is(last, context.DeadlineExceeded) {
			t.Errorf("it watches until %v", last)
		}
		for range c.Watch(t.Context(), client.Watch{Run: run.ID}) {
			break
		}
		var kinds []event.Kind
		for e, err := range c.Watch(t.Context(), client.Watch{Run: run.ID}) {
			if err != nil {
				t.Fatal(err)
			}
			if kinds = append(kinds, e.Kind); len(kinds) == 1 { // only now it may end
				go func() {
					d.may <- struct{}{}
					<-d.busy
					d.may <- struct{}{}
				}()
			}
		}
		if kinds[0] != event.Run || kinds[len(kinds)-1] != event.End {
			t.Errorf("seen: %q", kinds)
		}
	})
}

// A run ends at its next safe point and, at the second request, at once.
func TestClientsCancel(t *testing.T) {
	bothClients(t, func(t *testing.T, d *desk, c client.Client) {
		run, err := c.Start(t.Context(), client.Start{Agent: "slow", Input: "y"})
		if err != nil {
			t.Fatal(err)
		}
		<-d.busy
		for range 2 {
			if _, err := c.Cancel(t.Context(), run.ID); err != nil {
				t.Fatal(err)
			}
		}
		watched(t, c, client.Watch{Run: run.ID})
		if run, err = c.Get(t.Context(), run.ID); err != nil || run.Status != client.Cancelled || run.Ended.IsZero() {
			t.Errorf("%+v, %v", run, err)
		}
	})
}

// Who watches a run that does more than a server keeps in memory misses nothing.
func TestWatchMissesNothing(t *testing.T) {
	bothClients(t, func(t *testing.T, _ *desk, c client.Client) {
		run, err := c.Start(t.Context(), client.Start{Agent: "many", Input: strings.Repeat("x", 60)})
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for e, err := range c.Watch(t.Context(), client.Watch{Run: run.ID}) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Kind == event.Delta {
				continue
			}
			if count++; e.Seq != count {
				t.Fatalf("event %d is %+v", count, e)
			}
			if count%500 == 0 {
				time.Sleep(time.Millisecond) // a slow reader
			}
		}
		if run, err = c.Get(t.Context(), run.ID); err != nil || run.Seq != count || count < 3000 {
			t.Errorf("%d events of %d, %v", count, run.Seq, err)
		}
	})
}

// A run that is started is returned, although the caller has left meanwhile: who gets an error would start it again.
func TestStartOfACallerWhoLeaves(t *testing.T) {
	s := serve.New(serve.Options{Program: newDesk().program(), Engine: echoing})
	defer s.CloseNow()
	left, leave := context.WithCancel(t.Context())
	leave()
	if run, err := s.Client(access.Caller{}).Start(left, client.Start{Agent: "echo", Input: "x"}); err != nil || run.Agent != "echo" {
		t.Errorf("%+v, %v", run, err)
	}
}
