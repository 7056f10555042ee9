package diff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// context is the number of words shown around a change.
const context = 4

// wordDiff marks removed words with [-…-] and new ones with {+…+}. It shortens unchanged text.
func wordDiff(old, now string) string {
	a, b := strings.Fields(old), strings.Fields(now)
	var out []string
	at, changes := 0, append(lcs.DiffLines(a, b), lcs.Diff{Start: len(a), End: len(a)}) // the last change is the end of both texts
	for i, d := range changes {
		same, head, tail := a[at:d.Start], context, context
		if i == 0 {
			head = 0
		}
		if i == len(changes)-1 {
			tail = 0
		}
		if len(same) > head+tail {
			same = append(append(same[:head:head], "…"), same[len(same)-tail:]...)
		}
		out = append(out, same...)
		out = append(out, bracketWords("[-", a[d.Start:d.End], "-]"), bracketWords("{+", b[d.ReplStart:d.ReplEnd], "+}"))
		at = d.End
	}

	return strings.Join(strings.Fields(strings.Join(out, " ")), " ")
}

func bracketWords(open string, words []string, end string) string {
	if len(words) == 0 {
		return ""
	}

	return open + strings.Join(words, " ") + end
}
