package local_test

import (
	"context"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/local"
)

// TestTerminalNamesTheChannel: whoever sits there may have to pass the question on.
func TestTerminalNamesTheChannel(t *testing.T) {
	var out strings.Builder
	q := runtime.Question{ID: "approval", Prompt: "May I?", Channel: "email"}
	answer, err := local.Terminal(strings.NewReader("yes\n"), &out).Ask(context.Background(), q)
	if err != nil || answer.Value != "yes" || out.String() != "channel: email\nMay I?\napproval> " {
		t.Errorf("got %+v, %v, shown %q", answer, err, out.String())
	}
}
