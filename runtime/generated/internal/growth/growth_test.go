package growth_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/internal/growth"
)

// TestExtend: only the longest list takes the items behind it.
func TestExtend(t *testing.T) {
	m := growth.New(2)
	if !m.Extend(2, 3) || m.Extend(2, 4) || !m.Extend(3, 5) || m.Extend(4, 6) {
		t.Error("items are taken twice, or never")
	}
}

// TestClaimAdded: items are claimed once, whether or not those before them were.
func TestClaimAdded(t *testing.T) {
	m := growth.New(8)
	if !m.ClaimAdded(2, 4) || m.ClaimAdded(2, 4) || m.ClaimAdded(3, 5) || !m.ClaimAdded(6, 8) || m.ClaimAdded(7, 8) {
		t.Error("items are claimed twice, or never")
	}
}
