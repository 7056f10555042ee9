package diag_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
)

// A near name is always a hint, and a fix only where nothing else can have been meant.
func TestSuggest(t *testing.T) {
	cases := []struct {
		name       string
		candidates []string
		hint, fix  string
	}{
		{"critque", []string{"draft", "critique"}, "critique", "critique"},
		{"refien", []string{"refine", "done"}, "refine", "refine"},
		{"dnoe", []string{"done"}, "done", "done"},
		{"DONE", []string{"dane", "done"}, "done", "done"},
		{"states/done", []string{"draft", "done"}, "done", "done"},
		{"critque", []string{"critique", "critique"}, "critique", "critique"},
		{"nothing", []string{"draft"}, "", ""},

		{"dona", []string{"dond", "done"}, "dond", ""},          // two are as near
		{"Done", []string{"done", "DONE"}, "done", ""},          // two in other case
		{"worker-2", []string{"worker-1"}, "worker-1", ""},      // another one of a row
		{"worker2x", []string{"worker2"}, "worker2", "worker2"}, // the same one of it
		{"reviewer", []string{"review"}, "review", ""},          // another word
		{"review", []string{"reviewer"}, "reviewer", ""},        //
		{"yes", []string{"yet"}, "yet", ""},                     // too short to tell
		{"refiens", []string{"refine"}, "refine", ""},           // too far for its length
		{"acknowldgemnt", []string{"acknowledgement"}, "acknowledgement", "acknowledgement"},
		{"needs work", []string{"needs: work"}, "needs: work", ""}, // needs quotes
		{"folse", []string{"false"}, "false", ""},                  // is another value without them
		{"12355", []string{"12345"}, "12345", ""},                  //
		{"script:a/answer.json", []string{"script:a/answers.json"}, "script:a/answers.json", "script:a/answers.json"},
	}
	for _, c := range cases {
		d := diag.New(diag.UndefinedState, find(t, "a: "+c.name+"\n", c.name, 0), "m").Suggest(c.name, c.candidates)
		hint, fix := "", ""
		if c.hint != "" {
			hint = `did you mean "` + c.hint + `"?`
		}
		if len(d.Fixes) > 0 {
			fix = d.Fixes[0].Edits[0].New
		}
		if d.Hint != hint || fix != c.fix {
			t.Errorf("%s of %v: hint %q, fix %q; want %q, %q", c.name, c.candidates, d.Hint, fix, hint, c.fix)
		}
	}
}

// Quotes stay, and where the place shows something else than the name, as with an escape, nothing
// is replaced.
func TestSuggestReplacesTheNameOnly(t *testing.T) {
	for written, fixed := range map[string]string{
		`"critque"`: "critque", `'critque'`: "critque", `"crit\x71ue"`: "", `"critque'`: "", `" critque"`: "",
	} {
		d := diag.New(diag.UndefinedState, find(t, "a: "+written, written, 0), "m").Suggest("critque", []string{"critique"})
		replaced := ""
		if len(d.Fixes) > 0 {
			replaced = d.Fixes[0].Edits[0].Span.Text()
		}
		if d.Hint == "" || replaced != fixed {
			t.Errorf("%s: hint %q, replaces %q", written, d.Hint, replaced)
		}
	}
}
