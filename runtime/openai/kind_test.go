package openai

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
)

// The compiler takes these providers for built in, so their address is known here.
func TestBuiltinProvidersHaveAnAddress(t *testing.T) {
	for _, p := range builtin.Providers {
		if p.Path == builtin.ChatPath && kindOf(p.Name).baseURL == "" {
			t.Errorf("%s has no address", p.Name)
		}
	}
}
