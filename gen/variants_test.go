package gen_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// variant is an edit of the workflow of an example, and what is found then.
type variant struct {
	name string
	// edits replace texts that occur once.
	edits []replacement
	// want has the lines CHECK @ TEXT: a diagnostic of the check is at the text. Where check finds nothing, it has the
	// lines simulate @ TEXT, for a row or a case that no run takes, or the line "nothing".
	want []string
}

type replacement struct{ old, new string }

// readVariants reads the variants of a file. Each begins with its name behind "#", and has edits: lines behind "-" are
// replaced by those behind "+". The lines behind "=" are what is found.
func readVariants(t *testing.T, path string) (all []*variant) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	previous := ""
	for line := range strings.Lines(string(text)) {
		mark, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if mark == "#" {
			all = append(all, &variant{name: rest})
		} else if mark != "" {
			all[len(all)-1].addLine(mark, previous, rest)
		}
		previous = mark
	}

	return all
}

func (v *variant) addLine(mark, previous, rest string) {
	last := len(v.edits) - 1
	switch {
	case mark == "=":
		v.want = append(v.want, rest)
	case mark == "-" && previous == "-":
		v.edits[last].old += "\n" + rest
	case mark == "-":
		v.edits = append(v.edits, replacement{old: rest})
	case previous == "+":
		v.edits[last].new += "\n" + rest
	default:
		v.edits[last].new = rest
	}
}

// apply returns the edited text.
func (v *variant) apply(t *testing.T, text string) string {
	t.Helper()
	for _, e := range v.edits {
		if count := strings.Count(text, e.old); count != 1 {
			t.Fatalf("the text occurs %d times: %s", count, e.old)
		}
		text = strings.Replace(text, e.old, e.new, 1)
	}

	return text
}

// TestBrokenVariants edits the workflows of examples as people do by mistake: check reports each mistake, and at which
// place.
func TestBrokenVariants(t *testing.T) {
	for _, example := range []string{"loan", "digest", "purchase"} {
		path := filepath.Join("testdata", "variants", example+".txt")
		all := readVariants(t, path)
		if len(all) < 20 {
			t.Errorf("%s has only %d variants", path, len(all))
		}
		for _, v := range all {
			t.Run(example+"/"+v.name, func(t *testing.T) {
				files := readProject(t, filepath.Join("..", "examples", example))
				workflow := files["workflows/"+example+".yaml"]
				workflow.Data = []byte(v.apply(t, string(workflow.Data)))
				got := findProblems(t, files)
				if *casetest.Update {
					v.want = got
				}
				if !slices.Equal(got, v.want) {
					t.Errorf("found\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(v.want, "\n"))
				}
			})
		}
		if *casetest.Update {
			writeVariants(t, path, all)
		}
	}
}

// writeVariants replaces the lines behind "=" in a file of variants.
func writeVariants(t *testing.T, path string, all []*variant) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, block := range strings.Split(strings.TrimSpace(string(text)), "\n\n") {
		for line := range strings.Lines(block + "\n") {
			if !strings.HasPrefix(line, "=") {
				b.WriteString(line)
			}
		}
		for _, found := range all[i].want {
			b.WriteString("= " + found + "\n")
		}
		b.WriteString("\n")
	}
	if err := os.WriteFile(path, []byte(strings.TrimSpace(b.String())+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// findProblems returns what check finds in a project and, if that is nothing, the rows and cases that no run takes.
func findProblems(t *testing.T, files fs.FS) (found []string) {
	t.Helper()
	result := compileFS(t, files)
	for _, d := range result.Diagnostics {
		line, _, _ := strings.Cut(d.Span.Text(), "\n")
		found = append(found, d.Check.Name+" @ "+line)
	}
	if len(found) > 0 {
		return found
	}
	runs := simulate.FindRuns(result.Program, simulate.Options{Roots: result.Program.EntryPoints()})
	for _, m := range runs.Machines {
		for _, row := range m.Rows {
			if !row.Ends {
				found = append(found, "simulate @ row from "+row.Row.From.Value)
			}
		}
	}
	for _, s := range runs.Steps {
		for _, c := range s.Cases {
			if !c.Ends {
				found = append(found, "simulate @ "+c.String())
			}
		}
	}

	if len(found) == 0 {
		return []string{"nothing"}
	}

	return found
}
