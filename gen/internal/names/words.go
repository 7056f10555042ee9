package names

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Exported returns the Go identifier that text becomes where it is alone: smart-critic is SmartCritic, api_url is
// APIURL. Words are what separators divide; a sign that is not a separator is spelled out (c++ is CPlusPlus), and what has no
// spelling is written as its code point, so that texts which differ in more than separators and the case of initial
// letters differ as identifiers too. A text without a letter or digit is spelled by its code points altogether. It is a
// valid exported identifier for every text.
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

// Unexported returns the identifier that text becomes as the beginning of an unexported one: smart-critic is smartCritic,
// http-get is httpGet. It may be a keyword or a predeclared identifier and must not be used alone.
func Unexported(text string) string {
	words := split(nil, text)
	if len(words) > 0 && IsInitialism(words[0]) {
		return strings.ToLower(words[0]) + strings.TrimPrefix(Part(text), Part(words[0]))
	}

	exported := Exported(text)
	first, size := utf8.DecodeRuneInString(exported)

	return string(unicode.ToLower(first)) + exported[size:]
}

// Part returns what text becomes behind another name: Exported without the letter that an identifier has to begin with, so
// that the state 3d of lamp is LampState3d.
func Part(text string) string {
	words := split(make([]string, 0, 8), text) // which most names stay below, so that they are on the stack
	if len(words) == 0 {
		return spelled(text)
	}

	var b strings.Builder
	b.Grow(len(text))
	last := rune(0)
	for _, word := range words {
		first, _ := utf8.DecodeRuneInString(word)
		if unicode.IsDigit(first) && unicode.IsDigit(last) {
			b.WriteByte('_') // v1-2 and v12 stay apart
		}
		writeTitle(&b, word)
		last, _ = utf8.DecodeLastRuneInString(word)
	}

	return b.String()
}

// separators divide words and are dropped.
const separators = " \t\n\r-_.,;:/\\'\"`()[]{}"

// signs are spelled out.
var signs = map[rune]string{
	'!': "Bang", '#': "Sharp", '$': "Dollar", '%': "Percent", '&': "And", '*': "Star", '+': "Plus", '<': "Less",
	'=': "Equal", '>': "Greater", '?': "Question", '@': "At", '^': "Caret", '|': "Bar", '~': "Tilde",
}

// split appends the words of text to words; none if it has neither letter nor digit.
func split(words []string, text string) []string {
	begin, found := -1, false // where the word begins that is being read
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
			words = append(words, point(text[i:], r))
		}
	}
	flush(len(text))
	if !found {
		return nil
	}

	return words
}

// spelled writes every rune of a text that has no letter and no digit.
func spelled(text string) string {
	if text == "" {
		return "Empty"
	}

	var b strings.Builder
	for i, r := range text {
		if sign := signs[r]; sign != "" {
			b.WriteString(sign)
			continue
		}
		b.WriteString(point(text[i:], r))
	}

	return b.String()
}

// point names a rune by its code point; a byte that is not UTF-8 by its value.
func point(text string, r rune) string {
	if r == utf8.RuneError && !strings.HasPrefix(text, string(utf8.RuneError)) {
		return fmt.Sprintf("Byte%02X", text[0])
	}

	return fmt.Sprintf("U%04X", r)
}

// writeTitle writes a word as it is inside an identifier.
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

// IsInitialism reports whether a word is written in capitals in Go: id, URL, Json.
func IsInitialism(word string) bool {
	switch strings.ToLower(word) {
	case "acl", "ai", "api", "ascii", "cpu", "css", "csv", "db", "dns", "eof", "gpu", "guid", "html", "http", "https", "id",
		"ip", "json", "llm", "mcp", "os", "pdf", "qa", "rpc", "sdk", "sla", "smtp", "sql", "ssh", "tcp", "tls", "ttl", "udp",
		"ui", "uid", "uri", "url", "utf8", "uuid", "vm", "xml", "yaml":
		return true
	}

	return false
}
