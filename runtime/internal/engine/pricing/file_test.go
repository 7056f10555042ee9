package pricing_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/pricing"
)

// FuzzPrices: each file of prices is used or refused.
func FuzzPrices(f *testing.F) {
	f.Add(`{"as_of": "2026-11-22", "a:b*": {"input": 0.25, "output": 1.5, "cached_input": 0.025, "cache_write": 0}}`)
	f.Add(`{"a:b": {"input": 1e308, "output": 0x1}}`)
	f.Fuzz(func(t *testing.T, content string) {
		models, err := pricing.Parse([]byte(content))
		if err != nil {
			return
		}
		for _, m := range models.Models {
			if m.Input < 0 || m.Output < 0 || m.Cached < 0 || m.Stored < 0 || !strings.Contains(m.Name, ":") {
				t.Errorf("%s: %+v", content, m)
			}
		}
	})
}
