package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	serving "github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// againAsShort is how many times as long a list may take of journals that are a hundred times as long and have not changed.
const againAsShort = 1.5

// measureList measures GET /runs over long journals beside short ones: the first time, and once they are known.
func (b *journalBench) measureList() {
	b.progress.say("journal, list")
	runs, long, rounds := b.size(200, 2), b.size(1<<20, 1<<14), b.size(5, 1)
	short := long / 100
	var contestants []contest.Contestant
	for name, size := range map[string]int{"long": long, "short": short} {
		store := b.ended(name, runs, size)
		known := b.served(store)
		contestants = append(contestants,
			contest.Repeat(name, 1, runs, func() error { return b.list(b.served(store), runs) }),
			contest.Repeat(name+", again", 1, runs, func() error { return b.list(known, runs) }))
	}
	scores := must(contest.Hold(rounds, contestants...))
	of := fmt.Sprintf("journal, a list of %s runs of %s / of %s", count(runs), bytesOf(long), bytesOf(short))
	b.compare(of+", the first time", scores, "long", "short", goal{})
	b.compare(of+", again", scores, "long, again", "short, again", goal{atMost, againAsShort})
}

func bytesOf(n int) string { return count((n+1<<9)>>10) + " KiB" }

// ended is a folder with so many runs that are done, whose journals have about so many bytes.
func (b *journalBench) ended(name string, runs, size int) journal.Store {
	each := b.effectBytes()
	store := journal.Files(filepath.Join(b.disk, name))
	for i := range runs {
		w := must(journal.Create(b.ctx, store, fmt.Sprintf("%s-%d", name, i), journal.Record{Time: time.Now()}))
		for n := range max(size/each, 1) {
			appendEffect(w, n)
		}
		w.Append(journal.Record{Type: journal.End, Time: time.Now(), Name: "done"})
		check(w.Close())
	}

	return store
}

// served serves the runs of a store.
func (b *journalBench) served(store journal.Store) http.Handler {
	return serving.New(serving.Options{Program: &compiled.Program{Name: "list"}, Store: store}).Handler()
}

// list asks for the list, which has so many runs.
func (b *journalBench) list(h http.Handler, runs int) error {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(b.ctx, http.MethodGet, "http://localhost/runs?status=done&limit=1000", nil))
	var listed client.Runs
	err := json.Unmarshal(w.Body.Bytes(), &listed)
	if err == nil && len(listed.Runs) != runs {
		err = fmt.Errorf("the list has %d runs, want %d", len(listed.Runs), runs)
	}

	return err
}
