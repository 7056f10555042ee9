package journal_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// written is a journal with the offsets at which its blocks end, and how many records stand before each.
type written struct {
	content []byte
	records []journal.Record
	ends    []int
	counts  []int
}

// write writes the records with a sync after each group of them.
func write(t *testing.T, groups ...[]journal.Record) written {
	t.Helper()
	store := journal.Memory()
	all := slices.Concat(groups...)
	w, err := journal.Create(t.Context(), store, "r1", all[0])
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	j := written{records: all, ends: []int{len(contentOf(t, store))}, counts: []int{1}}
	groups[0] = groups[0][1:]
	for _, group := range groups {
		if len(group) == 0 {
			continue
		}
		for _, r := range group {
			w.Append(r)
		}
		if err := w.Sync(); err != nil {
			t.Fatal(err)
		}
		j.content = contentOf(t, store)
		j.ends = append(j.ends, len(j.content))
		j.counts = append(j.counts, j.counts[len(j.counts)-1]+len(group))
	}

	return j
}

// contentOf returns the bytes of a run, be it owned or not.
func contentOf(t testing.TB, store journal.Store) []byte {
	t.Helper()
	r, err := store.Read(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}

	return content
}

// upTo is the number of the last block that is whole in so many bytes, or -1.
func (j written) upTo(size int) int {
	last := -1
	for i, end := range j.ends {
		if end <= size {
			last = i
		}
	}

	return last
}

// small has three blocks.
func small(t *testing.T) written {
	s := sample()

	return write(t, s[:1], s[1:3], s[3:])
}

// expectCut holds what is read of content against the journal up to a block, behind which something must have been cut off.
func (j written) expectCut(t *testing.T, what string, content []byte, block int) {
	t.Helper()
	got, err := journal.Decode("r1", content)
	if block < 0 {
		if !errors.Is(err, journal.ErrNotBegun) {
			t.Errorf("%s: %v", what, err)
		}

		return
	}
	wantOffset, wantBytes := j.ends[block], len(content)-j.ends[block]
	switch {
	case err != nil:
		t.Errorf("%s: %v", what, err)
	case !reflect.DeepEqual(got.Records, j.records[:j.counts[block]]):
		t.Errorf("%s: %d records, want %d", what, len(got.Records), j.counts[block])
	case (got.Cut != nil) != (wantBytes > 0):
		t.Errorf("%s: cut %v", what, got.Cut)
	case got.Cut != nil:
		if offset, bytes, problem := got.Cut.(*journal.TornError).Parts(); offset != wantOffset || bytes != wantBytes || problem == "" {
			t.Errorf("%s: cut %v, want %d bytes at %d", what, got.Cut, wantBytes, wantOffset)
		}
	}
}

// expectDamage wants a DamagedError at the beginning of the block after that one; -1 is the header.
func (j written) expectDamage(t *testing.T, what string, content []byte, block int) {
	t.Helper()
	offset := 0
	if block >= 0 {
		offset = j.ends[block]
	}
	var damaged *journal.DamagedError
	if _, err := journal.Decode("r1", content); !errors.As(err, &damaged) || damaged.Offset != int64(offset) || damaged.Run != "r1" {
		t.Errorf("%s: %v, want damage at %d", what, err, offset)
	}
}

func TestEveryPrefixIsReadUpToItsLastWholeBlock(t *testing.T) {
	j := small(t)
	for size := range len(j.content) + 1 {
		j.expectCut(t, fmt.Sprint(size, " bytes"), j.content[:size], j.upTo(size))
	}
}

func TestEveryFlippedBitIsFound(t *testing.T) {
	j := small(t)
	header := bytes.IndexByte(j.content, '\n') + 1
	for at := range j.content {
		for bit := range 8 {
			what := fmt.Sprintf("bit %d of byte %d", bit, at)
			content := bytes.Clone(j.content)
			content[at] ^= 1 << bit
			switch last := len(j.ends) - 1; {
			case at < header:
				var format *journal.FormatError
				if _, err := journal.Decode("r1", content); errors.As(err, &format) {
					continue // another number
				}
				j.expectDamage(t, what, content, -1)
			case at >= j.ends[last-1]:
				j.expectCut(t, what, content, last-1)
			case at < j.ends[0]:
				var damaged *journal.DamagedError
				if _, err := journal.Decode("r1", content); !errors.As(err, &damaged) || damaged.Offset != int64(header) {
					t.Errorf("%s: %v", what, err)
				}
			default:
				j.expectDamage(t, what, content, j.upTo(at))
			}
		}
	}
	fmt.Printf("soak: %s: %d bits\n", t.Name(), 8*len(j.content))
}

// wide has a last block of several pages.
func wide(t *testing.T) written {
	const bytesOfText = 20_000
	s := sample()
	text := strings.Repeat("blk:0123456789ABCDEF", bytesOfText/20) // with what looks like blocks
	big := journal.Record{Type: journal.Event, Time: noon, Fields: []journal.Field{{Name: "text", Value: text}}}

	return write(t, s[:1], s[1:4], []journal.Record{big, s[4]})
}

