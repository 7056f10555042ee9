// Package sqlstoretest holds stores in databases to what the conformance suite of stores cannot see: leases that end, tables of other
// versions, several processes of which one is killed.
package sqlstoretest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Kind is a kind of database.
type Kind struct {
	// Open opens the store of an address; Empty returns the address of an empty store, with or without settings.
	Open  func(address string) (journal.Store, error)
	Empty func(t *testing.T) (address string)
	// Raw opens the database itself.
	Raw func(t *testing.T, address string) *sql.DB
	// Version1 and Version2 are stores as those versions of the tables were, in SQL: run done has ended, run open has an owner that was
	// killed, which has recorded two records.
	Version1, Version2 string
}

// lease is short enough for a test to wait for, and long enough for a slow machine to renew.
const lease = 2 * time.Second

// withLease is an address with a lease.
func withLease(address string, lease time.Duration) string {
	sign := "?"
	if strings.Contains(address, "?") {
		sign = "&"
	}

	return address + sign + "lease=" + lease.String()
}

// open opens a store, as another process would.
func (k Kind) open(t *testing.T, address string) journal.Store {
	t.Helper()
	store, err := k.Open(address)
	must(t, err)
	t.Cleanup(func() { closeStore(t, store) })

	return store
}

func closeStore(t *testing.T, store journal.Store) {
	t.Helper()
	must(t, store.(io.Closer).Close())
}

// Run runs the cases.
func (k Kind) Run(t *testing.T) {
	for name, run := range map[string]func(Kind, *testing.T){
		"a lease is renewed": Kind.renewed, "a lease that has ended": Kind.ended, "fencing": Kind.fenced,
		"an effect that was acknowledged": Kind.acknowledged, "queries": Kind.queries, "versions": Kind.versions,
		"many that make the tables": Kind.tables, "a run that is removed under its owner": Kind.removed,
		"a run that is interrupted everywhere": Kind.resumed, "a clock that was set back": Kind.setBack,
		"a store that version 1 wrote": Kind.version1, "a store that version 2 wrote": Kind.version2, "an owner that was killed": Kind.killed,
		"a store whose version is lost": Kind.versionLost, "writes at the same time": Kind.shared,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run(k, t)
		})
	}
}

// must ends a test in which a step fails.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// create makes a run with a content.
func create(t *testing.T, store journal.Store, run, content string) journal.File {
	t.Helper()
	file, err := store.Create(t.Context(), run)
	must(t, err)
	add(t, file, content)

	return file
}

func add(t *testing.T, file journal.File, content string) {
	t.Helper()
	must(t, errors.Join(file.Append([]byte(content)), file.Sync()))
}

// has wants a run to have a content.
func has(t *testing.T, store journal.Store, run, want string) {
	t.Helper()
	r, err := store.Read(t.Context(), run)
	must(t, err)
	if got, err := io.ReadAll(r); string(got) != want || err != nil {
		t.Errorf("it has %q, not %q: %v", got, want, err)
	}
}

// refused wants a run to be owned by another process.
func refused(t *testing.T, store journal.Store, run string) {
	t.Helper()
	if file, err := store.Open(t.Context(), run); !errors.Is(err, journal.ErrRunLocked) {
		t.Fatalf("Open of a run with an owner: %v, %v", file, err)
	}
}

