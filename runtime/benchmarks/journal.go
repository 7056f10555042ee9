package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/benchmarks/internal/contest"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// The goals of journals.
const (
	journalAsPlain = 0.8 // of writing and syncing the same bytes
	branchesShare  = 4   // times what one branch does
)

// journalBench measures journals on a disk, where the workshop may be in memory.
type journalBench struct {
	*bench
	disk string
}

// measureJournals measures effects that are recorded beside plain writes of the same bytes.
func (b *bench) measureJournals() {
	b.onDisk((*journalBench).measureOneRun, (*journalBench).measureRuns, (*journalBench).measureBranches,
		(*journalBench).measureDecode, (*journalBench).measureReplay, (*journalBench).measureTurns, (*journalBench).measureList,
		(*journalBench).measureOff)
}

// onDisk measures in a temporary folder.
func (b *bench) onDisk(all ...func(*journalBench)) {
	folder := must(os.MkdirTemp("", "agentc-benchmarks-"))
	defer os.RemoveAll(folder)
	for _, measure := range all {
		measure(&journalBench{bench: b, disk: folder})
	}
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
func (b *journalBench) newRun(name string) *journal.Writer {
	return must(journal.Create(b.ctx, journal.Files(filepath.Join(b.disk, "runs")), name, journal.Record{Time: time.Now()}))
}

// inMemory is a store with a run of so many effects, which is named like it.
func (b *journalBench) inMemory(run string, effects int) journal.Store {
	store := journal.Memory()
	w := must(journal.Create(b.ctx, store, run, journal.Record{}))
	for n := range effects {
		check(effect(w, n))
	}
	check(w.Close())

	return store
}

// effectBytes is how many bytes an effect adds.
func (b *journalBench) effectBytes() int {
	const effects = 100

	return len(b.contentOf(b.inMemory("size", effects), "size")) / effects
}

// anew is a function that returns texts of as many bytes as an effect adds. The model says the beginning, whichever side records it.
func (b *journalBench) anew() (text func(n int) string) {
	padding := strings.Repeat("x", b.effectBytes())

	return func(n int) string {
		text := strconv.Itoa(n) + said
		return text + padding[len(text):]
	}
}

// journaled is a contestant whose goroutines each have a writer and do so many effects, one after the other.
func (b *journalBench) journaled(name string, writers []*journal.Writer, each int) contest.Contestant {
	return b.together(name, len(writers), each, func(i, n int) error { return effect(writers[i], n) })
}

// plain is a contestant whose goroutines each write and sync a file of their own.
func (b *journalBench) plain(name string, goroutines, each int) contest.Contestant {
	text := b.anew()
	opened := make([]*os.File, goroutines)
	for i := range opened {
		opened[i] = must(os.CreateTemp(b.disk, "plain-"))
	}

	return b.together(name, goroutines, each, func(i, n int) error {
		if _, err := opened[i].WriteString(text(n)); err != nil {
			return err
		}

		return opened[i].Sync()
	})
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
func (b *journalBench) beside(what string, runs, each, rounds int) {
	b.progress.say("journal, %s", what)
	writers := make([]*journal.Writer, runs)
	for i := range writers {
		writers[i] = b.newRun(fmt.Sprintf("beside-%d-%d", runs, i))
		defer writers[i].Close()
	}
	scores := must(contest.Hold(rounds, b.journaled("journal", writers, each), b.plain("plain", runs, each)))
	what = "journal, " + what + ": effects a second / write and fsync of the same bytes"
	b.compare(what, scores, "plain", "journal", goal{atLeast, journalAsPlain})
}

func (b *journalBench) measureOneRun() { b.beside("one run", 1, b.size(200, 4), b.size(7, 1)) }

func (b *journalBench) measureRuns() { b.beside("100 runs", 100, b.size(20, 1), b.size(5, 1)) }

// measureBranches measures sixteen goroutines of one run beside one.
func (b *journalBench) measureBranches() {
	const branches = 16
	b.progress.say("journal, branches")
	each, rounds := b.size(100, 2), b.size(7, 1)
	alone, shared := b.newRun("alone"), b.newRun("shared")
	defer alone.Close()
	defer shared.Close()
	sharers := slices.Repeat([]*journal.Writer{shared}, branches)
	scores := must(contest.Hold(rounds, b.journaled("one", []*journal.Writer{alone}, each), b.journaled("all", sharers, each)))
	b.compare("journal, 16 branches of one run: effects a second / one branch", scores, "one", "all", goal{atLeast, branchesShare})
}

// measureDecode measures how fast records are read, beside the same as lines of JSON.
func (b *journalBench) measureDecode() {
	b.progress.say("journal, decode")
	effects, rounds := b.size(10_000, 20), b.size(7, 1)
	store := b.inMemory("decode", effects)
	decoded := must(journal.Read(b.ctx, store, "decode"))
	lines := make([][]byte, len(decoded.Records))
	for i := range lines {
		lines[i] = must(json.Marshal(decoded.Records[i]))
	}
	scores := must(contest.Hold(rounds,
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
		})))
	b.compare("journal, decoding "+count(effects)+" effects: lines of JSON / journal", scores, "json", "journal", goal{})
}

// contentOf reads the bytes of a run.
func (b *journalBench) contentOf(store journal.Store, run string) []byte {
	r := must(store.Read(b.ctx, run))
	defer r.Close()

	return must(io.ReadAll(r))
}
