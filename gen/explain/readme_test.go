package explain_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/explain"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// README.md is all pages in one, behind a table of them. It is made from the pages and never
// edited.
func TestReadmeIsMadeFromThePages(t *testing.T) {
	want := readme(t)
	got, err := os.ReadFile("README.md")
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if string(got) == want {
		return
	}
	if *casetest.Update {
		if err := os.WriteFile("README.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Error("README.md is not what the pages give: go test ./gen/explain -update writes it")
}

const readmeHead = `<!-- Made from the pages beside it by go test ./gen/explain -update; edit those. -->
# What agentc finds

Each check has a name, which is in brackets after its message, and a page, which ` + "`agentc explain NAME`" + ` prints. This page
contains all of them. The examples are complete projects, each file below a line with its path. They are tests: the wrong one
gives exactly the marked diagnostic, the right one gives none.

An error stops the compilation. A warning only fails ` + "`check --strict`" + `, and can be silenced by a comment
` + "`# agentc:ignore <name> <reason>`" + `; see [bad-ignore](#bad-ignore).

`

func readme(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(readmeHead + "| name | severity | what |\n|---|---|---|\n")
	for _, c := range diag.Checks() {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | %s |\n", c.Name, c.Name, c.Severity, strings.ReplaceAll(c.Summary, "|", `\|`))
	}
	for _, name := range explain.Names() {
		page, ok := explain.Page(name)
		if !ok {
			t.Fatalf("%s has no page", name)
		}
		b.WriteString("\n" + section(name, page))
	}

	return b.String()
}

// section returns a page as a part of another: its headings one level deeper, and before each
// listing where it is tested.
func section(name, page string) string {
	var b strings.Builder
	open := false
	for _, line := range strings.SplitAfter(page, "\n") {
		switch fence := strings.HasPrefix(line, "```"); {
		case fence && !open:
			fmt.Fprintf(&b, "<!-- test: excerpt gen/explain/pages/%s.md -->\n", name)
			open = true
		case fence:
			open = false
		case !open && strings.HasPrefix(line, "#"):
			b.WriteString("#")
		}
		b.WriteString(line)
	}

	return b.String()
}
