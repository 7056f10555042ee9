package trace

import "testing"

func TestBranchOf(t *testing.T) {
	for address, want := range map[string]string{
		"": "", "7": "", "7.0": "7.0", "7.0.12": "7.0", "7.0.12.3": "7.0.12.3", "7.0.12.3.1": "7.0.12.3",
	} {
		if got := BranchOf(address); got != want {
			t.Errorf("BranchOf(%q) = %q, want %q", address, got, want)
		}
	}
}
