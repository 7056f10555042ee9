package builtin_test

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/builtin"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// A filter that is settled does nothing to what it gives.
func TestSettledFilters(t *testing.T) {
	settled := 0
	for _, filter := range builtin.Filters {
		if !filter.IsSettled {
			continue
		}
		settled++
		for r := range rune(0x1ffff) {
			once := filter.Apply(workflow.Text(string(r)), nil)
			if twice := filter.Apply(once, nil); twice.JSON() != once.JSON() {
				t.Errorf("%s of %q: %s, and of that %s", filter.Name, r, once.JSON(), twice.JSON())
			}
		}
	}
	if settled == 0 {
		t.Error("no filter is settled")
	}
}
