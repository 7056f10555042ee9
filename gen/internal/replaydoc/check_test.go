package replaydoc_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/replaydoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

const (
	head  = `{"format":"agentc-recording","version":1,"program":"a","shape":"0"}` + "\n"
	reply = `{"agent":"a","reply":{"text":"Here it is."}}` + "\n"
)

// What is wrong with a file is told in its line; what a crash has left of the last line is no harm.
func TestCheck(t *testing.T) {
	for text, want := range map[string]int{
		head + reply:                           0,
		head + reply + reply[:10]:              0,
		head:                                   1,
		"":                                     1,
		reply:                                  1,
		head + reply + "\n{}\n" + reply:        4,
		head + reply + "{\"agent\":\n" + reply: 3,
		"draft: [{say: yes}]\n":                1,
	} {
		found := replaydoc.Check(source.NewFile("first.jsonl", []byte(text)))
		switch {
		case want == 0 && len(found) > 0:
			t.Errorf("%q: %s", text, found[0].Message)
		case want > 0 && (len(found) != 1 || found[0].Span.Pos().Line != want || !strings.Contains(found[0].Message, "recording")):
			t.Errorf("%q: %v, want one finding in line %d", text, found, want)
		}
	}
}
