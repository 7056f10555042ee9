package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
}

// measureJournals measures effects that are recorded beside plain writes of the same bytes.
func (b *bench) measureJournals(ctx context.Context) error {
	return b.onDisk(ctx, "journal", (*journalBench).measureOneRun, (*journalBench).measureRuns, (*journalBench).measureBranches,
		(*journalBench).measureDecode, (*journalBench).measureReplay, (*journalBench).measureTurns, (*journalBench).measureList,
		(*journalBench).measureOff)
}

// onDisk measures in a temporary folder.
func (b *bench) onDisk(ctx context.Context, section string, all ...func(*journalBench) error) error {
	folder, err := os.MkdirTemp("", "agentc-benchmarks-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, measure := range all {
		if err := measure(&journalBench{bench: b, ctx: ctx, folder: folder}); err != nil {
			return fmt.Errorf("%s: %w", section, err)
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

// inMemory is a store with a run of so many effects, which is named like it.
func (b *journalBench) inMemory(run string, effects int) (journal.Store, error) {
	store := journal.Memory()
	w, err := journal.Create(b.ctx, store, run, journal.Record{})
	if err != nil {
		return nil, err
	}
	for n := range effects {
		if err := effect(w, n); err != nil {
			return nil, err
		}
	}

	return store, w.Close()
}

// effectBytes is how many bytes an effect adds.
func (b *journalBench) effectBytes() (int, error) {
	const effects = 100
	store, err := b.inMemory("size", effects)
	if err != nil {
		return 0, err
	}
	content, err := contentOf(b.ctx, store, "size")

	return len(content) / effects, err
}

// anew is a function that returns texts of as many bytes as an effect adds. The model says the beginning, whichever side records it.
func (b *journalBench) anew() (text func(n int) string, err error) {
	size, err := b.effectBytes()
	padding := strings.Repeat("x", size)

	return func(n int) string {
		text := strconv.Itoa(n) + said
		return text + padding[len(text):]
	}, err
}

// journaled is a contestant whose goroutines each have a writer and do so many effects, one after the other.
func (b *journalBench) journaled(name string, writers []*journal.Writer, each int) contest.Contestant {
	return b.together(name, len(writers), each, func(i, n int) error { return effect(writers[i], n) })
}

// plain is a contestant whose goroutines each write and sync a file of their own.
func (b *journalBench) plain(name string, goroutines, each int) (contest.Contestant, error) {
	text, err := b.anew()
	opened := make([]*os.File, goroutines)
	for i := range opened {
		file, failed := os.CreateTemp(b.folder, "plain-")
		opened[i], err = file, errors.Join(err, failed)
	}

	return b.together(name, goroutines, each, func(i, n int) error {
		if _, err := opened[i].WriteString(text(n)); err != nil {
			return err
		}

		return opened[i].Sync()
	}), err
}

// together lets goroutines do so many steps each.
func (b *journalBench) together(name string, goroutines, each int, step func(goroutine, n int) error) contest.Contestant {
	turn := 0

	return contest.Contestant{Name: name, Steps: goroutines * each, Run: func() error {
		from := turn * goroutines * each
		turn++

		return contest.Together(goroutines, func(i int) error {
			for n := range each {
				if err := step(i, from+i*each+n); err != nil {
					return err
				}
			}

			return nil
		})
	}}
}

// beside measures effects of so many runs beside as many goroutines that write and sync.
func (b *journalBench) beside(what string, runs, each, rounds int) error {
	b.progress.say("journal, %s", what)
	writers := make([]*journal.Writer, runs)
	var err error
	for i := range writers {
		if writers[i], err = b.newRun(fmt.Sprintf("beside-%d-%d", runs, i)); err != nil {
			return err
		}
		defer writers[i].Close()
	}
	plain, err := b.plain("plain", runs, each)
	if err != nil {
		return err
	}
	scores, err := contest.Hold(rounds, b.journaled("journal", writers, each), plain)
	what = "journal, " + what + ": effects a second / write and fsync of the same bytes"
	b.compare(what, scores, "plain", "journal", goal{atLeast, journalAsPlain})

	return err
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
	sharers := slices.Repeat([]*journal.Writer{shared}, branches)
	scores, err := contest.Hold(rounds, b.journaled("one", []*journal.Writer{alone}, each), b.journaled("all", sharers, each))
	b.compare("journal, 16 branches of one run: effects a second / one branch", scores, "one", "all", goal{atLeast, branchesShare})

	return err
}

// measureDecode measures how fast records are read, beside the same as lines of JSON.
func (b *journalBench) measureDecode() error {
	b.progress.say("journal, decode")
	effects, rounds := 10_000, 7
	if b.small {
		effects, rounds = 20, 1
	}
	store, err := b.inMemory("decode", effects)
	if err != nil {
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
	scores, err := contest.Hold(rounds,
		contest.Repeat("journal", 1, effects, func() error {
			_, err := journal.Read(b.ctx, store, "decode")
			return err
		}),
		contest.Repeat("json", 1, effects, func() error {
			for _, line := range lines {
				var r journal.Record
				if err := json.Unmarshal(line, &r); err != nil {
					return err
				}
			}
			return nil
		}))
	b.compare("journal, decoding "+count(effects)+" effects: lines of JSON / journal", scores, "json", "journal", goal{})

	return err
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
