package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestForgedAttempts: a journal that says that a model was asked more often than anybody ever asks
// does not hold up the process that goes on with it, whether its script ends with an answer or with
// an error that stays.
func TestForgedAttempts(t *testing.T) {
	for _, script := range []string{
		`{"desk":[{"error":{"status":500}},{"say":"a"},{"say":"b"}]}`,
		`{"desk":[{"say":"a"},{"error":{"status":500}}]}`,
	} {
		scripted := func(c *core.Config) { c.Model, c.Script, c.Partial, c.Retry.Attempts = nil, script, true, 2 }
		store := journal.Memory()
		want, _ := with(newWorld(), store, scripted).Run(t.Context(), asks("one", "two"), "", "")
		for _, attempts := range []string{"9223372036854775807", "4000000000", "-5", "many"} {
			var forged []journal.Record
			for _, r := range recordsOf(t, store) {
				if r.Type == journal.Result {
					fields := []journal.Field{{Name: "attempts", Value: attempts}}
					for _, f := range r.Fields {
						if f.Name != "attempts" {
							fields = append(fields, f)
						}
					}
					r.Fields = fields
				}
				if r.Type != journal.End {
					forged = append(forged, r)
				}
			}
			ended := make(chan string, 1)
			go func() {
				fin, err := with(newWorld(), cutAt(t, forged, len(forged)), scripted).Resume(t.Context(), asks("one", "two"), "r1", core.ResumeOptions{})
				ended <- fin.Value + text(err)
			}()
			select {
			case got := <-ended:
				if want.Value != "" && got != want.Value || want.Value == "" && !strings.Contains(got, "500") {
					t.Errorf("%s attempts: %s", attempts, got)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s attempts hold the run up", attempts)
			}
		}
	}
}
