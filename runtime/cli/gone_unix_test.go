//go:build unix

package cli

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// A reader that closes its end early is not a failure, and nothing is reported.
func TestAReaderThatWentAway(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var failed error
	p := printer(func(c *Call) error {
		for range 2 {
			if _, err := fmt.Fprintln(c.Stdout, "text"); err != nil {
				failed = err
			}
		}
		return c.Exit(Paused)
	})
	var stderr strings.Builder
	code := p.Run(&Env{Stdout: w, Stderr: &stderr, Getenv: os.Getenv}, []string{"print"})
	if code != Paused || stderr.String() != "" || failed != nil {
		t.Errorf("exit code %d, stderr %q, error %v", code, stderr.String(), failed)
	}
}
