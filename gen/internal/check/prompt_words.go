package check

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wordsOf returns where a word is in a text, in any case, also with the ending, but not as a part of a compound.
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

// partOfWord reports whether what is from start to end is a part of a compound, as in on-finish, api_key or race.finish.
func partOfWord(text string, start, end int) bool {
	return start > 0 && strings.IndexByte("-_.$", text[start-1]) >= 0 ||
		end < len(text) && strings.IndexByte("-_", text[end]) >= 0
}

// holdsKey reports whether a prompt has the key as a word of its own, in any case.
func holdsKey(prompt, key string) bool {
	return holdsName([]byte(strings.ToLower(prompt)), strings.ToLower(strings.TrimSpace(key)))
}

// promptWords are the words of a prompt in lower case.
type promptWords []string

func newPromptWords(text string) promptWords {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// finish reports whether a word begins with finish.
func (w promptWords) finish() bool {
	return slices.ContainsFunc(w, func(word string) bool { return strings.HasPrefix(word, "finish") })
}

// mention reports whether each word of the key is a word of the prompt, or one of its stem: who says "approve it" means
// approved. A key of signs is always mentioned.
func (w promptWords) mention(key string) bool {
	for _, part := range newPromptWords(key) {
		if !slices.ContainsFunc(w, func(word string) bool { return sameStem(word, part) }) {
			return false
		}
	}

	return true
}

// Words have the same stem that begin alike: all but their last letters, and minStem at least.
const (
	minStem    = 4
	maxEndings = 3
)

// sameStem reports whether two words have the same stem, or one has the other in it that is written without spaces.
func sameStem(word, part string) bool {
	if word == part || part[0] >= utf8.RuneSelf && strings.Contains(word, part) {
		return true
	}
	alike := 0
	for alike < min(len(word), len(part)) && word[alike] == part[alike] {
		alike++
	}

	return alike >= max(minStem, len(part)-maxEndings)
}
