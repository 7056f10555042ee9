// Package golden compares what tests of the runtime get with files. With the flag -update of a test
// binary, it writes the files instead; review the difference.
//
// Only tests import it.
package golden

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// Update is set if files are written instead of compared.
var Update = flag.Bool("update", false, "write what the tests get as what they expect")

// Compare compares a text with a file, or writes the file.
func Compare(t testing.TB, path, got string) {
	t.Helper()
	if *Update {
		Write(t, path, got)
		return
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := string(content); got != want {
		t.Errorf("%s differs from line %d on; -update writes it:\n%s", path, firstDifference(got, want), got)
	}
}

// Write writes a file that a test has made.
func Write(t testing.TB, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// firstDifference returns the number of the first line that two texts do not share.
func firstDifference(a, b string) int {
	theirs := strings.Split(b, "\n")
	for i, line := range strings.Split(a, "\n") {
		if i >= len(theirs) || line != theirs[i] {
			return i + 1
		}
	}

	return strings.Count(a, "\n") + 2
}
