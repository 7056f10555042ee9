package journal_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// slowStore is a store whose disk takes its time and can fail. It counts.
type slowStore struct {
	journal.Store
	takes time.Duration

	mu      sync.Mutex
	syncs   int
	appends int
	inSync  bool
	overlap bool
	fails   error
}

func (s *slowStore) Create(ctx context.Context, run string) (journal.File, error) {
	file, err := s.Store.Create(ctx, run)

	return &slowFile{file, s}, err
}

type slowFile struct {
	journal.File
	s *slowStore
}

func (f *slowFile) Append(p []byte) error {
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.s.appends++
	f.s.overlap = f.s.overlap || f.s.inSync

	return f.File.Append(p)
}

func (f *slowFile) Sync() error {
	f.s.mu.Lock()
	f.s.syncs++
	f.s.overlap = f.s.overlap || f.s.inSync
	f.s.inSync = true
	f.s.mu.Unlock()
	time.Sleep(f.s.takes)
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	f.s.inSync = false

	return errors.Join(f.File.Sync(), f.s.fails)
}

// slow begins a run on a slow disk.
func slow(t *testing.T) (*slowStore, *journal.Writer) {
	t.Helper()
	s := &slowStore{Store: journal.Memory(), takes: time.Second}
	w, err := journal.Create(t.Context(), s, "r1", journal.Record{})
	if err != nil {
		t.Fatal(err)
	}
	s.syncs, s.appends = 0, 0

	return s, w
}

func event(name string) journal.Record {
	return journal.Record{Type: journal.Event, Time: noon, Name: name}
}

func names(t *testing.T, store journal.Store) []string {
	t.Helper()
	j, err := journal.Read(t.Context(), store, "r1")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range j.Records[1:] {
		all = append(all, r.Name)
	}

	return all
}

func TestGoroutinesShareAFlush(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := slow(t)
		began := time.Now()
		var all sync.WaitGroup
		for i := range 16 {
			all.Go(func() {
				for k := range 5 {
					w.Append(event(fmt.Sprint(i, ".", k)))
					if err := w.Sync(); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		// Those who come while one flush is under way are the next one's: at worst two parties take turns.
		if s.syncs > 10 || s.appends != s.syncs || s.overlap || time.Since(began) > 10*time.Second {
			t.Errorf("%d flushes, overlapping %v, %v", s.syncs, s.overlap, time.Since(began))
		}
		if err := w.Close(); err != nil || len(names(t, s)) != 80 {
			t.Errorf("%v, %v", err, names(t, s))
		}
	})
}

func TestFlushDoesNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := slow(t)
		began := time.Now()
		for _, name := range []string{"1", "2", "3", "4"} {
			w.Append(event(name))
			w.Flush()
			synctest.Wait()
		}
		w.Append(event("5")) // nobody asks for this one
		if time.Since(began) != 0 {
			t.Error("it waited")
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if got := names(t, s); !reflect.DeepEqual(got, []string{"1", "2", "3", "4", "5"}) || s.syncs != 2 || s.overlap {
			t.Errorf("%v, %d flushes, overlapping %v", got, s.syncs, s.overlap)
		}
		w.Flush()
		w.Append(event("6"))
		time.Sleep(3 * time.Second)
		if got := names(t, s); len(got) != 5 || s.syncs != 2 {
			t.Errorf("what nobody flushed was: %v, %d flushes", got, s.syncs)
		}
		if err := w.Close(); err != nil || s.syncs != 3 {
			t.Errorf("%v, %d flushes", err, s.syncs)
		}
	})
}

func TestWaitIsForARecord(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, w := slow(t)
		defer w.Close()
		first := w.Append(event("1"))
		w.Flush()
		synctest.Wait()
		second := w.Append(event("2"))
		began := time.Now()
		for _, step := range []struct {
			mark uint64
			at   time.Duration
		}{{first, time.Second}, {second, 2 * time.Second}, {first, 2 * time.Second}, {second + 5, 2 * time.Second}} {
			if err := w.Wait(step.mark); err != nil || time.Since(began) != step.at {
				t.Errorf("%d: %v after %v", step.mark, err, time.Since(began))
			}
		}
	})
}

func TestTheFirstErrorStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := slow(t)
		w.Append(event("1"))
		if err := w.Sync(); err != nil {
			t.Fatal(err)
		}
		s.fails = errors.New("no space left")
		w.Append(event("2"))
		w.Flush()
		time.Sleep(5 * time.Second)
		var first *journal.StoreError
		if err := w.Err(); !errors.As(err, &first) || !errors.Is(err, s.fails) || first.Op != "sync" || first.Path != "r1" {
			t.Errorf("%v", err)
		}
		s.fails = nil
		w.Append(event("3"))
		w.Flush()
		for what, err := range map[string]error{"sync": w.Sync(), "wait": w.Wait(1), "close": w.Close()} {
			if !errors.Is(err, first) {
				t.Errorf("%s: %v", what, err)
			}
		}
		if got := names(t, s); !reflect.DeepEqual(got, []string{"1"}) {
			t.Errorf("it has %v", got)
		}
		if _, w, err := journal.Open(t.Context(), s, "r1"); err != nil || w.Close() != nil {
			t.Errorf("it was not given back: %v", err)
		}
	})
}

func TestAllWhoWaitHearOfTheError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w := slow(t)
		s.fails = errors.New("no space left")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				w.Append(event("1"))
				if err := w.Sync(); !errors.Is(err, s.fails) {
					t.Errorf("%v", err)
				}
			})
		}
		all.Wait()
		_ = w.Close()
	})
}

func TestAClosedWriterRefuses(t *testing.T) {
	_, w := begun(t)
	w.Append(event("1"))
	if err := errors.Join(w.Close(), w.Close()); err != nil {
		t.Fatal(err)
	}
	w.Append(event("2"))
	w.Flush()
	if err := w.Sync(); err == nil || !errors.As(err, new(*journal.StoreError)) {
		t.Errorf("%v", err)
	}
}

// begun begins a run in memory.
func begun(t *testing.T) (journal.Store, *journal.Writer) {
	t.Helper()
	store := journal.Memory()
	w, err := journal.Create(t.Context(), store, "r1", journal.Record{})
	if err != nil {
		t.Fatal(err)
	}

	return store, w
}

func TestARecordWithoutATypeIsRefused(t *testing.T) {
	store, w := begun(t)
	w.Append(journal.Record{Name: "nothing"})
	if err := w.Close(); err == nil {
		t.Error("it was taken")
	}
	if got := names(t, store); got != nil {
		t.Errorf("it has %v", got)
	}
}

func TestMessagesReachTheOwner(t *testing.T) {
	store, w := begun(t)
	if err := store.Post(t.Context(), "r1", []byte("stop")); err != nil {
		t.Fatal(err)
	}
	for _, want := range [][][]byte{{[]byte("stop")}, nil} {
		if got, err := w.Messages(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q, %v", got, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
