package check

import (
	"strings"
	"unicode"
)

// wordsOf returns where a word stands in a text, in any case, also with the ending, but not as a part of a compound.
func wordsOf(text, word, ending string) [][2]int {
	var found [][2]int
	for i := 0; i+len(word) <= len(text); i++ {
		if text[i]|0x20 != word[0] || !strings.EqualFold(text[i:i+len(word)], word) || i > 0 && isWordByte(text[i-1]) {
			continue
		}
		end := i + len(word)
		if longer := end + len(ending); longer <= len(text) && strings.EqualFold(text[end:longer], ending) {
			end = longer
		}
		if (end == len(text) || !isWordByte(text[end])) && !partOfWord(text, i, end) {
			found = append(found, [2]int{i, end})
		}
	}

	return found
}

func isWordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// partOfWord reports whether what stands from start to end is a part of a compound, as in on-finish, api_key or race.finish.
func partOfWord(text string, start, end int) bool {
	return start > 0 && strings.IndexByte("-_.$", text[start-1]) >= 0 ||
		end < len(text) && strings.IndexByte("-_", text[end]) >= 0
}

// holdsKey reports whether a prompt has the key as a word of its own, in any case.
func holdsKey(prompt, key string) bool {
	return holdsName([]byte(strings.ToLower(prompt)), strings.ToLower(strings.TrimSpace(key)))
}

// mentionsFinish reports whether a prompt has the word finish, or a word that begins with it.
func mentionsFinish(prompt string) bool { return mentions(prompt, "finish") }

// mentions reports whether a word of the text begins with the key. Signs between the words of a key make no difference, nor
// does case.
func mentions(text, key string) bool {
	words, key := plainWords(text), strings.TrimRight(plainWords(key), " ")

	return strings.Contains(" "+words, " "+strings.TrimLeft(key, " "))
}

// plainWords returns the words of a text in lower case with a space between them.
func plainWords(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}
