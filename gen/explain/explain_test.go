package explain_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/explain"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// ofCommands are the checks whose examples show what a command prints; the tests of the commands
// make them.
var ofCommands = map[string]bool{
	"stale-output": true, "edited-output": true, "orphan-output": true, "unimplemented-tool": true,
}

func TestEachCheckHasAPageAndEachPageACheck(t *testing.T) {
	for _, name := range explain.Names() {
		page, ok := explain.Page(name)
		if !ok {
			t.Errorf("%s has no page", name)
			continue
		}
		c := diag.Lookup(name)
		if head := "# " + name + "\n\n" + c.Severity.String() + ": " + c.Summary + "\n\n"; !strings.HasPrefix(page, head) {
			t.Errorf("the page of %s begins with\n%.120s\nwant\n%s", name, page, head)
		}
	}
	files, err := fs.Glob(os.DirFS("."), "pages/*.md")
	if err != nil || len(files) != len(explain.Names()) {
		t.Errorf("%d pages for %d checks, %v", len(files), len(explain.Names()), err)
	}
	for _, name := range []string{"", "nothing", "../doc", "no-exit.md"} {
		if _, ok := explain.Page(name); ok {
			t.Errorf("there is a page %q", name)
		}
	}
}

// example returns the listing below a heading of a page.
func example(t *testing.T, page, heading, kind string) string {
	t.Helper()
	_, rest, found := strings.Cut(page, "\n## "+heading+"\n\n```"+kind+"\n")
	text, _, closed := strings.Cut(rest, "\n```\n")
	if !found || !closed {
		t.Fatalf("the page has no %s example of kind %s", heading, kind)
	}

	return text + "\n"
}

// project compiles an example and returns the findings and the places of the marks, as file:line.
func project(t *testing.T, text string) (findings []*diag.Diagnostic, marks []string) {
	t.Helper()
	files := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
		for i, line := range strings.Split(string(f.Data), "\n") {
			if strings.Contains(line, explain.HereMark) {
				marks = append(marks, place(f.Name, i+1))
			}
		}
	}
	if len(files) == 0 {
		t.Fatal("the example has no files")
	}
	list := &diag.List{}
	p, err := loader.Load(files, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, list)

	return list.Sorted(), marks
}

func place(file string, line int) string {
	return fmt.Sprintf("%s:%d", file, line)
}

func TestExamples(t *testing.T) {
	for _, name := range explain.Names() {
		t.Run(name, func(t *testing.T) {
			page, _ := explain.Page(name)
			if ofCommands[name] {
				if wrong := example(t, page, "Wrong", "console"); !strings.Contains(wrong, "["+name+"]") {
					t.Errorf("the wrong example does not show %s:\n%s", name, wrong)
				}
				example(t, page, "Right", "console")
				return
			}

			findings, marks := project(t, example(t, page, "Wrong", "txtar"))
			if len(findings) == 1 && path.Ext(findings[0].Span.File.Path) == ".lock" { // JSON has no comments that could be marks
				marks = append(marks, place(findings[0].Span.File.Path, findings[0].Span.Pos().Line))
			}
			if len(findings) != 1 || len(marks) != 1 || findings[0].Check.Name != name {
				t.Fatalf("%d marks, and the wrong example gives\n%s", len(marks), text(t, findings))
			}
			d := findings[0]
			if got := place(d.Span.File.Path, d.Span.Pos().Line); got != marks[0] {
				t.Errorf("the mark is not where the finding is:\n%s", text(t, findings))
			}
			if findings, _ := project(t, example(t, page, "Right", "txtar")); len(findings) > 0 {
				t.Errorf("the right example gives\n%s", text(t, findings))
			}
		})
	}
}

func text(t *testing.T, findings []*diag.Diagnostic) string {
	t.Helper()
	var b strings.Builder
	if err := diag.Text(&b, findings, diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}

	return b.String()
}

func TestTerminal(t *testing.T) {
	const page = "# a-check\n\nerror: it is wrong\n\nA paragraph that\nis " + "one.\n\n## Wrong\n\n```txtar\n-- f --\na:  1\n\nb: 2 # <-- here\n```\n\nEnd.\n"
	cases := []struct {
		colour bool
		want   string
	}{
		{false, "a-check\n\nerror: it is wrong\n\nA paragraph that is one.\n\nWrong\n\n    -- f --\n    a:  1\n\n    b: 2 # <-- here\n\nEnd.\n"},
		{true, "\x1b[1ma-check\x1b[0m\n\nerror: it is wrong\n\nA paragraph that is one.\n\n\x1b[1mWrong\x1b[0m\n\n" +
			"    \x1b[36m-- f --\x1b[0m\n    a:  1\n\n    b: 2 \x1b[31m# <-- here\x1b[0m\n\nEnd.\n"},
	}
	for _, c := range cases {
		if got := new(cli.Env).Wrap(nil, explain.Terminal(page, c.colour)); got != c.want {
			t.Errorf("got\n%q\nwant\n%q", got, c.want)
		}
	}
}

func TestPagesFitATerminal(t *testing.T) {
	for _, name := range explain.Names() {
		page, _ := explain.Page(name)
		for _, line := range strings.Split(new(cli.Env).Wrap(nil, explain.Terminal(page, false)), "\n") {
			if n := utf8.RuneCountInString(line); n > 132 || n > 80 && !strings.HasPrefix(line, "    ") {
				t.Errorf("%s: %d columns: %s", name, n, line)
			}
		}
	}
}
