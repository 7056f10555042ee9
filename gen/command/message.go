package command

import (
	"fmt"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// didYouMean returns the end of a message about an unknown word; "" if no candidate is near.
func didYouMean(word string, candidates []string) string {
	near, ok := diag.Nearest(word, candidates)
	if !ok {
		return ""
	}

	return fmt.Sprintf(" (did you mean %q?)", near)
}

// printMessage prints a message to stderr that --quiet does not turn off.
func printMessage(c *cli.Call, format string, args ...any) {
	fmt.Fprintln(c.Stderr, c.Fit(c.Stderr, fmt.Sprintf(format, args...)))
}
