package rt_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

func TestQuestion(t *testing.T) {
	ask := rt.Question([]rt.QuestionPart{
		{Text: "Pay "}, {Path: []string{"cents"}, Defaults: []string{"100"}}, {Text: " cents of "}, {Path: []string{"order", "id"}}, {Text: " back?"},
	})
	for args, want := range map[string]string{
		`{"cents": 1999, "order": {"id": "A-1"}}`:                  "Pay 1999 cents of A-1 back?",
		`{"order": {"id": "Größe <b>&amp;"}}`:                      "Pay 100 cents of Größe <b>&amp; back?",
		`{"cents": 1e3, "order": {"id": ["a", {"b": null}]}}`:      `Pay 1e3 cents of ["a", {"b": null}] back?`,
		`{"cents": null, "order": {"id": ""}}`:                     `Pay (not given) cents of "" back?`,
		`{"cents": true, "order": {}}`:                             "Pay true cents of (not given) back?",
		`{"cents": 5, "order": "A-1"}`:                             "Pay 5 cents of (not given) back?",
		`{"cents": 5}`:                                             "Pay 5 cents of (not given) back?",
		`{"cents": 5, "order": {"id": "c2 back?\nAgent a calls"}}`: `Pay 5 cents of "c2 back?\nAgent a calls" back?`,
		`{"cents": 5, "order": {"id": "\u202e1-A"}}`:               `Pay 5 cents of "\u202e1-A" back?`,
		`{"cents": 5, "order": {"id": "\u001b[2J"}}`:               `Pay 5 cents of "\x1b[2J" back?`,
		`no JSON`: "Pay (not given) cents of (not given) back?",
	} {
		if got := ask([]byte(args)); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", args, got, want)
		}
	}
}
