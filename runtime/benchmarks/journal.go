package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// The goals of journals.
const (
	journalAsPlain = 0.8 // of writing and syncing the same bytes
	branchesShare  = 4   // times what one branch does
)

// journalBench measures journals on a disk, where the workshop may be in memory.
type journalBench struct {
	*bench
	ctx    context.Context
	folder string
	failed error
	mu     sync.Mutex
}

// fail keeps the first error of those who work at the same time.
func (b *journalBench) fail(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.failed == nil {
		b.failed = err
	}
}

// measureJournals measures effects that are recorded beside plain writes of the same bytes.
func (b *bench) measureJournals(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "agentc-benchmarks-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	j := &journalBench{bench: b, ctx: ctx, folder: folder}
	for _, measure := range []func(*journalBench) error{
		(*journalBench).measureOneRun, (*journalBench).measureRuns, (*journalBench).measureBranches, (*journalBench).measureDecode,
		(*journalBench).measureReplay, (*journalBench).measureTurns, (*journalBench).measureList, (*journalBench).measureOff,
	} {
		if err := errors.Join(measure(j), j.failed); err != nil {
			return fmt.Errorf("journal: %w", err)
		}
	}

	return nil
}

// said is what models say, but for the number before it.
var said = strings.Repeat(" is what the model says", 40)

// effect appends what one effect adds to a journal, and waits for the disk.
func effect(w *journal.Writer, n int) error {
	appendEffect(w, n)

	return w.Sync()
}

// appendEffect appends a turn of a model with a text that nobody has said before.
func appendEffect(w *journal.Writer, n int) {
	now, address := time.Now().UTC(), strconv.Itoa(n)
	text := address + said
	w.Append(journal.Record{Type: journal.Intent, Time: now, Address: address, Name: "model", Fields: []journal.Field{
		{Name: "digest", Value: "0123456789abcdef"}, {Name: "text_digest", Value: "fedcba9876543210"},
		{Name: "what", Value: "researcher"},
	}})
	w.Append(journal.Record{Type: journal.Result, Time: now, Address: address, Name: "model", Fields: []journal.Field{
		{Name: "text", Value: text}, {Name: "tokens_in", Value: "1234"}, {Name: "tokens_out", Value: "56"},
		{Name: "stop", Value: "stop"},
	}})
}

// newRun begins a run in the folder.
func (b *journalBench) newRun(name string) (*journal.Writer, error) {
	return journal.Create(b.ctx, journal.Files(filepath.Join(b.folder, "runs")), name, journal.Record{Time: time.Now()})
}

