package openai

import (
	"net/url"
	"strings"
)

// completions is what every server calls the thing that this package asks for.
const completions = "/chat/completions"

// pathOf is where completions are asked for. Of an address without a path the interface begins where it does at the provider's own
// address, else at /v1.
func (k kind) pathOf(base string) string {
	if base == "" {
		base = "/v1"
		if own, err := url.Parse(k.baseURL); err == nil && own.Path != "" {
			base = own.Path
		}
	}

	return strings.TrimSuffix(base, completions) + completions
}
