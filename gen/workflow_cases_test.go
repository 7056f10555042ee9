package gen_test

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// workflowsPage has the table of what differs from the runtime that the workflows come from.
const workflowsPage = "internal/statemachine/README.md"

// TestWorkflows runs the cases of testdata/workflows as TestPatterns runs its own: projects with a task, perhaps an initial
// context and a script, and what they do. What is found in the sources stands in the file "findings".
func TestWorkflows(t *testing.T) {
	cases := readCases(t, "testdata/workflows")
	packages := map[string]*gen.Result{}
	var calls strings.Builder
	for name, archive := range cases {
		result := compileWorkflow(t, name, archive)
		if result == nil {
			continue
		}
		pkg := "w" + strings.ReplaceAll(name, "-", "")
		packages[pkg] = result
		funcs := ""
		if len(result.Program.Funcs) > 0 {
			funcs = "nil"
		}
		fmt.Fprintf(&calls, "\tplay(%q, %s.New(%s).Program(), %q, %q, %q)\n",
			name, pkg, funcs, textIn(archive, "task"), scriptOf(t, name, archive, result), textIn(archive, "context"))
	}
	told := buildAndRun(t, packages, patternPlayer, calls.String())

	for name, archive := range cases {
		if packages["w"+strings.ReplaceAll(name, "-", "")] == nil {
			continue
		}
		t.Run(name, func(t *testing.T) { compareCase(t, workflowCase(name), archive, "want", told[name]) })
	}
}

// TestDifferencesOfWorkflows: each row of their table is the first line of a case, and is shown by it.
func TestDifferencesOfWorkflows(t *testing.T) {
	withLink := func(name, row string) string {
		return fmt.Sprintf("%s [%s](../../%s) |", row, name, workflowCase(name))
	}
	compareDifferences(t, workflowsPage, workflowDifference, "testdata/workflows", withLink)
}

// workflowDifference is a row of that table: a behaviour, the original's, ours, the case.
var workflowDifference = regexp.MustCompile(`(?m)^\| [^|]+ \| [^|]+ \| [^|]+ \| \[[a-z-]+\]\([^|]+ \|$`)

func workflowCase(name string) string { return filepath.Join("testdata/workflows", name+".txtar") }

// workflowOthers are the files of a case that are none of the project.
var workflowOthers = []string{"task", "context", "script", "want", "findings"}

// compileWorkflow compiles the project of a case. It returns nil if there is nothing to run: a case may be about its findings.
func compileWorkflow(t *testing.T, name string, archive *txtar.Archive) *gen.Result {
	t.Helper()
	project := (&casetest.Case{Archive: archive}).Project(workflowOthers...)
	result, err := gen.Compile(context.Background(), gen.Options{FS: project})
	if err != nil {
		t.Errorf("%s: %v", name, err)

		return nil
	}
	compareFindings(t, workflowCase(name), archive, casetest.Codes(result.Diagnostics))
	if !result.HasErrors() {
		return result
	}
	if textIn(archive, "task") != "" {
		t.Errorf("%s has a task to run, and errors:\n%s", name, casetest.Text(t, result.Diagnostics))
	}

	return nil
}

// scriptOf returns the script of a case as JSON; one that answers nothing if it has none.
func scriptOf(t *testing.T, name string, archive *txtar.Archive, result *gen.Result) string {
	t.Helper()
	text := textIn(archive, "script")
	if text == "" {
		return `{"tools":{}}`
	}
	json, findings := scriptdoc.Convert(source.NewFile("script", []byte(text)), result.Program)
	for _, d := range findings {
		t.Errorf("%s: script: %s", name, d.Message)
	}

	return json
}

// textIn returns a file of a case without space around it; "" if the case has none.
func textIn(archive *txtar.Archive, name string) string {
	for _, f := range archive.Files {
		if f.Name == name {
			return strings.TrimSpace(string(f.Data))
		}
	}

	return ""
}
