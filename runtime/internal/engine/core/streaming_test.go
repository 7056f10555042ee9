package core_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// talker is a model that says its input word by word, if somebody listens.
type talker struct {
	mu             sync.Mutex
	chats, streams int
	fails          int
	during         func(ctx context.Context, delta func(string))
}

func (p *talker) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chats++

	return model.Reply{Text: r.Input}, nil
}

func (p *talker) Stream(ctx context.Context, r model.Request, delta func(string)) (model.Reply, error) {
	p.mu.Lock()
	p.streams++
	fails := p.streams <= p.fails
	p.mu.Unlock()
	for _, word := range strings.SplitAfter(r.Input, " ") {
		delta(word)
		delta("")
	}
	if p.during != nil {
		p.during(ctx, delta)
	}
	if fails {
		return model.Reply{}, &model.Error{Class: model.Network, Message: "cut"}
	}

	return model.Reply{Text: r.Input}, nil
}

// TestStreaming: who watches is told what a model writes, in order, at its address and without
// numbers; a journal does not have it, a resume does not tell it again, and where nobody watches
// nothing is streamed.
func TestStreaming(t *testing.T) {
	llm, seen, store := &talker{fails: 1}, &watcher{}, journal.Memory()
	config := func(c *core.Config) {
		c.Model, c.Retry = llm, model.Retry{Attempts: 2, First: 1, Most: 1}
		if seen != nil {
			c.Observer = seen
		}
	}
	fin, err := with(newWorld(), store, config).Run(t.Context(), asks("one two", "three"), "", "")
	if err != nil || fin.Value != "one two, three" || llm.chats != 0 || llm.streams != 3 {
		t.Fatalf("%+v, %v, %d chats, %d streams", fin, err, llm.chats, llm.streams)
	}
	var told []string
	seq := 0
	for _, e := range seen.events {
		if e.Kind != event.Delta {
			if seq++; e.Seq != seq {
				t.Errorf("%s has the number %d, want %d", e.Kind, e.Seq, seq)
			}
			told = append(told, string(e.Kind))
			continue
		}
		if e.Seq != 0 || e.Agent != "desk" || e.Run != "r1" || e.Time.IsZero() {
			t.Errorf("%+v", e)
		}
		told = append(told, e.Address+":"+e.Text)
	}
	const want = "run|1:one |1:two|retry|1:one |1:two|model|2:three|model|end"
	if got := strings.Join(told, "|"); got != want {
		t.Errorf("told %s", got)
	}
	for _, r := range recordsOf(t, store) {
		if r.Name == string(event.Delta) {
			t.Errorf("recorded: %+v", r)
		}
	}

	records := recordsOf(t, store)
	seen.events = nil
	if _, err := with(newWorld(), cutAt(t, records, len(records)-2), config).Resume(t.Context(), asks("one two", "three"), "r1", core.ResumeOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := seen.kinds(); strings.Contains(got, "delta") || llm.streams != 3 {
		t.Errorf("after a resume: %s", got)
	}

	seen = nil
	if _, err := with(newWorld(), journal.Memory(), config).Run(t.Context(), asks("x"), "", ""); err != nil || llm.chats != 1 || llm.streams != 3 {
		t.Errorf("nobody watches: %v, %d chats, %d streams", err, llm.chats, llm.streams)
	}
}

// TestStreamingInBranches: pieces of several branches come one at a time, each with its address,
// and add up to what each has said.
func TestStreamingInBranches(t *testing.T) {
	seen := &watcher{}
	program := desk(func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		return runtime.Finish{Key: "done"}, fx.Parallel(8, 0, func(i int, fx runtime.Effects) error {
			_, err := fx.Model(model.Request{Agent: "desk", Input: fmt.Sprintf("branch %d speaks", i)})

			return err
		})
	})
	if _, err := with(newWorld(), journal.Memory(), func(c *core.Config) { c.Model, c.Observer = &talker{}, seen }).
		Run(t.Context(), program, "", ""); err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, e := range seen.events {
		if e.Kind == event.Delta {
			said[e.Address] += e.Text
		}
	}
	for i := range 8 {
		if got := said[fmt.Sprintf("1.%d.1", i)]; got != fmt.Sprintf("branch %d speaks", i) {
			t.Errorf("branch %d said %q", i, got)
		}
	}
}

