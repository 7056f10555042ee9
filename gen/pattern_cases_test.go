package gen_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// TestPatterns runs the cases of testdata/patterns: projects with a task and a script, and what every conversation in them is
// given: its system prompt, its input, the keys that it may finish with, and what it is told on the way. Each run is repeated
// with the branches of its groups in other orders, which must change nothing, and cancelled in each of its model calls, after
// which no other may begin. What is found in the sources stands in the file "findings".
func TestPatterns(t *testing.T) {
	cases := readCases(t, "testdata/patterns")
	packages := map[string]*gen.Result{}
	var calls strings.Builder
	for name, archive := range cases {
		pkg := "p" + strings.ReplaceAll(name, "-", "")
		result := compilePattern(t, name, archive)
		if result == nil {
			continue
		}
		packages[pkg] = result
		task := expand(strings.TrimSpace(string(fileOf(archive, "task").Data)))
		fmt.Fprintf(&calls, "\tplay(%q, %s.New().Program(), %q, \"\", \"\")\n", name, pkg, task)
	}
	told := buildAndRun(t, packages, patternPlayer, calls.String())

	for name, archive := range cases {
		t.Run(name, func(t *testing.T) {
			got, ran := told[name]
			if !ran {
				t.Fatal("the case was not run")
			}
			compareCase(t, patternCase(name), archive, "want", got)
		})
	}
}

func patternCase(name string) string { return filepath.Join("testdata/patterns", name+".txtar") }

// compilePattern compiles the project of a case: all of its files but the task and what is wanted. It returns nil if it cannot.
func compilePattern(t *testing.T, name string, archive *txtar.Archive) *gen.Result {
	t.Helper()
	project := projectOf(archive)
	delete(project, "task")
	delete(project, "want")
	for _, f := range project {
		f.Data = []byte(expand(string(f.Data)))
	}
	result, err := gen.Compile(context.Background(), gen.Options{FS: project})
	if err != nil {
		t.Errorf("%s: %v", name, err)

		return nil
	}
	compareFindings(t, patternCase(name), archive, casetest.Codes(result.Diagnostics))
	if result.HasErrors() {
		t.Errorf("%s has errors", name)

		return nil
	}

	return result
}

var expansion = regexp.MustCompile(`\{\{(\d+) (items|letters)\}\}`)

// expand writes out what would be too long for a case: {{10000 items}} is a JSON array, {{13000 letters}} a text.
func expand(text string) string {
	return expansion.ReplaceAllStringFunc(text, func(found string) string {
		m := expansion.FindStringSubmatch(found)
		n, _ := strconv.Atoi(m[1])
		if m[2] == "letters" {
			return strings.Repeat("x", n)
		}
		items := make([]string, n)
		for i := range items {
			items[i] = "item " + strconv.Itoa(i+1)
		}
		array, _ := json.Marshal(items)

		return string(array)
	})
}

// patternsPage has the table of what differs from the older runtime.
const patternsPage = "../examples/all-patterns/README.md"

// difference is a row of that table: a pattern in lower case, the older runtime, here.
var difference = regexp.MustCompile(`(?m)^\| [a-z-]+ \| [^|]+ \| [^|]+ \|$`)

// TestDifferences: each row of the table of differences is the first line of a case, and is shown by it.
func TestDifferences(t *testing.T) {
	compareDifferences(t, patternsPage, difference, "testdata/patterns", func(_, row string) string { return row })
}

// compareDifferences expects the rows of a page's table of differences and the cases that show them to be the same. inPage is how
// the first line of a case stands in the page.
func compareDifferences(
	t *testing.T, pagePath string, difference *regexp.Regexp, dir string, inPage func(name, row string) string,
) {
	t.Helper()
	page, err := os.ReadFile(pagePath)
	if err != nil {
		t.Fatal(err)
	}
	rows := difference.FindAllString(string(page), -1)
	var shown []string
	for name, archive := range readCases(t, dir) {
		row, _, _ := strings.Cut(string(archive.Comment), "\n")
		if !strings.HasPrefix(row, "| ") {
			continue
		}
		row = inPage(name, row)
		shown = append(shown, row)
		if !slices.Contains(rows, row) {
			t.Errorf("%s: the table of %s lacks the row\n%s", name, pagePath, row)
		}
	}
	for _, row := range rows {
		if !slices.Contains(shown, row) {
			t.Errorf("no case shows the row\n%s", row)
		}
	}
	fmt.Printf("differences: %d rows of %s, each a case\n", len(rows), filepath.Base(filepath.Dir(pagePath)))
}

func readCases(t *testing.T, dir string) map[string]*txtar.Archive {
	t.Helper()
	cases := map[string]*txtar.Archive{}
	for _, c := range casetest.Read(t, dir+"/*.txtar") {
		cases[c.Name] = c.Archive
	}

	return cases
}
