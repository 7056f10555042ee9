package core

import "strconv"

// digest is a hash (64-bit FNV-1a) of texts, by which a run that is replayed finds out that it asks for something else than it did.
type digest uint64

const noDigest digest = 14695981039346656037

// add hashes a text, with its length before it so that two texts are not mistaken for one.
func (d digest) add(text string) digest {
	d = d.number(len(text))
	for i := range len(text) {
		d = (d ^ digest(text[i])) * 1099511628211
	}

	return d
}

func (d digest) number(n int) digest {
	for range 8 {
		d = (d ^ digest(n&0xff)) * 1099511628211
		n >>= 8
	}

	return d
}

// digestOf hashes several texts.
func digestOf(texts ...string) digest {
	d := noDigest
	for _, text := range texts {
		d = d.add(text)
	}

	return d
}

// String is the digest as it is recorded: 16 hexadecimal digits.
func (d digest) String() string {
	const width = 16
	text := strconv.FormatUint(uint64(d), width)

	return "0000000000000000"[len(text):] + text
}
