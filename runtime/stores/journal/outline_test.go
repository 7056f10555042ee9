package journal_test

import (
	"bytes"
	"context"
	"io"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// bytesStore has one journal, whatever its bytes are.
type bytesStore struct {
	journal.Store
	content []byte
}

func (s bytesStore) Read(context.Context, string) (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(s.content)), nil
}

// An outline says what the whole journal does: of one that is whole, that is torn anywhere, that has a bit flipped anywhere.
func TestOutlineSaysWhatTheJournalDoes(t *testing.T) {
	s := sample()
	at := s[len(s)-1].Time
	s = append(s,
		journal.Record{Type: journal.End, Time: at, Name: "paused", Fields: []journal.Field{{Name: "error", Value: "ask"}}},
		journal.Record{Type: journal.Opened, Time: at.Add(time.Hour)},
		journal.Record{Type: journal.Event, Time: at.Add(2 * time.Hour), Name: "end"},
		journal.Record{Type: journal.End, Time: at, Name: "done", Fields: []journal.Field{{Name: "value", Value: string(small(t).content)}}},
	)
	content := write(t, s[:1], s[1:3], s[3:5], s[5:]).content
	for size := range content {
		compareOutline(t, content[:size])
		flipped := bytes.Clone(content)
		flipped[size] ^= 1
		compareOutline(t, flipped)
	}
	compareOutline(t, content)
}

func compareOutline(t *testing.T, content []byte) {
	t.Helper()
	store := bytesStore{content: content}
	j, err := journal.Read(t.Context(), store, "r1")
	o, outlineErr := journal.Read(t.Context(), store, "r1", journal.Opened, journal.End)
	if !reflect.DeepEqual(err, outlineErr) {
		t.Fatalf("%v, but of the outline %v", err, outlineErr)
	}
	if err != nil {
		return
	}
	var changed time.Time
	for _, r := range j.Records {
		if r.Time.After(changed) {
			changed = r.Time
		}
	}
	if !changed.Equal(j.Changed) {
		t.Errorf("it was changed at %v, want %v", j.Changed, changed)
	}
	last := j.Records[len(j.Records)-1]
	j.Records = slices.DeleteFunc(j.Records, func(r journal.Record) bool {
		return r.Type != journal.Begin && r.Type != journal.Opened && r.Type != journal.End
	})
	if !reflect.DeepEqual(o, j) {
		t.Errorf("%+v\nwant\n%+v", o, j)
	}
	if ended := last.Type == journal.End && j.Cut == nil; o.Ended() != ended {
		t.Errorf("it has ended: %v, want %v", o.Ended(), ended)
	}
}

// The stamp of a journal is another when something was written.
func TestStamp(t *testing.T) {
	for name, store := range map[string]journal.Store{"files": journal.Files(t.TempDir()), "memory": journal.Memory()} {
		w, err := journal.Create(t.Context(), store, "r1", journal.Record{Name: "r1"})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		var stamps [][2]int64
		for range 3 {
			for range 2 {
				size, changed, err := store.Stamp(t.Context(), "r1")
				if err != nil {
					t.Fatal(err)
				}
				stamps = append(stamps, [2]int64{size, changed})
			}
			w.Append(journal.Record{Type: journal.Event})
			if err := w.Sync(); err != nil {
				t.Fatal(err)
			}
		}
		if len(slices.Compact(slices.Clone(stamps))) != 3 || stamps[0] != stamps[1] || stamps[2] != stamps[3] {
			t.Errorf("%s: %v", name, stamps)
		}
		if _, _, err := store.Stamp(t.Context(), "r2"); err == nil || err.Error() != "run r2: there is no such run" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
