package gen_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// The layers that can find a damaged row, in the order in which they see it. The tests are those that the undamaged project
// got: they stay as they are.
const (
	byCheck = "check"
	byVet   = "go vet"
	byTests = "the generated tests"
)

// How a row is damaged.
const (
	targetRenamed = "target renamed"
	keyChanged    = "key changed"
	rowDropped    = "row dropped"
	rowDuplicated = "row duplicated"
	rowReordered  = "row reordered"
	rowSwapped    = "targets swapped"
)

// rowMutant is an example with one row damaged.
type rowMutant struct {
	mutant
	name    string
	project string
	// closed says that the agent of the row's state can finish with certain keys and no others, that of the row among them.
	closed bool
	result *gen.Result
	// layer is what found it; "" if nothing did.
	layer string
}

// TestRowMutants damages every row of the examples in turn. A target that is renamed is found by check, and so are keys that
// are changed and rows that are dropped where the keys are known. Of all others the code is written, and held against the
// tests of the undamaged project. What nothing finds stands in testdata/row_mutants.txt with its reason; it may be at most
// 5 of 100.
func TestRowMutants(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles hundreds of damaged projects")
	}
	excused := readExcuses(t, "testdata/row_mutants.txt")
	var all, left []*rowMutant
	tests := map[string]string{}
	for _, project := range []string{"smart-critic", "support", "researcher", "door", "all-patterns"} {
		files := readProject(t, "../examples/"+project)
		original := compile(t, files)
		tests[project] = testsOf(original)
		for _, m := range rowMutantsOf(original) {
			m.project, m.name = project, project+"/"+m.String()
			m.result = compile(t, with(files, m.mutant))
			all = append(all, m)
			if len(m.result.Diagnostics) > 0 {
				m.layer = byCheck
			} else {
				left = append(left, m)
			}
		}
	}
	runUndamagedTests(t, left, tests)

	count := map[string]int{}
	for _, m := range all {
		count[m.layer]++
		if mustBeChecked(m) {
			count["must"]++
			if m.layer != byCheck {
				t.Errorf("not found by check: %s", m.name)
			}
		}
		if m.layer != "" {
			continue
		}
		if excused[m.name] == "" {
			t.Errorf("found by nothing: %s", m.name)
		}
		delete(excused, m.name)
	}
	for name := range excused {
		t.Errorf("testdata/row_mutants.txt excuses what is found: %s", name)
	}
	if others := len(all) - count["must"]; count[""]*100 > 5*others {
		t.Errorf("%d of %d damaged rows are found by nothing: more than 5 of 100", count[""], others)
	}
	fmt.Printf("mutants: %d of %d damaged rows found: %d by check, %d by go vet, %d by the generated tests; "+
		"%d listed with a reason\n", len(all)-count[""], len(all), count[byCheck], count[byVet], count[byTests], count[""])
	fmt.Printf("mutants: all %d renamed targets, and changed keys and dropped rows where the keys are known, found by check\n",
		count["must"])
}

// mustBeChecked reports whether check has to find a damage.
func mustBeChecked(m *rowMutant) bool {
	return m.kind == targetRenamed || m.closed && (m.kind == keyChanged || m.kind == rowDropped)
}

func testsOf(r *gen.Result) string {
	i := slices.IndexFunc(r.Files, isTest)
	if i < 0 {
		return ""
	}

	return string(r.Files[i].Content)
}

// rowMutantsOf damages each row of each machine in each way.
func rowMutantsOf(r *gen.Result) []*rowMutant {
	flow := flow.Analyze(r.Program, flow.Guess{})
	var all []*rowMutant
	for _, a := range r.Program.Agents {
		m, ok := a.Node.(*ir.Machine)
		if !ok {
			continue
		}
		var rows []rowAt
		for _, s := range m.States {
			out := flow.Outcomes(s.Agent)
			if s.Always != nil {
				rows = append(rows, rowAt{state: s, key: s.Name.Span, to: s.Always.Span, first: true, last: true})
			}
			for i, row := range s.Rows {
				rows = append(rows, rowAt{
					state: s, key: row.Key.Span, to: targetOf(row), first: i == 0, last: i == len(s.Rows)-1,
					closed: s.Agent != nil && !out.Adapts() && out.HasKey(row.Key.Value),
				})
			}
		}
		for i, row := range rows {
			all = append(all, row.mutants(rows[(i+1)%len(rows)])...)
		}
	}

	return all
}

// rowAt is a row in its file: that of a list, or the only one of an unconditional state, whose key is the state's name.
type rowAt struct {
	state       *ir.State
	key, to     source.Span
	first, last bool
	closed      bool
}

// targetOf returns the place of a row's target, that of ~ too.
func targetOf(row *ir.Row) source.Span {
	if !row.End {
		return row.To.Span
	}
	f := row.Key.Span.File
	at := row.Key.Span.End + strings.IndexByte(string(f.Bytes[row.Key.Span.End:]), '~')

	return source.Span{File: f, Start: at, End: at + 1}
}

