package diff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// context is how many words around a change are shown.
const context = 4

// wordDiff is a text in which words that are gone are in [-…-], and new ones in {+…+}. What has not
// changed is cut.
func wordDiff(old, now string) string {
	a, b := strings.Fields(old), strings.Fields(now)
	var out []string
	at, changes := 0, append(lcs.DiffLines(a, b), lcs.Diff{Start: len(a), End: len(a)}) // the last one is the end
	for i, d := range changes {
		same, before, after := a[at:d.Start], context, context
		if i == 0 {
			before = 0
		}
		if i == len(changes)-1 {
			after = 0
		}
		if len(same) > before+after {
			same = append(append(same[:before:before], "…"), same[len(same)-after:]...)
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
