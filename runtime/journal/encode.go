package journal

import (
	"crypto/sha256"
	"encoding/binary"
)

// The entries of a block. A name or a value has the number of its place among all of them in the file, from 0.
const (
	entryName   = 'n'
	entryValue  = 'v'
	entryRecord = 'r'
)

// contentSize is how long a text is that stands once, and is referred to.
const contentSize = 64

type sum [sha256.Size]byte

// encoder writes records, and knows which names and long texts are in the file already.
type encoder struct {
	names  map[string]uint64
	values map[sum]uint64
	// count is how many long texts there are. read are those that came with the file; alike are, by their lengths, the places of
	// those that are not in values yet: a run that is only replayed need not hash all that was ever said in it.
	count uint64
	read  []string
	alike map[int][]uint64
	refs  []uint64
}

func newEncoder(names, values []string) encoder {
	e := encoder{
		names: make(map[string]uint64, len(names)), values: map[sum]uint64{},
		count: uint64(len(values)), read: values, alike: map[int][]uint64{},
	}
	for i, name := range names {
		e.names[name] = uint64(i)
	}
	for i, value := range values {
		e.alike[len(value)] = append(e.alike[len(value)], uint64(i))
	}

	return e
}

// hashAlike makes sure that the texts of a length can be found.
func (e *encoder) hashAlike(length int) {
	for _, ref := range e.alike[length] {
		e.values[hashOf(e.read[ref])] = ref
	}
	delete(e.alike, length)
}

// sums appends the hashes of the long texts of a record, in their order.
func sums(all []sum, r *Record) []sum {
	eachText(r, func(text string) {
		if len(text) >= contentSize {
			all = append(all, hashOf(text))
		}
	})

	return all
}

// hashOf allocates nothing for a text as models mostly write them.
func hashOf(text string) sum {
	var short [4096]byte
	if len(text) <= len(short) {
		return sha256.Sum256(short[:copy(short[:], text)])
	}

	return sha256.Sum256([]byte(text))
}

// eachText gives the texts of a record to f in the order in which they are written.
func eachText(r *Record, f func(string)) {
	f(r.Address)
	f(r.Name)
	for i := range r.Fields {
		f(r.Fields[i].Value)
	}
}

// append writes a record to dst, after the names and long texts that are new in it.
func (e *encoder) append(dst []byte, r *Record, hashes []sum) []byte {
	for i := range r.Fields {
		dst = e.defineName(dst, r.Fields[i].Name)
	}
	e.refs = e.refs[:0]
	eachText(r, func(text string) {
		if len(text) >= contentSize {
			dst = e.defineValue(dst, text, hashes[len(e.refs)])
		}
	})

	dst = append(dst, entryRecord, byte(r.Type))
	dst = binary.AppendVarint(dst, r.Time.Unix())
	dst = binary.AppendUvarint(dst, uint64(r.Time.Nanosecond()))
	refs := e.refs
	dst, refs = appendText(dst, r.Address, refs)
	dst, refs = appendText(dst, r.Name, refs)
	dst = binary.AppendUvarint(dst, uint64(len(r.Fields)))
	for i := range r.Fields {
		dst = binary.AppendUvarint(dst, e.names[r.Fields[i].Name])
		dst, refs = appendText(dst, r.Fields[i].Value, refs)
	}

	return dst
}

func (e *encoder) defineName(dst []byte, name string) []byte {
	if _, known := e.names[name]; known {
		return dst
	}
	e.names[name] = uint64(len(e.names))

	return appendString(append(dst, entryName), name)
}

func (e *encoder) defineValue(dst []byte, value string, hash sum) []byte {
	e.hashAlike(len(value))
	ref, known := e.values[hash]
	if !known {
		ref = e.count
		e.count++
		e.values[hash] = ref
		dst = appendString(append(dst, entryValue), value)
	}
	e.refs = append(e.refs, ref)

	return dst
}

// sizeLimit is more than a record takes.
func sizeLimit(r *Record) int {
	const numbers = 4 * binary.MaxVarintLen64
	size := numbers + 2
	eachText(r, func(text string) { size += len(text) + numbers })
	for i := range r.Fields {
		size += len(r.Fields[i].Name) + numbers
	}

	return size
}

func appendString(dst []byte, s string) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(s))), s...)
}

// appendText writes a short text after twice its length, a long one as twice the number of its value and one.
func appendText(dst []byte, text string, refs []uint64) (out []byte, rest []uint64) {
	if len(text) >= contentSize {
		return binary.AppendUvarint(dst, refs[0]<<1|1), refs[1:]
	}

	return append(binary.AppendUvarint(dst, uint64(len(text))<<1), text...), refs
}
