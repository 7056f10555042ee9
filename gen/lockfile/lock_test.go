package lockfile_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/lockfile"
	"github.com/agentc-dev/agentc/gen/source"
)

func pinned(t *testing.T) *lockfile.Lock {
	t.Helper()
	s := &lockfile.Server{Command: []string{"desk"}, Protocol: "2025-11-25", Tools: []lockfile.Tool{
		{Name: "b", Input: json.RawMessage(`{"type": "object", "a": "<1>"}`)},
		{Name: "a", Input: json.RawMessage(`{}`), Hints: []string{"read-only", "idempotent"}},
	}}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}

	return &lockfile.Lock{Format: lockfile.Format, Servers: map[string]*lockfile.Server{"desk": s}}
}

// What is written is read again as it was, and is written the same.
func TestRoundTrip(t *testing.T) {
	text, err := pinned(t).Text()
	if err != nil {
		t.Fatal(err)
	}
	read, err := lockfile.Parse(source.NewFile(lockfile.Name, text))
	if err != nil {
		t.Fatal(err)
	}
	again, err := read.Text()
	if err != nil || string(again) != string(text) || !strings.Contains(string(text), `"<1>"`) {
		t.Errorf("%v\n%s\n%s", err, text, again)
	}
	desk := read.Servers["desk"]
	if desk.Tools[0].Name != "a" || !desk.Tools[0].Intact() || !desk.Tools[1].Intact() || desk.At.Text() != `"desk"` {
		t.Errorf("%+v at %q", desk, desk.At.Text())
	}
	desk.Tools[1].Description = "edited"
	if desk.Tools[1].Intact() {
		t.Error("an edit is not seen")
	}
}

func TestUnreadable(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "EOF",
		"{":                                     "unexpected EOF",
		`{"format": 2, "servers": {}}`:          "its format is 2",
		`{"format": 1} {}`:                      "something stands behind its end",
		`{"format": 1, "more": 1}`:              "unknown field",
		`{"format": 1, "servers": {"a": null}}`: `of server "a" nothing is said`,
	} {
		_, err := lockfile.Parse(source.NewFile(lockfile.Name, []byte(text)))
		var unreadable *lockfile.Error
		if !errors.As(err, &unreadable) || !strings.Contains(unreadable.Problem, want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
