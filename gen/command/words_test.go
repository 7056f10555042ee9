package command

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// plainWords are words that texts for readers do not use, as regular expressions, with what to
// write instead.
var plainWords = []struct{ avoid, write string }{
	{`mend(s|ed|ing)?`, "fix, suggested fix"},
	{`doors?`, "effects interface, Effects"},
	{`hops?`, "transition, step"},
	{`tells?|told|untold`, "report, notify, say"},
	{`hears?|heard`, "receive, notice"},
	{`nobody|somebody|everybody|whoever`, "the caller, the user, a person, another process, everyone"},
	{`(go|goes|going|gone|went) on with`, "resume, continue"},
	{`broken[- ]off|breaks? off|broke off`, "interrupted"},
	{`stands?|stood`, "is, is defined, is written"},
	{`lies|lie|lay`, "is, is located"},
	{`(come|comes|coming|came) to`, "reaches, is, results in"},
	{`tapes?`, "journal, recording"},
	{`rehears(al|als|e|ed|es)`, "symbolic execution"},
	{`walk(s|ed|ing|er)?`, "path search, coverage, traversal"},
	{`naps?|purses?|veils?|deaf`, "sleep, budget, redactor"},
	{`findings?`, "problem, diagnostic"},
	{`(the|a|this|each|its) boards?`, "the blackboard"},
	{`pages? of (deploying|runs|serving|all)`, "the deployment guide, the page about runs"},
	{`be it|of no account|had by|for the sake of|has its say`, "nothing: leave it out"},
	{`anew`, "again"},
	{`(it|that|this|which|they|what|q|s|v) (is|are) no ([a-kn-z]|l[a-np-z]|m[a-np-z])\w*`, "is not a"}, // longer and more are right
}

// spokenText is a kind of text in which TestPlainWords looks: the files, and what of a file a
// reader reads as prose.
type spokenText struct {
	files func(t *testing.T) []string
	prose func(text string) string
}

var spokenTexts = []spokenText{
	{files: pages, prose: pageProse},
	{files: matching("gen/explain/pages/*.md"), prose: pageProse},
	{files: matching("gen/command/help/*.txt"), prose: pageProse},
	{files: matching("gen/command/words.txt"), prose: func(text string) string { return pageProse(triedWord.ReplaceAllString(text, "")) }},
	{files: ownGo, prose: commentProse},
	{files: ownGo, prose: messageProse},
}

// triedWord is a word that people try as a command, at the start of its line.
var triedWord = regexp.MustCompile(`(?m)^\w+:`)

// matching returns the files of a pattern, of which there are some.
func matching(pattern string) func(t *testing.T) []string {
	return func(t *testing.T) []string {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}

		return files
	}
}

// otherGo are folders whose Go is not of gen, runtime or cmd, or is there for tests alone.
var otherGo = []string{"benchmarks", "casetest", "examples", "node_modules", "shared", "testdata", "web"}

// ownGo returns the Go files of gen, runtime and cmd, without tests and what is generated.
func ownGo(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && path != root && (name[0] == '.' || slices.Contains(otherGo, name)):
			return fs.SkipDir
		case !d.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_gen.go"):
			files = append(files, path)
		}

		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	return files
}

// docLink is a name in brackets, to which go doc links.
var docLink = regexp.MustCompile(`\[[\w.*]+\]`)

// commentProse is what the comments of a Go file say, line for line, without links and the names
// that the file uses.
func commentProse(text string) string {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, "", text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		panic(err) // the file is part of a package that is compiled
	}
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			names[name.Name] = true
		}

		return true
	})
	lines := make([]string, 1+strings.Count(text, "\n"))
	for _, group := range file.Comments {
		for _, comment := range group.List {
			words := strings.TrimLeft(strings.TrimPrefix(comment.Text, "//"), " ")
			lines[positions.Position(comment.Pos()).Line-1] = strings.ReplaceAll(words, "\t", "    ")
		}
	}
	prose := docLink.ReplaceAllString(pageProse(strings.Join(lines, "\n")), ".")

	return regexp.MustCompile(`\w+`).ReplaceAllStringFunc(prose, func(word string) string {
		if names[word] {
			return "."
		}

		return word
	})
}

