package journal

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
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

// parseHead reads the head of a block of the journal with that seed; ok is false if there is none.
func parseHead(data []byte, seed uint32) (h blockHeader, ok bool) {
	if len(data) < blockHead || !bytes.HasPrefix(data, []byte(blockMarker)) {
		return blockHeader{}, false
	}
	h = blockHeader{
		number: binary.LittleEndian.Uint64(data[numberAt:]),
		length: binary.LittleEndian.Uint32(data[lengthAt:]),
		head:   binary.LittleEndian.Uint32(data[headSumAt:]),
		sum:    binary.LittleEndian.Uint32(data[sumAt:]),
	}

	return h, h.head == crc32.Update(seed, castagnoli, data[:headSumAt])
}

// broken is a block that cannot be read.
type broken struct {
	problem string
	// damaged reports whether no crash leaves a block like this, even if it were the last.
	damaged bool
}

// parseBlock returns the length of the payload of the block at the beginning of data.
func parseBlock(data []byte, number uint64, seed uint32) (length int, bad *broken) {
	h, ok := parseHead(data, seed)
	switch {
	case len(data) < blockHead:
		return 0, &broken{problem: fmt.Sprintf("%d bytes are too few for a block", len(data))}
	case !ok:
		return 0, &broken{problem: fmt.Sprintf("the head of block %d is not as it was written", number)}
	case h.number != number:
		const text = "it is block %d where %d should be: blocks were removed or exchanged"
		return 0, &broken{problem: fmt.Sprintf(text, h.number, number), damaged: true}
	case uint64(h.length) > uint64(len(data)-blockHead):
		return 0, &broken{problem: fmt.Sprintf("block %d has %d of its %d bytes", number, len(data)-blockHead, h.length)}
	}
	end := blockHead + int(h.length)
	if crc32.Update(h.head, castagnoli, data[blockHead:end]) != h.sum {
		problem := fmt.Sprintf("block %d is not as it was written: its checksum is another", number)
		// A crash tears the last block only, and nothing is behind that.
		return 0, &broken{problem: problem, damaged: len(data) > end}
	}

	return int(h.length), nil
}

// blockFollows reports whether data has the head of a block with that number or a later one. As
// each block is on the disk before the next is written, what is before such a head was whole once.
func blockFollows(data []byte, number uint64, seed uint32) bool {
	for {
		at := bytes.Index(data, []byte(blockMarker))
		if at < 0 {
			return false
		}
		if h, ok := parseHead(data[at:], seed); ok && h.number >= number {
			return true
		}
		data = data[at+1:]
	}
}
