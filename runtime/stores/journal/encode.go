package journal

import (
	"crypto/sha256"
	"encoding/binary"
)

// longText is how many bytes a text has at least for which a reference is shorter.
const longText = 64

// encoder writes the records of a block.
type encoder struct {
	// places are the offsets in the file of the long texts that this process has written, by their hashes.
	places map[[sha256.Size]byte]uint64
}

// appendRecord appends a record to dst, whose first byte is at an offset of the file.
func (e *encoder) appendRecord(dst []byte, offset int64, r *Record) []byte {
	dst = append(dst, byte(r.Type))
	dst = binary.AppendVarint(dst, r.Time.Unix())
	dst = binary.AppendUvarint(dst, uint64(r.Time.Nanosecond()))
	dst = e.appendText(dst, offset, r.Address)
	dst = e.appendText(dst, offset, r.Name)
	dst = binary.AppendUvarint(dst, uint64(len(r.Fields)))
	for i := range r.Fields {
		dst = e.appendText(dst, offset, r.Fields[i].Name)
		dst = e.appendText(dst, offset, r.Fields[i].Value)
	}

	return dst
}

// appendText appends a text, or where it is.
func (e *encoder) appendText(dst []byte, offset int64, text string) []byte {
	size := uint64(len(text)) << 1
	if len(text) < longText {
		return append(binary.AppendUvarint(dst, size), text...)
	}
	hash := sha256.Sum256([]byte(text))
	if place, known := e.places[hash]; known {
		return binary.AppendUvarint(binary.AppendUvarint(dst, size|1), place)
	}
	dst = binary.AppendUvarint(dst, size)
	e.places[hash] = uint64(offset) + uint64(len(dst))

	return append(dst, text...)
}
