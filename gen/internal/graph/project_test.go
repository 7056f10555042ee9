package graph

import (
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/loader"
)

// TestProjectsHaveTheirEdges draws whole projects and compares the lines of both formats with the
// file edges, which has them as diagrams of states do: from --> to : label.
func TestProjectsHaveTheirEdges(t *testing.T) {
	files, err := filepath.Glob("testdata/projects/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			project, want := fstest.MapFS{}, []string(nil)
			for _, f := range archive.Files {
				project[f.Name] = &fstest.MapFile{Data: f.Data}
				if f.Name == "edges" {
					want = strings.Split(strings.TrimSpace(string(f.Data)), "\n")
					delete(project, f.Name)
				}
			}
			slices.Sort(want)
			roots := FindRoots(load(t, project))
			for format, got := range map[string][]string{
				"Mermaid": drawn(DrawMermaid(nil, roots...), mermaidNode, mermaidEdge), "DOT": drawn(DOT(nil, roots...), dotNode, dotEdge),
			} {
				if !slices.Equal(got, want) {
					t.Errorf("%s has\n%s\nwant\n%s", format, strings.Join(got, "\n"), strings.Join(want, "\n"))
				}
			}
		})
	}
}

func load(t *testing.T, project fstest.MapFS) *ir.Program {
	t.Helper()
	list := &diag.List{}
	p, err := loader.Load(project, list)
	if err != nil {
		t.Fatal(err)
	}
	check.Run(p, list)
	for _, d := range list.Sorted() {
		t.Errorf("%v: %s", d.Span.Pos(), d.Message)
	}

	return p
}

// What nodes and edges look like: an identifier and a label, two identifiers with a label between
// them or behind.
var (
	mermaidNode = regexp.MustCompile(`(?m)^ *(n\d+)([[({]+)"([^"]*)"`)
	mermaidEdge = regexp.MustCompile(`(?m)^ *(n\d+) -\.?->(?:\|"([^"]*)"\|)? (n\d+)$`)
	dotNode     = regexp.MustCompile(`(?m)^ *(n\d+) \[label="((?:[^"\\]|\\.)*)", (.*)\]$`)
	dotEdge     = regexp.MustCompile(`(?m)^ *(n\d+) -> (n\d+)(?: \[label="((?:[^"\\]|\\.)*)".*\])?$`)
)

// drawn returns the edges of a picture, sorted, with the names of states in place of identifiers.
func drawn(picture string, nodes, edges *regexp.Regexp) []string {
	names := map[string]string{}
	for _, m := range nodes.FindAllStringSubmatch(picture, -1) {
		name := m[3]
		if nodes == dotNode {
			name = m[2]
		}
		if names[m[1]] = unescape(name); strings.TrimSpace(name) == "" {
			names[m[1]] = "end"
			if len(names) == 1 { // each picture of a machine begins with its start
				names[m[1]] = "[*]"
			}
		}
	}
	var lines []string
	for _, m := range edges.FindAllStringSubmatch(picture, -1) {
		to, label := m[3], m[2]
		if edges == dotEdge {
			to, label = m[2], m[3]
		}
		line := fmt.Sprintf("%s --> %s", names[m[1]], names[to])
		if label != "" {
			line += " : " + unescape(label)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)

	return lines
}

// character is how Mermaid writes one that may mean something.
var character = regexp.MustCompile(`#(\d+);`)

func unescape(label string) string {
	return html.UnescapeString(character.ReplaceAllString(label, "&#$1;"))
}
