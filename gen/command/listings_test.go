package command

import (
	"bytes"
	"cmp"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// A listing is a fenced block of a page. The comment on the line before says how it is tested:
//
//	<!-- test: excerpt FILE -->         the lines stand in FILE, in this order, one after the other
//	<!-- test: output agentc ARGS -->   agentc prints it, in the root of the repository or -C DIR
//	<!-- test: diff DIR FILE OLD NEW --> agentc diff prints it for DIR and a copy of it in which the text OLD of FILE is NEW
//	<!-- test: case COMMAND ARCHIVE --> agentc COMMAND prints it in the project of a txtar archive
//	<!-- test: session agentc ARGS -->  the same, with what it says on stderr before; a word in quotes is one argument
//	<!-- test: agent NAME with A, b.md, c=d+e --> it is the head of a correct AGENT.md, with the agent A, the step file b.md
//	                                    and a skill c with the built-in tools d and e
//	<!-- test: step NAME -->            it is the step file NAME of a critic
//	<!-- test: skill NAME -->           it is the head of a correct SKILL.md
//	<!-- test: workflow NAME with A, b.yaml, c.md --> it is the correct workflow NAME, with the agent A, the workflow b.yaml
//	                                    and the prompt c.md, which uses context.topic and the variable tone
//	<!-- test: config -->               it is a correct agentc.yaml of a project with the agent researcher
//	<!-- test: prices -->               it is a correct prices.yaml
//	<!-- test: script AGENT, ... -->   it is a correct script for the agents that it names
//	<!-- test: fix DIR -->              check --fix says so on stderr in a copy of DIR
//	<!-- test: ci FILE -->              it is YAML for FILE, and each command of ours in it runs in a project that is right
//	<!-- test: make -->                 each line is a target of the Makefile
//	<!-- test: module -->               its lines make a module with agents in a new folder, with nothing but this checkout, AGENTC,
//	                                    and what that was built from; the last one runs an agent
//	<!-- test: shell -->                each command of ours exists, and so does each ./path
type listing struct {
	page string
	line int
	test string
	text string
}

func TestEveryListingOfThePages(t *testing.T) {
	var all []listing
	for _, page := range pages(t) {
		all = append(all, listingsOf(t, page)...)
	}
	if len(all) < 10 {
		t.Fatalf("only %d listings found: the test saw nothing", len(all))
	}

	for _, l := range all {
		kind, rest, _ := strings.Cut(l.test, " ")
		test, known := listingTests[kind]
		if !known {
			t.Errorf("%s:%d: this listing has no <!-- test: … --> line that says how it is tested", l.page, l.line)
			continue
		}
		t.Run(strings.ReplaceAll(l.page, "/", "_")+":"+kind, func(t *testing.T) { test(t, l, rest) })
	}
}

var listingTests = map[string]func(t *testing.T, l listing, rest string){
	"excerpt":  testExcerpt,
	"output":   testOutput,
	"diff":     testDiff,
	"case":     testCase,
	"session":  testSession,
	"agent":    testAgent,
	"step":     testStep,
	"skill":    testSkill,
	"workflow": testWorkflow,
	"config":   testConfig,
	"prices":   testPrices,
	"script":   testScript,
	"fix":      testFix,
	"ci":       testCI,
	"make":     testMake,
	"module":   testModule,
	"shell":    testShell,
}

const root = "../.."

// pages returns the Markdown pages of the repository: README.md files and CONTRIBUTING.md.
func pages(t *testing.T) []string {
	t.Helper()
	var pages []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "testdata" || strings.HasPrefix(name, ".") && path != root) {
			return fs.SkipDir
		}
		if d.Name() == "README.md" || d.Name() == "CONTRIBUTING.md" {
			pages = append(pages, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}

	return pages
}

func listingsOf(t *testing.T, page string) []listing {
	t.Helper()
	var all []listing
	var open *listing
	before := ""
	for i, line := range strings.Split(read(t, page), "\n") {
		switch {
		case open == nil && strings.HasPrefix(line, "```"):
			name, _ := filepath.Rel(root, page)
			open = &listing{page: filepath.ToSlash(name), line: i + 1, test: before}
		case open != nil && line == "```":
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
		before = ""
		if m := testComment.FindStringSubmatch(line); m != nil {
			before = m[1]
		}
	}
	if open != nil {
		t.Errorf("%s:%d: the listing does not end", open.page, open.line)
	}

	return all
}

var testComment = regexp.MustCompile(`^<!-- test: (.*) -->$`)

func testExcerpt(t *testing.T, l listing, file string) {
	if text := read(t, filepath.Join(root, file)); strings.TrimSpace(l.text) == "" || !strings.Contains("\n"+text, "\n"+l.text) {
		t.Errorf("%s:%d: these lines do not stand in %s", l.page, l.line, file)
	}
}

func testOutput(t *testing.T, l listing, command string) {
	if strings.HasPrefix(command, "agentc preflight") {
		t.Setenv("AGENTC_STORE", "") // the store is in the report
	}
	stdout, stderr := outputOf(command)
	if stdout != l.text {
		t.Errorf("%s:%d: %s prints something else:\n%s%s", l.page, l.line, command, stdout, stderr)
	}
}

func testDiff(t *testing.T, l listing, rest string) {
	words := commandWords(rest)
	dir := t.TempDir()
	for _, version := range []string{"old", "new"} {
		if err := os.CopyFS(filepath.Join(dir, version), os.DirFS(filepath.Join(root, words[0]))); err != nil {
			t.Fatal(err)
		}
	}
	edit(t, filepath.Join(dir, "new", words[1]), words[2], words[3])
	if r := agentc(dir, "", "diff", "old", "new"); r.stdout != l.text {
		t.Errorf("%s:%d: agentc diff prints something else:\n%s%s", l.page, l.line, r.stdout, r.stderr)
	}
}

// testCase runs a command in the project of an archive.
func testCase(t *testing.T, l listing, rest string) {
	words := commandWords(rest)
	archive, err := txtar.ParseFile(filepath.Join(root, words[1]))
	if err != nil {
		t.Fatal(err)
	}
	files, err := txtar.FS(archive)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, files); err != nil {
		t.Fatal(err)
	}
	if r := agentc(dir, "", words[0]); r.stdout != l.text {
		t.Errorf("%s:%d: agentc %s prints something else:\n%s%s", l.page, l.line, words[0], r.stdout, r.stderr)
	}
}

func testSession(t *testing.T, l listing, command string) {
	stdout, stderr := outputOf(command)
	stderr = strings.Replace(stderr, slowBuildMessage+"\n", "", 1) // on a busy machine
	if stderr+stdout != l.text {
		t.Errorf("%s:%d: %s prints something else:\n%s%s", l.page, l.line, command, stderr, stdout)
	}
}

// outputOf runs a command line of ours in the root of the repository, or where its -C says.
func outputOf(command string) (stdout, stderr string) {
	args := commandWords(strings.TrimPrefix(command, "agentc "))
	if args[0] == "-C" {
		args[1] = filepath.Join(root, args[1])
	} else {
		args = append([]string{"-C", root}, args...)
	}
	var out, err bytes.Buffer
	Main(args, strings.NewReader(""), &out, &err)

	return out.String(), err.String()
}

// commandWords are the words of a command line; one in quotes may have spaces.
func commandWords(line string) (words []string) {
	for _, word := range commandWord.FindAllStringSubmatch(line, -1) {
		words = append(words, cmp.Or(word[1:]...))
	}

	return words
}

var commandWord = regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`)

func testAgent(t *testing.T, l listing, rest string) {
	name, with, _ := strings.Cut(rest, " with ")
	files := map[string]string{"agents/" + name + "/AGENT.md": "---\n" + l.text + "---\n\nGo.\n"}
	for _, other := range strings.FieldsFunc(with, func(r rune) bool { return r == ',' || r == ' ' }) {
		skill, tools, isSkill := strings.Cut(other, "=")
		switch {
		case isSkill:
			files["skills/"+skill+"/SKILL.md"] = "---\nname: " + skill + "\ndescription: Helps.\ntools: [" +
				strings.ReplaceAll(tools, "+", ", ") + "]\n---\n\nUse it well.\n"
			files["agentc.yaml"] = "files: {root: ./workspace}\nhttp: {allow: [example.org]}\nshell: true\n"
		case strings.HasSuffix(other, ".md"):
			files["agents/"+name+"/"+other] = "Go.\n"
		default:
			files["agents/"+other+"/AGENT.md"] = reactAgent(other)
		}
	}
	checkClean(t, l, files)
}

func testStep(t *testing.T, l listing, name string) {
	files := map[string]string{
		"agents/writer/AGENT.md":  "---\nname: writer\ndescription: Writes.\nversion: 1\npattern: critic\n---\n",
		"skills/library/SKILL.md": "---\nname: library\ndescription: Books.\n---\n\nRead.\n",
	}
	for _, step := range []string{"draft.md", "critique.md", "refine.md"} {
		files["agents/writer/"+step] = "Go.\n"
	}
	files["agents/writer/"+name] = l.text
	checkClean(t, l, files)
}

func testSkill(t *testing.T, l listing, name string) {
	checkClean(t, l, map[string]string{
		"skills/" + name + "/SKILL.md": "---\n" + l.text + "---\n\nUse it well.\n",
		"agents/researcher/AGENT.md":   strings.Replace(reactAgent("researcher"), "pattern", "call: {uses: ["+name+"]}\npattern", 1),
	})
}

func testWorkflow(t *testing.T, l listing, rest string) {
	name, with, _ := strings.Cut(rest, " with ")
	files := map[string]string{"workflows/" + name + ".yaml": l.text}
	for _, other := range strings.FieldsFunc(with, func(r rune) bool { return r == ',' || r == ' ' }) {
		switch filepath.Ext(other) {
		case ".yaml":
			files["workflows/"+other] = "steps: [{name: on}]\n"
		case ".md":
			files["workflows/"+other] = "Write about {{ context.topic }} in a {{ tone }} tone.\n"
		default:
			files["agents/"+other+"/AGENT.md"] = reactAgent(other)
		}
	}
	checkClean(t, l, files)
}

func testConfig(t *testing.T, l listing, _ string) {
	checkClean(t, l, map[string]string{
		"agentc.yaml":                l.text,
		"script.yaml":                "\"*\":\n  - finish: {key: done, value: yes}\n",
		"agents/researcher/AGENT.md": reactAgent("researcher"),
	})
}

func testPrices(t *testing.T, l listing, _ string) {
	checkClean(t, l, map[string]string{"prices.yaml": l.text, "agents/researcher/AGENT.md": reactAgent("researcher")})
}

func testScript(t *testing.T, l listing, rest string) {
	files := map[string]string{"agentc.yaml": "models: {default: \"script:script.yaml\"}\n", "script.yaml": l.text}
	for _, name := range strings.Split(rest, ", ") {
		files["agents/"+name+"/AGENT.md"] = reactAgent(name)
	}
	files["agents/all/AGENT.md"] = "---\nname: all\ndescription: All.\nversion: 1\npattern: oneshot\n---\n\nGo.\n"
	checkClean(t, l, files)
}

func reactAgent(name string) string {
	return "---\nname: " + name + "\ndescription: Works.\nversion: \"1.0.0\"\npattern: react\n---\n\nGo, then finish.\n"
}

// checkClean expects that agentc check finds nothing in a project.
func checkClean(t *testing.T, l listing, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"-C", dir, "check", "--strict"}, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Errorf("%s:%d: agentc check --strict ends with %d:\n%s%s", l.page, l.line, code, &stdout, &stderr)
	}
}

func testFix(t *testing.T, l listing, folder string) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, folder))); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"-C", dir, "check", "--fix"}, strings.NewReader(""), &stdout, &stderr); code != 0 || stderr.String() != l.text {
		t.Errorf("%s:%d: check --fix ends with %d and says something else:\n%s%s", l.page, l.line, code, &stderr, &stdout)
	}
}

func testCI(t *testing.T, l listing, file string) {
	document, problems := yamldoc.Parse(source.NewFile(file, []byte(l.text)))
	if len(problems) > 0 {
		t.Fatalf("%s:%d: %s", l.page, l.line, problems[0].Message)
	}
	dir := unpack(t, t.TempDir(), critic)
	agentc(dir, "", "generate").want(t, 0, "")

	commands := 0
	for _, command := range append(valuesOf(document, "run"), valuesOf(document, "entry")...) {
		words, ours := strings.CutPrefix(command, "go tool agentc ")
		if !ours {
			continue
		}
		commands++
		words, _, _ = strings.Cut(words, " > ")
		if r := agentc(dir, "", strings.Fields(words)...); r.code != 0 {
			t.Errorf("%s:%d: agentc %s ends with %d:\n%s%s", l.page, l.line, words, r.code, r.stdout, r.stderr)
		}
	}
	if commands == 0 {
		t.Errorf("%s:%d: the listing runs nothing of ours", l.page, l.line)
	}
	for _, action := range valuesOf(document, "uses") {
		if !pinnedAction.MatchString(action) {
			t.Errorf("%s:%d: %q is no action with a version", l.page, l.line, action)
		}
	}
}

// pinnedAction is an action with a version, or ours in a checkout.
var pinnedAction = regexp.MustCompile(`^[\w-]+(/[\w-]+)+@v\d+$|^\./[\w-]+/templates/action$`)

// valuesOf returns the texts that stand under a key, wherever it is.
func valuesOf(n *yamldoc.Node, key string) []string {
	var all []string
	for _, item := range n.Items {
		all = append(all, valuesOf(item, key)...)
	}
	for _, f := range n.Fields {
		if text, ok := f.Value.Scalar(); ok && f.Key.Text == key {
			all = append(all, text)
		}
		all = append(all, valuesOf(f.Value, key)...)
	}

	return all
}

func testModule(t *testing.T, l listing, _ string) {
	dir := t.TempDir()
	shell := exec.Command("sh", "-ec", l.text)
	shell.Dir = dir
	// go mod tidy looks at the tests of what is required, too, whose modules a new machine does not
	// have.
	shell.Env = append(os.Environ(), "AGENTC="+repository(t), "GOFLAGS=-buildvcs=false", "GOWORK=off")
	if out, err := shell.CombinedOutput(); err != nil || !strings.Contains(string(out), "To Ada") {
		t.Errorf("%s:%d: %v\n%s", l.page, l.line, err, out)
	}
	hasSums := fileExists(filepath.Join(dir, "go.sum"))
	if gomod := read(t, filepath.Join(dir, "go.mod")); fileExists(filepath.Join(dir, "tools.mod")) && (hasSums || strings.Contains(gomod, "indirect")) {
		t.Errorf("%s:%d: the module has what only the compiler needs:\n%s", l.page, l.line, gomod)
	}
	goIn(t, dir, "generate", "./...")
	goIn(t, dir, "vet", "./...")
}

func testMake(t *testing.T, l listing, _ string) {
	makefile := read(t, filepath.Join(root, "Makefile"))
	for _, line := range strings.Split(strings.TrimSpace(l.text), "\n") {
		target := strings.Fields(strings.TrimPrefix(line, "make "))[0]
		if !strings.Contains(makefile, "\n"+target+":") {
			t.Errorf("%s:%d: the Makefile has no target %s", l.page, l.line, target)
		}
	}
}

var (
	ourCommand = regexp.MustCompile(`(?m)(?:^|[^.\w])agentc ([a-z]+)`)
	ourPath    = regexp.MustCompile(`(^|\s)\./([\w./-]+)`)
)

func testShell(t *testing.T, l listing, _ string) {
	found := 0
	for _, m := range ourCommand.FindAllStringSubmatch(l.text, -1) {
		found++
		var stdout, stderr bytes.Buffer
		if code := Main([]string{m[1], "--help"}, strings.NewReader(""), &stdout, &stderr); code != 0 {
			t.Errorf("%s:%d: there is no command %s", l.page, l.line, m[1])
		}
	}
	for _, m := range ourPath.FindAllStringSubmatch(l.text, -1) {
		found++
		if _, err := os.Stat(filepath.Join(root, strings.TrimSuffix(m[2], "..."))); err != nil {
			t.Errorf("%s:%d: %v", l.page, l.line, err)
		}
	}
	if found == 0 {
		t.Errorf("%s:%d: the listing names nothing of ours", l.page, l.line)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}
