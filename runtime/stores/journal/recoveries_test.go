package journal_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// recordsOf makes a record of each word; any other word than these is an effect of that kind that begins at an address.
func recordsOf(words string) (records []journal.Record) {
	at := noon
	for _, word := range strings.Fields(words) {
		at = at.Add(time.Minute)
		r := journal.Record{Time: at}
		word, address, _ := strings.Cut(word, "@")
		switch word {
		case "new":
			r.Type, r.Name = journal.Begin, "r1"
		case "recover":
			r.Type, r.Fields = journal.Opened, []journal.Field{{Name: "recovery", Value: "true"}}
		case "open":
			r.Type = journal.Opened
		case "result":
			r.Type, r.Name, r.Address = journal.Result, "tool", address
		case "answer":
			r.Type = journal.Answer
		case "end":
			r.Type, r.Name = journal.End, "failed"
		default:
			r.Type, r.Name, r.Address = journal.Intent, word, address
		}
		records = append(records, r)
	}

	return records
}

func TestRecoveries(t *testing.T) {
	for words, want := range map[string]int{
		"new tool@1":         0,
		"new tool@1 recover": 1,
		"new tool@1 recover tool@1 recover tool@1":  2,
		"new tool@1 open recover recover recover":   3,
		"new tool@1 recover recover open":           0, // somebody has asked for it
		"new tool@1 recover recover open recover":   1,
		"new tool@1 recover tool@1 result@1":        0,
		"new tool@1 recover tool@1 result@1 tool@2": 0,
		"new tool@1 recover recover answer recover": 1,
		"new tool@1 recover recover end recover":    1,
		// A run that sleeps has not ended its process.
		"new sleep@1 recover":                                                                     1, // it has done nothing yet, so that is not known
		"new sleep@1 recover sleep@1":                                                             0,
		"new sleep@1 recover sleep@1 recover sleep@1 recover sleep@1":                             0,
		"new tool@1 recover tool@1 recover sleep@2 recover":                                       2,
		"new parallel@1 recover parallel@1 sleep@1.0.1 ask@1.1.1 recover":                         1,
		"new parallel@1 recover parallel@1 sleep@1.0.1 tool@1.1.1":                                1,
		"new parallel@1 recover parallel@1 sleep@1.0.1 tool@1.1.1 recover sleep@1.0.1 tool@1.1.1": 2,
	} {
		records := recordsOf(words)
		store := bytesStore{content: write(t, records[:1], records[1:]).content}
		j, err := journal.Read(t.Context(), store, "r1")
		if err != nil {
			t.Fatal(err)
		}
		at := j.Recoveries
		if len(at) != want {
			t.Errorf("%s: %d recoveries, want %d", words, len(at), want)
		}
		for i, r := range records {
			opened := r.Type == journal.Opened && len(r.Fields) > 0
			if n := len(at); n > 0 && opened && i == len(records)-1 && !at[n-1].Equal(r.Time) {
				t.Errorf("%s: the last recovery was at %v, not at %v", words, r.Time, at[n-1])
			}
		}
		o, err := journal.Read(t.Context(), store, "r1", journal.End)
		if err != nil || len(o.Recoveries) != want {
			t.Errorf("%s: the outline has %v, %v", words, o, err)
		}
	}
}

// A store says at once whether a journal is owned, and whether it can be written to.
func TestProbes(t *testing.T) {
	for name, store := range map[string]journal.Store{"files": journal.Files(t.TempDir()), "memory": journal.Memory()} {
		w, err := journal.Create(t.Context(), store, "r1", journal.Record{Name: "r1"})
		if err != nil {
			t.Fatal(err)
		}
		if owned, err := store.Owned(t.Context(), "r1"); !owned || err != nil {
			t.Errorf("%s: while it is written: %v, %v", name, owned, err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		for range 2 { // asking takes nothing
			if owned, err := store.Owned(t.Context(), "r1"); owned || err != nil {
				t.Errorf("%s: when it was closed: %v, %v", name, owned, err)
			}
		}
		if _, err := store.Owned(t.Context(), "r2"); err == nil || err.Error() != "run r2: there is no such run" {
			t.Errorf("%s: %v", name, err)
		}
		if err := store.Writable(t.Context()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if runs, err := store.List(t.Context(), journal.Query{}); err != nil || len(runs) != 1 {
			t.Errorf("%s: it has the runs %v, %v", name, runs, err)
		}
	}
	dir := t.TempDir() + "/file"
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := journal.Files(dir).Writable(t.Context()); err == nil {
		t.Error("a store that is a file can be written to")
	}
}
