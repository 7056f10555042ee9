package journal

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
)

// The head of a block: marker, number, length, checksum of these, checksum of all.
const (
	blockMarker = "blk:"

	numberAt  = len(blockMarker)
	lengthAt  = numberAt + 8
	headSumAt = lengthAt + 4
	sumAt     = headSumAt + 4
	blockHead = sumAt + 4
)

// maxBlock is how many bytes a block may have, and so how much may wait for the disk.
const maxBlock = 1 << 30

// sealBlock fills in the head of a block, for which its first bytes are left free.
func sealBlock(block []byte, number uint64, seed uint32) {
	payload := block[blockHead:]
	copy(block, blockMarker)
	binary.LittleEndian.PutUint64(block[numberAt:], number)
	binary.LittleEndian.PutUint32(block[lengthAt:], uint32(len(payload)))
	head := crc32.Update(seed, castagnoli, block[:headSumAt])
	binary.LittleEndian.PutUint32(block[headSumAt:], head)
	binary.LittleEndian.PutUint32(block[sumAt:], crc32.Update(head, castagnoli, payload))
}

// blockHeader is the head of a block that passed its checksum.
type blockHeader struct {
	number uint64
	length uint32
	// head is the checksum of the head, sum that of head and payload.
	head, sum uint32
}

// summer computes checksums of a journal's texts. It has room for what of them it looks at, so that none is made for each block.
type summer struct {
	seed uint32
	part [4096]byte
}

// sum goes on with a checksum.
func (m *summer) sum(sum uint32, s string) uint32 {
	for len(s) > 0 {
		n := copy(m.part[:], s)
		sum = crc32.Update(sum, castagnoli, m.part[:n])
		s = s[n:]
	}

	return sum
}

// parseHead reads the head of a block; ok is false if there is none.
func (m *summer) parseHead(data string) (h blockHeader, ok bool) {
	if len(data) < blockHead || !strings.HasPrefix(data, blockMarker) {
		return blockHeader{}, false
	}
	raw := m.part[:blockHead]
	copy(raw, data)
	h = blockHeader{
		number: binary.LittleEndian.Uint64(raw[numberAt:]),
		length: binary.LittleEndian.Uint32(raw[lengthAt:]),
		head:   binary.LittleEndian.Uint32(raw[headSumAt:]),
		sum:    binary.LittleEndian.Uint32(raw[sumAt:]),
	}

	return h, h.head == crc32.Update(m.seed, castagnoli, raw[:headSumAt])
}

// broken is a block that cannot be read.
type broken struct {
	problem string
	// damaged says that no crash leaves a block like this, even if it were the last.
	damaged bool
}

// parseBlock reads the block at the beginning of data.
func (m *summer) parseBlock(data string, number uint64) (payload string, bad *broken) {
	h, ok := m.parseHead(data)
	switch {
	case len(data) < blockHead:
		return "", &broken{problem: fmt.Sprintf("%d bytes are too few for a block", len(data))}
	case !ok:
		return "", &broken{problem: fmt.Sprintf("the head of block %d is not as it was written", number)}
	case h.number != number:
		const text = "it is block %d where %d should be: blocks were removed or exchanged"
		return "", &broken{problem: fmt.Sprintf(text, h.number, number), damaged: true}
	case uint64(h.length) > uint64(len(data)-blockHead):
		return "", &broken{problem: fmt.Sprintf("block %d has %d of its %d bytes", number, len(data)-blockHead, h.length)}
	}
	payload = data[blockHead : blockHead+int(h.length)]
	if m.sum(h.head, payload) != h.sum {
		problem := fmt.Sprintf("block %d is not as it was written: its checksum is another", number)
		// Nothing stands behind the last block.
		return "", &broken{problem: problem, damaged: len(data) > blockHead+len(payload)}
	}

	return payload, nil
}

// blockFollows says whether data has the head of a block with that number or a later one. As each block is on the disk before
// the next is written, what stands before such a head was whole once.
func (m *summer) blockFollows(data string, number uint64) bool {
	for at := 0; ; at++ {
		next := strings.Index(data[at:], blockMarker)
		if next < 0 {
			return false
		}
		at += next
		if h, ok := m.parseHead(data[at:]); ok && h.number >= number {
			return true
		}
	}
}
