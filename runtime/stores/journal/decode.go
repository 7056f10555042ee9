package journal

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// usable is the journal as far as it was read, if that is a journal at all.
func (d *decoder) usable() *Journal {
	if d == nil || d.begun() != nil {
		return nil
	}
	d.journal.Recoveries = d.recoveries.all()

	return &d.journal
}

// decoder is what was read of a journal.
type decoder struct {
	journal Journal
	// only are the types of the records that the journal is to have besides the first; none: all.
	only       []Type
	recoveries recoveries
	labels     Labels
	// fields are those of the last record that is not kept.
	fields []Field
	// blocks is how many were read, end where the next would begin.
	blocks uint64
	end    int
}

func decode(run string, data []byte, only ...Type) (*decoder, error) {
	d := &decoder{journal: Journal{Run: run}, only: only}
	text := string(data) // of which the texts of all records are parts
	var err error
	if d.end, err = readHeader(run, text); err != nil {
		return nil, err
	}
	seed := seedOf(run)
	for d.end < len(data) {
		length, bad := parseBlock(data[d.end:], d.blocks+1, seed)
		switch {
		case bad == nil:
		case bad.damaged || blockFollows(data[d.end+1:], d.blocks+1, seed):
			return d, d.damaged(bad.problem)
		default:
			d.journal.Cut = &tornError{run: run, offset: d.end, bytes: len(data) - d.end, problem: bad.problem}
			return d, d.begun()
		}
		whole, payload := len(d.journal.Records), d.end+blockHead
		if problem := d.payload(text[:payload+length], payload); problem != "" {
			d.journal.Records = d.journal.Records[:whole]
			return d, d.damaged(problem)
		}
		d.blocks++
		d.end = payload + length
	}

	return d, d.begun()
}

func (d *decoder) damaged(problem string) error {
	return &DamagedError{Run: d.journal.Run, Offset: int64(d.end), Problem: problem}
}

// begun looks at the first record, without which the others mean nothing.
func (d *decoder) begun() error {
	switch {
	case len(d.journal.Records) == 0:
		return runError(d.journal.Run, ErrNotBegun)
	case d.journal.Records[0].Type != Begin:
		return &DamagedError{Run: d.journal.Run, Problem: "its first record is not the beginning of a run"}
	}

	return nil
}

// payload reads the records of a block, with which the text ends.
func (d *decoder) payload(text string, at int) (problem string) {
	c := cursor{text: text, at: at}
	for c.at < len(text) {
		r := d.record(&c)
		if c.problem == "" {
			d.keep(r)
		}
	}

	return c.problem
}

// keep takes a record into the journal, if it is to be there.
func (d *decoder) keep(r Record) {
	if r.Time.After(d.journal.Changed) {
		d.journal.Changed = r.Time
	}
	d.recoveries.add(&r)
	d.labels.add(&r)
	if d.keeps(r.Type) {
		d.journal.Records = append(d.journal.Records, r)
	}
}

// keeps reports whether the journal is to have records of a type.
func (d *decoder) keeps(t Type) bool {
	return len(d.only) == 0 || t == Begin || slices.Contains(d.only, t)
}

// room is where the fields of a record go: those of one that is not kept where those of the last one were.
func (d *decoder) room(t Type, n int) []Field {
	if d.keeps(t) {
		return make([]Field, n)
	}
	d.fields = slices.Grow(d.fields[:0], n)

	return d.fields[:n]
}

func (d *decoder) record(c *cursor) Record {
	r := Record{Type: Type(c.byte())}
	if !r.Type.Valid() {
		c.fail("it has a record of the unknown type %d", r.Type)
	}
	seconds, nanoseconds := c.varint(), c.uvarint()
	if nanoseconds >= uint64(time.Second) {
		c.fail("it has a record at no time")
	}
	r.Time = time.Unix(seconds, int64(nanoseconds)).UTC()
	r.Address, r.Name = c.string(), c.string()

	const leastField = 2 // bytes: so the count of fields is never more than the file justifies
	n := c.uvarint()
	if n > c.left()/leastField {
		c.fail("it has a record of %d fields in %d bytes", n, c.left())
	}
	if n == 0 || c.problem != "" {
		return r
	}
	r.Fields = d.room(r.Type, int(n))
	for i := range r.Fields {
		r.Fields[i] = Field{Name: c.string(), Value: c.string()}
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

// left is how many bytes were not read.
func (c *cursor) left() uint64 { return uint64(len(c.text) - c.at) }

func (c *cursor) byte() byte {
	s := c.take(1)
	if s == "" {
		return 0
	}

	return s[0]
}

func (c *cursor) take(n uint64) string {
	if n > c.left() {
		c.fail("a text has %d bytes where %d are left", n, c.left())
		return ""
	}
	s := c.text[c.at : c.at+int(n)]
	c.at += int(n)

	return s
}

// string reads a text that is here, or was before.
func (c *cursor) string() string {
	n := c.uvarint()
	if n&1 == 0 {
		return c.take(n >> 1)
	}
	n, place := n>>1, c.uvarint()
	if at := uint64(c.at); place > at || n > at-place {
		c.fail("it refers to %d bytes at byte %d, which are not before it", n, place)
	}
	if c.problem != "" {
		return ""
	}

	return c.text[place : place+n]
}

func (c *cursor) uvarint() uint64 {
	if c.left() > 0 && c.text[c.at] < 1<<7 { // as nearly all are
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

func (c *cursor) varint() int64 {
	u := c.uvarint()

	return int64(u>>1) ^ -int64(u&1)
}
