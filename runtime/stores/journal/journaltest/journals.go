package journaltest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func event(name string) journal.Record {
	return journal.Record{Type: journal.Event, Time: noon, Name: name}
}

// journals writes whole journals from many goroutines, process after process.
func journals(t T, s journal.Store) {
	begin := journal.Record{Type: journal.Begin, Time: noon, Name: "r"}
	w, err := journal.Create(t.Context(), s, "r", begin)
	must(t, "Create", err)
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
		must(t, "Close", w.Close())
		var j *journal.Journal
		j, w, err = journal.Open(t.Context(), s, "r")
		must(t, "Open", err)
		if want := 1 + (process+1)*goroutines*records; len(j.Records) != want || j.Cut != nil {
			t.Errorf("%d records, want %d, cut: %v", len(j.Records), want, j.Cut)
		}
		last := map[string]string{}
		for _, r := range j.Records[1:] {
			if from := r.Name[:3]; r.Name <= last[from] {
				t.Errorf("%q comes after %q", r.Name, last[from])
			} else {
				last[from] = r.Name
			}
		}
	}
	must(t, "Close", w.Close())
}

// tornJournal ends a journal inside a block.
func tornJournal(t T, s journal.Store) {
	w, err := journal.Create(t.Context(), s, "r", journal.Record{Time: noon})
	must(t, "Create", err)
	for _, name := range []string{"one", "two"} {
		w.Append(event(name))
		must(t, "Sync", w.Sync())
	}
	must(t, "Close", w.Close())
	file := open(t, s, "r")
	must(t, "Truncate", file.Truncate(int64(len(read(t, s, "r"))-1)))
	done(t, file)

	j, w, err := journal.Open(t.Context(), s, "r")
	must(t, "Open", err)
	if len(j.Records) != 2 || j.Cut == nil {
		t.Errorf("%d records, want 2, cut: %v", len(j.Records), j.Cut)
	}
	w.Append(event("again"))
	must(t, "Close", w.Close())
	j, err = journal.Read(t.Context(), s, "r")
	if err != nil || j.Cut != nil || len(j.Records) != 3 || !reflect.DeepEqual(j.Records[2], event("again")) {
		t.Errorf("Read: %v, %+v", err, j)
	}
}

// neverBegun creates journals whose processes die before the first record is on disk, and begins them. One with a
// record is not begun again.
func neverBegun(t T, s journal.Store) {
	begin := journal.Record{Time: noon, Name: "second"}
	whole, err := journal.Create(t.Context(), s, "whole", begin)
	must(t, "Create", err)
	must(t, "Close", whole.Close())
	content := read(t, s, "whole")
	header, _, _ := strings.Cut(content, "\n")

	for run, left := range map[string]string{
		"empty": "", "line": "agentc jour", "torn": strings.Replace(header, "whole", "torn", 1) + "\n" + content[len(header)+1:len(content)-1],
	} {
		created(t, s, run, left)
		w, err := journal.Create(t.Context(), s, run, begin)
		must(t, "Create of a journal with the content "+left, err)
		_, err = journal.Create(t.Context(), s, run, begin)
		is(t, "Create of a run that is under way", err, journal.ErrRunExists)
		w.Append(event("x"))
		must(t, "Close", w.Close())
		j, err := journal.Read(t.Context(), s, run)
		if err != nil || len(j.Records) != 2 || j.Records[0].Name != "second" {
			t.Errorf("Read %s: %v, %+v", run, err, j)
		}
	}

	owned := create(t, s, "owned", "")
	_, err = journal.Create(t.Context(), s, "owned", begin)
	is(t, "Create of a run that a process is about to begin", err, journal.ErrRunLocked)
	done(t, owned)
	_, err = journal.Create(t.Context(), s, "whole", begin)
	is(t, "Create of a run that has a record", err, journal.ErrRunExists)
}

// pausedUntil is the end of a run that goes on without an answer at a time.
func pausedUntil(due time.Time) journal.Record {
	fields := []journal.Field{{Name: journal.FieldDue, Value: due.Format(time.RFC3339Nano)}}

	return journal.Record{Type: journal.End, Time: noon, Name: "paused", Fields: fields}
}

