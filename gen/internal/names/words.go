package names

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Exported returns the Go identifier for text alone: smart-critic is SmartCritic, api_url is
// APIURL. Separators divide text into words. Other signs are spelled out (c++ is CPlusPlus), and
// characters without a spelling are written as code points. So texts have different identifiers
// unless they differ only in separators and in the case of initial letters. A text without a letter
// or digit is written in code points only. The result is a valid exported identifier for every
// text.
func Exported(text string) string {
	part := Part(text)
	switch first, _ := utf8.DecodeRuneInString(part); {
	case unicode.IsDigit(first):
		return "N" + part
	case !unicode.IsUpper(first):
		return "X" + part
	}

	return part
}

// Unexported returns the identifier with which the name of an unexported one begins: smart-critic
// is smartCritic, http-get is httpGet. It can be a keyword or a predeclared identifier, so it must
// not be used alone.
func Unexported(text string) string {
	words := split(nil, text)
	if len(words) > 0 && IsInitialism(words[0]) {
		return strings.ToLower(words[0]) + strings.TrimPrefix(Part(text), Part(words[0]))
	}

	exported := Exported(text)
	first, size := utf8.DecodeRuneInString(exported)

	return string(unicode.ToLower(first)) + exported[size:]
}

// Part returns the form of text after another name. It lacks the letter that an identifier must
// begin with: the state 3d of lamp is LampState3d.
func Part(text string) string {
	words := split(make([]string, 0, 8), text) // most names have fewer, so that they are on the stack
	if len(words) == 0 {
		return spellOut(text)
	}

	var b strings.Builder
	b.Grow(len(text))
	last := rune(0)
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsDigit(first) && unicode.IsDigit(last) {
			b.WriteByte('_') // so that v1-2 and v12 differ
		}
		writeTitle(&b, word)
		last, _ = utf8.DecodeLastRuneInString(word)
	}

	return b.String()
}

// separators divide words and are removed.
const separators = " \t\n\r-_.,;:/\\'\"`()[]{}"

// signs maps signs to words.
var signs = map[rune]string{
	'!': "Bang", '#': "Sharp", '$': "Dollar", '%': "Percent", '&': "And", '*': "Star", '+': "Plus", '<': "Less",
	'=': "Equal", '>': "Greater", '?': "Question", '@': "At", '^': "Caret", '|': "Bar", '~': "Tilde",
}

// split appends the words of text to words. It returns nil if text has neither a letter nor a
// digit.
func split(words []string, text string) []string {
	begin, found := -1, false // the start of the current word
	flush := func(end int) {
		if begin >= 0 {
			words = append(words, text[begin:end])
		}
		begin = -1
	}
	for i, r := range text {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if begin < 0 {
				begin = i
			}
			found = true
		case strings.ContainsRune(separators, r):
			flush(i)
		case signs[r] != "":
			flush(i)
			words = append(words, signs[r])
		default:
			flush(i)
			words = append(words, codePoint(text[i:], r))
		}
	}
	flush(len(text))
	if !found {
		return nil
	}

	return words
}

// spellOut spells every rune of a text without letters and digits.
func spellOut(text string) string {
	if text == "" {
		return "Empty"
	}

	var b strings.Builder
	for i, r := range text {
		if sign := signs[r]; sign != "" {
			b.WriteString(sign)
			continue
		}
		b.WriteString(codePoint(text[i:], r))
	}

	return b.String()
}

// codePoint names a rune by its code point, and an invalid byte by its value.
func codePoint(text string, r rune) string {
	if r == utf8.RuneError && !strings.HasPrefix(text, string(utf8.RuneError)) {
		return fmt.Sprintf("Byte%02X", text[0])
	}

	return fmt.Sprintf("U%04X", r)
}

// writeTitle writes a word in its form inside an identifier.
func writeTitle(b *strings.Builder, word string) {
	if IsInitialism(word) {
		b.WriteString(strings.ToUpper(word))
		return
	}
	if stem, plural := strings.CutSuffix(word, "s"); plural && IsInitialism(stem) {
		b.WriteString(strings.ToUpper(stem))
		b.WriteByte('s')
		return
	}
	first, size := utf8.DecodeRuneInString(word)
	b.WriteRune(unicode.ToUpper(first))
	b.WriteString(word[size:])
}

// IsInitialism reports whether Go writes a word in capitals: id, URL, Json.
func IsInitialism(word string) bool {
	switch strings.ToLower(word) {
	case "acl", "ai", "api", "ascii", "cpu", "css", "csv", "db", "dns", "eof", "gpu", "guid", "html", "http", "https", "id",
		"ip", "json", "llm", "mcp", "os", "pdf", "qa", "rpc", "sdk", "sla", "smtp", "sql", "ssh", "tcp", "tls", "ttl", "udp",
		"ui", "uid", "uri", "url", "utf8", "uuid", "vm", "xml", "yaml":
		return true
	}

	return false
}