// TestLatePiecesAreNobodys: what a provider tells after its call is over, be it that the run was
// cancelled or the time of the step was up, is not told, while the run goes on or has ended.
func TestLatePiecesAreNobodys(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	gone, late := make(chan struct{}), make(chan struct{})
	llm := &talker{during: func(ctx context.Context, delta func(string)) {
		<-ctx.Done()
		delta("after the end of its time")
		<-gone // the call is over for everybody else
		for range 100 {
			delta("late")
		}
		late <- struct{}{}
	}}
	seen := &watcher{}
	fx, err := with(newWorld(), nil, func(c *core.Config) { c.Model, c.Observer = llm, seen }).Effects(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	var over *runtime.TimeoutError
	if _, err := fx.Model(model.Request{Agent: "a", Input: "in time", Timeout: time.Millisecond}); !errors.As(err, &over) {
		t.Fatal(err)
	}
	time.AfterFunc(time.Millisecond, func() { cancel(cause) })
	if _, err := fx.Model(model.Request{Agent: "a", Input: "in time"}); err != cause {
		t.Fatal(err)
	}
	close(gone)
	for range 100 {
		fx.Note(event.Event{Kind: event.Repair}) // beside what is late
	}
	<-late
	<-late
	for _, e := range seen.events {
		if e.Kind == event.Delta && e.Text != "in " && e.Text != "time" {
			t.Errorf("told %q", e.Text)
		}
	}
}

// TestObserverThatPanicsOnAPiece: it is told nothing more, and the run goes on.
func TestObserverThatPanicsOnAPiece(t *testing.T) {
	bang := observerFunc(func(e event.Event) {
		if e.Kind == event.Delta {
			panic("bang")
		}
	})
	_, err := with(newWorld(), journal.Memory(), func(c *core.Config) { c.Model, c.Observer = &talker{}, bang }).Run(t.Context(), asks("x y"), "", "")
	var panicked *runtime.PanicError
	if !errors.As(err, &panicked) || panicked.Where != "the observer" {
		t.Errorf("%v", err)
	}
}

type observerFunc func(event.Event)

func (f observerFunc) Observe(e event.Event) { f(e) }

// TestProvidersKnowTheirEffect: the context of a provider says which effect asks, whether or not
// the run can be cancelled, and repetitions have the same key.
func TestProvidersKnowTheirEffect(t *testing.T) {
	for name, ctx := range map[string]context.Context{"cancellable": t.Context(), "not": context.Background()} {
		var mu sync.Mutex
		asked := map[string]int{}
		llm := func(ctx context.Context, r model.Request) (model.Reply, error) {
			call, ok := runtime.CallFromContext(ctx)
			mu.Lock()
			defer mu.Unlock()
			asked[call.IdempotencyKey()]++
			if !ok || asked[call.IdempotencyKey()] == 1 {
				return model.Reply{}, &model.Error{Class: model.Network}
			}

			return model.Reply{Text: "x"}, nil
		}
		fx, err := with(newWorld(), nil, func(c *core.Config) {
			c.Model, c.Retry = model.ProviderFunc(llm), model.Retry{Attempts: 2, First: 1, Most: 1}
		}).Effects(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(fx runtime.Effects) error {
			_, err := fx.Model(model.Request{Agent: "a"})

			return err
		}
		err = errors.Join(ask(fx), ask(fx), fx.Parallel(2, 0, func(_ int, fx runtime.Effects) error { return errors.Join(ask(fx), ask(fx)) }), ask(fx))
		if err != nil {
			t.Fatal(err)
		}
		for _, address := range []string{"1", "2", "3.0.1", "3.0.2", "3.1.1", "3.1.2", "4"} {
			if asked["r1/"+address] != 2 || len(asked) != 7 {
				t.Errorf("%s: %v", name, asked)
			}
		}
	}
}
