package gen_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"sort"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// A mutant is a project with one edit in one line.
type mutant struct {
	file    string
	line    int
	kind    string // such as "row key"
	what    string // such as `done -> doe`
	content []byte
}

func (m mutant) String() string { return fmt.Sprintf("%s:%d: %s: %s", m.file, m.line, m.kind, m.what) }

// TestMutants edits every row target, row key, state name, field name, field value and indentation of the examples, one
// at a time, and expects a finding in the line that was edited. What is not found stands in testdata/mutants.txt with its
// reason; it may be at most 3 of 100.
func TestMutants(t *testing.T) {
	excused := readExcuses(t, "testdata/mutants.txt")
	var found, missed, same int
	for _, project := range []string{"smart-critic", "support", "researcher", "door", "all-patterns"} {
		files := readProject(t, "../examples/"+project)
		original := compile(t, files)
		if original.HasErrors() {
			t.Fatalf("%s does not compile: %v", project, original.Diagnostics[0].Message)
		}
		for _, m := range mutantsOf(t, files) {
			name := project + "/" + m.String()
			result := compile(t, with(files, m))
			switch {
			case reported(result, m):
				found++
			case sameCode(original, result):
				same++
			default:
				missed++
				if reason := excused[name]; reason == "" {
					t.Errorf("not reported in its line: %s%s", name, saidInstead(result))
				}
				delete(excused, name)
			}
		}
	}

	for name := range excused {
		t.Errorf("testdata/mutants.txt excuses what is found: %s", name)
	}
	if missed*100 > 3*(found+missed) {
		t.Errorf("%d of %d mutants are not reported in their line: more than 3 of 100", missed, found+missed)
	}
	fmt.Printf("mutants: %d of %d reported in their line, %d listed with a reason; %d more change nothing that is compiled\n",
		found, found+missed, missed, same)
}

// reported tells whether a finding, or one of its notes, points into the edited line.
func reported(r *gen.Result, m mutant) bool {
	in := func(s source.Span) bool {
		return s.IsValid() && s.File.Path == m.file && s.Pos().Line == m.line
	}
	for _, d := range r.Diagnostics {
		if in(d.Span) {
			return true
		}
		for _, related := range d.Related {
			if in(related.Span) {
				return true
			}
		}
	}

	return false
}

func saidInstead(r *gen.Result) string {
	var said strings.Builder
	for _, d := range r.Diagnostics {
		fmt.Fprintf(&said, "\n    %v %s [%s]", d.Span.Pos(), d.Message, d.Check.Name)
	}
	if said.Len() == 0 {
		return "\n    (nothing was said)"
	}

	return said.String()
}

// sameCode tells whether the edit changed nothing: the generated files are the same but for the digest of their source.
func sameCode(a, b *gen.Result) bool {
	if len(b.Diagnostics) > 0 || len(a.Files) != len(b.Files) {
		return false
	}
	for i := range a.Files {
		if !bytes.Equal(withoutDigests(a.Files[i].Content), withoutDigests(b.Files[i].Content)) {
			return false
		}
	}

	return true
}

var digestLine = regexp.MustCompile(`(?m)^// agentc: .*$`)

func withoutDigests(content []byte) []byte { return digestLine.ReplaceAll(content, nil) }

func compile(t *testing.T, files fstest.MapFS) *gen.Result {
	t.Helper()
	result, err := gen.Compile(context.Background(), gen.Options{FS: files})
	if err != nil {
		t.Fatal(err)
	}

	return result
}

func readProject(t *testing.T, dir string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	disk := os.DirFS(dir)
	err := fs.WalkDir(disk, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(name, ".go") {
			return err
		}
		content, err := fs.ReadFile(disk, name)
		files[name] = &fstest.MapFile{Data: content}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}

	return files
}

func with(files fstest.MapFS, m mutant) fstest.MapFS {
	changed := fstest.MapFS{}
	for name, f := range files {
		changed[name] = f
	}
	changed[m.file] = &fstest.MapFile{Data: m.content}

	return changed
}

// readExcuses reads lines of the form `mutant  # reason`.
func readExcuses(t *testing.T, name string) map[string]string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	excuses := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		if text, reason, ok := strings.Cut(line, "  # "); ok {
			excuses[text] = reason
		}
	}

	return excuses
}

