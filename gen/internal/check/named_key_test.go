package check

import (
	"regexp"
	"strings"
	"testing"
)

func TestNamedKeys(t *testing.T) {
	legal := []string{"approved", "needs-work", "rework"}
	mark := regexp.MustCompile(`\|(refused|aproved|needs work)\|`)
	for _, phrase := range keyPhrases {
		marked := phrase
		var want []string
		for {
			at := mark.FindStringSubmatchIndex(marked)
			if at == nil {
				break
			}
			want = append(want, marked[at[2]:at[3]])
			marked = marked[:at[0]] + marked[at[2]:at[3]] + marked[at[1]:]
		}
		var got []string
		for _, k := range illegalKeysIn(marked, legal, false) {
			got = append(got, k.key)
			if marked[k.start:k.end] != k.key {
				t.Errorf("%s\nfound %q at %q", phrase, k.key, marked[k.start:k.end])
			}
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s\nfound %q, want %q", marked, got, want)
		}
	}
}

// Whatever a prompt holds, the keys that it names are where they are said to be.
func FuzzNamedKeys(f *testing.F) {
	for _, phrase := range keyPhrases {
		f.Add(phrase)
	}
	f.Add("finish(" + strings.Repeat("x", maxArgs-1) + " key key=\"x\"")
	f.Add("finish(" + strings.Repeat("x", maxArgs-1) + "\"key\": \"x\"")
	f.Fuzz(func(t *testing.T, prompt string) {
		last := -1
		for _, k := range namedKeysIn(prompt) {
			if k.start <= last || k.end > len(prompt) || prompt[k.start:k.end] != k.key || k.key == "" {
				t.Errorf("%q at %d to %d of %q", k.key, k.start, k.end, prompt)
			}
			last = k.start
		}
	})
}
