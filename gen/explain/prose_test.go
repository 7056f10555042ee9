package explain_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/explain"
)

func TestProse(t *testing.T) {
	const page = "# a-check\n\nerror: it is wrong\n\nIt matters,\nbecause.\n\nAnd so.\n\n## Wrong\n\n```txtar\n-- f --\n\n# a\n```\n\n## How to fix it\n\nMend it."
	got := explain.Prose(page)
	if want := []string{"It matters, because.", "And so.", "Mend it."}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := explain.Prose(""); len(got) > 0 {
		t.Errorf("an empty page says %q", got)
	}
}

// Every page says why the finding matters and how to fix it.
func TestEachPageHasProse(t *testing.T) {
	for _, name := range explain.Names() {
		page, _ := explain.Page(name)
		prose := explain.Prose(page)
		if len(prose) < 2 || strings.Contains(strings.Join(prose, "\n"), "-- ") {
			t.Errorf("%s: %q", name, prose)
		}
	}
}
