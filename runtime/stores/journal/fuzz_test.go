package journal_test

import (
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// FuzzRead reads any bytes: as a file, and, since few of them have the right checksums, as the content of a block that has.
func FuzzRead(f *testing.F) {
	store := journal.Memory()
	w, err := journal.Create(f.Context(), store, "r1", sample()[0])
	if err != nil {
		f.Fatal(err)
	}
	for _, r := range sample()[1:] {
		w.Append(r)
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	content := contentOf(f, store)
	head := len("agentc journal 2 r1\n") + 24
	f.Add(content)
	f.Add(content[:len(content)/2])
	f.Add(content[head:])
	f.Add(slices.Concat(content[head:head+20], content[head+24:]))
	f.Add([]byte("\x01\x00\x00\x00\x00\x01\x02a\x00"))
	f.Add([]byte("\x01\x00\x00\x02a\x00\x01\x08text\x09\x19"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, content := range [][]byte{data, journal.Sealed("r1", data)} {
			j, err := journal.Decode("r1", content)
			if err == nil {
				again(t, j.Records)
				continue
			}
			damaged, format := (*journal.DamagedError)(nil), (*journal.FormatError)(nil)
			if !errors.As(err, &damaged) && !errors.As(err, &format) && !errors.Is(err, journal.ErrNotBegun) {
				t.Errorf("%T: %v", err, err)
			}
		}
	})
}

// again writes what was read, and reads it.
func again(t *testing.T, records []journal.Record) {
	store := journal.Memory()
	w, err := journal.Create(t.Context(), store, "r1", records[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range records[1:] {
		w.Append(r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err := journal.Read(t.Context(), store, "r1"); err != nil || !reflect.DeepEqual(j.Records, records) {
		t.Errorf("%v\n%+v\n%+v", err, j, records)
	}
}

// hostile are contents of blocks whose numbers promise more than is there.
func hostile() map[string][]byte {
	huge := binary.AppendUvarint(nil, 1<<62)
	record := []byte("\x01\x00\x00\x00\x00")

	return map[string][]byte{
		"many fields":             append(slices.Clone(record), huge...),
		"a long name":             append([]byte("\x01\x00\x00\x00\x00\x01"), huge...),
		"a long value":            append([]byte("\x01\x00\x00\x00\x00\x01\x00"), huge...),
		"a long text":             append([]byte("\x01\x00\x00"), huge...),
		"a reference behind":      append([]byte("\x01\x00\x00"), 1, 0x7f),
		"a long reference":        append([]byte("\x01\x00\x00"), huge[0]|1, huge[1], 0),
		"no time":                 append([]byte("\x01\x00"), huge...),
		"a number without an end": []byte("\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
		"an unknown type":         []byte("\x63\x00\x00\x00\x00\x00"),
		"half a record":           []byte("\x01\x00"),
		"another first record":    []byte("\x02\x00\x00\x00\x00\x00"),
	}
}

func TestBlocksThatPromiseTooMuchAreDamage(t *testing.T) {
	for name, payload := range hostile() {
		var damaged *journal.DamagedError
		if _, err := journal.Decode("r1", journal.Sealed("r1", payload)); !errors.As(err, &damaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoRecordOfADamagedBlockIsRead: a record of an unknown type makes its block damaged, and the records before it in the block are
// not read.
func TestNoRecordOfADamagedBlockIsRead(t *testing.T) {
	begin, unknown := "\x01\x00\x00\x00\x00\x00", "\x63\x00\x00\x00\x00\x00"
	j, err := journal.Decode("r1", journal.Sealed("r1", []byte(begin+unknown)))
	if damaged := (*journal.DamagedError)(nil); !errors.As(err, &damaged) {
		t.Errorf("a record of an unknown type is read: %v", err)
	}
	if j != nil {
		t.Errorf("records of a damaged block are read: %+v", j.Records)
	}
}

// TestMemoryIsInProportionToTheFile reads the files that make the most of their bytes.
func TestMemoryIsInProportionToTheFile(t *testing.T) {
	const most = 100 // bytes of memory for each byte of the file; README.md says so
	contents := map[string][]byte{
		"small records": journal.Sealed("r1", []byte(strings.Repeat("\x01\x00\x00\x00\x00\x00", 1<<16))),
		"one reference": journal.Sealed("r1",
			slices.Concat([]byte("\x01\x00\x00\x00\x00"), binary.AppendUvarint(nil, 1<<16), []byte(strings.Repeat("\x01\x00\x0b\x00", 1<<16)))),
		"small fields": journal.Sealed("r1",
			slices.Concat([]byte("\x01\x00\x00\x00\x00"), binary.AppendUvarint(nil, 1<<18), make([]byte, 1<<19))),
	}
	for name, payload := range hostile() {
		contents[name] = journal.Sealed("r1", append(payload, make([]byte, 1<<16)...))
	}
	for name, content := range contents {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _ = journal.Decode("r1", content)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > most*uint64(len(content)) {
			t.Errorf("%s: %d bytes of memory for %d of the file", name, took, len(content))
		}
	}
}
