package wire

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// TestResultOfFailedRun: a run that failed in an end state has that as the key of its result. Other runs
// that are not done have no result.
func TestResultOfFailedRun(t *testing.T) {
	for _, c := range []struct {
		status    client.Status
		key, want string
		hasResult bool
	}{
		{status: client.Done, hasResult: true},
		{status: client.Done, key: "sent", want: "sent", hasResult: true},
		{status: client.Failed, key: "rejected", want: "rejected", hasResult: true},
		{status: client.Failed},
		{status: client.Paused},
		{status: client.Running, key: "rejected"},
	} {
		of := RunOf("r1", &trace.Trace{Key: c.key, FinalContext: `{"a":1}`}, c.status)
		if (of.Result != nil) != c.hasResult {
			t.Errorf("%s %q: the result is %+v", c.status, c.key, of.Result)
			continue
		}
		if !c.hasResult {
			continue
		}
		if of.Result.Key != c.want || string(of.Result.Context) != `{"a":1}` || Listed(of).Result.Key != c.want {
			t.Errorf("%s %q: the result is %+v", c.status, c.key, of.Result)
		}
	}
}
