package listen_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/servers/listen"
)

// An address that other machines reach is opened with credentials only.
func TestOpen(t *testing.T) {
	for _, test := range []struct {
		address string
		known   bool
		open    bool
	}{
		{"127.0.0.1:0", false, true}, {"0.0.0.0:0", false, false}, {":0", false, false}, {"0.0.0.0:0", true, true},
	} {
		l, err := listen.Open(test.address, test.known, "X_TOKENS")
		if test.open != (err == nil) || !test.open && (runtime.ErrorType(err) != "OpenDoorError" || !strings.Contains(err.Error(), "X_TOKENS")) {
			t.Errorf("%s with credentials: %v: %v", test.address, test.known, err)
		}
		if err == nil {
			_ = l.Close()
		}
	}
}
