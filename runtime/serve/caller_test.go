package serve_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/access"
	"github.com/agentc-dev/agentc/runtime/client"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/serve"
)

// A program starts, watches, answers and cancels runs without HTTP, and who started one is recorded.
func TestCaller(t *testing.T) {
	d := newDesk()
	s := serve.New(serve.Options{Program: d.program(), Engine: echoing})
	defer s.CloseNow()
	run, wait, err := s.Start(wire.Start{Agent: "pay", Input: "7"}, access.Named("ada"), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := wait(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	shown, err := s.Show(t.Context(), access.Caller{}, run)
	if err != nil || shown.Status != client.Paused || len(shown.Questions) != 1 || shown.By != "ada" {
		t.Fatalf("%+v, %v", shown, err)
	}
	if problem, err := s.Answer(t.Context(), access.Caller{}, run, wire.Reply{Question: "approve", Value: "yes"}, ""); problem != nil || err != nil {
		t.Fatal(problem, err)
	}
	if err := s.Wait(t.Context(), run, nil); err != nil {
		t.Fatal(err)
	}
	if shown, err = s.Show(t.Context(), access.Caller{}, run); err != nil || shown.Status != client.Done || shown.Result.Value != "paid" {
		t.Errorf("%+v, %v", shown, err)
	}

	for _, run := range []string{"none", "../none"} {
		if _, err := s.Show(t.Context(), access.Caller{}, run); !errors.Is(err, journal.ErrUnknownRun) {
			t.Errorf("%s: %v", run, err)
		}
	}
	if _, _, err := s.Start(wire.Start{Agent: "nobody"}, access.Caller{}, ""); !errors.As(err, new(*compiled.UnknownAgentError)) {
		t.Errorf("an unknown agent: %v", err)
	}
}

// Who waits sees what happens, and who stops waiting changes nothing.
func TestWait(t *testing.T) {
	d := newDesk()
	s := serve.New(serve.Options{Program: d.program(), Engine: echoing})
	defer s.CloseNow()
	run, _, err := s.Start(wire.Start{Agent: "slow", Input: "x"}, access.Caller{}, "")
	if err != nil {
		t.Fatal(err)
	}
	<-d.busy
	short, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	if err := s.Wait(short, run, nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it waits until %v", err)
	}
	var seen []string
	look := func(line []byte) {
		if seen = append(seen, string(line)); len(seen) == 1 { // only now it may end
			go func() {
				d.may <- struct{}{}
				<-d.busy
				d.may <- struct{}{}
			}()
		}
	}
	if err := s.Wait(t.Context(), run, look); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(seen, "\n"); !strings.Contains(all, `"event":"run"`) || !strings.Contains(all, `"event":"end"`) {
		t.Errorf("seen:\n%s", all)
	}

	if run, _, err = s.Start(wire.Start{Agent: "slow", Input: "y"}, access.Caller{}, ""); err != nil {
		t.Fatal(err)
	}
	<-d.busy
	for range 2 { // at the next safe point, and at once
		if err := s.Cancel(t.Context(), access.Named("ann"), run); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Wait(t.Context(), run, nil); err != nil {
		t.Fatal(err)
	}
	if shown, err := s.Show(t.Context(), access.Caller{}, run); err != nil || shown.Status != client.Cancelled {
		t.Errorf("%+v, %v", shown, err)
	}
}
