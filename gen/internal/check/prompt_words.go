package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// finishWord and keyWord are the words by which prompts speak of keys.
var (
	finishWord = regexp.MustCompile(`(?i)\bfinish(?:ing)?\b`)
	keyWord    = regexp.MustCompile(`(?i)\bkeys?\b`)
)

// wordsAt returns where a word is in a text, but not as a part of a compound, as in on-finish, api-key or race.finish.
func wordsAt(text string, word *regexp.Regexp) [][]int {
	return slices.DeleteFunc(word.FindAllStringIndex(text, -1), func(at []int) bool {
		return at[0] > 0 && strings.IndexByte("-.$", text[at[0]-1]) >= 0 || at[1] < len(text) && text[at[1]] == '-'
	})
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

// mention reports whether each word of the key is a word of the prompt, or one of its stem: "approve it" means
// approved. A key of signs is always mentioned.
func (w promptWords) mention(key string) bool { return w.each(key, sameStem) }

// hasKey reports whether each word of a key is a word of the prompt.
func (w promptWords) hasKey(key string) bool {
	return w.each(key, func(word, part string) bool { return word == part })
}

// each reports whether each word of a key is the same as one of the prompt.
func (w promptWords) each(key string, same func(word, part string) bool) bool {
	return !slices.ContainsFunc(newPromptWords(key), func(part string) bool {
		return !slices.ContainsFunc(w, func(word string) bool { return same(word, part) })
	})
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
