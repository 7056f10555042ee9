package journal

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// readableJournal is the journal as far as it was read, if that is a journal at all.
func (d *decoder) readableJournal() *Journal {
	if d == nil || d.checkFirstRecord() != nil {
		return nil
	}
	d.journal.Recoveries = d.recoveries.listCounted()

	return &d.journal
}

// decoder is what was read of a journal.
type decoder struct {
	journal Journal
	// only are the types of the records that the journal is to have besides the first; none: all.
	only       []Type
	recoveries recoveries
	labels     Labels
	// fields are the fields of the last record that is not kept.
	fields []Field
	// blocks is how many were read, end where the next would begin.
	blocks uint64
	end    int
}

func decodeJournal(run string, data []byte, only ...Type) (*decoder, error) {
	d := &decoder{journal: Journal{Run: run}, only: only}
	text := string(data) // of which the texts of all records are parts
	var err error
	d.end, err = readHeader(run, text)
	if err != nil {
		return nil, err
	}
	seed := seedOf(run)
	for d.end < len(data) {
		length, bad := parseBlock(data[d.end:], d.blocks+1, seed)
		switch {
		case bad == nil:
		case bad.damaged || blockFollows(data[d.end+1:], d.blocks+1, seed):
			return d, d.damagedError(bad.problem)
		default:
			d.journal.Cut = &tornError{run: run, offset: d.end, bytes: len(data) - d.end, problem: bad.problem}
			return d, d.checkFirstRecord()
		}
		whole, payload := len(d.journal.Records), d.end+blockHead
		if problem := d.decodePayload(text[:payload+length], payload); problem != "" {
			d.journal.Records = d.journal.Records[:whole]
			return d, d.damagedError(problem)
		}
		d.blocks++
		d.end = payload + length
	}

	return d, d.checkFirstRecord()
}

func (d *decoder) damagedError(problem string) error {
	return &DamagedError{Run: d.journal.Run, Offset: int64(d.end), Problem: problem}
}

// checkFirstRecord looks at the first record, without which the others mean nothing.
func (d *decoder) checkFirstRecord() error {
	switch {
	case len(d.journal.Records) == 0:
		return runError(d.journal.Run, ErrNotBegun)
	case d.journal.Records[0].Type != Begin:
		return &DamagedError{Run: d.journal.Run, Problem: "its first record is not the beginning of a run"}
	}

	return nil
}

// decodePayload reads the records of a block, with which the text ends.
func (d *decoder) decodePayload(text string, at int) (problem string) {
	c := cursor{text: text, at: at}
	for c.at < len(text) {
		r := d.decodeRecord(&c)
		if c.problem == "" {
			d.keepRecord(r)
		}
	}

	return c.problem
}

// keepRecord takes a record into the journal, if it is to be there.
func (d *decoder) keepRecord(r Record) {
	if r.Time.After(d.journal.Changed) {
		d.journal.Changed = r.Time
	}
	d.recoveries.addRecord(&r)
	d.labels.addRecord(&r)
	if d.isKept(r.Type) {
		d.journal.Records = append(d.journal.Records, r)
	}
}

// isKept reports whether the journal is to have records of a type.
func (d *decoder) isKept(t Type) bool {
	return len(d.only) == 0 || t == Begin || slices.Contains(d.only, t)
}

// fieldsFor is where the fields of a record go: those of one that is not kept where those of the last one were.
func (d *decoder) fieldsFor(t Type, n int) []Field {
	if d.isKept(t) {
		return make([]Field, n)
	}
	d.fields = slices.Grow(d.fields[:0], n)

	return d.fields[:n]
}

func (d *decoder) decodeRecord(c *cursor) Record {
	r := Record{Type: Type(c.readByte())}
	if !r.Type.Valid() {
		c.fail("it has a record of the unknown type %d", r.Type)
	}
	seconds, nanoseconds := c.readVarint(), c.readUvarint()
	if nanoseconds >= uint64(time.Second) {
		c.fail("it has a record at no time")
	}
	r.Time = time.Unix(seconds, int64(nanoseconds)).UTC()
	r.Address, r.Name = c.readString(), c.readString()

	const leastField = 2 // bytes: so the count of fields is never more than the file justifies
	n := c.readUvarint()
	if n > c.bytesLeft()/leastField {
		c.fail("it has a record of %d fields in %d bytes", n, c.bytesLeft())
	}
	if n == 0 || c.problem != "" {
		return r
	}
	r.Fields = d.fieldsFor(r.Type, int(n))
	for i := range r.Fields {
		r.Fields[i] = Field{Name: c.readString(), Value: c.readString()}
	}

	return r
}

// cursor reads the end of a text. After the first problem it reads nothing more.
type cursor struct {
	text    string
	at      int
	problem string
}

func (c *cursor) fail(format string, args ...any) {
	if c.problem == "" {
		c.problem = fmt.Sprintf(format, args...)
	}
	c.at = len(c.text)
}

// bytesLeft is how many bytes were not read.
func (c *cursor) bytesLeft() uint64 { return uint64(len(c.text) - c.at) }

func (c *cursor) readByte() byte {
	s := c.readBytes(1)
	if s == "" {
		return 0
	}

	return s[0]
}

func (c *cursor) readBytes(n uint64) string {
	if n > c.bytesLeft() {
		c.fail("a text has %d bytes where %d are left", n, c.bytesLeft())
		return ""
	}
	s := c.text[c.at : c.at+int(n)]
	c.at += int(n)

	return s
}

// readString reads a text that is here, or was before.
func (c *cursor) readString() string {
	n := c.readUvarint()
	if n&1 == 0 {
		return c.readBytes(n >> 1)
	}
	n, place := n>>1, c.readUvarint()
	if at := uint64(c.at); place > at || n > at-place {
		c.fail("it refers to %d bytes at byte %d, which are not before it", n, place)
	}
	if c.problem != "" {
		return ""
	}

	return c.text[place : place+n]
}

func (c *cursor) readUvarint() uint64 {
	if c.bytesLeft() > 0 && c.text[c.at] < 1<<7 { // as nearly all are
		c.at++

		return uint64(c.text[c.at-1])
	}
	var raw [binary.MaxVarintLen64]byte
	value, n := binary.Uvarint(raw[:copy(raw[:], c.text[c.at:])])
	if n <= 0 {
		c.fail("it has a number that does not end")
		return 0
	}
	c.at += n

	return value
}

func (c *cursor) readVarint() int64 {
	u := c.readUvarint()

	return int64(u>>1) ^ -int64(u&1)
}
