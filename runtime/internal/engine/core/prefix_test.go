package core_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// cutAt is a store whose run has the first records of another.
func cutAt(t *testing.T, records []journal.Record, n int) journal.Store {
	t.Helper()
	store := journal.Memory()
	w, err := journal.Create(context.Background(), store, "r1", records[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:n] {
		w.Append(r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}

	return store
}

func recordsOf(t *testing.T, store journal.Store) []journal.Record {
	t.Helper()
	j, err := journal.Read(context.Background(), store, "r1")
	if err != nil {
		t.Fatal(err)
	}

	return j.Records
}

// told are the events that the program has told, sorted; that they have numbers without gaps is
// checked.
func told(t *testing.T, records []journal.Record) []string {
	t.Helper()
	var all []string
	seq := 0
	for _, r := range records {
		if r.Type != journal.Event {
			continue
		}
		seq++
		if n, _ := r.Get("seq"); n != strconv.Itoa(seq) {
			t.Fatalf("event %d has number %s", seq, n)
		}
		switch r.Name {
		case "enter", "finish", "error", "run", "end":
			all = append(all, fmt.Sprint(r.Address, r.Name, r.Fields[1:]))
		}
	}
	slices.Sort(all)

	return all
}

// finished are the effects that have a result among the records.
func finished(records []journal.Record) map[string]bool {
	done := map[string]bool{}
	for _, r := range records {
		if r.Type == journal.Result {
			done[r.Address] = true
		}
	}

	return done
}

// begun are the effects that must not happen twice and whose outcome the records do not say.
func begun(records []journal.Record) map[string]bool {
	open := map[string]bool{}
	for _, r := range records {
		switch class, _ := r.Get("class"); {
		case r.Type == journal.Intent && class == "once":
			open[r.Address] = true
		case r.Type == journal.Result:
			delete(open, r.Address)
		}
	}

	return open
}

// TestEveryPrefixIsResumed: wherever a run was interrupted, it comes to what it would have come to;
// nothing that has a result is done again, nothing that must not be repeated is without asking, and
// every event is told once.
func TestEveryPrefixIsResumed(t *testing.T) {
	plans := 40
	if testing.Short() {
		plans = 8
	}
	total, records := 0, 0
	for seed := range plans {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		ops := plan(r, 2)
		w, store := newWorld(), journal.Memory()
		want, err := journalling(w, store).Run(t.Context(), planned(w, ops), "", "x")
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		all := recordsOf(t, store)
		records += len(all)
		wantTold := told(t, all)
		for n := 1; n <= len(all); n++ {
			resumeAt(t, fmt.Sprintf("seed %d, %d of %d", seed, n, len(all)), all, n, ops, want, wantTold)
			if t.Failed() {
				for _, r := range all[:n] {
					t.Log(r.Type, r.Address, r.Name, r.Fields)
				}
				t.FailNow()
			}
			total++
		}
	}
	if total < plans*10 {
		t.Errorf("only %d prefixes", total)
	}
	t.Logf("%d plans, %d records, %d prefixes", plans, records, total)
}

func resumeAt(t *testing.T, name string, all []journal.Record, n int, ops []op, want runtime.Finish, wantTold []string) {
	t.Helper()
	w, store := newWorld(), cutAt(t, all, n)
	got, err := journalling(w, store).Resume(t.Context(), planned(w, ops), "r1", core.ResumeOptions{})
	if err != nil || got != want {
		t.Errorf("%s: %v\ngot  %+v\nwant %+v", name, err, got, want)

		return
	}
	done, open := finished(all[:n]), begun(all[:n])
	for address, times := range w.done {
		if done[address] || times != 1 {
			t.Errorf("%s: effect %s was done %d times, though it has a result: %v", name, address, times, done[address])
		}
	}
	asked := 0
	for id, times := range w.asked {
		if strings.HasPrefix(id, "unknown:") {
			asked += times
		}
	}
	if asked != len(open) {
		t.Errorf("%s: of %d outcomes that are not known, %d were asked about", name, len(open), asked)
	}
	if got := told(t, recordsOf(t, store)); !slices.Equal(got, wantTold) {
		t.Errorf("%s: told\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(wantTold, "\n"))
	}
}
