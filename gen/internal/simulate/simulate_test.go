package simulate_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// TestCases simulates the projects of testdata/*.txtar. The comment of a case may have lines `agent
// NAME` and `max-steps N`; what is found is in the file want, the scripts behind it.
func TestCases(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runCase(t, path) })
	}
}

const wantFile = "want"

func runCase(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	project, want := fstest.MapFS{}, ""
	kept := archive.Files[:0:0]
	for _, f := range archive.Files {
		if f.Name == wantFile {
			want = string(f.Data)
			continue
		}
		kept = append(kept, f)
		project[f.Name] = &fstest.MapFile{Data: f.Data}
	}

	got := bestRuns(t, load(t, project), string(archive.Comment))
	switch {
	case got == want:
	case !*casetest.Update:
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	default:
		archive.Files = append(kept, txtar.File{Name: wantFile, Data: []byte(got)})
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func load(t testing.TB, fsys fs.FS) *ir.Program {
	t.Helper()
	list := &diag.List{}
	p, err := loader.Load(fsys, list)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list.Sorted() {
		if d.Severity == diag.Error {
			t.Fatalf("%v: %s", d.Span.Pos(), d.Message)
		}
	}

	return p
}

// bestRuns is everything that is found out about a program, as text.
func bestRuns(t *testing.T, p *ir.Program, orders string) string {
	t.Helper()
	var b strings.Builder
	o := simulate.Options{Roots: graph.FindRoots(p)}
	for line := range strings.Lines(orders) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "agent":
			o.Roots = []*ir.Agent{p.AgentByName(rest)}
		case "max-steps":
			n, err := strconv.Atoi(rest)
			if err != nil {
				t.Fatal(err)
			}
			o.MaxSteps = n
		}
	}
	writeResult(&b, simulate.FindRuns(p, o))

	return b.String()
}

func writeResult(b *strings.Builder, r *simulate.Result) {
	for _, m := range r.Machines {
		states, rows := m.CountCovered()
		fmt.Fprintf(b, "%s: %d of %d states, %d of %d rows\n", m.Name(), states, len(m.States), rows, len(m.Rows))
	}
	writeCases(b, r)
	for _, e := range r.Endless {
		fmt.Fprintf(b, "endless: %s: %s: %s\n", e.Agent.Name.Value, e.Why.Reason, e.Why.Text)
	}
	for _, e := range r.Doubtful {
		fmt.Fprintf(b, "may end: %s: %s: %s\n", e.Agent.Name.Value, e.Why.Reason, e.Why.Text)
	}
	for _, row := range r.UncoveredRows() {
		fmt.Fprintf(b, "%s: %q %s: %s\n", place(row), row.Key().Value, row.Why.Reason, row.Why.Text)
	}
	for _, row := range r.OpenRows() {
		fmt.Fprintf(b, "%s: %q open, %s: %s\n", place(row), row.Key().Value, row.Why.Reason, row.Why.Text)
	}
	scripts, unscripted := r.Scripts(nil)
	for _, u := range unscripted {
		fmt.Fprintf(b, "%s no script: %s\n", targetText(u.Target), u.Why)
	}
	for _, s := range scripts {
		comment := append(rowTexts(s.Rows), ir.Map(s.Cases, func(c *simulate.Case) string { return targetText(c) })...)
		fmt.Fprintf(b, "\n%s, %d turns of %s:\n%s", s.Name, s.Length, s.Root.Name.Value, s.Document(comment).YAML())
	}
}

// writeCases lists the cases that are not covered.
func writeCases(b *strings.Builder, r *simulate.Result) {
	for _, s := range r.Steps {
		fmt.Fprintf(b, "%s/%s: %d of %d cases\n", s.Agent.Name.Value, s.Task.Name.Value, s.CountCovered(), len(s.Cases))
		for _, c := range s.Cases {
			if !c.Ends {
				fmt.Fprintf(b, "  %s: taken %t, open %t, %s: %s\n", c, c.Taken, c.Open, c.Why.Reason, c.Why.Text)
			}
		}
	}
}

// targetText names a row with its place, or a case.
func targetText(t simulate.Target) string {
	switch t := t.(type) {
	case *simulate.Row:
		return fmt.Sprintf("%s: %q", place(t), t.Key().Value)
	case *simulate.Case:
		return fmt.Sprintf("%s/%s: %s", t.Step.Agent.Name.Value, t.Step.Task.Name.Value, t)
	}
	panic(fmt.Sprintf("%T", t))
}

func place(row *simulate.Row) string {
	at := row.Key().Span.Pos()

	return fmt.Sprintf("%s:%d:%d", row.Key().Span.File.Path, at.Line, at.Column)
}

func rowTexts(rows []*simulate.Row) []string {
	var texts []string
	for _, row := range rows {
		machine, state := row.Machine.Name(), row.State.Name.Value
		texts = append(texts, fmt.Sprintf("%s: %s --%s--> %s", machine, state, row.Key().Value, row.To().Value))
	}

	return texts
}
