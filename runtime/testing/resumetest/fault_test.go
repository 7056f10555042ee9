package resumetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// jumping is a clock that goes to and fro by years.
type jumping struct{ asked atomic.Int64 }

func (c *jumping) Now() time.Time {
	n := c.asked.Add(1)

	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(int(n%7)*int(1-2*(n%2)), 0, 0)
}

func (c *jumping) Sleep(context.Context, time.Duration) {}

func TestClocksMayJump(t *testing.T) {
	c := caseOf(work)
	c.Options = func() engine.Options { return engine.Options{Model: options().Model, Clock: &jumping{}} }
	if counts, err := c.Check(t.Context()); err != nil || counts.Resumed < 30 {
		t.Errorf("%v, %+v", err, counts)
	}
}

func TestAModelThatFailsFortyTimes(t *testing.T) {
	calls := atomic.Int64{}
	c := caseOf(work)
	c.Options = func() engine.Options {
		failures := atomic.Int64{}
		fails := model.ProviderFunc(func(ctx context.Context, r model.Request) (model.Reply, error) {
			calls.Add(1)
			if r.Agent != "fails" && failures.Add(1) <= 40 {
				return model.Reply{}, &model.Error{Status: 503, Class: model.Server, Message: "later"}
			}

			return reply(ctx, r)
		})

		return engine.Options{Model: fails, Retry: model.Retry{Attempts: 50}, Clock: options().Clock}
	}
	one := c.Program.Agents[0].Run
	c.Program.Agents[0].Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
		if _, err := llm(fx, "worker", input); err != nil {
			return runtime.Finish{}, err
		}

		return one(fx, input)
	}
	c.Sample = func(records, _ int) bool { return records%4 == 1 }
	counts, err := c.Check(t.Context())
	if err != nil || calls.Load() < 40*2 {
		t.Errorf("%v, %+v, %d calls", err, counts, calls.Load())
	}
}

func TestAFunctionThatHangs(t *testing.T) {
	hung := atomic.Int64{}
	counts, err := caseOf(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		_, err := fx.Call(runtime.FuncCall{
			Name: "hangs", Timeout: 10 * time.Millisecond, Repeatable: true,
			Run: func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
				hung.Add(1)
				select {} // it does not look at its context
			},
		})
		if late := (*runtime.TimeoutError)(nil); !errors.As(err, &late) {
			return runtime.Finish{}, fmt.Errorf("it ended with %w", err)
		}
		text, err := llm(fx, "worker", input)

		return runtime.Finish{Key: "late", Value: text}, err
	}).Check(t.Context())
	if err != nil || counts.Resumed < 5 {
		t.Errorf("%v, %+v", err, counts)
	}
	if n := int(hung.Load()); n >= counts.Resumed {
		t.Errorf("it was called %d times in %d processes, though its end was known", n, counts.Resumed)
	}
}

func TestABranchThatFailsWhileOthersWrite(t *testing.T) {
	counts, err := caseOf(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		w := &town{sent: map[string]int{}}
		err := fx.Parallel(4, 0, func(i int, fx runtime.Effects) error {
			if i == 2 {
				_, err := llm(fx, "fails", input)

				return err
			}
			if err := w.send(fx, fmt.Sprint("a", i)); err != nil {
				return err
			}

			return w.send(fx, fmt.Sprint("b", i))
		})
		if failed := (*model.Error)(nil); !errors.As(err, &failed) {
			return runtime.Finish{}, fmt.Errorf("the group ended with %w", err)
		}
		text, err := llm(fx, "worker", "what else?")

		return runtime.Finish{Key: "fallback", Value: text}, err
	}).Check(t.Context())
	if err != nil || counts.Asked == 0 {
		t.Errorf("%v, %+v", err, counts)
	}
}

// keep runs the work in a folder and returns its store.
func keep(t *testing.T) (journal.Store, string, *compiled.Program) {
	t.Helper()
	dir := t.TempDir()
	store, p := journal.Files(dir), caseOf(work).Program
	if _, err := processOf(store).Run(t.Context(), p, "main", "the task"); err != nil {
		t.Fatal(err)
	}

	return store, filepath.Join(dir, "run.journal"), p
}

func processOf(store journal.Store) *core.Engine {
	return (&town{sent: map[string]int{}}).process(store)
}

func TestJournalsThatAreNotTheProgramsAreLeftAlone(t *testing.T) {
	store, path, p := keep(t)
	half, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	half = half[:len(half)*2/3]
	damaged := append([]byte(nil), half...)
	damaged[60] ^= 1 // in the first block, which others follow
	other := func(change func(*compiled.Program)) *compiled.Program {
		changed := *p
		change(&changed)

		return &changed
	}
	for name, c := range map[string]struct {
		content []byte
		program *compiled.Program
		want    string
	}{
		"a newer format":  {[]byte(strings.Replace(string(half), "journal 2", "journal 3", 1)), p, "FormatError"},
		"damage":          {damaged, p, "DamagedError"},
		"another program": {half, other(func(p *compiled.Program) { p.Name = "other" }), "WrongProgramError"},
		"another shape":   {half, other(func(p *compiled.Program) { p.Shape = "other" }), "ShapeError"},
	} {
		if err := os.WriteFile(path, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if _, err := processOf(store).Resume(t.Context(), c.program, "run", core.ResumeOptions{}); runtime.ErrorType(err) != c.want {
				t.Errorf("%s: %v", name, err)
			}
		}
		if name == "another program" || name == "another shape" {
			continue // its torn end was cut off, as any owner does
		}
		if after, err := os.ReadFile(path); err != nil || string(after) != string(c.content) {
			t.Errorf("%s: it was changed", name)
		}
	}

	if err := os.WriteFile(path, half, 0o600); err != nil {
		t.Fatal(err)
	}
	changed := other(func(p *compiled.Program) { p.Shape = "other" })
	fin, err := processOf(store).Resume(t.Context(), changed, "run", core.ResumeOptions{ForceShape: true})
	if err != nil || fin.Key != "done" {
		t.Errorf("by force: %v, %v", fin, err)
	}
}

func TestTwoProcessesDoNotResumeARun(t *testing.T) {
	store, path, _ := keep(t)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, content[:len(content)/3], 0o600); err != nil {
		t.Fatal(err)
	}
	began, finish := make(chan struct{}), make(chan struct{})
	slow := processOf(store)
	p := caseOf(func(fx runtime.Effects, input string) (runtime.Finish, error) {
		close(began)
		<-finish

		return work(fx, input)
	}).Program
	ended := make(chan error)
	go func() {
		_, err := slow.Resume(t.Context(), p, "run", core.ResumeOptions{})
		ended <- err
	}()
	<-began
	if _, err := processOf(store).Resume(t.Context(), p, "run", core.ResumeOptions{}); !errors.Is(err, journal.ErrRunLocked) {
		t.Errorf("a second process: %v", err)
	}
	close(finish)
	if err := <-ended; err != nil {
		t.Errorf("the first one: %v", err)
	}
}
