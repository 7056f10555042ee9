package main

import (
	"bytes"
	"strings"
	"testing"
)

// A project with ten different mistakes gives ten findings in one run, none of them a consequence of another.
func TestTenMistakes(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := Main([]string{"-C", root, "check", "cmd/agentc/testdata/ten-mistakes"}, strings.NewReader(""), &stdout, &stderr)

	if want := read(t, "testdata/ten-mistakes/want.txt"); stdout.String() != want {
		t.Errorf("check prints\n%s", &stdout)
	}
	if code != 1 || stderr.String() != "10 errors\n" {
		t.Errorf("code %d, stderr %q", code, &stderr)
	}
}
