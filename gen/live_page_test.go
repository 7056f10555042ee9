package gen_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// livePage has the table of what live machines promise, and which tests show it.
const livePage = "../runtime/generated/live/README.md"

// promises are the rows of that table: each has a number, what holds, and links to tests.
var (
	promises = regexp.MustCompile(`(?m)^\| (\d+) \| [^|]+ \| ([^|]+) \|$`)
	links    = regexp.MustCompile(`\[([\w-]+)\]\(([^)]+)\)`)
)

// TestPromisesOfLiveMachines: each row names tests, and those are there: functions of the file that the link leads to, or a
// case of that name.
func TestPromisesOfLiveMachines(t *testing.T) {
	page, err := os.ReadFile(livePage)
	if err != nil {
		t.Fatal(err)
	}
	rows := promises.FindAllStringSubmatch(string(page), -1)
	if len(rows) != 20 {
		t.Fatalf("%d promises are read from %s", len(rows), livePage)
	}
	for i, row := range rows {
		if row[1] != strconv.Itoa(i+1) {
			t.Errorf("promise %d is called %s", i+1, row[1])
		}
		shown := links.FindAllStringSubmatch(row[2], -1)
		if len(shown) == 0 {
			t.Errorf("promise %s has no test", row[1])
		}
		for _, link := range shown {
			if problem := notThere(link[1], link[2]); problem != "" {
				t.Errorf("promise %s, %s: %s", row[1], link[1], problem)
			}
		}
	}
}

// notThere says why a test is not where a link leads; "" if it is.
func notThere(name, link string) string {
	content, err := os.ReadFile(filepath.Join(filepath.Dir(livePage), filepath.FromSlash(link)))
	switch {
	case err != nil:
		return err.Error()
	case strings.HasSuffix(link, "_test.go"):
		if !regexp.MustCompile(`(?m)^func ` + name + `\(\w+ \*testing\.[TF]\)`).Match(content) {
			return link + " has no such test"
		}
	case strings.TrimSuffix(path.Base(link), path.Ext(link)) != name:
		return link + " is a case of another name"
	}

	return ""
}
