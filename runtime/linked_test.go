package runtime_test

import (
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/golden"
)

// The table of README.md that says what programs link is between these lines.
const (
	linkedBegins = "<!-- linked: go test ./runtime -run TestWhatProgramsLink -update -->\n"
	linkedEnds   = "\n<!-- /linked -->"
)

// ourModule is what the import paths of the repository begin with.
const ourModule = "github.com/agentc-dev/agentc/"

// linkedPrograms are the columns of the table: what a program of a small project imports.
var linkedPrograms = []struct {
	name    string
	imports []string
}{
	{"generated code", nil},
	{"and `engine.New`", []string{"runtime/engine"}},
	{"`app.Main`", []string{"runtime/cli/app"}},
	{"and OpenAI", []string{"runtime/cli/app", "runtime/providers/openai"}},
	{"and `serve`", []string{"runtime/cli/app", "runtime/servers/serve"}},
	{"and `panel`", []string{"runtime/cli/app", "runtime/inspect/panel"}},
}

// linkedGroups are the rows of the table, each with the folders of its packages below runtime.
var linkedGroups = []struct {
	name    string
	folders []string
}{
	{"`runtime`, `event`, `model`, `signals`, `size`", []string{"", "event", "model", "signals", "size"}},
	{"`generated/`", []string{"generated"}},
	{"`engine/`, `internal/engine/`", []string{"engine", "internal/engine"}},
	{"`providers/`, `internal/providers/`", []string{"providers", "internal/providers"}},
	{"`stores/`, `internal/stores/`", []string{"stores", "internal/stores"}},
	{"`servers/`, `internal/servers/`", []string{"servers", "internal/servers"}},
	{"`cli/`, `internal/cli/`", []string{"cli", "internal/cli"}},
	{"`inspect/`, `internal/inspect/`", []string{"inspect", "internal/inspect"}},
	{"`tools/`", []string{"tools"}},
	{"`internal/events/`, `internal/text/`", []string{"internal/events", "internal/text"}},
}

// linkedPackage is a package of runtime with the number of its lines of code.
type linkedPackage struct {
	// name is its path below runtime; "" for runtime itself.
	name  string
	lines int
}

// listLinked returns the packages of runtime that the agents of examples/smart-critic and the packages link.
func listLinked(t *testing.T, imports []string) (packages []linkedPackage) {
	t.Helper()
	args := []string{"list", "-deps", "-f", `{{.ImportPath}} {{.Dir}}{{range .GoFiles}} {{.}}{{end}}`, ourModule + "examples/smart-critic/agents"}
	for _, name := range imports {
		args = append(args, ourModule+name)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name, isRuntime := strings.CutPrefix(words[0]+"/", ourModule+"runtime/")
		if !isRuntime {
			continue
		}
		p := linkedPackage{name: strings.TrimSuffix(name, "/")}
		for _, file := range words[2:] {
			p.lines += countCodeLines(t, filepath.Join(words[1], file))
		}
		packages = append(packages, p)
	}

	return packages
}

// countCodeLines returns the number of lines of a file that have more than comments.
func countCodeLines(t *testing.T, name string) int {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	file := set.AddFile(name, -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return len(lines)
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue // the scanner inserts it
		}
		first := file.Line(pos)
		for line := range 1 + strings.Count(literal, "\n") {
			lines[first+line] = true
		}
	}
}

// linkedTable returns the figures of the table: a row for each group and one for the sum, with a column for each program.
func linkedTable(t *testing.T) (figures [][]int) {
	t.Helper()
	figures = make([][]int, len(linkedGroups)+2)
	for _, program := range linkedPrograms {
		sums := make([]int, len(linkedGroups)+2)
		for _, p := range listLinked(t, program.imports) {
			group := groupOf(p.name)
			if group < 0 {
				t.Fatalf("package %s is in no row of the table", p.name)
			}
			sums[group] += p.lines
			sums[len(linkedGroups)] += p.lines
			sums[len(linkedGroups)+1]++
		}
		for i, sum := range sums {
			figures[i] = append(figures[i], sum)
		}
	}

	return figures
}

// groupOf returns the row of a package; -1 if it has none.
func groupOf(name string) int {
	for i, g := range linkedGroups {
		for _, folder := range g.folders {
			if name == folder || folder != "" && strings.HasPrefix(name, folder+"/") {
				return i
			}
		}
	}

	return -1
}

// writeLinked returns the table as Markdown.
func writeLinked(figures [][]int) string {
	var b strings.Builder
	b.WriteString("| lines of code of |")
	for _, p := range linkedPrograms {
		fmt.Fprintf(&b, " %s |", p.name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(linkedPrograms)))
	for i, row := range figures {
		switch i {
		case len(linkedGroups):
			b.WriteString("\n| **all of these** |")
		case len(linkedGroups) + 1:
			b.WriteString("\n| packages |")
		default:
			fmt.Fprintf(&b, "\n| %s |", linkedGroups[i].name)
		}
		for _, figure := range row {
			fmt.Fprintf(&b, " %d |", figure)
		}
	}

	return b.String()
}

// TestWhatProgramsLink: the table of README.md has the lines of code that programs link. A figure that is wrong by a tenth is
// reported; -update writes the table anew.
func TestWhatProgramsLink(t *testing.T) {
	content, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, hasTable := strings.Cut(string(content), linkedBegins)
	table, after, ends := strings.Cut(rest, linkedEnds)
	if !hasTable || !ends {
		t.Fatalf("README.md has no table between %q and %q", linkedBegins, linkedEnds)
	}
	figures := linkedTable(t)
	if *golden.Update {
		golden.Write(t, "README.md", before+linkedBegins+writeLinked(figures)+linkedEnds+after)
		return
	}
	rows := strings.Split(table, "\n")
	if len(rows) != len(figures)+2 {
		t.Fatalf("the table has %d rows, and %d are known: write it with -update", len(rows)-2, len(figures))
	}
	for i, row := range figures {
		cells := strings.Split(strings.Trim(rows[i+2], "| "), " | ")
		for k, want := range row {
			got, err := strconv.Atoi(cells[k+1])
			if err != nil || got*10 < want*9 || got*10 > want*11 {
				t.Errorf("%s, %s: README.md has %s, and %d are counted: write it with -update", cells[0], linkedPrograms[k].name, cells[k+1], want)
			}
		}
	}
}
