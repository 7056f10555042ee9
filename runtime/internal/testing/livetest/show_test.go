package livetest

import (
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/shown.txt anew")

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
	const file = "testdata/shown.txt"
	if *update {
		if err := os.WriteFile(file, []byte(shown.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || shown.String() != string(want) {
		t.Errorf("%v; shown is\n%s", err, &shown)
	}
	keyless(t, shown.String())
}