func mutantsOf(t *testing.T, files fstest.MapFS) []mutant {
	t.Helper()
	var names []string
	for name := range files {
		if path.Ext(name) == ".md" && path.Dir(name) != "." || name == "agentc.yaml" {
			names = append(names, name)
		}
	}
	sort.Strings(names)

	var all []mutant
	for _, name := range names {
		f := source.NewFile(name, files[name].Data)
		root, _ := yamldoc.Parse(f)
		if path.Ext(name) == ".md" {
			front, _ := yamldoc.ParseFrontmatter(f)
			if root = front.Head; root == nil {
				continue // a step file need not have one
			}
		}
		w := &mutator{file: f}
		w.mapping(root, "")
		w.indentation(root.Span)
		all = append(all, w.mutants...)
	}

	return all
}

// mutator collects the mutants of one file.
type mutator struct {
	file    *source.File
	mutants []mutant
}

func (w *mutator) replace(kind string, s source.Span, text string) {
	content := append(append(append([]byte(nil), w.file.Bytes[:s.Start]...), text...), w.file.Bytes[s.End:]...)
	w.mutants = append(w.mutants, mutant{
		file: w.file.Path, line: s.Pos().Line, kind: kind, what: fmt.Sprintf("%q -> %q", s.Text(), text), content: content,
	})
}

// misspell drops a letter from the middle of a name; a short one gets a letter more.
func (w *mutator) misspell(kind string, n *yamldoc.Node) {
	text := n.Span.Text()
	runes := []rune(text)
	if len(runes) < 4 {
		w.replace(kind, n.Span, text+"q")
		return
	}
	middle := len(runes) / 2
	w.replace(kind, n.Span, string(runes[:middle])+string(runes[middle+1:]))
}

// references are the fields whose value is a name that something has to have, or one of a few words.
var references = regexp.MustCompile(
	`(^|/)(name|initial|drive|entrypoint|effect|type|default)$|^/(pattern|worker|judge)$|` +
		`^/(keys|workers|agents|call/uses)/\d+$|/required/\d+$`)

func (w *mutator) mapping(n *yamldoc.Node, at string) {
	for _, f := range n.Fields {
		here := at + "/" + f.Key.Text
		switch {
		case at == "/states":
			w.misspell("state name", f.Key)
			w.state(f.Value)
			continue
		case strings.HasSuffix(at, "/properties"):
			// A property's name is the user's own: any name is right.
		default:
			w.misspell("field name", f.Key)
		}
		w.value(f.Value, here)
	}
}

func (w *mutator) value(n *yamldoc.Node, at string) {
	switch n.Kind {
	case yamldoc.Map:
		w.mapping(n, at)
	case yamldoc.Seq:
		for i, item := range n.Items {
			w.value(item, fmt.Sprintf("%s/%d", at, i))
		}
	case yamldoc.Null:
	default:
		if references.MatchString(at) && n.Kind == yamldoc.String && !strings.HasSuffix(at, "/properties/name") {
			w.misspell("field value", n)
		}
		w.replace("field value", n.Span, "{mutant: 1}")
	}
}

func (w *mutator) state(n *yamldoc.Node) {
	switch n.Kind {
	case yamldoc.String:
		w.misspell("row target", n)
	case yamldoc.Seq:
		for _, item := range n.Items {
			for _, row := range item.Fields {
				w.misspell("row key", row.Key)
				if row.Value.Kind == yamldoc.String {
					w.misspell("row target", row.Value)
				}
			}
		}
	}
}

// indentation moves each line of the mapping by one space to the right, and to the left where there is one.
func (w *mutator) indentation(s source.Span) {
	for line := s.Pos().Line; line <= s.EndPos().Line; line++ {
		text := w.file.Line(line)
		if strings.TrimSpace(text) == "" || strings.TrimSpace(text) == "---" {
			continue
		}
		start := w.file.LineStart(line)
		indent := len(text) - len(strings.TrimLeft(text, " "))
		right := source.Span{File: w.file, Start: start, End: start + indent}
		w.replace("indentation", right, strings.Repeat(" ", indent+1))
		if indent > 0 {
			w.replace("indentation", right, strings.Repeat(" ", indent-1))
		}
	}
}
