package journaltest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

func oneOwner(t T, s journal.Store) {
	file := create(t, s, "r", "x")
	for _, owner := range []string{"who made it", "who opened it"} {
		for range 2 { // a try that was refused must not take it from its owner; nor must a reader
			other, err := s.Open(t.Context(), "r")
			is(t, "Open beside "+owner, err, journal.ErrRunLocked)
			if err == nil {
				done(t, other)
			}
			is(t, "Remove beside "+owner, s.Remove(t.Context(), "r"), journal.ErrRunLocked)
			if got := read(t, s, "r"); got != "x" {
				t.Errorf("beside %s others read %q", owner, got)
			}
		}
		done(t, file)
		file = open(t, s, "r")
	}
	done(t, file)
}

func oneOfMany(t T, s journal.Store) {
	oneGets(t, "Create", journal.ErrRunExists, func() (journal.File, error) { return s.Create(t.Context(), "new") })
	created(t, s, "old", "x")
	oneGets(t, "Open", journal.ErrRunLocked, func() (journal.File, error) { return s.Open(t.Context(), "old") })
}

// oneGets lets many try at the same time to own a run, and wants that all but one are refused.
func oneGets(t T, what string, refuse error, try func() (journal.File, error)) {
	var all sync.WaitGroup
	files := make([]journal.File, 16)
	for i := range files {
		all.Go(func() {
			file, err := try()
			if err == nil {
				files[i] = file
			} else {
				is(t, what, err, refuse)
			}
		})
	}
	all.Wait()
	owners := 0
	for _, file := range files {
		if file != nil {
			owners++
			done(t, file)
		}
	}
	if owners != 1 {
		t.Errorf("%s: %d owners", what, owners)
	}
}

// said asks for what needs no look at a journal: whether it is owned, whether it has changed, and whether the store can be written to.
func said(t T, s journal.Store) {
	if err := s.Writable(t.Context()); err != nil {
		t.Errorf("Writable: %v", err)
	}
	listed(t, s)
	stamp := func() [2]int64 {
		t.Helper()
		size, changed, err := s.Stamp(t.Context(), "r")
		must(t, "Stamp", err)

		return [2]int64{size, changed}
	}
	owned := func(want bool) {
		t.Helper()
		if owned, err := s.Owned(t.Context(), "r"); owned != want || err != nil {
			t.Errorf("Owned: %v, %v, want %v", owned, err, want)
		}
	}
	file := create(t, s, "r", "one")
	owned(true)
	before := stamp()
	if again := stamp(); again != before {
		t.Errorf("Stamp: %v is %v, and nothing was written", before, again)
	}
	add(t, file, "two")
	if after := stamp(); after == before {
		t.Errorf("Stamp: %v, before and after a write", after)
	}
	done(t, file)
	owned(false)
	owned(false) // to ask takes nothing
	done(t, open(t, s, "r"))
}

// readers read while a writer appends: they find a prefix of what there is in the end, with all that was synced before.
func readers(t T, s journal.Store) {
	const pieces = 200
	piece := func(i int) string { return strings.Repeat(fmt.Sprintf("%04d.", i), 30) }
	var whole strings.Builder
	for i := range pieces {
		whole.WriteString(piece(i))
	}
	file := create(t, s, "r", "")
	var synced atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for size := int64(0); size < int64(whole.Len()); {
				size = synced.Load()
				got, err := contentOf(t.Context(), s, "r")
				if err != nil || int64(len(got)) < size || !strings.HasPrefix(whole.String(), got) {
					t.Errorf("a reader finds %d bytes, which are not the first of those that are written: %v", len(got), err)
					return
				}
			}
		})
	}
	for i := range pieces {
		add(t, file, piece(i))
		synced.Add(int64(len(piece(i))))
	}
	all.Wait()
	done(t, file)
}

func manyRuns(t T, s journal.Store) {
	var all sync.WaitGroup
	for i := range 24 {
		all.Go(func() {
			run, want := fmt.Sprint("run-", i), ""
			file, err := s.Create(t.Context(), run)
			if err != nil {
				t.Errorf("Create: %v", err)
				return
			}
			for k := range 20 {
				text := fmt.Sprint(i, ".", k, ",")
				want += text
				if err := errors.Join(file.Append([]byte(text)), file.Sync()); err != nil {
					t.Errorf("%s: %v", run, err)
				}
			}
			if got, err := file.ReadAll(); err != nil || string(got) != want {
				t.Errorf("%s: %v, it has %q, want %q", run, err, got, want)
			}
			if err := file.Close(); err != nil {
				t.Errorf("%s: %v", run, err)
			}
		})
	}
	all.Wait()
	if runs, err := s.List(t.Context(), journal.Query{}); err != nil || len(runs) != 24 {
		t.Errorf("List: %v, %v", runs, err)
	}
}
