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

// plainWord is a word or a phrase to avoid, as a regular expression, with its replacement.
type plainWord struct{ avoid, write string }

// plainWords are words that texts for readers do not use.
var plainWords = []plainWord{
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

// plainPhrases are phrases that comments and messages of [plainPackages] do not use.
var plainPhrases = []plainWord{
	{`says? (that|what|whether|why|how|who|where|which)`, "reports whether, describes, returns"},
	{`(is|are) (that|those) of`, "is the NAME of"},
	{`(is|are|was|were) said`, "is reported, is printed"},
	{`all the same`, "still, anyway"},
	{`in the midst`, "during"},
	{`comes? of it`, "results"},
	{`if need be`, "if needed"},
	{`at hand`, "available, current"},
	{`no one`, "no caller, no user, nothing"},
	{`beside it`, "next to it, in addition"},
	{`for want of`, "without"},
}

// plainPackages are the folders whose comments and messages use none of [plainPhrases]. A new
// package belongs here from its first commit.
var plainPackages = []string{
	"cmd/agentc", "cmd/agentc-vet", "gen", "gen/command", "gen/diag", "gen/explain",
	"gen/internal/agentmd", "gen/internal/amount", "gen/internal/builtin", "gen/internal/cache",
	"gen/internal/can", "gen/internal/casetest", "gen/internal/check", "gen/internal/cost",
	"gen/internal/diff", "gen/internal/emit", "gen/internal/emit/emittest", "gen/internal/expr",
	"gen/internal/fix", "gen/internal/flow", "gen/internal/foreign", "gen/internal/frontend",
	"gen/internal/gopkg", "gen/internal/graph", "gen/internal/interp", "gen/internal/ir",
	"gen/internal/loader", "gen/internal/lockfile", "gen/internal/memo", "gen/internal/names",
	"gen/internal/output", "gen/internal/parallel", "gen/internal/playground",
	"gen/internal/playground/wasm", "gen/internal/preflight", "gen/internal/pricelist",
	"gen/internal/sample", "gen/internal/scc", "gen/internal/schemadoc", "gen/internal/scriptdoc",
	"gen/internal/secret", "gen/internal/simulate", "gen/internal/source",
	"gen/internal/statemachine", "gen/internal/stats", "gen/internal/tomldoc",
	"gen/internal/validate", "gen/internal/verify", "gen/internal/words", "gen/internal/yamldoc",
	"gen/vet", "runtime", "runtime/anthropic", "runtime/cli", "runtime/cli/app", "runtime/engine",
	"runtime/event", "runtime/generated/compiled", "runtime/generated/drive",
	"runtime/generated/internal/growth", "runtime/generated/internal/last",
	"runtime/generated/live", "runtime/generated/machinetest",
	"runtime/generated/rt", "runtime/generated/workflow", "runtime/inspect/page",
	"runtime/inspect/panel", "runtime/internal/cli/inputs", "runtime/internal/cli/progress",
	"runtime/internal/engine/addr", "runtime/internal/engine/budget",
	"runtime/internal/engine/clock", "runtime/internal/engine/core",
	"runtime/internal/engine/dialog", "runtime/internal/engine/errorcodec",
	"runtime/internal/engine/field", "runtime/internal/engine/question",
	"runtime/internal/engine/redact", "runtime/internal/engine/replay",
	"runtime/internal/engine/safepoint", "runtime/internal/engine/script",
	"runtime/internal/engine/signaling", "runtime/internal/engine/signalrule",
	"runtime/internal/engine/stopreason", "runtime/internal/engine/turn",
	"runtime/internal/engine/usercode", "runtime/internal/events/eventkind",
	"runtime/internal/events/eventkind/kindtest", "runtime/internal/events/eventtext",
	"runtime/internal/events/unknown", "runtime/internal/inspect/diagram",
	"runtime/internal/inspect/trace", "runtime/internal/providers/remote",
	"runtime/internal/servers/bearer", "runtime/internal/servers/listen",
	"runtime/internal/servers/wire", "runtime/internal/stores/appendlog",
	"runtime/internal/stores/audit", "runtime/internal/stores/files",
	"runtime/internal/stores/files/filetest", "runtime/internal/stores/recording",
	"runtime/internal/stores/sqlstore", "runtime/internal/stores/sqlstore/sqlstoretest",
	"runtime/internal/testing/golden", "runtime/internal/testing/livetest",
	"runtime/internal/testing/livetest/show", "runtime/internal/testing/wasitest",
	"runtime/internal/testing/wiretest", "runtime/internal/testing/wiretest/anthropicwire",
	"runtime/internal/testing/wiretest/chatwire", "runtime/internal/testing/wiretest/deepresearch",
	"runtime/internal/text/cells", "runtime/internal/text/errs", "runtime/internal/text/jsontext",
	"runtime/internal/text/nameindex", "runtime/internal/text/nearest",
	"runtime/internal/text/wording", "runtime/mcp", "runtime/mcp/client", "runtime/model",
	"runtime/otel", "runtime/postgres", "runtime/postgres/postgrestest",
	"runtime/providers/openai", "runtime/servers/access", "runtime/servers/client",
	"runtime/servers/client/httpclient", "runtime/servers/serve", "runtime/signals",
	"runtime/size", "runtime/sqlite", "runtime/stores/board", "runtime/stores/journal",
	"runtime/stores/journal/journaltest", "runtime/stores/recording", "runtime/temporal",
	"runtime/testing/enginetest", "runtime/testing/ptytest", "runtime/testing/resumetest",
	"runtime/testing/simulate", "runtime/tools", "runtime/tools/files",
	"runtime/tools/internal/root", "runtime/tools/shell", "runtime/tools/web",
}

// otherMessages are packages with messages that [plainPhrases] are not for: the comments of
// generated code, and the prompts of the loop, which recordings repeat word for word.
var otherMessages = map[string]bool{"gen/internal/emit": true, "runtime/generated/rt": true}

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

var anyWord = regexp.MustCompile(`\w+`)

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

	return anyWord.ReplaceAllStringFunc(prose, func(word string) string {
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

// wordList finds words in a text, with what to write instead.
type wordList struct {
	patterns []*regexp.Regexp
	write    []string
	// any matches if one of the patterns does, which is quicker to ask first.
	any *regexp.Regexp
}

// newWordList compiles the patterns of words. space is the pattern for their spaces.
func newWordList(words []plainWord, space string) *wordList {
	list := &wordList{}
	var all []string
	for _, word := range words {
		avoid := strings.ReplaceAll(word.avoid, " ", space)
		all = append(all, avoid)
		list.patterns = append(list.patterns, regexp.MustCompile(`(?i)\b(?:`+avoid+`)\b`))
		list.write = append(list.write, word.write)
	}
	list.any = regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)

	return list
}

var (
	plainWordList   = newWordList(plainWords, " ")
	plainPhraseList = newWordList(plainPhrases, `[ \n]`)
)

// find returns the lines and words of a text that are to be replaced, and by what.
func (l *wordList) find(prose string) []string {
	if !l.any.MatchString(prose) {
		return nil
	}
	var all []string
	for i, pattern := range l.patterns {
		for _, at := range pattern.FindAllStringIndex(prose, -1) {
			line := 1 + strings.Count(prose[:at[0]], "\n")
			all = append(all, fmt.Sprintf("%d: %q: write %s", line, prose[at[0]:at[1]], l.write[i]))
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
			for _, problem := range plainWordList.find(texts.prose(read(t, file))) {
				t.Errorf("%s:%s", file, problem)
			}
		}
	}
	if seen < 100 {
		t.Fatalf("only %d texts found: the test saw nothing", seen)
	}
}

// The packages that are rewritten use none of plainPhrases.
func TestPlainPhrases(t *testing.T) {
	for _, folder := range plainPackages {
		for _, file := range matching(folder + "/*.go")(t) {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text := read(t, file)
			problems := plainPhraseList.find(commentProse(text))
			if !otherMessages[folder] {
				problems = append(problems, plainPhraseList.find(messageProse(text))...)
			}
			for _, problem := range problems {
				t.Errorf("%s:%s", file, problem)
			}
		}
	}
}

func TestPlainPhrasesAreFoundAcrossLines(t *testing.T) {
	file := "package p\n\n// F says\n// whether a value is that of a key. It is used all the same.\nfunc F() {}\n"
	want := `3: "says\nwhether": write reports whether, describes, returns|4: "all the same": write still, anyway|4: "is that of": write is the NAME of`
	found := plainPhraseList.find(commentProse(file))
	slices.Sort(found)
	if got := strings.Join(found, "|"); got != want {
		t.Errorf("found %s", got)
	}
}

func TestPlainWordsAreFoundInProseAlone(t *testing.T) {
	page := "# A page\n\n<!-- test: door -->\n```text\nmend the door\n```\n\n    told\n\n`nobody` [stands](door.md) \"a tape\"\nand Told.\n"
	want := `10: "stands": write is, is defined, is written|11: "Told": write report, notify, say`
	found := plainWordList.find(pageProse(page))
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
	found := plainWordList.find(commentProse(file))
	slices.Sort(found)
	if got := strings.Join(found, "|"); got != want {
		t.Errorf("found %s", got)
	}
}
