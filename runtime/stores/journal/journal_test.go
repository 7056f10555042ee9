package journal_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// stores are those of this package.
func stores(t *testing.T) map[string]journal.Store {
	return map[string]journal.Store{
		"memory": journal.Memory(),
		"files":  journal.Files(filepath.Join(t.TempDir(), "a", "b", "runs")),
	}
}

var noon = time.Date(2026, 11, 22, 12, 0, 0, 123456789, time.UTC)

// sample has a record of each type, short and long values, values that come again, odd texts and times.
func sample() []journal.Record {
	long := strings.Repeat("a long text ", 30)
	fields := func(pairs ...string) []journal.Field {
		var all []journal.Field
		for i := 0; i < len(pairs); i += 2 {
			all = append(all, journal.Field{Name: pairs[i], Value: pairs[i+1]})
		}

		return all
	}

	return []journal.Record{
		{Type: journal.Begin, Time: noon, Name: "r1", Fields: fields("program", "demo", "input", long)},
		{Type: journal.Intent, Time: noon.Add(time.Second), Address: "1", Name: "model", Fields: fields("digest", "0123456789abcdef")},
		{
			Type: journal.Result, Time: noon.Add(-time.Hour), Address: "1", Name: "model",
			Fields: fields("text", long, "calls", "", "text", "twice"),
		},
		{
			Type: journal.Event, Time: time.Unix(0, 0).UTC(), Address: "7.0.1", Name: "note",
			Fields: fields("seq", "1", "", "\x00\xff\n"),
		},
		{
			Type: journal.Answer, Address: "8", Name: "ok?",
			Fields: fields("value", strings.Repeat("x", 63), "by", strings.Repeat("x", 64)),
		},
		{Type: journal.Opened, Time: time.Unix(math.MaxInt32*100, 999999999).UTC()},
		{Type: journal.End, Time: time.Unix(-1<<40, 1).UTC(), Name: long, Address: long + "2", Fields: fields("value", long+"2")},
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			ctx, want := t.Context(), sample()
			w, err := journal.Create(ctx, store, "r1", want[0])
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range want[1:4] {
				w.Append(r)
				w.Flush()
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			j, w, err := journal.Open(ctx, store, "r1")
			if err != nil || !reflect.DeepEqual(j.Records, want[:4]) {
				t.Fatalf("%v, %+v", err, j)
			}
			for _, r := range want[4:] {
				w.Append(r)
			}
			if err := w.Sync(); err != nil {
				t.Fatal(err)
			}

			j, err = journal.Read(ctx, store, "r1")
			if err != nil || !reflect.DeepEqual(j.Records, want) || j.Cut != nil || j.Run != "r1" {
				t.Errorf("%v, %+v", err, j)
			}
			if _, _, err := journal.Open(ctx, store, "r1"); !errors.Is(err, journal.ErrRunLocked) {
				t.Errorf("a second owner: %v", err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
			if _, err := journal.Create(ctx, store, "r1", want[0]); !errors.Is(err, journal.ErrRunExists) {
				t.Errorf("a second beginning: %v", err)
			}
			if _, err := journal.Read(ctx, store, "r2"); !errors.Is(err, journal.ErrUnknownRun) {
				t.Errorf("another run: %v", err)
			}
		})
	}
}

func TestLongTextsStandOnce(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	store, long := journal.Files(dir), strings.Repeat("0123456789", 1000)
	w, err := journal.Create(ctx, store, "r1", journal.Record{Time: noon, Name: "r1"})
	if err != nil {
		t.Fatal(err)
	}
	for range 50 {
		w.Append(journal.Record{Type: journal.Event, Time: noon, Fields: []journal.Field{{Name: "text", Value: long}}})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, w, err = journal.Open(ctx, store, "r1") // another process writes the text once more
	if err != nil {
		t.Fatal(err)
	}
	w.Append(journal.Record{Type: journal.Event, Time: noon, Fields: []journal.Field{{Name: "text", Value: long}}})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(dir, "r1.journal"))
	if err != nil || strings.Count(string(content), long) != 2 || len(content) > 2*len(long)+2000 {
		t.Errorf("%d bytes, %v", len(content), err)
	}
}

func TestRecordsHaveTheirFields(t *testing.T) {
	r := sample()[2]
	if value, ok := r.Get("text"); !ok || !strings.HasPrefix(value, "a long") {
		t.Errorf("%q %v", value, ok)
	}
	if value, ok := r.Get("calls"); !ok || value != "" {
		t.Errorf("%q %v", value, ok)
	}
	if _, ok := r.Get("cost"); ok {
		t.Error("a field that is not there")
	}
}

func TestTypesHaveNames(t *testing.T) {
	var names []string
	for _, r := range sample() {
		names = append(names, r.Type.String())
	}
	if got := strings.Join(names, " "); got != "begin intent result event answer open end" {
		t.Error(got)
	}
	if journal.Type(0).Valid() || journal.Type(8).Valid() || journal.Type(9).String() != "unknown" {
		t.Error("types that are none")
	}
}

func TestNamesOfRuns(t *testing.T) {
	for _, run := range []string{"a", "A-b_9", strings.Repeat("x", 64), "_-", "_", "com", "com10", "console", "nul-"} {
		if err := journal.CheckRun(run); err != nil {
			t.Errorf("%q: %v", run, err)
		}
	}
	for _, run := range []string{"", "-", "-rf", "--all", "CON", "nul", "Com1", "lpt9", "aux", "PRN", ".", "..", "a.b", "a/b", `a\b`, "a b", "é", "a\x00", strings.Repeat("x", 65)} {
		if journal.CheckRun(run) == nil {
			t.Errorf("%q is one", run)
		}
		for name, store := range stores(t) {
			if _, err := store.Create(context.Background(), run); !errors.Is(err, journal.ErrUnknownRun) || !strings.Contains(err.Error(), "a run's name is") {
				t.Errorf("%s: %q: %v", name, run, err)
			}
		}
	}
}
