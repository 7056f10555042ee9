package gen_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
	"github.com/agentc-dev/agentc/gen/internal/scriptdoc"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// missing are files that a project of the corpus names and does not have. They are laid beside it so that it can run.
var missing = map[string]fstest.MapFS{
	"19-trip-planner": {"skills/search-web/SKILL.md": &fstest.MapFile{Data: []byte("---\nname: search-web\n" +
		"description: Searches the web.\ntools: [http_get]\n---\n\nCall http_get.\n")}},
}

// TestCorpusRuns drives each project of the corpus by the scripts of testdata/corpus, without a model, and counts the rows
// that its machines took: all of them have to be.
func TestCorpusRuns(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus beside the repository")
	}
	paths, err := filepath.Glob("testdata/corpus/*.yaml")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}

	packages, programs := map[string]*gen.Result{}, map[string]*ir.Program{}
	var plays []play
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		project, _, _ := strings.Cut(name, ".")
		pkg := "p" + strings.ReplaceAll(project, "-", "")
		if packages[pkg] == nil {
			packages[pkg], programs[project] = corpusProject(t, project)
		}
		task, script := corpusScript(t, path, programs[project])
		plays = append(plays, play{name: name, pkg: pkg, task: task, script: script})
	}

	taken := map[string]bool{}
	for name, told := range playAll(t, packages, plays) {
		project, _, _ := strings.Cut(name, ".")
		if !strings.Contains(told, `"status":"done"`) {
			t.Errorf("%s did not come to its end:\n%s", name, told)
		}
		rowsTaken(t, project, told, taken)
	}
	countRows(t, programs, taken)
}

func corpusProject(t *testing.T, project string) (*gen.Result, *ir.Program) {
	t.Helper()
	files := fstest.MapFS{}
	if err := fs.WalkDir(os.DirFS(corpus), project, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(corpus, path))
		files[strings.TrimPrefix(path, project+"/")] = &fstest.MapFile{Data: data}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	for path, f := range missing[project] {
		files[path] = f
	}

	result := compileFS(t, files)
	if len(result.Files) == 0 {
		t.Fatalf("%s does not compile:\n%s", project, casetest.Text(t, result.Diagnostics))
	}
	program, err := loader.Load(files, &diag.List{})
	if err != nil {
		t.Fatal(err)
	}

	return result, program
}

// corpusScript returns a script as JSON and the task that its first line names.
func corpusScript(t *testing.T, path string, p *ir.Program) (task, script string) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(content), "\n")
	task, found := strings.CutPrefix(first, "# task: ")
	if !found {
		t.Fatalf("%s has no task", path)
	}
	script, findings := scriptdoc.Convert(source.NewFile(path, content), p)
	if len(findings) > 0 {
		t.Fatalf("%s", casetest.Text(t, findings))
	}

	return task, script
}

// rowsTaken adds the rows of the transitions that a run tells of.
func rowsTaken(t *testing.T, project, told string, taken map[string]bool) {
	t.Helper()
	for line := range strings.Lines(told) {
		var e struct {
			Event, Machine, From, Key, Matched string
			To                                 *string
		}
		if json.Unmarshal([]byte(line), &e) != nil || e.Event != "transition" {
			continue
		}
		key := strings.ToLower(strings.TrimSpace(e.Key))
		switch e.Matched {
		case "unconditional":
			key = ""
		case "catch-all":
			key = ir.CatchAll
		}
		to := "~"
		if e.To != nil {
			to = *e.To
		}
		taken[row(project, e.Machine, e.From, key, to)] = true
	}
}

func row(project, machine, from, key, to string) string {
	return fmt.Sprintf("%s: %s: %s --%s--> %s", project, machine, from, key, to)
}

// countRows compares the rows that were taken with those that there are.
func countRows(t *testing.T, programs map[string]*ir.Program, taken map[string]bool) {
	t.Helper()
	var left []string
	all := 0
	count := func(row string) {
		all++
		if !taken[row] {
			left = append(left, row)
		}
	}
	for project, p := range programs {
		for _, a := range p.Agents {
			m, ok := a.Node.(*ir.Machine)
			if !ok {
				continue
			}
			for _, s := range m.States {
				if s.Always != nil {
					count(row(project, a.Name.Value, s.Name.Value, "", s.Always.Value))
				}
				for _, r := range s.Rows {
					to := r.To.Value
					if r.End {
						to = "~"
					}
					count(row(project, a.Name.Value, s.Name.Value, strings.ToLower(r.Key.Value), to))
				}
			}
		}
	}

	fmt.Printf("corpus: %d of %d rows taken\n", all-len(left), all)
	sort.Strings(left)
	for _, row := range left {
		t.Errorf("not taken: %s", row)
	}
}
