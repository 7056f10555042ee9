package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finishWord and keyWord match the words that introduce keys in prompts.
var (
	finishWord = regexp.MustCompile(`(?i)\bfinish(?:ing)?\b`)
	keyWord    = regexp.MustCompile(`(?i)\bkeys?\b`)
)

// wordsAt returns the spans of a word in a text, but not as a part of a compound such as on-finish,
// api-key or race.finish.
func wordsAt(text string, word *regexp.Regexp) [][]int {
	return slices.DeleteFunc(word.FindAllStringIndex(text, -1), func(at []int) bool {
		return at[0] > 0 && strings.IndexByte("-.$", text[at[0]-1]) >= 0 || at[1] < len(text) && text[at[1]] == '-'
	})
}

// containsKey reports whether a prompt contains the key as a separate word, in any case.
func containsKey(prompt, key string) bool {
	return containsName([]byte(strings.ToLower(prompt)), strings.ToLower(strings.TrimSpace(key)))
}

// promptWords are the words of a prompt in lower case.
type promptWords []string

func newPromptWords(text string) promptWords {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// mentionsFinish reports whether a word begins with finish.
func (w promptWords) mentionsFinish() bool {
	return slices.ContainsFunc(w, func(word string) bool { return strings.HasPrefix(word, "finish") })
}

// mentionsKey reports whether each word of the key has a word with the same stem in the prompt:
// "approve it" means approved. A key without letters is always mentioned.
func (w promptWords) mentionsKey(key string) bool { return w.matchesEach(key, hasSameStem) }

// hasKey reports whether each word of a key is a word of the prompt.
func (w promptWords) hasKey(key string) bool {
	return w.matchesEach(key, func(word, part string) bool { return word == part })
}

// matchesEach reports whether each word of a key matches a word of the prompt.
func (w promptWords) matchesEach(key string, same func(word, part string) bool) bool {
	return !slices.ContainsFunc(newPromptWords(key), func(part string) bool {
		return !slices.ContainsFunc(w, func(word string) bool { return same(word, part) })
	})
}

// Words have the same stem if they differ in at most maxEndings last letters and share minStem
// letters.
const (
	minStem    = 4
	maxEndings = 3
)

// hasSameStem reports whether two words have the same stem. In a language without spaces, word may
// contain part.
func hasSameStem(word, part string) bool {
	if word == part || part[0] >= utf8.RuneSelf && strings.Contains(word, part) {
		return true
	}
	alike := 0
	for alike < min(len(word), len(part)) && word[alike] == part[alike] {
		alike++
	}

	return alike >= max(minStem, len(part)-maxEndings)
}
