package journal

import (
	"encoding/binary"
	"fmt"
	"slices"
	"time"
)

// Decode reads the bytes of a run's journal. Of a damaged one it returns the records before the damage, if there are any, with the
// error. Errors: *DamagedError, *FormatError, ErrNotBegun.
func Decode(run string, content []byte) (*Journal, error) {
	d, err := decode(run, string(content), every)

	return d.usable(), err
}

// usable is the journal as far as it was read, if that is a journal at all.
func (d *decoder) usable() *Journal {
	if d == nil || d.begun() != nil {
		return nil
	}

	return &d.journal
}

// decoder is what was read of a journal.
type decoder struct {
	journal       Journal
	names, values []string
	// kept are the records that the journal is to have; of the others only the newest time counts.
	kept func(Type) bool
	// changed is the newest time of all records, recoveries are counted over all of them.
	changed    time.Time
	recoveries recoveries
	labels     Labels
	// fields are those of the last record that is not kept.
	fields []Field
	// blocks is how many were read, end where the next would begin.
	blocks uint64
	end    int
}

// every keeps all records.
func every(Type) bool { return true }

func decode(run, data string, kept func(Type) bool) (*decoder, error) {
	d := &decoder{journal: Journal{Run: run}, kept: kept}
	var err error
	if d.end, err = readHeader(run, data); err != nil {
		return nil, err
	}
	m := summer{seed: seedOf(run)}
	for d.end < len(data) {
		payload, bad := m.parseBlock(data[d.end:], d.blocks+1)
		switch {
		case bad == nil:
		case bad.damaged || m.blockFollows(data[d.end+1:], d.blocks+1):
			return d, d.damaged(bad.problem)
		default:
			d.journal.Cut = &Cut{Offset: int64(d.end), Bytes: int64(len(data) - d.end), Problem: bad.problem}
			return d, d.begun()
		}
		whole := len(d.journal.Records)
		if problem := d.payload(payload); problem != "" {
			d.journal.Records = d.journal.Records[:whole]
			return d, d.damaged(problem)
		}
		d.blocks++
		d.end += blockHead + len(payload)
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
		return &RunError{d.journal.Run, ErrNotBegun}
	case d.journal.Records[0].Type != Begin:
		return &DamagedError{Run: d.journal.Run, Problem: "its first record is not the beginning of a run"}
	}

	return nil
}

// payload reads the entries of a block.
func (d *decoder) payload(payload string) (problem string) {
	c := cursor{rest: payload}
	for c.rest != "" && c.problem == "" {
		switch kind := c.byte(); kind {
		case entryName:
			d.names = append(d.names, c.take(c.uvarint()))
		case entryValue:
			d.values = append(d.values, c.take(c.uvarint()))
		case entryRecord:
			d.keep(d.record(&c))
		default:
			c.fail("it has an entry of the unknown kind %q", kind)
		}
	}

	return c.problem
}

// keep takes a record into the journal, if it is to be there.
func (d *decoder) keep(r Record) {
	if r.Time.After(d.changed) {
		d.changed = r.Time
	}
	d.recoveries.add(&r)
	d.labels.add(&r)
	if d.kept(r.Type) {
		d.journal.Records = append(d.journal.Records, r)
	}
}

// room is where the fields of a record go: those of one that is not kept where those of the last one were.
func (d *decoder) room(t Type, n int) []Field {
	if d.kept(t) {
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
	r.Address, r.Name = d.text(c), d.text(c)

	const leastField = 2 // bytes: so the count of fields is never more than the file justifies
	n := c.uvarint()
	if n > uint64(len(c.rest)/leastField) {
		c.fail("it has a record of %d fields in %d bytes", n, len(c.rest))
	}
	if n == 0 || c.problem != "" {
		return r
	}
	r.Fields = d.room(r.Type, int(n))
	for i := range r.Fields {
		r.Fields[i] = Field{Name: d.name(c), Value: d.text(c)}
	}

	return r
}

func (d *decoder) name(c *cursor) string { return c.refer(d.names, c.uvarint()) }

func (d *decoder) text(c *cursor) string {
	n := c.uvarint()
	if n&1 == 0 {
		return c.take(n >> 1)
	}

	return c.refer(d.values, n>>1)
}

// cursor reads a block from its beginning. After the first problem it reads nothing more.
type cursor struct{ rest, problem string }

func (c *cursor) fail(format string, args ...any) {
	if c.problem == "" {
		c.problem = fmt.Sprintf(format, args...)
	}
	c.rest = ""
}

func (c *cursor) byte() byte {
	s := c.take(1)
	if s == "" {
		return 0
	}

	return s[0]
}

func (c *cursor) take(n uint64) string {
	if n > uint64(len(c.rest)) {
		c.fail("an entry has %d bytes where %d are left", n, len(c.rest))
		return ""
	}
	s := c.rest[:n]
	c.rest = c.rest[n:]

	return s
}

func (c *cursor) refer(all []string, i uint64) string {
	if c.problem != "" {
		return ""
	}
	if i >= uint64(len(all)) {
		c.fail("it refers to entry %d of %d", i, len(all))
		return ""
	}

	return all[i]
}

func (c *cursor) uvarint() uint64 {
	if c.rest != "" && c.rest[0] < 1<<7 { // as nearly all are
		value := c.rest[0]
		c.rest = c.rest[1:]

		return uint64(value)
	}
	var raw [binary.MaxVarintLen64]byte
	value, n := binary.Uvarint(raw[:copy(raw[:], c.rest)])
	if n <= 0 {
		c.fail("it has a number that does not end")
		return 0
	}
	c.rest = c.rest[n:]

	return value
}

func (c *cursor) varint() int64 {
	u := c.uvarint()

	return int64(u>>1) ^ -int64(u&1)
}
