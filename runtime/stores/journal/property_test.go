package journal_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// drawer draws records that have much in common, as those of a run have.
type drawer struct {
	*rand.Rand
	texts []string
}

func (d *drawer) text() string {
	if len(d.texts) > 0 && d.IntN(3) == 0 {
		return d.texts[d.IntN(len(d.texts))]
	}
	size := []int{0, 1, 5, 63, 64, 65, 300, 5000}[d.IntN(8)]
	raw := make([]byte, size)
	for i := range raw {
		raw[i] = byte(d.IntN(256))
	}
	d.texts = append(d.texts, string(raw))

	return string(raw)
}

func (d *drawer) record() journal.Record {
	r := journal.Record{
		Type: journal.Begin + journal.Type(d.IntN(7)), Time: time.Unix(d.Int64N(1<<40)-1<<39, d.Int64N(1e9)).UTC(),
		Address: strings.Repeat("1.", d.IntN(40)) + "1", Name: d.text(),
	}
	for range d.IntN(6) {
		name := fmt.Sprint("field", d.IntN(9))
		if d.IntN(20) == 0 {
			name = d.text()
		}
		r.Fields = append(r.Fields, journal.Field{Name: name, Value: d.text()})
	}

	return r
}

// TestJournalsAreSlicesOfRecords does at random what runs do, and holds the journal against a plain slice.
func TestJournalsAreSlicesOfRecords(t *testing.T) {
	for seed := range uint64(150) {
		d := &drawer{Rand: rand.New(rand.NewPCG(seed, 7))}
		store := journal.Memory()
		if seed%30 == 0 {
			store = journal.Files(filepath.Join(t.TempDir(), "runs"))
		}
		want := []journal.Record{d.record()}
		want[0].Type = journal.Begin
		w, err := journal.Create(t.Context(), store, "r1", want[0])
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			switch d.IntN(10) {
			case 0:
				w.Flush()
			case 1:
				if err := w.Sync(); err != nil {
					t.Fatal(err)
				}
				j, err := journal.Read(t.Context(), store, "r1")
				if err != nil || !reflect.DeepEqual(j.Records, want) {
					t.Fatalf("seed %d: read %v", seed, err)
				}
			case 2:
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				var j *journal.Journal
				if j, w, err = journal.Open(t.Context(), store, "r1"); err != nil || j.Cut != nil || !reflect.DeepEqual(j.Records, want) {
					t.Fatalf("seed %d: opened %v", seed, err)
				}
			default:
				r := d.record()
				w.Append(r)
				want = append(want, r)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