func (r rowAt) line() source.Span {
	f := r.key.File
	line := r.key.Pos().Line

	return source.Span{File: f, Start: f.LineStart(line), End: f.LineStart(line + 1)}
}

// mutants damages the row; next is the next one of the machine, the first behind the last.
func (r rowAt) mutants(next rowAt) []*rowMutant {
	list := len(r.state.Rows) > 0
	renamed := map[source.Span]string{r.to: misspelledName(r.to.Text())}
	ways := map[string]map[source.Span]string{targetRenamed: renamed, rowDuplicated: {r.line(): r.line().Text() + r.line().Text()}}
	switch {
	case list:
		ways[keyChanged] = map[source.Span]string{r.key: misspelledName(r.key.Text())}
		ways[rowDropped] = map[source.Span]string{r.line(): ""}
	default:
		ways[rowDropped] = map[source.Span]string{r.to: "~"}
	}
	if list && !r.last {
		ways[rowReordered] = map[source.Span]string{r.line(): next.line().Text(), next.line(): r.line().Text()}
	}
	if r.to.Text() != next.to.Text() {
		ways[rowSwapped] = map[source.Span]string{r.to: next.to.Text(), next.to: r.to.Text()}
	}

	var all []*rowMutant
	for _, kind := range slices.Sorted(maps.Keys(ways)) {
		all = append(all, &rowMutant{closed: r.closed, mutant: mutant{
			file: r.key.File.Path, line: r.key.Pos().Line, kind: kind, content: replaced(ways[kind]),
			what: fmt.Sprintf("%s: %s", r.key.Text(), r.to.Text()),
		}})
	}

	return all
}

// misspelledName drops a letter from the middle of a name; a short one gets a letter more.
func misspelledName(name string) string {
	runes := []rune(name)
	if len(runes) < 4 {
		return "q" + name
	}
	middle := len(runes) / 2

	return string(runes[:middle]) + string(runes[middle+1:])
}

// replaced returns a file with other texts at some places of it.
func replaced(texts map[source.Span]string) []byte {
	places := slices.SortedFunc(maps.Keys(texts), func(a, b source.Span) int { return b.Start - a.Start })
	content := slices.Clone(places[0].File.Bytes)
	for _, at := range places {
		content = slices.Replace(content, at.Start, at.End, []byte(texts[at])...)
	}

	return content
}

// runUndamagedTests writes the code of damaged projects, holds it against the tests of the undamaged ones, and notes what
// finds each. The tests are built into one program, which runs once for each project.
func runUndamagedTests(t *testing.T, mutants []*rowMutant, tests map[string]string) {
	t.Helper()
	dir := writeMutants(t, mutants, tests)
	command := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOWORK=off")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}

	vetted, _ := command("go", "vet", "./...")
	for i, m := range mutants {
		if strings.Contains(vetted, "# rows/"+mutantPackage(i)+"\n") {
			m.layer = byVet
		}
	}
	writeFile(t, filepath.Join(dir, "rows_test.go"), allTests(mutants, tests))
	if out, err := command("go", "test", "-c", "-o", "rows.test", "."); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, vetted)
	}
	for i, m := range mutants {
		if m.layer != "" {
			continue
		}
		if _, err := command("./rows.test", "-test.run", "^TestRows$/^"+mutantPackage(i)+"$", "-test.timeout", "1m"); err != nil {
			m.layer = byTests
		}
	}
}

// writeMutants writes a module with a package for each mutant: its code, and the tests of the undamaged project.
func writeMutants(t *testing.T, mutants []*rowMutant, tests map[string]string) (dir string) {
	t.Helper()
	dir = newModule(t, "rows")
	for i, m := range mutants {
		for _, f := range m.result.Files {
			if !isTest(f) {
				writeFile(t, filepath.Join(dir, mutantPackage(i), f.Name), string(f.Content))
			}
		}
		writeFile(t, filepath.Join(dir, mutantPackage(i), "tests.go"), tests[m.project])
	}

	return dir
}

func mutantPackage(i int) string { return fmt.Sprint("m", i) }

// allTests is a test file that runs the tests of all packages that no layer has found yet.
func allTests(mutants []*rowMutant, tests map[string]string) string {
	var imports, calls strings.Builder
	for i, m := range mutants {
		if m.layer != "" {
			continue
		}
		pkg := mutantPackage(i)
		fmt.Fprintf(&imports, "\t%s %q\n", pkg, "rows/"+pkg)
		fmt.Fprintf(&calls, "\tt.Run(%q, func(t *testing.T) {\n", pkg)
		for _, test := range testFuncs.FindAllStringSubmatch(tests[m.project], -1) {
			fmt.Fprintf(&calls, "\t\tt.Run(%q, %s.%s)\n", test[1], pkg, test[1])
		}
		calls.WriteString("\t})\n")
	}

	return "package rows\n\nimport (\n\t\"testing\"\n\n" + imports.String() + ")\n\nfunc TestRows(t *testing.T) {\n" + calls.String() + "}\n"
}
