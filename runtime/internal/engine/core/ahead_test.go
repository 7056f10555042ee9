package core_test

import (
	"context"
	"encoding/json"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// gatedStore is a store whose disk waits until open is closed, if that is not nil. It counts the
// questions for messages.
type gatedStore struct {
	journal.Store
	open chan struct{}

	mu    sync.Mutex
	asked int
}

func (s *gatedStore) Create(ctx context.Context, run string) (journal.File, error) {
	file, err := s.Store.Create(ctx, run)

	return &gatedFile{file, s, 0}, err
}

type gatedFile struct {
	journal.File
	store *gatedStore
	syncs int
}

// Sync waits with all blocks but the first, which begins the journal.
func (f *gatedFile) Sync() error {
	f.syncs++
	if f.syncs > 1 && f.store.open != nil {
		<-f.store.open
	}

	return f.File.Sync()
}

func (f *gatedFile) Messages() ([][]byte, error) {
	f.store.mu.Lock()
	defer f.store.mu.Unlock()
	f.store.asked++

	return f.File.Messages()
}

// lookups calls a tool that only reads, n times; visit is called with each call's number.
func lookups(n int, visit func(call int)) func(fx runtime.Effects, _ string) (runtime.Finish, error) {
	return func(fx runtime.Effects, _ string) (runtime.Finish, error) {
		for i := range n {
			call := runtime.ToolCall{
				Agent: "desk", Tool: &runtime.ToolSpec{Name: "look", Effect: runtime.EffectRead}, Args: json.RawMessage(`{}`),
				Run: func(context.Context, json.RawMessage) (runtime.ToolResult, error) {
					visit(i + 1)

					return runtime.ToolResult{Text: "seen"}, nil
				},
			}
			if _, err := fx.Tool(call); err != nil {
				return runtime.Finish{}, err
			}
		}

		return said("done")
	}
}

func TestRepeatableEffectsRunAheadOfTheDisk(t *testing.T) {
	for _, c := range []struct{ setting, want int }{{0, 15}, {1, 0}, {4, 3}, {100, 40}} {
		synctest.Test(t, func(t *testing.T) {
			store := &gatedStore{Store: journal.Memory(), open: make(chan struct{})}
			calls := 0
			p := desk(lookups(40, func(call int) { calls = call }))
			engine := with(newWorld(), store, func(config *core.Config) { config.AheadEffects = c.setting })
			ended := make(chan error, 1)
			go func() {
				_, err := engine.Run(t.Context(), p, "", "")
				ended <- err
			}()
			synctest.Wait()
			if calls != c.want {
				t.Errorf("setting %d: %d effects without a disk, want %d", c.setting, calls, c.want)
			}
			close(store.open)
			if err := <-ended; err != nil || calls != 40 {
				t.Errorf("setting %d: %v after %d effects", c.setting, err, calls)
			}
		})
	}
}

// A tool that takes a moment is not repeated from far ahead on a disk that hangs.
func TestRepeatableEffectsWaitForOldIntents(t *testing.T) {
	const take = 10 * time.Millisecond
	for _, c := range []struct {
		setting time.Duration
		want    int
	}{{0, 5}, {20 * time.Millisecond, 2}, {time.Nanosecond, 1}, {time.Hour, 15}} {
		synctest.Test(t, func(t *testing.T) {
			store := &gatedStore{Store: journal.Memory(), open: make(chan struct{})}
			var calls atomic.Int64
			p := desk(lookups(40, func(call int) {
				time.Sleep(take)
				calls.Store(int64(call))
			}))
			engine := with(newWorld(), store, func(config *core.Config) { config.AheadTime = c.setting })
			ended := make(chan error, 1)
			go func() {
				_, err := engine.Run(t.Context(), p, "", "")
				ended <- err
			}()
			time.Sleep(time.Minute)
			if got := int(calls.Load()); got != c.want {
				t.Errorf("setting %s: %d effects without a disk, want %d", c.setting, got, c.want)
			}
			close(store.open)
			if err := <-ended; err != nil || calls.Load() != 40 {
				t.Errorf("setting %s: %v after %d effects", c.setting, err, calls.Load())
			}
		})
	}
}

func TestEffectsSeldomAskForMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &gatedStore{Store: journal.Memory()}
		p := desk(lookups(40, func(int) { time.Sleep(10 * time.Millisecond) }))
		if _, err := with(newWorld(), store, nil).Run(t.Context(), p, "", ""); err != nil || store.asked != 8 {
			t.Errorf("asked %d times in 400 ms, %v", store.asked, err)
		}
	})
}

func TestEffectsReadMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &gatedStore{Store: journal.Memory()}
		var calls atomic.Int64 // the tool that was abandoned may still write it
		p := desk(lookups(40, func(call int) {
			time.Sleep(10 * time.Millisecond)
			calls.Store(int64(call))
			if call == 10 {
				if err := with(newWorld(), store, nil).Cancel(t.Context(), desk(nil), "r1", "ann"); err != nil {
					t.Error(err)
				}
			}
		}))
		_, err := with(newWorld(), store, nil).Run(t.Context(), p, "", "")
		time.Sleep(time.Second) // the tool that was abandoned ends
		if n := calls.Load(); !isCoded(err, "CancelledError", "") || n < 10 || n > 15 {
			t.Errorf("%v after %d effects", err, n)
		}
	})
}
