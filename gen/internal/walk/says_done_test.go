package walk

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime"
)

func TestSaysDoneIsTheRuntimes(t *testing.T) {
	for _, text := range []string{
		"", "d", "done", "DONE", "Done.", "donee", "done1", " done", "**DONE** well", "> `done`", "not done",
		"don\u212a", "dön", doneText, otherText,
		"done\u00e4", "# done: x", "\"done\"", "\xffdone",
	} {
		if saysDone(text) != runtime.SaysDone(text) {
			t.Errorf("%q: %v, the runtime says %v", text, saysDone(text), runtime.SaysDone(text))
		}
	}
}
