package check_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// wantFile is the file of a case that holds the expected text; the others are the project.
const wantFile = "want"

// compile checks the project in an archive.
func compile(t *testing.T, a *txtar.Archive) []*diag.Diagnostic {
	t.Helper()
	project := (&casetest.Case{Archive: a}).Project(wantFile)
	for _, f := range project {
		f.Data = []byte(fakeSecrets.Replace(string(f.Data)))
	}
	list := &diag.List{}
	program, err := loader.Load(project, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(program, list)

	return list.Sorted()
}

// checkOf returns the name of the check that a case is about: err/no-exit.txtar and err/no-exit_group.txtar are cases of
// no-exit.
func checkOf(name string) string {
	name, _, _ = strings.Cut(name, "_")
	return name
}

// Every case in err gives the text in its file want, byte for byte, and finds what it is called after.
func TestErr(t *testing.T) {
	casetest.Run(t, "testdata/err/*.txtar", func(t *testing.T, c *casetest.Case) {
		findings := compile(t, c.Archive)
		c.Want(t, wantFile, casetest.Text(t, findings))
		if !finds(findings, checkOf(c.Name)) {
			t.Errorf("%s is not found", checkOf(c.Name))
		}
	})
}

// Every case in ok is a near miss of the check that it is called after: nothing is found.
func TestOK(t *testing.T) {
	casetest.Run(t, "testdata/ok/*.txtar", func(t *testing.T, c *casetest.Case) {
		if diag.Lookup(checkOf(c.Name)) == nil {
			t.Errorf("%s is no check", checkOf(c.Name))
		}
		if got := casetest.Text(t, compile(t, c.Archive)); got != "" {
			t.Errorf("got\n%s", got)
		}
	})
}

func finds(findings []*diag.Diagnostic, name string) bool {
	for _, d := range findings {
		if d.Check.Name == name {
			return true
		}
	}

	return false
}

// ofOutput are the checks whose findings are made where generated files and the user's Go are looked at.
var ofOutput = map[string]bool{
	"stale-output": true, "edited-output": true, "orphan-output": true, "unimplemented-tool": true,
}

// Every check of the catalogue has a case that it fails and a near miss. A check that is removed fails its case.
func TestEveryCheckHasACaseAndANearMiss(t *testing.T) {
	wrong, right := map[string]bool{}, map[string]bool{}
	for _, c := range casetest.Read(t, "testdata/err/*.txtar") {
		wrong[checkOf(c.Name)] = true
	}
	for _, c := range casetest.Read(t, "testdata/ok/*.txtar") {
		right[checkOf(c.Name)] = true
	}
	for _, c := range diag.Checks() {
		if ofOutput[c.Name] {
			continue
		}
		if !wrong[c.Name] {
			t.Errorf("%s has no case in testdata/err", c.Name)
		}
		if !right[c.Name] {
			t.Errorf("%s has no near miss in testdata/ok", c.Name)
		}
	}
}

func TestPassesAreCalledAfterChecks(t *testing.T) {
	known := map[string]bool{}
	for _, pass := range check.Passes() {
		if diag.Lookup(pass.Name) == nil {
			t.Errorf("pass %s is called after no check", pass.Name)
		}
		if known[pass.Name] {
			t.Errorf("two passes are called %s", pass.Name)
		}
		known[pass.Name] = true
	}
}
