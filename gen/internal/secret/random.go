package secret

import (
	"bytes"
	"encoding/base64"
	"math"
	"slices"
)

// isRandom reports whether what follows a prefix is as random as a key: of letters in both cases, or of letters and digits.
func isRandom(text []byte) bool { return isVaried(text) && isMixed(text) }

// isVaried reports whether text is neither a placeholder nor so regular that no key would be.
func isVaried(text []byte) bool {
	// How many bits a character of a key carries at least: random hexadecimal digits have 3.6 in 32 characters; words, repetitions
	// and rows of one character stay below.
	least := 3.0
	if len(text) < 24 {
		least = 2.5
	}

	return entropy(text) >= least && !isRow(text) && !isPlaceholder(text)
}

// isMixed reports whether text has two of the three: small letters, capitals, digits.
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

// entropy returns Shannon's entropy of the bytes of text in bits a byte.
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

// isRow reports whether most characters are the one before them again or the next one after it, as in 1234567890abcdef.
func isRow(text []byte) bool {
	steps := 0
	for i := 1; i < len(text); i++ {
		before, c := text[i-1], text[i]
		if c == before || c == before+1 || c == '0' && before == '9' {
			steps++
		}
	}

	return 2*steps >= len(text)-1
}

// examples are words that make a text a placeholder, and examples of the providers' documentation.
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

// isWebToken judges what follows the eyJ of a JSON Web Token: its first part must say by which algorithm it is signed.
func isWebToken(text []byte) bool {
	head, _, _ := bytes.Cut(append([]byte("eyJ"), text...), []byte("."))
	decoded, err := base64.RawURLEncoding.DecodeString(string(head))

	return err == nil && bytes.Contains(decoded, []byte(`"alg"`)) && isVaried(text)
}

// isKeyBlock judges a private key from its first line on: below it there must be a key, not three dots.
func isKeyBlock(text []byte) bool {
	_, body, _ := bytes.Cut(text, []byte("-----"))
	var letters []byte
	for _, c := range body {
		if isAlphanumeric(c) || c == '+' || c == '/' || c == '=' {
			letters = append(letters, c)
		}
	}
	const leastLetters, leastBits = 48, 4

	return len(letters) >= leastLetters && 10*len(letters) >= 8*len(body) && entropy(letters) >= leastBits && !isPlaceholder(letters)
}
