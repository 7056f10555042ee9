package runtime_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
)

// TestLongPath: a message repeats no name of any length, which a model may write.
func TestLongPath(t *testing.T) {
	err := &runtime.ValueError{Path: strings.Repeat("x", 10_000), Problem: "is not known here"}
	if got, want := err.Error(), strings.Repeat("x", 200)+"… is not known here"; got != want {
		t.Errorf("got %q", got)
	}
	if len(err.Path) != 10_000 {
		t.Error("the error itself lacks a part of the path")
	}
}
