package command

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// The projects of other people run from where they lie, and nothing is written there.
func TestCorpus(t *testing.T) {
	corpus := filepath.Join(repository(t), "..", "shared", "corpus", "tama")
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("corpus: absent")
	}
	work := unpack(t, t.TempDir(), `
-- search.yaml --
react-search:
  - call: [{name: start, args: {}}, {name: read_skill, args: {name: search-web}}]
  - call: {name: tama_http_get, args: {url: "https://html.duckduckgo.com/html/?q=go"}}
  - call: {name: tama_files_write, args: {path: result.md, content: "Go is a language."}}
  - finish: {key: done, value: "Go is a language."}
tools:
  http_get: [{result: "<html>Go</html>"}]
  tama_files_write: [{result: "written"}]
-- refunds.yaml --
triage:
  - finish: {key: refunds, value: "A cancelled flight."}
  - finish: {key: refunds, value: "A cancelled flight, again."}
refunds:
  - finish: {key: escalate, value: "Is it one?"}
  - finish: {key: done, value: "The money comes back."}
-- baggage.yaml --
triage: [{finish: {key: baggage, value: "A lost bag."}}]
baggage: [{finish: {key: done, value: "It is on its way."}}]
-- booking.yaml --
triage: [{finish: {key: booking, value: "Another seat."}}]
booking: [{finish: {key: done, value: "You sit at the window."}}]
`)
	for script, want := range map[string][2]string{
		"search":  {"01-react-search", "Go is a language.\n"},
		"refunds": {"14-airline-service", "The money comes back.\n"},
		"baggage": {"14-airline-service", "It is on its way.\n"},
		"booking": {"14-airline-service", "You sit at the window.\n"},
	} {
		dir := filepath.Join(corpus, want[0])
		before := tree(t, dir)
		agentc(work, "", "run", dir, "--script", script+".yaml", "help").want(t, cli.Done, want[1])
		sameTree(t, before, tree(t, dir))
	}
}
