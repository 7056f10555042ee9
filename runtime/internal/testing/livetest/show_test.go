package livetest

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
)

// TestShow: what the command shows is what the pages say that it shows.
func TestShow(t *testing.T) {
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	var shown strings.Builder
	if err := Show(&shown, program); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/shown.txt", shown.String())
	keyless(t, shown.String())
}
