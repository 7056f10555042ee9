package fix_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/explain"
	"github.com/agentc-dev/agentc/gen/internal/fix"
)

// wrongProjects are the wrong cases of the packages that find mistakes, and the wrong examples of
// the pages.
func wrongProjects(t *testing.T) map[string]fstest.MapFS {
	t.Helper()
	projects := map[string]fstest.MapFS{}
	for _, pattern := range []string{"../check/testdata/err/*.txtar", "../agentmd/testdata/err/*.txtar", "../../testdata/err/*.txtar"} {
		cases, err := filepath.Glob(pattern)
		if err != nil || len(cases) == 0 {
			t.Fatalf("no cases %s: %v", pattern, err)
		}
		for _, name := range cases {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			projects[strings.TrimPrefix(filepath.ToSlash(name), "../")] = unpacked(archive)
		}
	}
	for _, name := range explain.Names() {
		page, _ := explain.Page(name)
		_, wrong, _ := strings.Cut(page, "\n```txtar\n")
		wrong, _, _ = strings.Cut(wrong, "\n```\n")
		projects["page of "+name] = unpacked(txtar.Parse([]byte(wrong + "\n")))
	}

	return projects
}

func unpacked(archive *txtar.Archive) fstest.MapFS {
	project := fstest.MapFS{}
	for _, f := range archive.Files {
		project[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}

	return project
}

func check(t *testing.T, project fs.FS) []*diag.Diagnostic {
	t.Helper()
	result, err := gen.Compile(context.Background(), gen.Options{FS: project, CheckOnly: true})
	if err != nil {
		t.Fatal(err)
	}

	return result.Diagnostics
}

// changed returns project with other contents of some files.
func changed(project fstest.MapFS, contents map[string][]byte) fstest.MapFS {
	other := fstest.MapFS{}
	for name, file := range project {
		other[name] = file
	}
	for name, content := range contents {
		other[name] = &fstest.MapFile{Data: content, Mode: 0o644}
	}

	return other
}

// A fix removes its finding and makes no new error. Only a file that could not be understood may
// have hidden some.
func TestEachFixRemovesItsFindingAndMakesNoError(t *testing.T) {
	applied := 0
	for name, project := range wrongProjects(t) {
		before := check(t, project)
		for _, d := range before {
			for _, f := range d.Fixes {
				applied++
				after := check(t, changed(project, edited(f)))
				for _, problem := range worse(d, before, after) {
					t.Errorf("%s: %q of %q [%s]: %s", name, f.Message, d.Message, d.Check.Name, problem)
				}
			}
		}
	}
	if applied < 60 {
		t.Errorf("only %d fixes: the test saw nothing", applied)
	}
}

// edited returns the files that a fix changes.
func edited(f diag.Fix) map[string][]byte {
	edits := map[string][]diag.Edit{}
	for _, e := range f.Edits {
		edits[e.Span.File.Path] = append(edits[e.Span.File.Path], e)
	}
	files := map[string][]byte{}
	for path, edits := range edits {
		files[path] = fix.Apply(edits[0].Span.File.Bytes, edits)
	}

	return files
}

// worse says what a fix of d has made worse.
func worse(d *diag.Diagnostic, before, after []*diag.Diagnostic) []string {
	var problems []string
	if same := func(e *diag.Diagnostic) bool { return e.Check == d.Check && e.Message == d.Message }; count(after, same) >= count(before, same) {
		problems = append(problems, "it is still found")
	}
	for _, e := range after {
		same := func(other *diag.Diagnostic) bool { return other.Check == e.Check && other.Message == e.Message }
		if e.Severity == diag.Error && count(after, same) > count(before, same) && !hidden(d, e) {
			problems = append(problems, fmt.Sprintf("it makes %s:%d: %s [%s]", e.Span.File.Path, e.Span.Pos().Line, e.Message, e.Check.Name))
		}
	}

	return problems
}

func count(findings []*diag.Diagnostic, of func(*diag.Diagnostic) bool) int {
	n := 0
	for _, d := range findings {
		if of(d) {
			n++
		}
	}

	return n
}

// hidden reports whether the mistake that d found was a reason not to look for e.
func hidden(d, e *diag.Diagnostic) bool {
	switch d.Check {
	case diag.Syntax:
		return true // nothing of the file was known
	case diag.BadValue:
		return e.Check == diag.UnroutedKey // of the pattern: then the keys are not known
	case diag.UndefinedAgent:
		return e.Check == diag.UnreachableState // of the same state, of which one mistake is told
	}

	return false
}

// All fixes of a project together end, too: afterwards no fix is left, and there are not more
// errors than before.
func TestProjectsAreFixed(t *testing.T) {
	for name, project := range wrongProjects(t) {
		before := check(t, project)
		r, err := fix.Project(context.Background(), gen.Options{FS: project})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		contents := map[string][]byte{}
		for _, f := range r.Files {
			contents[f.Path] = f.New
		}
		again, err := fix.Project(context.Background(), gen.Options{FS: changed(project, contents)})
		if err != nil || len(again.Applied) > 0 {
			t.Errorf("%s: %d fixes are left, %v", name, len(again.Applied), err)
			continue
		}
		if len(again.Left.Diagnostics) != len(r.Left.Diagnostics) {
			t.Errorf("%s: what is left differs from what the fixed project has", name)
		}
		isError := func(d *diag.Diagnostic) bool { return d.Severity == diag.Error }
		if b, a := count(before, isError), count(r.Left.Diagnostics, isError); a > b {
			t.Errorf("%s: %d errors have become %d", name, b, a)
		}
	}
}

// One letter of a right project is damaged in turn. What is fixed is then what it was before: no
// fix guesses.
func TestFixesOfSlipsRestoreTheFile(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	restored, left, unseen := 0, 0, 0
	projects := rightProjects(t)
	for _, name := range slices.Sorted(maps.Keys(projects)) { // the same slips in every run
		project := projects[name]
		for range slipsOfAProject {
			path, damaged := slip(random, project)
			r, err := fix.Project(context.Background(), gen.Options{FS: changed(project, map[string][]byte{path: damaged})})
			switch {
			case err != nil:
				t.Errorf("%s: %s: %v", name, path, err)
			case len(r.Applied) > 0 && len(r.Files) == 1 && bytes.Equal(r.Files[0].New, project[path].Data):
				restored++
			case len(r.Applied) > 0:
				t.Errorf("%s: %s: %s\n%s", name, path, r.Applied[0].Fix.Message, difference(project[path].Data, damaged))
			case len(r.Left.Diagnostics) > 0:
				left++
			default:
				unseen++
			}
		}
	}
	t.Logf("slips: %d restored, %d found and left to the person, %d not found", restored, left, unseen)
	if restored < 100 || left < 20 {
		t.Error("the test saw nothing")
	}
}

const slipsOfAProject = 120

// A line of every few or a file of a right project is missing in turn. What is there is right, so
// nothing of it is fixed.
func TestNothingIsFixedWhereSomethingIsMissing(t *testing.T) {
	tried := 0
	for name, project := range rightProjects(t) {
		for file, source := range project {
			lines := strings.SplitAfter(string(source.Data), "\n")
			for i := 0; i < len(lines); i += everyLine {
				text := strings.Join(slices.Delete(slices.Clone(lines), i, i+1), "")
				tried++
				unmended(t, name+": "+file+" without "+lines[i], changed(project, map[string][]byte{file: []byte(text)}))
			}
			tried++
			without := maps.Clone(project)
			delete(without, file)
			unmended(t, name+" without "+file, without)
		}
	}
	if tried < 200 {
		t.Errorf("only %d things were left out", tried)
	}
}

// everyLine is how far apart the lines are that are left out.
const everyLine = 4

// unmended expects no fix.
func unmended(t *testing.T, name string, project fstest.MapFS) {
	t.Helper()
	for _, d := range check(t, project) {
		if len(d.Fixes) > 0 {
			t.Errorf("%s: %s: %s [%s]", name, d.Message, d.Fixes[0].Message, d.Check.Name)
		}
	}
}

// rightProjects are the sources of the examples.
func rightProjects(t *testing.T) map[string]fstest.MapFS {
	t.Helper()
	projects := map[string]fstest.MapFS{}
	root := os.DirFS("../../../examples")
	err := fs.WalkDir(root, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains([]string{".md", ".yaml", ".json"}, path.Ext(name)) {
			return err
		}
		example, file, inside := strings.Cut(name, "/")
		if !inside {
			return nil
		}
		content, err := fs.ReadFile(root, name)
		if projects[example] == nil {
			projects[example] = fstest.MapFS{}
		}
		projects[example][file] = &fstest.MapFile{Data: content, Mode: 0o644}
		return err
	})
	if err != nil || len(projects) < 5 {
		t.Fatalf("%d examples, %v", len(projects), err)
	}

	return projects
}

