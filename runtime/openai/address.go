package openai

import "strings"

// completions is what every server calls the thing that this package asks for.
const completions = "/chat/completions"

// pathOf is where completions are asked for. An address without a path is that of a server whose interface begins at /v1.
func pathOf(base string) string {
	if base == "" {
		base = "/v1"
	}

	return strings.TrimSuffix(base, completions) + completions
}
