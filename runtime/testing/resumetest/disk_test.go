package resumetest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// trouble is a disk that fails: at one step, from there on, or so that all is lost that was not synced.
type trouble struct {
	journal.Store
	at, steps int
	kind      string
	mu        sync.Mutex
	// durable is how much survives when the power fails.
	durable int
}

// The ways to fail.
const (
	once        = "once"
	fromThenOn  = "from then on"
	powerFails  = "the power fails"
	wholeWrites = "once, after all was written"
)

var kinds = []string{once, fromThenOn, powerFails, wholeWrites}

func (s *trouble) fails() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps++

	return s.steps == s.at || s.steps > s.at && s.at > 0 && (s.kind == fromThenOn || s.kind == powerFails)
}

// full is what the disk says.
func full(op string) error {
	return &journal.StoreError{Op: op, Path: "run.journal", Err: syscall.ENOSPC}
}

func (s *trouble) Create(ctx context.Context, run string) (journal.File, error) {
	if s.fails() {
		return nil, full("create")
	}
	file, err := s.Store.Create(ctx, run)

	return &troubled{File: file, s: s}, err
}

func (s *trouble) Open(ctx context.Context, run string) (journal.File, error) {
	if s.fails() {
		return nil, full("open")
	}
	file, err := s.Store.Open(ctx, run)

	return &troubled{File: file, s: s}, err
}

type troubled struct {
	journal.File
	s *trouble
}

func (f *troubled) Append(p []byte) error {
	if !f.s.fails() {
		return f.File.Append(p)
	}
	if f.s.kind != wholeWrites {
		p = p[:len(p)/2]
	}

	return errors.Join(f.File.Append(p), full("write"))
}

func (f *troubled) Truncate(size int64) error {
	if f.s.fails() {
		return full("truncate")
	}

	return f.File.Truncate(size)
}

func (f *troubled) Sync() error {
	if f.s.fails() {
		return full("sync")
	}
	content, err := f.File.ReadAll()
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.s.durable = len(content)

	return err
}

// next is the store as the next process finds it.
func (s *trouble) next(t *testing.T) journal.Store {
	t.Helper()
	content, err := contentOf(t.Context(), s.Store)
	if err != nil {
		return journal.Memory()
	}
	if s.kind == powerFails {
		content = content[:min(s.durable, len(content))]
	}
	store := journal.Memory()
	file, err := store.Create(t.Context(), "run")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Append(content), file.Close()); err != nil {
		t.Fatal(err)
	}

	return store
}

func contentOf(ctx context.Context, store journal.Store) ([]byte, error) {
	r, err := store.Read(ctx, "run")
	if err != nil {
		return nil, err
	}
	var content bytes.Buffer
	_, err = content.ReadFrom(r)

	return content.Bytes(), errors.Join(err, r.Close())
}

// town is what the functions of a program change, which outlives processes.
type town struct {
	mu   sync.Mutex
	sent map[string]int
}

// send is a function that must not be called twice.
func (w *town) send(fx runtime.Effects, name string) error {
	_, err := fx.Call(runtime.FuncCall{Name: name, Run: func(context.Context, json.RawMessage) (json.RawMessage, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.sent[name]++

		return json.RawMessage(`"sent"`), nil
	}})
	if err != nil && strings.Contains(err.Error(), "was not repeated") {
		return nil // it was sent
	}

	return err
}

// Ask implements core.Asker: the town knows what was sent.
func (w *town) Ask(_ context.Context, q runtime.Question) (runtime.Answer, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sent[strings.TrimPrefix(q.ID, unknown.Question(""))] > 0 {
		return runtime.Answer{Value: "skip"}, nil
	}

	return runtime.Answer{Value: "again"}, nil
}

// letters is a program that sends five letters, three of them from branches, one of which also fails.
func (w *town) letters(fx runtime.Effects, input string) (runtime.Finish, error) {
	text, err := llm(fx, "writer", input)
	if err != nil {
		return runtime.Finish{}, err
	}
	if err := w.send(fx, "first"); err != nil {
		return runtime.Finish{}, err
	}
	failures := 0
	err = fx.Parallel(4, 0, func(i int, fx runtime.Effects) error {
		if i == 1 {
			_, err := llm(fx, "fails", input)
			if failed := (*model.Error)(nil); errors.As(err, &failed) {
				failures++

				return nil
			}

			return err
		}
		if _, err := llm(fx, "writer", fmt.Sprint(input, i)); err != nil {
			return err
		}

		return w.send(fx, fmt.Sprint("branch", i))
	})
	if err != nil {
		return runtime.Finish{}, err
	}
	if err := w.send(fx, "last"); err != nil {
		return runtime.Finish{}, err
	}

	return runtime.Finish{Key: "done", Value: fmt.Sprint(text, ", ", failures, " failed")}, nil
}

// process is an engine of its own.
func (w *town) process(store journal.Store) *core.Engine {
	o := options()

	return core.New(core.Config{Model: o.Model, Clock: o.Clock, Store: store, Asker: w, RunID: func() string { return "run" }})
}

func TestDisksThatFail(t *testing.T) {
	p := caseOf((&town{sent: map[string]int{}}).letters).Program
	whole := &trouble{Store: journal.Memory()}
	want, err := (&town{sent: map[string]int{}}).process(whole).Run(t.Context(), p, "main", "the task")
	if err != nil {
		t.Fatal(err)
	}
	failed, runs := 0, 0
	for _, kind := range kinds {
		for at := 1; at <= whole.steps+4; at++ {
			what := fmt.Sprintf("step %d, %s", at, kind)
			w := &town{sent: map[string]int{}}
			p := caseOf(w.letters).Program
			disk := &trouble{Store: journal.Memory(), at: at, kind: kind}
			fin, err := w.process(disk).Run(t.Context(), p, "main", "the task")
			runs++
			switch {
			case err == nil && fin != want:
				t.Errorf("%s: it ends with %v", what, fin)
			case err != nil && (!errors.As(err, new(*journal.StoreError)) || !errors.Is(err, syscall.ENOSPC)):
				t.Errorf("%s: %v", what, err)
			case err != nil:
				failed++
			}
			store := disk.next(t)
			fin, err = w.process(store).Resume(t.Context(), p, "run", core.ResumeOptions{})
			if (errors.Is(err, journal.ErrUnknownRun) || errors.Is(err, journal.ErrNotBegun)) && len(w.sent) == 0 {
				continue
			}
			if err != nil || fin != want {
				t.Errorf("%s: resumed it ends with %v, %v", what, fin, err)
			}
			for letter, n := range w.sent {
				if n != 1 {
					t.Errorf("%s: letter %s was sent %d times", what, letter, n)
				}
			}
			if len(w.sent) != 5 {
				t.Errorf("%s: %d letters were sent", what, len(w.sent))
			}
		}
	}
	if failed < 20 {
		t.Errorf("only %d of %d runs failed", failed, runs)
	}
	fmt.Printf("soak: %s: %d runs, %d of them stopped by the disk and resumed\n", t.Name(), runs, failed)
}
