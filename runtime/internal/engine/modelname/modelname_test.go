package modelname_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/modelname"
)

// TestSplit: the first colon ends the provider, and both parts must be there.
func TestSplit(t *testing.T) {
	for name, want := range map[string][2]string{
		"openai:gpt-5":     {"openai", "gpt-5"},
		"local:qwen:0.5b":  {"local", "qwen:0.5b"},
		"acme: one":        {},
		"acme:":            {},
		":gpt-5":           {},
		"an acme:one":      {},
		"gpt-5":            {},
		"":                 {},
		"acme:one or more": {"acme", "one or more"},
	} {
		provider, id, ok := modelname.Split(name)
		if wantOK := want[0] != ""; ok != wantOK {
			t.Errorf("%q: %v, want %v", name, ok, wantOK)
		}
		if ok && (provider != want[0] || id != want[1]) {
			t.Errorf("%q: %q, %q", name, provider, id)
		}
	}
}
