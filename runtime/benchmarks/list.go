package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/wire"
	"github.com/agentc-dev/agentc/runtime/journal"
	serving "github.com/agentc-dev/agentc/runtime/serve"
)

// againAsShort is how many times as long a list may take of journals that are a hundred times as long and have not changed.
const againAsShort = 1.5

// measureList measures GET /runs over long journals beside short ones: the first time, and once they are known.
func (b *journalBench) measureList() error {
	b.progress.say("journal, list")
	runs, long, rounds := 200, 1<<20, 5
	if b.small {
		runs, long, rounds = 2, 1<<14, 1
	}
	short := long / 100
	var contestants []contest.Contestant
	for name, size := range map[string]int{"long": long, "short": short} {
		store, err := b.ended(name, runs, size)
		if err != nil {
			return err
		}
		known := b.served(store)
		contestants = append(contestants,
			contest.Repeat(name, 1, runs, func() error { return b.list(b.served(store), runs) }),
			contest.Repeat(name+", again", 1, runs, func() error { return b.list(known, runs) }))
	}
	scores, err := contest.Hold(rounds, contestants...)
	of := fmt.Sprintf("journal, a list of %s runs of %s / of %s", count(runs), bytesOf(long), bytesOf(short))
	b.compare(of+", the first time", scores, "long", "short", goal{})
	b.compare(of+", again", scores, "long, again", "short, again", goal{atMost, againAsShort})

	return err
}

func bytesOf(n int) string { return count((n+1<<9)>>10) + " KiB" }

// ended is a folder with so many runs that are done, whose journals have about so many bytes.
func (b *journalBench) ended(name string, runs, size int) (journal.Store, error) {
	each, err := b.effectBytes()
	if err != nil {
		return nil, err
	}
	store := journal.Files(filepath.Join(b.folder, name))
	for i := range runs {
		w, err := journal.Create(b.ctx, store, fmt.Sprintf("%s-%d", name, i), journal.Record{Time: time.Now()})
		if err != nil {
			return nil, err
		}
		for n := range max(size/each, 1) {
			appendEffect(w, n)
		}
		w.Append(journal.Record{Type: journal.End, Time: time.Now(), Name: "done"})
		if err := w.Close(); err != nil {
			return nil, err
		}
	}

	return store, nil
}

// served serves the runs of a store.
func (b *journalBench) served(store journal.Store) http.Handler {
	return serving.New(serving.Options{Program: &compiled.Program{Name: "list"}, Store: store}).Handler()
}

// list asks for the list, which has so many runs.
func (b *journalBench) list(h http.Handler, runs int) error {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(b.ctx, http.MethodGet, "http://localhost/runs?status=done&limit=1000", nil))
	var listed wire.Runs
	err := json.Unmarshal(w.Body.Bytes(), &listed)
	if err == nil && len(listed.Runs) != runs {
		err = fmt.Errorf("the list has %d runs, want %d", len(listed.Runs), runs)
	}

	return err
}
