package resumetest_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// TestThePageOfJournalsNamesAllFields compares the fields in the journals of the examples, but for those of events, with the
// tables of the page that describes them.
func TestThePageOfJournalsNamesAllFields(t *testing.T) {
	page, err := os.ReadFile("../../stores/journal/README.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[journal.Type]string{
		journal.Begin: "begin and open", journal.Opened: "begin and open", journal.Intent: "intent", journal.Result: "result",
		journal.Answer: "event, answer and end", journal.End: "event, answer and end",
	}
	seen := 0
	for _, ex := range examples {
		dir := t.TempDir()
		process(t, ex, dir, 25, "")
		process(t, ex, dir, 0, "")
		j, err := journal.Read(t.Context(), journal.Files(filepath.Join(dir, "runs")), killedRun)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range j.Records {
			section, described := sections[r.Type]
			if !described {
				continue
			}
			_, table, _ := strings.Cut(string(page), "\n### "+section+"\n")
			table, _, _ = strings.Cut(table, "\n#")
			for _, field := range r.Fields {
				seen++
				row := func(line string) bool {
					return strings.HasPrefix(line, "|") && strings.Contains(strings.SplitN(line, "|", 3)[1], "`"+field.Name+"`")
				}
				if !slices.ContainsFunc(strings.Split(table, "\n"), row) {
					t.Errorf("%s: the page has no field %q of %s", ex.name, field.Name, r.Type)
				}
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d fields were seen", seen)
	}
}