// taken opens a run as soon as that can be.
func taken(t *testing.T, store journal.Store, run string) journal.File {
	t.Helper()
	for {
		file, err := store.Open(t.Context(), run)
		if err == nil {
			return file
		}
		if !errors.Is(err, journal.ErrRunLocked) {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// renewed: who lives keeps its runs, however long it takes.
func (k Kind) renewed(t *testing.T) {
	address := withLease(k.Empty(t), lease)
	one, two := k.open(t, address), k.open(t, address)
	file := create(t, one, "r", "a")
	for begun := time.Now(); time.Since(begun) < 2*lease; time.Sleep(lease / 10) {
		refused(t, two, "r")
	}
	add(t, file, "b")
	has(t, two, "r", "ab")
	must(t, file.Close())
	file = taken(t, two, "r")
	if at := file.(journal.Leased).Renewed(); !at.IsZero() {
		t.Errorf("for an owner that has given up the run it returns the renewal %v", at)
	}
	refused(t, one, "r")
	must(t, file.Close())
}

// ended: a process that is gone loses its runs when the lease has ended, and not before.
func (k Kind) ended(t *testing.T) {
	address := withLease(k.Empty(t), lease)
	one, err := k.Open(address)
	must(t, err)
	two := k.open(t, address)
	file := create(t, one, "r", "a")
	closeStore(t, one) // nothing reaches the database any more
	begun := time.Now()
	refused(t, two, "r")
	if owned, err := two.Owned(t.Context(), "r"); !owned || err != nil {
		t.Errorf("Owned: %v, %v", owned, err)
	}
	next := taken(t, two, "r")
	if at := next.(journal.Leased).Renewed(); at.Before(begun.Add(-time.Hour)) || at.After(time.Now()) {
		t.Errorf("the lease that has ended was renewed at %v", at)
	}
	if took := time.Since(begun); took < lease/2 {
		t.Errorf("it was taken over after %v", took)
	}
	add(t, next, "b")
	if err := errors.Join(file.Append([]byte("x")), file.Sync()); err == nil {
		t.Error("a store that is closed takes bytes")
	}
	has(t, two, "r", "ab")
	must(t, next.Close())
}

// fenced: an owner that was away too long changes nothing of a run that another has.
func (k Kind) fenced(t *testing.T) {
	address := k.Empty(t)
	one, two, raw := k.open(t, address), k.open(t, address), k.Raw(t, address)
	file := create(t, one, "r", "a")
	must(t, file.Append([]byte("pending")))
	file.Label(journal.Labels{Status: "wrong"})
	execute(t, raw, "UPDATE agentc_runs SET expires = 0")
	next := taken(t, two, "r")
	add(t, next, "b")
	must(t, two.Post(t.Context(), "r", []byte("for the second")))
	for what, err := range map[string]error{"Sync": file.Sync(), "Truncate": file.Truncate(0), "Sync of nothing": file.Sync()} {
		if !errors.Is(err, journal.ErrRunLocked) {
			t.Errorf("%s of an owner that was away: %v", what, err)
		}
	}
	if messages, err := file.Messages(); len(messages) > 0 || err != nil {
		t.Errorf("it takes the messages %q, %v", messages, err)
	}
	must(t, file.Close())
	refused(t, one, "r")
	has(t, one, "r", "ab")
	if messages, err := next.Messages(); len(messages) != 1 || err != nil {
		t.Errorf("the messages are %q, %v", messages, err)
	}
	if runs, err := one.List(t.Context(), journal.Query{Statuses: []string{"wrong"}}); len(runs) > 0 || err != nil {
		t.Errorf("its label is there: %q, %v", runs, err)
	}
	must(t, next.Close())
}

// acknowledged: a writer whose lease was lost fails, and what it had acknowledged is there for the next.
func (k Kind) acknowledged(t *testing.T) {
	address := k.Empty(t)
	one, two, raw := k.open(t, address), k.open(t, address), k.Raw(t, address)
	w, err := journal.Create(t.Context(), one, "r", journal.Record{Time: time.Now(), Name: "r"})
	must(t, err)
	event := func(name string) journal.Record {
		return journal.Record{Type: journal.Event, Time: time.Now(), Name: name}
	}
	w.Append(event("kept"))
	must(t, w.Sync())
	execute(t, raw, "UPDATE agentc_runs SET expires = 0")
	_, next, err := journal.Open(t.Context(), two, "r")
	must(t, err)
	w.Append(event("late"))
	if err := w.Sync(); !errors.Is(err, journal.ErrRunLocked) {
		t.Errorf("the writer whose lease is lost: %v", err)
	}
	next.Append(event("next"))
	must(t, next.Close())
	_ = w.Close() // as it has failed before
	j, err := journal.Read(t.Context(), two, "r")
	if err != nil || j.Cut != nil || len(j.Records) != 3 {
		t.Fatalf("the journal is %+v, %v", j, err)
	}
	if j.Records[1].Name != "kept" || j.Records[2].Name != "next" {
		t.Errorf("the journal is %+v", j)
	}
}

// queries have what fits and nothing else.
func (k Kind) queries(t *testing.T) {
	store := k.open(t, k.Empty(t))
	noon := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for i, status := range []string{"done", "failed", "", "paused", "done"} {
		fields := []journal.Field{{Name: "program", Value: "p"}, {Name: "agent", Value: fmt.Sprint("a", i%2)}}
		w, err := journal.Create(t.Context(), store, fmt.Sprint("r", i), journal.Record{Time: noon.AddDate(0, 0, i), Fields: fields})
		must(t, err)
		if status != "" {
			w.Append(journal.Record{Type: journal.End, Time: noon, Name: status})
		}
		must(t, w.Close())
	}
	for _, c := range []struct {
		query journal.Query
		want  string
	}{
		{journal.Query{}, "r0 r1 r2 r3 r4"},
		{journal.Query{Statuses: []string{"done"}}, "r0 r4"},
		{journal.Query{Statuses: []string{"open", "paused"}, Program: "p"}, "r2 r3"},
		{journal.Query{Statuses: []string{}}, ""},
		{journal.Query{Agent: "a0"}, "r0 r2 r4"},
		{journal.Query{Agent: "a0", Since: noon.AddDate(0, 0, 2), Until: noon.AddDate(0, 0, 3)}, "r2"},
		{journal.Query{Program: "another"}, ""},
		{journal.Query{Agent: "' OR 1 = 1 --"}, ""},
	} {
		if runs, err := store.List(t.Context(), c.query); strings.Join(runs, " ") != c.want || err != nil {
			t.Errorf("%+v: %q, %v, want %s", c.query, runs, err, c.want)
		}
	}
}

// versions: tables of an older version are brought up to date, those of a newer one are left alone.
func (k Kind) versions(t *testing.T) {
	address := k.Empty(t)
	raw := k.Raw(t, address)
	execute(t, raw, "CREATE TABLE agentc_store (version BIGINT NOT NULL)", "INSERT INTO agentc_store VALUES (0)")
	must(t, create(t, k.open(t, address), "r", "a").Close())
	var version int
	must(t, raw.QueryRowContext(t.Context(), "SELECT version FROM agentc_store").Scan(&version))
	execute(t, raw, "UPDATE agentc_store SET version = 99")
	newer := k.open(t, address)
	_, create := newer.Create(t.Context(), "s")
	_, read := newer.Read(t.Context(), "r")
	for _, err := range []error{create, read} {
		if stored := (*journal.StoreError)(nil); !errors.As(err, &stored) || !strings.Contains(err.Error(), "version 99") {
			t.Errorf("a newer store: %v", err)
		}
	}
	execute(t, raw, fmt.Sprint("UPDATE agentc_store SET version = ", version))
	has(t, newer, "r", "a") // the caller who has asked in vain asks again
}

// anHourAhead has leases end as they do after a clock was set back by an hour.
func anHourAhead() string {
	return fmt.Sprint("UPDATE agentc_runs SET expires = ", time.Now().Add(time.Hour).UnixMilli())
}

// shared: writes that are made at the same time do not know of each other. One that is refused fails no other.
func (k Kind) shared(t *testing.T) {
	address := k.Empty(t)
	store, raw := k.open(t, address), k.Raw(t, address)
	var files [40]journal.File
	for i := range files {
		files[i] = create(t, store, fmt.Sprint("r", i), "a")
	}
	execute(t, raw, "UPDATE agentc_runs SET fence = 1 WHERE run LIKE '%3'")
	for round := range 5 {
		var all sync.WaitGroup
		for i, file := range files {
			all.Go(func() {
				if round%2 == 0 {
					file.Label(journal.Labels{Program: "p"})
				}
				err := errors.Join(file.Append([]byte("b")), file.Sync())
				if lost := i%10 == 3; lost != errors.Is(err, journal.ErrRunLocked) || !lost && err != nil {
					t.Errorf("run %d: %v", i, err)
				}
			})
		}
		all.Wait()
	}
	for i, file := range files {
		want := "abbbbb"
		if i%10 == 3 {
			want = "a"
		}
		has(t, store, fmt.Sprint("r", i), want)
		if err := file.Close(); (err == nil) != (i%10 != 3) {
			t.Errorf("Close of run %d: %v", i, err)
		}
	}
}

// setBack: a lease never ends later than its length from now. An owner that is gone loses its run after that, one that lives keeps it.
func (k Kind) setBack(t *testing.T) {
	empty := k.Empty(t)
	address := withLease(empty, lease)
	gone, err := k.Open(address)
	must(t, err)
	one, two, raw := k.open(t, address), k.open(t, withLease(empty, time.Minute)), k.Raw(t, empty) // a lease is as long as its owner says
	create(t, gone, "gone", "a")
	closeStore(t, gone)
	alive := create(t, one, "alive", "a")
	execute(t, raw, anHourAhead())
	for _, run := range []string{"gone", "alive"} {
		if owned, err := two.Owned(t.Context(), run); !owned || err != nil {
			t.Errorf("Owned of run %s: %v, %v", run, owned, err)
		}
	}
	next := taken(t, two, "gone")
	refused(t, two, "alive")
	add(t, alive, "b")
	must(t, errors.Join(alive.Close(), next.Close()))
}

func (k Kind) version1(t *testing.T) { k.earlier(t, k.Version1) }

func (k Kind) version2(t *testing.T) { k.earlier(t, k.Version2) }

// earlier: what was kept by an earlier version is read, also what a program of that version writes while it still runs.
func (k Kind) earlier(t *testing.T, stored string) {
	t.Helper()
	empty := k.Empty(t)
	address, raw := withLease(empty, lease), k.Raw(t, empty)
	execute(t, raw, stored, anHourAhead())
	store := k.open(t, address)
	if runs, err := store.List(t.Context(), journal.Query{Statuses: []string{"done"}}); len(runs) != 1 || err != nil {
		t.Errorf("the runs that are done: %q, %v", runs, err)
	}
	if j, err := journal.Read(t.Context(), store, "done"); err != nil || !j.Ended() {
		t.Errorf("run done: %+v, %v", j, err)
	}
	refused(t, store, "open")
	must(t, taken(t, store, "open").Close())
	j, w, err := journal.Open(t.Context(), store, "open")
	if err != nil || len(j.Records) != 2 || j.Cut != nil {
		t.Fatalf("run open: %+v, %v", j, err)
	}
	if messages, err := w.Messages(); len(messages) != 1 || string(messages[0]) != "a message" || err != nil {
		t.Errorf("its messages are %q, %v", messages, err)
	}
	must(t, w.Close())
	execute(t, raw, "INSERT INTO agentc_runs (run, fence, expires) VALUES ('old', 1, 0)") // as version 1 does
	must(t, taken(t, store, "old").Close())
}

// versionLost: tables whose version is not known are left as they are.
func (k Kind) versionLost(t *testing.T) {
	for _, lose := range []string{"DELETE FROM agentc_store", "DROP TABLE agentc_store"} {
		address := k.Empty(t)
		raw := k.Raw(t, address)
		must(t, create(t, k.open(t, address), "r", "a").Close())
		execute(t, raw, lose)
		_, err := k.open(t, address).List(t.Context(), journal.Query{})
		const want = "INSERT INTO agentc_store VALUES ("
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Fatalf("%s: %v", lose, err)
		}
	}
}

// tables: of many processes that find an empty database one makes the tables.
func (k Kind) tables(t *testing.T) {
	address := k.Empty(t)
	var all sync.WaitGroup
	for i := range 8 {
		store := k.open(t, address)
		all.Go(func() {
			file, err := store.Create(context.Background(), fmt.Sprint("r", i))
			if err == nil {
				err = file.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if runs, err := k.open(t, address).List(t.Context(), journal.Query{}); len(runs) != 8 || err != nil {
		t.Errorf("the runs are %q, %v", runs, err)
	}
}

// removed: an owner whose run is gone gets an error at its next step.
func (k Kind) removed(t *testing.T) {
	address := k.Empty(t)
	store, raw := k.open(t, address), k.Raw(t, address)
	file := create(t, store, "r", "a")
	execute(t, raw, "DELETE FROM agentc_blocks", "DELETE FROM agentc_runs")
	if err := file.Sync(); err == nil {
		t.Error("Sync of a run that was removed")
	}
	if err := errors.Join(file.Append([]byte("b")), file.Sync()); err == nil {
		t.Error("a run that was removed takes bytes")
	}
	if err := file.Close(); err == nil {
		t.Error("Close says nothing of the bytes that it has lost")
	}
	if runs, err := store.List(t.Context(), journal.Query{}); len(runs) > 0 || err != nil {
		t.Errorf("the runs are %q, %v", runs, err)
	}
	old := create(t, store, "r", "a")
	execute(t, raw, "DELETE FROM agentc_blocks", "DELETE FROM agentc_runs")
	must(t, create(t, store, "r", "new").Close())
	if err := errors.Join(old.Append([]byte("old")), old.Sync()); !errors.Is(err, journal.ErrRunLocked) {
		t.Errorf("the owner of a run that was removed writes into a new one of its name: %v", err)
	}
	has(t, store, "r", "new")
}

func execute(t *testing.T, raw *sql.DB, statements ...string) {
	t.Helper()
	for _, statement := range statements {
		if _, err := raw.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}