func TestAnyPagesOfTheLastBlockMayBeLost(t *testing.T) {
	const page = 4096
	j := wide(t)
	start, end := j.ends[len(j.ends)-2], len(j.content)
	pages := (end-1)/page - start/page + 1
	if pages < 4 {
		t.Fatalf("only %d pages", pages)
	}
	for lost := 1; lost < 1<<pages; lost++ {
		content := bytes.Clone(j.content)
		for p := range pages {
			if lost&(1<<p) != 0 {
				first := max(start, (start/page+p)*page)
				clear(content[first:min(end, (start/page+p+1)*page)])
			}
		}
		j.expectCut(t, fmt.Sprintf("lost %b", lost), content, len(j.ends)-2)
		content[j.ends[0]+30] ^= 1
		j.expectDamage(t, fmt.Sprintf("lost %b, and damage before", lost), content, 0)
	}
}

func TestWhatStandsBehindTheEndIsCutOff(t *testing.T) {
	j := small(t)
	other, err := journal.Decode("r1", j.content)
	if err != nil || other.Cut != nil {
		t.Fatal(err, other)
	}
	zeros, marks := strings.Repeat("\x00", 9000), strings.Repeat("blk:", 50)
	for _, tail := range []string{"x", "\x00", zeros, "blk:", marks, "agentc journal 2 r1\n"} {
		j.expectCut(t, fmt.Sprintf("%.20q", tail), append(bytes.Clone(j.content), tail...), len(j.ends)-1)
	}
}

func TestBlocksThatMovedAreDamage(t *testing.T) {
	j := small(t)
	block := func(i int) []byte { return j.content[j.ends[i-1]:j.ends[i]] }
	first, last := j.content[:j.ends[0]], len(j.ends)-1
	join := func(parts ...[]byte) []byte { return slices.Concat(parts...) }
	j.expectDamage(t, "one twice", join(j.content, block(last)), last)
	j.expectDamage(t, "one removed", join(first, block(2)), 0)
	j.expectDamage(t, "two exchanged", join(first, block(2), block(1)), 0)
	j.expectDamage(t, "bytes inserted", join(first, []byte("x"), j.content[j.ends[0]:]), 0)
	j.expectDamage(t, "bytes inserted before the last", join(j.content[:j.ends[1]], []byte("\x00"), block(2)), 1)
	j.expectDamage(t, "no header", j.content[len("agentc journal 2 r1\n"):], -1)
}

func TestJournalsOfOthersAreRefused(t *testing.T) {
	j := small(t)
	var damaged *journal.DamagedError
	_, err := journal.Decode("r2", j.content)
	if !errors.As(err, &damaged) || !strings.Contains(err.Error(), `the journal of run "r1"`) {
		t.Errorf("that of another run: %v", err)
	}
	var format *journal.FormatError
	newer := append([]byte("agentc journal 12 r1 or whatever\n"), j.content...)
	want := journal.FormatError{Run: "r1", Have: 12, Known: 2}
	if _, err := journal.Decode("r1", newer); !errors.As(err, &format) || *format != want {
		t.Errorf("a newer format: %v", err)
	}
	if _, err := journal.Decode("r1", []byte("agentc journal 1 r1\n")); !errors.As(err, &format) || format.Have != 1 {
		t.Errorf("an older format: %v", err)
	}
	for _, text := range []string{
		"x", "agentc journal 0 r1\n", "agentc journal x r1\n", "agentc journal -1 r1\n", "agentc journal 2 r1 \n", "{}\n",
	} {
		if _, err := journal.Decode("r1", []byte(text)); !errors.As(err, &damaged) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// put makes a journal of those bytes.
func put(t *testing.T, store journal.Store, content []byte) {
	t.Helper()
	file, err := store.Create(t.Context(), "r1")
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Append(content); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

func TestATornEndIsCutByItsOwnerOnly(t *testing.T) {
	for name, store := range stores(t) {
		t.Run(name, func(t *testing.T) {
			j, ctx := small(t), t.Context()
			put(t, store, j.content[:len(j.content)-1])
			for range 2 {
				if got, err := journal.Read(ctx, store, "r1"); err != nil || got.Cut == nil {
					t.Fatalf("a reader: %v, %+v", err, got)
				}
			}
			got, w, err := journal.Open(ctx, store, "r1")
			if err != nil || got.Cut == nil || len(got.Records) != j.counts[1] {
				t.Fatalf("the owner: %v, %+v", err, got)
			}
			if got, err := journal.Read(ctx, store, "r1"); err != nil || got.Cut != nil {
				t.Fatalf("a reader after the cut: %v, %+v", err, got)
			}
			for _, r := range j.records[j.counts[1]:] {
				w.Append(r)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if got, err := journal.Read(ctx, store, "r1"); err != nil || got.Cut != nil || !reflect.DeepEqual(got.Records, j.records) {
				t.Errorf("written on: %v, %+v", err, got)
			}
		})
	}
}

func TestADamagedJournalIsLeftAloneAndGivenBack(t *testing.T) {
	store, j := journal.Memory(), small(t)
	content := bytes.Clone(j.content)
	content[j.ends[0]+8] ^= 1
	put(t, store, content)
	var damaged *journal.DamagedError
	for range 2 {
		if _, _, err := journal.Open(t.Context(), store, "r1"); !errors.As(err, &damaged) {
			t.Errorf("%v", err)
		}
	}
	if !bytes.Equal(contentOf(t, store), content) {
		t.Error("it was changed")
	}
}
