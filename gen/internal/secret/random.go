package secret

import (
	"bytes"
	"encoding/base64"
	"math"
	"slices"
)

// isRandom reports whether text is as random as a key, and mixes letter cases or letters and
// digits.
func isRandom(text []byte) bool { return isVaried(text) && isMixed(text) }

// isVaried reports whether text is neither a placeholder nor more regular than a key.
func isVaried(text []byte) bool {
	// The minimum number of bits per character: 32 random hexadecimal digits have 3.6; words,
	// repetitions and sequences have fewer.
	least := 3.0
	if len(text) < 24 {
		least = 2.5
	}

	return entropy(text) >= least && !isSequence(text) && !isPlaceholder(text)
}

// isMixed reports whether text has two of these: lower-case letters, upper-case letters, digits.
func isMixed(text []byte) bool {
	var small, capital, digit int
	for _, c := range text {
		switch {
		case 'a' <= c && c <= 'z':
			small = 1
		case 'A' <= c && c <= 'Z':
			capital = 1
		case '0' <= c && c <= '9':
			digit = 1
		}
	}

	return small+capital+digit >= 2
}

// entropy returns the Shannon entropy of the bytes of text, in bits per byte.
func entropy(text []byte) float64 {
	var count [256]int
	for _, c := range text {
		count[c]++
	}
	bits := 0.0
	for _, n := range count {
		if n > 0 {
			share := float64(n) / float64(len(text))
			bits -= share * math.Log2(share)
		}
	}

	return bits
}

// isSequence reports whether most characters repeat or follow the previous one, as in
// 1234567890abcdef.
func isSequence(text []byte) bool {
	steps := 0
	for i := 1; i < len(text); i++ {
		before, c := text[i-1], text[i]
		if c == before || c == before+1 || c == '0' && before == '9' {
			steps++
		}
	}

	return 2*steps >= len(text)-1
}

// examples are words of placeholders, and examples of the providers' documentation.
var examples = [][]byte{
	[]byte("example"), []byte("xxxxx"), []byte("placeholder"), []byte("redacted"), []byte("changeme"), []byte("abcdefghij"),
	[]byte("your_"), []byte("your-"), []byte("yourkey"), []byte("yourapi"), []byte("yourtoken"), []byte("yoursecret"),
	[]byte("fake_"), []byte("fake-"), []byte("fakekey"), []byte("dummy"), []byte("insert_"), []byte("insert-"),
	[]byte("16c7e42f292c6912e7710c838347ae178b4a"), // of GitHub
	[]byte("4ec39hqlyjwdarjtt1zdp7dc"),             // of Stripe
	[]byte("ixmjm0nty3odkwi"),                      // of jwt.io: the payload has the subject 1234567890
}

func isPlaceholder(text []byte) bool {
	lower := bytes.ToLower(text)
	return slices.ContainsFunc(examples, func(word []byte) bool { return bytes.Contains(lower, word) })
}

// isWebToken reports whether a text after eyJ is a JSON Web Token: its first part must name an
// algorithm.
func isWebToken(text []byte) bool {
	head, _, _ := bytes.Cut(append([]byte("eyJ"), text...), []byte("."))
	decoded, err := base64.RawURLEncoding.DecodeString(string(head))

	return err == nil && bytes.Contains(decoded, []byte(`"alg"`)) && isVaried(text)
}

// isKeyBlock reports whether a private key follows the first line of one, and not three dots.
func isKeyBlock(text []byte) bool {
	_, body, _ := bytes.Cut(text, []byte("-----"))
	var letters []byte
	for _, c := range body {
		if isAlphanumeric(c) || c == '+' || c == '/' || c == '=' {
			letters = append(letters, c)
		}
	}
	const leastLetters, leastBits = 48, 4

	isDense := 10*len(letters) >= 8*len(body)
	if len(letters) < leastLetters || !isDense {
		return false
	}

	return entropy(letters) >= leastBits && !isPlaceholder(letters)
}
