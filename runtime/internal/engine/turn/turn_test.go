package turn_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/turn"
)

// TestTake: one has the turn at a time.
func TestTake(t *testing.T) {
	var (
		one   turn.Turn
		wait  sync.WaitGroup
		count int
	)
	for range 8 {
		wait.Go(func() {
			for range 1000 {
				back, err := one.Take(t.Context())
				if err != nil {
					t.Error(err)

					return
				}
				count++
				back()
			}
		})
	}
	wait.Wait()
	if count != 8000 {
		t.Errorf("%d of 8000 are counted", count)
	}
}

// TestTakeInVain: who waits gives up with the cause, and the turn is still somebody else's.
func TestTakeInVain(t *testing.T) {
	var one turn.Turn
	ctx, cancel := context.WithCancelCause(t.Context())
	back, err := one.Take(ctx)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	waits := make(chan error)
	go func() {
		_, err := one.Take(ctx)
		waits <- err
	}()
	cancel(enough)
	if err := <-waits; err != enough {
		t.Errorf("who waits gets %v", err)
	}
	back()
	again, err := one.Take(ctx)
	if err != nil {
		t.Fatalf("a turn that is free: %v", err)
	}
	again()
}
