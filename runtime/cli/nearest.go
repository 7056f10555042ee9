package cli

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime/internal/nearest"
)

// DidYouMean returns the end of a message about an unknown word; "" if none of the candidates is near.
func DidYouMean(word string, candidates []string) string {
	near, ok := nearest.Name(word, candidates)
	if !ok {
		return ""
	}

	return fmt.Sprintf(" (did you mean %q?)", near)
}