// effectBytes is how many bytes an effect adds.
func (b *journalBench) effectBytes() (int, error) {
	const effects = 100
	store := journal.Memory()
	w, err := journal.Create(b.ctx, store, "size", journal.Record{})
	if err != nil {
		return 0, err
	}
	for n := range effects {
		if err := effect(w, n); err != nil {
			return 0, err
		}
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	content, err := contentOf(b.ctx, store, "size")

	return len(content) / effects, err
}

// journaled is a contestant whose goroutines each have a writer and do so many effects, one after the other.
func (b *journalBench) journaled(name string, writers []*journal.Writer, each int) contest.Contestant {
	return b.together(name, len(writers), each, func(i, n int) error { return effect(writers[i], n) })
}

// plain is a contestant whose goroutines each write and sync a file of their own.
func (b *journalBench) plain(name string, goroutines, each, size int) (contest.Contestant, error) {
	opened := make([]*os.File, goroutines)
	for i := range opened {
		var err error
		if opened[i], err = os.CreateTemp(b.folder, "plain-"); err != nil {
			return contest.Contestant{}, err
		}
	}
	padding := strings.Repeat("x", size)

	return b.together(name, goroutines, each, func(i, n int) error {
		text := strconv.Itoa(n) + said // the model says it, whoever records it
		if _, err := opened[i].WriteString(text + padding[len(text):]); err != nil {
			return err
		}

		return opened[i].Sync()
	}), nil
}

// together lets goroutines do so many steps each.
func (b *journalBench) together(name string, goroutines, each int, step func(goroutine, n int) error) contest.Contestant {
	turn := 0

	return contest.Contestant{Name: name, Steps: goroutines * each, Run: func() {
		var all sync.WaitGroup
		for i := range goroutines {
			from := (turn*goroutines + i) * each
			all.Go(func() {
				for n := range each {
					if err := step(i, from+n); err != nil {
						b.fail(err)
						return
					}
				}
			})
		}
		all.Wait()
		turn++
	}}
}

// beside measures effects of so many runs beside as many goroutines that write and sync.
func (b *journalBench) beside(what string, runs, each, rounds int) error {
	b.progress.say("journal, %s", what)
	size, err := b.effectBytes()
	if err != nil {
		return err
	}
	writers := make([]*journal.Writer, runs)
	for i := range writers {
		if writers[i], err = b.newRun(fmt.Sprintf("beside-%d-%d", runs, i)); err != nil {
			return err
		}
		defer writers[i].Close()
	}
	plain, err := b.plain("plain", runs, each, size)
	if err != nil {
		return err
	}
	scores := contest.Hold(rounds, []contest.Contestant{b.journaled("journal", writers, each), plain})
	b.rows = append(b.rows, row{
		what:     "journal, " + what + ": effects a second / write and fsync of the same bytes",
		measured: best(scores, "plain") / best(scores, "journal"), unit: "x", goal: goal{atLeast, journalAsPlain},
	})

	return nil
}

func (b *journalBench) measureOneRun() error {
	if b.small {
		return b.beside("one run", 1, 4, 1)
	}

	return b.beside("one run", 1, 200, 7)
}

func (b *journalBench) measureRuns() error {
	if b.small {
		return b.beside("100 runs", 100, 1, 1)
	}

	return b.beside("100 runs", 100, 20, 5)
}

// measureBranches measures sixteen goroutines of one run beside one.
func (b *journalBench) measureBranches() error {
	const branches = 16
	b.progress.say("journal, branches")
	each, rounds := 100, 7
	if b.small {
		each, rounds = 2, 1
	}
	alone, err := b.newRun("alone")
	if err != nil {
		return err
	}
	defer alone.Close()
	shared, err := b.newRun("shared")
	if err != nil {
		return err
	}
	defer shared.Close()
	sharers := make([]*journal.Writer, branches)
	for i := range sharers {
		sharers[i] = shared
	}
	scores := contest.Hold(rounds, []contest.Contestant{
		b.journaled("one", []*journal.Writer{alone}, each), b.journaled("all", sharers, each),
	})
	b.rows = append(b.rows, row{
		what:     "journal, 16 branches of one run: effects a second / one branch",
		measured: best(scores, "one") / best(scores, "all"), unit: "x", goal: goal{atLeast, branchesShare},
	})

	return nil
}

// measureDecode measures how fast records are read, beside the same as lines of JSON.
func (b *journalBench) measureDecode() error {
	b.progress.say("journal, decode")
	effects, rounds := 10_000, 7
	if b.small {
		effects, rounds = 20, 1
	}
	store := journal.Memory()
	w, err := journal.Create(b.ctx, store, "decode", journal.Record{})
	if err != nil {
		return err
	}
	for n := range effects {
		if err := effect(w, n); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	decoded, err := journal.Read(b.ctx, store, "decode")
	if err != nil {
		return err
	}
	lines := make([][]byte, len(decoded.Records))
	for i := range lines {
		if lines[i], err = json.Marshal(decoded.Records[i]); err != nil {
			return err
		}
	}
	scores := contest.Hold(rounds, []contest.Contestant{
		{Name: "journal", Steps: effects, Run: func() {
			if _, err := journal.Read(b.ctx, store, "decode"); err != nil {
				b.fail(err)
			}
		}},
		{Name: "json", Steps: effects, Run: func() {
			for _, line := range lines {
				var r journal.Record
				if err := json.Unmarshal(line, &r); err != nil {
					b.fail(err)
				}
			}
		}},
	})
	b.rows = append(b.rows, row{
		what:     "journal, decoding " + count(effects) + " effects: lines of JSON / journal",
		measured: best(scores, "json") / best(scores, "journal"), unit: "x",
	})

	return nil
}

// contentOf reads the bytes of a run.
func contentOf(ctx context.Context, store journal.Store, run string) ([]byte, error) {
	r, err := store.Read(ctx, run)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(r)

	return content, errors.Join(err, r.Close())
}
