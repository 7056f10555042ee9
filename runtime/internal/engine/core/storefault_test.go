package core_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

var errFull = errors.New("the disk is full")

// filling is a store on a disk that takes so many bytes of a run and no more.
type filling struct {
	journal.Store
	left int
}

func (s *filling) Create(ctx context.Context, run string) (journal.File, error) {
	f, err := s.Store.Create(ctx, run)

	return &fillingFile{f, s}, err
}

type fillingFile struct {
	journal.File
	store *filling
}

func (f *fillingFile) Append(p []byte) error {
	if f.store.left -= len(p); f.store.left < 0 {
		if part := len(p) + f.store.left; part > 0 {
			return errors.Join(f.File.Append(p[:part]), errFull)
		}

		return errFull
	}

	return f.File.Append(p)
}

// asking asks the world what becomes of an outcome that nobody knows, and another about the rest.
type asking struct {
	w     *world
	other core.Asker
}

func (a asking) Ask(ctx context.Context, q runtime.Question) (runtime.Answer, error) {
	if strings.HasPrefix(q.ID, "unknown:") {
		return a.w.Ask(ctx, q)
	}

	return a.other.Ask(ctx, q)
}

// TestFullDisk: a run whose store fails ends with the store's error, does nothing that was not
// recorded before, and goes on when there is room again.
func TestFullDisk(t *testing.T) {
	whole := journal.Memory()
	want, err := with(newWorld(), whole, func(c *core.Config) { c.Asker = yesMan{} }).Run(t.Context(), errand(newWorld()), "", "")
	if err != nil {
		t.Fatal(err)
	}
	r, err := whole.Read(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil || r.Close() != nil {
		t.Fatal(err)
	}
	failed := 0
	for room := 0; room < len(content)+200; room += 7 {
		w := newWorld()
		store := &filling{journal.Memory(), room}
		p := errand(w)
		fin, err := with(w, store, func(c *core.Config) { c.Asker = yesMan{} }).Run(t.Context(), p, "", "")
		if err == nil {
			if fin != want {
				t.Errorf("%d: %v", room, fin)
			}

			continue
		}
		failed++
		var full *journal.StoreError
		if !errors.As(err, &full) || !errors.Is(err, errFull) {
			t.Fatalf("%d: %v", room, err)
		}
		paid := w.times("2")
		store.left = most
		engine := with(w, store, func(c *core.Config) { c.Asker = asking{w, yesMan{}} })
		fin, err = engine.Resume(t.Context(), p, "r1", core.ResumeOptions{})
		if errors.Is(err, journal.ErrNotBegun) && paid == 0 {
			continue
		}
		if err != nil || fin != want {
			t.Errorf("%d: %v %v", room, fin, err)
		}
		if w.times("2") != 1+w.asked["unknown:pay"] && paid > 0 {
			t.Errorf("%d: paid %d times, asked %v", room, w.times("2"), w.asked)
		}
	}
	if failed < 50 {
		t.Errorf("only %d runs failed", failed)
	}
}