// listDue asks for the runs whose time has come, the earliest first, whether or not the store keeps labels.
func listDue(t T, s journal.Store) {
	begin := func(run, program string, last ...journal.Record) {
		first := journal.Record{Time: noon, Name: run, Fields: []journal.Field{{Name: "program", Value: program}}}
		w, err := journal.Create(t.Context(), s, run, first)
		must(t, "Create", err)
		for _, r := range last {
			w.Append(r)
		}
		must(t, "Close", w.Close())
	}
	opened := journal.Record{Type: journal.Opened, Time: noon}
	begin("second", "p", pausedUntil(noon.Add(2*time.Hour)))
	begin("first", "p", pausedUntil(noon.Add(time.Hour)))
	begin("future", "p", pausedUntil(noon.Add(3*time.Hour)))
	begin("other", "q", pausedUntil(noon.Add(time.Hour)))
	begin("woken", "p", pausedUntil(noon.Add(time.Hour)), opened)
	begin("asks", "p", journal.Record{Type: journal.End, Time: noon, Name: "paused"})
	begin("again", "p", pausedUntil(noon.Add(time.Hour)), opened, pausedUntil(noon.Add(4*time.Hour)))
	begin("invalid", "p", journal.Record{Type: journal.End, Time: noon, Name: "paused", Fields: []journal.Field{{Name: journal.FieldDue, Value: "soon"}}})

	due, err := journal.Due(t.Context(), s, "p", noon.Add(2*time.Hour))
	must(t, "Due", err)
	want := []journal.DueRun{{Run: "first", Due: noon.Add(time.Hour)}, {Run: "second", Due: noon.Add(2 * time.Hour)}}
	isSame := func(a, b journal.DueRun) bool { return a.Run == b.Run && a.Due.Equal(b.Due) }
	if !slices.EqualFunc(due, want, isSame) {
		t.Errorf("Due: %+v, want %+v", due, want)
	}
}

// listSome asks for runs by what their journals say. Those that do not fit may be there, those that fit must be.
func listSome(t T, s journal.Store) {
	write := func(run, agent string, day int, last ...journal.Record) {
		fields := []journal.Field{{Name: "program", Value: "p"}, {Name: "agent", Value: agent}}
		w, err := journal.Create(t.Context(), s, run, journal.Record{Time: noon.AddDate(0, 0, day), Name: run, Fields: fields})
		must(t, "Create", err)
		for _, r := range last {
			w.Append(r)
		}
		must(t, "Close", w.Close())
	}
	end := func(status string) journal.Record { return journal.Record{Type: journal.End, Time: noon, Name: status} }
	opened := journal.Record{Type: journal.Opened, Time: noon}
	write("done", "a", 0, end("done"))
	write("failed", "b", 1, event("x"), end("paused"), opened, end("failed"))
	write("open", "b", 2, end("paused"), opened)
	write("paused", "a", 3, end("paused"))
	write("due", "c", 0, pausedUntil(noon.Add(time.Hour)))
	write("later", "c", 0, pausedUntil(noon.Add(2*time.Hour)))
	write("woken", "c", 0, pausedUntil(noon.Add(time.Hour)), opened)
	created(t, s, "unbegun", "")
	_, w, err := journal.Open(t.Context(), s, "paused") // what it says stays, whichever reader looks
	must(t, "Open", err)
	w.Append(event("y"))
	must(t, "Close", w.Close())

	for _, c := range []struct {
		query journal.Query
		want  []string
	}{
		{journal.Query{}, []string{"done", "due", "failed", "later", "open", "paused", "unbegun", "woken"}},
		{journal.Query{Statuses: []string{"done", "open"}}, []string{"done", "open"}},
		{journal.Query{Statuses: []string{"paused"}}, []string{"paused"}},
		{journal.Query{Program: "p", Agent: "b"}, []string{"failed", "open"}},
		{journal.Query{Since: noon.AddDate(0, 0, 1), Until: noon.AddDate(0, 0, 2)}, []string{"failed", "open"}},
		{journal.Query{Statuses: []string{"failed"}, Agent: "b", Since: noon}, []string{"failed"}},
		{journal.Query{Due: noon.Add(time.Hour)}, []string{"due"}},
		{journal.Query{Due: noon.Add(2 * time.Hour)}, []string{"due", "later"}},
	} {
		runs, err := s.List(t.Context(), c.query)
		must(t, "List", err)
		for _, run := range c.want {
			if !slices.Contains(runs, run) {
				t.Errorf("List(%+v): %q lacks %s", c.query, runs, run)
			}
		}
		if !slices.IsSorted(runs) {
			t.Errorf("List(%+v): %q is not sorted", c.query, runs)
		}
	}
}
