package otel_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
)

// TestTrace: a run is a trace, in which everything lies within what has done it.
func TestTrace(t *testing.T) {
	r := newReceiver(t)
	export(t, r)
	told, err := run(t, core.Config{Asker: boss{}})
	if err != nil || told != "" {
		t.Fatalf("%v, and told %q", err, told)
	}
	want := `invoke_agent desk [transition write judge] [transition judge ask] [transition ask]
  invoke_agent writer [call_answered read_skill] [call_refused]
    chat gpt-x
    chat gpt-x
    execute_tool look
    execute_tool look
    chat gpt-x
  invoke_agent team
    invoke_agent judge
      chat claude-x
    invoke_agent judge
      chat claude-x
  invoke_agent boss
    ask boss
`
	if got := r.tree(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
