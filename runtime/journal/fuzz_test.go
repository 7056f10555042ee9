package journal_test

import (
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/journal"
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
	head := len("agentc journal 1 r1\n") + 24
	f.Add(content)
	f.Add(content[:len(content)/2])
	f.Add(content[head:])
	f.Add(slices.Concat(content[head:head+20], content[head+24:]))
	f.Add([]byte("n\x01ar\x01\x00\x00\x00\x00\x01\x00\x00"))
	f.Add([]byte("v\x04textr\x02\x02\x03\x01\x01\x00"))
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
	record := []byte("r\x01\x00\x00\x00\x00")

	return map[string][]byte{
		"a long name":              append([]byte("n"), huge...),
		"a long value":             append([]byte("v"), huge...),
		"many fields":              append(slices.Clone(record), huge...),
		"a long text":              append([]byte("r\x01\x00\x00"), huge...),
		"a reference":              append([]byte("r\x01\x00\x00"), huge[0]|1, huge[1]),
		"a name that is not there": []byte("r\x01\x00\x00\x00\x00\x01\x00\x00"),
		"no time":                  append([]byte("r\x01\x00"), huge...),
		"a number without an end":  []byte("n\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
		"an unknown type":          []byte("r\x63\x00\x00\x00\x00\x00"),
		"an unknown entry":         []byte("x"),
		"half a record":            []byte("r\x01\x00"),
		"another first record":     []byte("r\x02\x00\x00\x00\x00\x00"),
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

// TestMemoryIsInProportionToTheFile reads the files that make the most of their bytes.
func TestMemoryIsInProportionToTheFile(t *testing.T) {
	const most = 100 // bytes of memory for each byte of the file; README.md says so
	contents := map[string][]byte{
		"small records": journal.Sealed("r1", []byte(strings.Repeat("r\x01\x00\x00\x00\x00\x00", 1<<16))),
		"small fields": journal.Sealed("r1",
			slices.Concat([]byte("n\x00r\x01\x00\x00\x00\x00"), binary.AppendUvarint(nil, 1<<18), make([]byte, 1<<19))),
		"empty values":  journal.Sealed("r1", []byte("r\x01\x00\x00\x00\x00\x00"+strings.Repeat("v\x00", 1<<18))),
		"one reference": journal.Sealed("r1", []byte("v\x05aaaaan\x00"+strings.Repeat("r\x01\x00\x00\x01\x01\x01\x00\x01", 1<<16))),
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
