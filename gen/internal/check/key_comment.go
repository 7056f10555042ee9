package check

import (
	"regexp"
	"slices"
)

// markdownComment is a comment of Markdown. One that is never closed ends with the text.
var markdownComment = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)`)

// withoutCommented leaves out the keys that stand in comments: who writes a call there has taken it out of the prompt.
func withoutCommented(text string, found []namedKey) []namedKey {
	comments := markdownComment.FindAllStringIndex(text, -1)

	return slices.DeleteFunc(found, func(k namedKey) bool {
		for len(comments) > 0 && comments[0][1] <= k.start {
			comments = comments[1:]
		}
		return len(comments) > 0 && comments[0][0] <= k.start
	})
}
