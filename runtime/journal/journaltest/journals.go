package journaltest

import (
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/journal"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func event(name string) journal.Record {
	return journal.Record{Type: journal.Event, Time: noon, Name: name}
}

// journals writes whole journals from many goroutines, process after process.
func journals(t T, s journal.Store) {
	begin := journal.Record{Type: journal.Begin, Time: noon, Name: "r"}
	w, err := journal.Create(t.Context(), s, "r", begin)
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	const goroutines, records, processes = 4, 10, 3
	for process := range processes {
		var all sync.WaitGroup
		for g := range goroutines {
			all.Go(func() {
				for i := range records {
					w.Append(event(fmt.Sprintf("%d %d %02d", process, g, i)))
					w.Flush()
					if err := w.Sync(); i%5 == 0 && err != nil {
						t.Errorf("Sync: %v", err)
					}
				}
			})
		}
		all.Wait()
		if err := w.Close(); err != nil {
			t.Fatalf("Close: %v", err)
		}
		var j *journal.Journal
		if j, w, err = journal.Open(t.Context(), s, "r"); err != nil {
			t.Fatalf("Open: %v", err)
		}
		if want := 1 + (process+1)*goroutines*records; len(j.Records) != want || j.Cut != nil {
			t.Errorf("%d records, want %d, cut: %v", len(j.Records), want, j.Cut)
		}
		last := map[string]string{}
		for _, r := range j.Records[1:] {
			if from := r.Name[:3]; r.Name <= last[from] {
				t.Errorf("%q stands behind %q", r.Name, last[from])
			} else {
				last[from] = r.Name
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
}

// tornJournal ends a journal in the midst of a block.
func tornJournal(t T, s journal.Store) {
	w, err := journal.Create(t.Context(), s, "r", journal.Record{Time: noon})
	if err != nil {
		t.Fatalf("Create: %v", err)
	}
	for _, name := range []string{"one", "two"} {
		w.Append(event(name))
		if err := w.Sync(); err != nil {
			t.Fatalf("Sync: %v", err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	file := open(t, s, "r")
	if err := file.Truncate(int64(len(read(t, s, "r")) - 1)); err != nil {
		t.Fatalf("Truncate: %v", err)
	}
	done(t, file)

	j, w, err := journal.Open(t.Context(), s, "r")
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	if len(j.Records) != 2 || j.Cut == nil {
		t.Errorf("%d records, want 2, cut: %v", len(j.Records), j.Cut)
	}
	w.Append(event("again"))
	if err := w.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	j, err = journal.Read(t.Context(), s, "r")
	if err != nil || j.Cut != nil || len(j.Records) != 3 || !reflect.DeepEqual(j.Records[2], event("again")) {
		t.Errorf("Read: %v, %+v", err, j)
	}
}
