package loader

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/source"
)

const (
	head  = `{"format":"agentc-recording","version":1,"program":"a","shape":"0"}` + "\n"
	reply = `{"agent":"a","reply":{"text":"Here it is."}}` + "\n"
)

// What is wrong with a file is reported in its line; what a crash has left of the last line is no harm.
func TestRecordings(t *testing.T) {
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
		found := checkRecording(source.NewFile("first.jsonl", []byte(text)))
		switch {
		case want == 0 && found != nil:
			t.Errorf("%q: %s", text, found.Message)
		case want > 0 && (found == nil || found.Span.Pos().Line != want || !strings.Contains(found.Message, "recording")):
			t.Errorf("%q: %v, want one finding in line %d", text, found, want)
		}
	}
}