// goSelector is Go code in a text, such as state.Next.
var goSelector = regexp.MustCompile(`\w+\.\w+`)

// messageProse is what the string literals of a Go file hold that could be messages, line for line:
// those with a space that are not texts of several lines, without what they quote.
func messageProse(text string) string {
	positions := token.NewFileSet()
	file, err := parser.ParseFile(positions, "", text, parser.SkipObjectResolution)
	if err != nil {
		panic(err) // the file is part of a package that is compiled
	}
	lines := make([]string, 1+strings.Count(text, "\n"))
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		words, err := strconv.Unquote(literal.Value)
		if err != nil {
			panic(err)
		}
		if strings.Contains(words, " ") && !strings.Contains(words, "://") {
			lines[positions.Position(n.Pos()).Line-1] += " " + strings.ReplaceAll(goSelector.ReplaceAllString(words, " . "), "\n", " ")
		}

		return true
	})

	return pageProse(strings.Join(lines, "\n"))
}

// pageCode is what a page quotes: listings, indented ones too, code, comments, targets of links,
// and words in double quotes.
var pageCode = regexp.MustCompile("(?ms)^ *```.*?^ *```|^    [^\n]*|<!--.*?-->|`[^`]*`|\\]\\([^)]*\\)|\"[^\"\n]*\"")

// pageProse is the text of a page without what it quotes, line for line.
func pageProse(text string) string {
	return pageCode.ReplaceAllStringFunc(text, func(code string) string {
		return " . " + strings.Repeat("\n", strings.Count(code, "\n"))
	})
}

// unplain returns the lines and words of a text that are to be replaced, and by what.
func unplain(prose string) []string {
	var all []string
	for _, word := range plainWords {
		for _, at := range regexp.MustCompile(`(?i)\b(?:`+word.avoid+`)\b`).FindAllStringIndex(prose, -1) {
			line := 1 + strings.Count(prose[:at[0]], "\n")
			all = append(all, fmt.Sprintf("%d: %q: write %s", line, prose[at[0]:at[1]], word.write))
		}
	}

	return all
}

// Pages and doc comments use the words of the Go documentation, and none of plainWords outside of what they quote.
func TestPlainWords(t *testing.T) {
	seen := 0
	for _, texts := range spokenTexts {
		for _, file := range texts.files(t) {
			seen++
			for _, problem := range unplain(texts.prose(read(t, file))) {
				t.Errorf("%s:%s", file, problem)
			}
		}
	}
	if seen < 100 {
		t.Fatalf("only %d texts found: the test saw nothing", seen)
	}
}

func TestPlainWordsAreFoundInProseAlone(t *testing.T) {
	page := "# A page\n\n<!-- test: door -->\n```text\nmend the door\n```\n\n    told\n\n`nobody` [stands](door.md) \"a tape\"\nand Told.\n"
	want := `10: "stands": write is, is defined, is written|11: "Told": write report, notify, say`
	found := unplain(pageProse(page))
	slices.Sort(found)
	if got := strings.Join(found, "|"); got != want {
		t.Errorf("found %s", got)
	}
}

func TestPlainWordsAreFoundInComments(t *testing.T) {
	file := "// Package p is a door.\n//\n//\tdoor.Open()\npackage p\n\n// T is a \"door\".\ntype T struct {\n\tA int // a hop\n" +
		"\tb int // a tape\n}\n\n// deaf is deaf.\nfunc deaf() {}\n\n// G lies.\nfunc G() {\n\t// a nap\n}\n"
	want := `15: "lies": write is, is located|17: "nap": write sleep, budget, redactor|1: "door": write effects interface, Effects|` +
		`8: "hop": write transition, step|9: "tape": write journal, recording`
	found := unplain(commentProse(file))
	slices.Sort(found)
	if got := strings.Join(found, "|"); got != want {
		t.Errorf("found %s", got)
	}
}
