package redact

import (
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// inBase64 are the characters of Base64 that only the value decides, in both alphabets, for each place that it can have among the
// bytes that are encoded: three bytes are four characters, so there are three. What depends on the bytes beside the value is
// left out.
func inBase64(value string) []string {
	var texts []string
	for before := range 3 {
		bits := 8 * (before + len(value))
		first, last := (8*before+5)/6, bits/6
		padded := strings.Repeat("\x00", before) + value
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			text := encoding.EncodeToString([]byte(padded))[first:last]
			if len(texts) == 0 || texts[len(texts)-1] != text {
				texts = append(texts, text)
			}
		}
	}

	return texts
}

// inHex is the value as hexadecimal digits.
func inHex(value string) []string {
	lower := hex.EncodeToString([]byte(value))

	return slices.Compact([]string{lower, strings.ToUpper(lower)})
}