var word = regexp.MustCompile(`[a-z][a-z_-]+`)

// slip damages a word in the head of a file, as fingers do.
func slip(random *rand.Rand, project fstest.MapFS) (path string, damaged []byte) {
	heads := map[string][][]int{}
	for name, file := range project {
		end := len(file.Data)
		if strings.HasSuffix(name, ".md") {
			end = max(bytes.LastIndex(file.Data, []byte("\n---")), 0)
		}
		if places := word.FindAllIndex(file.Data[:end], -1); len(places) > 0 {
			heads[name] = places
		}
	}
	names := slices.Sorted(maps.Keys(heads))
	path = names[random.IntN(len(names))]
	content := project[path].Data
	place := heads[path][random.IntN(len(heads[path]))]
	at := place[0] + random.IntN(place[1]-place[0])

	switch random.IntN(4) {
	case 0: // one is left out
		return path, slices.Concat(content[:at], content[at+1:])
	case 1: // one is written twice
		return path, slices.Concat(content[:at+1], content[at:])
	case 2: // two change places
		damaged = bytes.Clone(content)
		at = min(at, place[1]-2)
		damaged[at], damaged[at+1] = damaged[at+1], damaged[at]
		return path, damaged
	default: // the key beside it is hit
		damaged = bytes.Clone(content)
		damaged[at] = byte('a' + random.IntN(26))
		return path, damaged
	}
}

// difference shows the first lines that differ.
func difference(old, changed []byte) string {
	a, b := strings.Split(string(old), "\n"), strings.Split(string(changed), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("was %q\nhad %q", a[i], b[i])
		}
	}

	return ""
}
