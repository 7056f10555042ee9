package journal_test

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// plainReader reads a journal by what README.md says of the file, with nothing of the package but its types.
type plainReader struct {
	*strings.Reader
	file string
}

func (r *plainReader) number(size int) uint64 {
	var raw [8]byte
	if _, err := io.ReadFull(r, raw[:size]); err != nil {
		panic(err)
	}

	return binary.LittleEndian.Uint64(raw[:])
}

func (r *plainReader) uvarint() uint64 {
	n, err := binary.ReadUvarint(r)
	if err != nil {
		panic(err)
	}

	return n
}

func (r *plainReader) bytes(n uint64) string {
	raw := make([]byte, n)
	if _, err := io.ReadFull(r, raw); err != nil {
		panic(err)
	}

	return string(raw)
}

func (r *plainReader) text() string {
	n := r.uvarint()
	if n%2 == 1 {
		place := r.uvarint()
		return r.file[place : place+n/2]
	}

	return r.bytes(n / 2)
}

func (r *plainReader) record() journal.Record {
	kind := journal.Type(r.number(1))
	seconds, err := binary.ReadVarint(r)
	if err != nil {
		panic(err)
	}
	at := time.Unix(seconds, int64(r.uvarint())).UTC()
	record := journal.Record{Type: kind, Time: at, Address: r.text(), Name: r.text()}
	for range r.uvarint() {
		record.Fields = append(record.Fields, journal.Field{Name: r.text(), Value: r.text()})
	}

	return record
}

// readPlain reads a whole journal, without looking for faults but in the checksums.
func readPlain(t *testing.T, content, run string) []journal.Record {
	t.Helper()
	line, rest, _ := strings.Cut(content, "\n")
	if line += "\n"; line != "agentc journal 2 "+run+"\n" {
		t.Fatalf("it begins with %q", line)
	}
	checksum := func(s string) uint64 {
		return uint64(crc32.Checksum([]byte(line+s), crc32.MakeTable(crc32.Castagnoli)))
	}
	file := &plainReader{Reader: strings.NewReader(rest), file: content}
	var records []journal.Record
	for block := uint64(1); file.Len() > 0; block++ {
		head := file.bytes(16)
		h := plainReader{Reader: strings.NewReader(head)}
		if marker, number := h.bytes(4), h.number(8); marker != "blk:" || number != block {
			t.Fatalf("%q, block %d", marker, number)
		}
		headSum, sum := file.number(4), file.number(4)
		content := file.bytes(h.number(4))
		if headSum != checksum(head) || sum != checksum(head+content) {
			t.Fatalf("checksums of block %d", block)
		}
		all := file.Reader
		for file.Reader = strings.NewReader(content); file.Len() > 0; {
			records = append(records, file.record())
		}
		file.Reader = all
	}

	return records
}

func TestThePageIsEnoughToReadAJournal(t *testing.T) {
	for _, j := range []written{small(t), wide(t)} {
		if got := readPlain(t, string(j.content), "r1"); !reflect.DeepEqual(got, j.records) {
			t.Errorf("%+v", got)
		}
	}
}

// example is the journal that README.md shows.
func example(t *testing.T) written {
	at := time.Date(2026, 11, 22, 9, 30, 0, 0, time.UTC)
	text := strings.Repeat("It compiles; it has never erred. ", 2)
	field := func(name, value string) journal.Field { return journal.Field{Name: name, Value: value} }

	return write(t, []journal.Record{
		{Type: journal.Begin, Time: at, Name: "r1", Fields: []journal.Field{field("program", "haiku"), field("agent", "poet")}},
	}, []journal.Record{
		{Type: journal.Intent, Time: at, Address: "1", Name: "model", Fields: []journal.Field{field("what", "poet")}},
		{
			Type: journal.Result, Time: at.Add(1500 * time.Millisecond), Address: "1", Name: "model",
			Fields: []journal.Field{field("text", text)},
		},
		{Type: journal.Event, Time: at.Add(1500 * time.Millisecond), Name: "model.replied", Fields: []journal.Field{field("text", text)}},
	})
}

func TestTheExampleOfThePage(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	j := example(t)
	dump := strings.TrimSuffix("    "+strings.ReplaceAll(hex.Dump(j.content), "\n", "\n    "), "    ")
	if !strings.Contains(string(page), dump) {
		t.Errorf("README.md does not show\n%s", dump)
	}
	if got := readPlain(t, string(j.content), "r1"); !reflect.DeepEqual(got, j.records) {
		t.Errorf("%+v", got)
	}
}

func TestErrorsSayWhatToDo(t *testing.T) {
	for want, err := range map[string]error{
		"run r1: another process works on it": journal.RunError("r1", journal.ErrRunLocked),
		"the run could not be recorded: write runs/r1.journal: no space left on device " +
			"(--store DIR records in another folder, --store none nowhere)": &journal.StoreError{
			Op: "write", Path: "runs/r1.journal", Err: errors.New("no space left on device")},
		"the store cannot be opened: sqlite:runs.db: file is not a database (--store names another one)": &journal.StoreError{
			Op: "open", Path: "sqlite:runs.db", Err: errors.New("file is not a database")},
		"the store cannot be read: read runs: permission denied (--store names another one)": &journal.StoreError{
			Op: "read", Path: "runs", Err: &fs.PathError{Op: "open", Path: "runs", Err: errors.New("permission denied")}},
		"the journal of run r1 is damaged at byte 7: it smokes": &journal.DamagedError{Run: "r1", Offset: 7, Problem: "it smokes"},
		"the journal of run r1 has format 3, and this program reads format 2: a newer agentc wrote it": &journal.FormatError{
			Run: "r1", Have: 3, Known: 2},
		"the journal of run r1 has format 1, and this program reads format 2: an older agentc wrote it": &journal.FormatError{
			Run: "r1", Have: 1, Known: 2},
	} {
		if err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}
