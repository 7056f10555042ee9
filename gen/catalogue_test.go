package gen_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
)

// What is wanted of the cases: of each name of the catalogue, and of all together.
const (
	wantWrong, wantRight = 2, 1
	wantAll              = 150
)

// commandCases are where the findings of commands have their cases: a script for each name, with its near misses behind a
// comment that says so.
const commandCases = "command/testdata/script/"

// TestEachNameHasCases counts the cases of each name: wrong ones in which it is found, and near misses in which it is not.
func TestEachNameHasCases(t *testing.T) {
	wrong, all := wrongCases(t)
	for _, c := range diag.Checks() {
		right, err := filepath.Glob("internal/check/testdata/ok/" + c.Name + "*.txtar")
		if err != nil {
			t.Fatal(err)
		}
		misses := len(right)
		if script, err := os.ReadFile(commandCases + c.Name + ".txt"); err == nil {
			wrong[c.Name] += strings.Count(string(script), "["+c.Name+"]'\n")
			misses += strings.Count(string(script), "# Near miss") + strings.Count(string(script), "# A near miss")
		}
		if wrong[c.Name] < wantWrong || misses < wantRight {
			t.Errorf("%s has %d wrong cases and %d near misses, want at least %d and %d", c.Name, wrong[c.Name], misses, wantWrong, wantRight)
		}
	}
	if all < wantAll {
		t.Errorf("there are %d wrong cases, want at least %d", all, wantAll)
	}
	fmt.Printf("cases: %d wrong ones of %d names\n", all, len(diag.Checks()))
}

// found is the name at the end of a finding.
var found = regexp.MustCompile(`\[([a-z-]+)\](?: at ".*")?$`)

// wrongCases counts in how many cases each name is found, and all cases in which anything is. A case is an expectation in an
// archive below a folder err: a file that is called want or findings, or ends in such a word.
func wrongCases(t *testing.T) (byName map[string]int, all int) {
	t.Helper()
	byName = map[string]int{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" || filepath.Base(filepath.Dir(path)) != "err" {
			return err
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		for _, f := range archive.Files {
			if !strings.HasSuffix(f.Name, "want") && !strings.HasSuffix(f.Name, "findings") {
				continue
			}
			names := map[string]bool{}
			for _, line := range strings.Split(string(f.Data), "\n") {
				if m := found.FindStringSubmatch(line); m != nil && diag.Lookup(m[1]) != nil {
					names[m[1]] = true
				}
			}
			for name := range names {
				byName[name]++
			}
			all += min(len(names), 1)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	return byName, all
}
