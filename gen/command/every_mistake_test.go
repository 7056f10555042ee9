package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/explain"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// everyMistake is a project that has a mistake of each name of the catalogue, in the file or the
// folder of that name.
const everyMistake = "testdata/every-mistake"

// ofCommands are the names that check cannot report here: they are about generated files and the
// user's Go, or about what a project without mistakes costs and does.
var ofCommands = []string{"denied-flow", "max-cost", "stale-output", "edited-output", "orphan-output", "unimplemented-tool"}

// inFile are the files of mistakes that only one file can have.
var inFile = map[string]string{"unused-pin": "agentc.lock", "unused-config": "tama.toml", "tool-off": "skills/search/SKILL.md"}

// checkEveryMistake runs check on that project.
func checkEveryMistake(t *testing.T, args ...string) result {
	t.Helper()
	dir, err := filepath.Abs(everyMistake)
	if err != nil {
		t.Fatal(err)
	}

	return agentc(dir, "", append([]string{"check", "project"}, args...)...)
}

// found is what the JSON of a finding says.
type found struct {
	File, Severity, Name, Message string
	Fixes                         []struct{ Message string }
}

func findings(t *testing.T, r result) []found {
	t.Helper()
	var all []found
	if err := json.Unmarshal([]byte(r.stdout), &all); err != nil {
		t.Fatalf("%v\n%s", err, r.stdout)
	}

	return all
}

// Each name of the catalogue is found once, where its mistake is, and none is a consequence of
// another.
func TestEveryMistakeIsFoundOnce(t *testing.T) {
	times := map[string]int{}
	for _, f := range findings(t, checkEveryMistake(t, "--format", "json")) {
		times[f.Name]++
		own := inFile[f.Name]
		inOwn := own != "" && strings.HasSuffix(f.File, "/"+own)
		if !inOwn && !strings.Contains(f.File, "/"+f.Name+"/") && !strings.HasSuffix(f.File, "/"+f.Name+".yaml") {
			t.Errorf("%s: %s [%s]", f.File, f.Message, f.Name)
		}
	}
	for _, c := range diag.Checks() {
		want := 1
		if slices.Contains(ofCommands, c.Name) {
			want = 0
		}
		if times[c.Name] != want {
			t.Errorf("%s is found %d times, want %d: %s is to have a mistake of each name", c.Name, times[c.Name], want, everyMistake)
		}
	}
}

// All formats tell the same findings, and end with the same code.
func TestEveryMistakeInEveryFormat(t *testing.T) {
	cases := []struct {
		format, golden string
		stderr         bool
		count          func(stdout string) int
	}{
		{formatText, "want.txt", true, func(s string) int { return strings.Count(s, ": error: ") + strings.Count(s, ": warning: ") }},
		{formatJSON, "want.json", false, func(s string) int { return strings.Count(s, `"name": `) }},
		{formatSARIF, "want.sarif", false, func(s string) int { return strings.Count(s, `"ruleId": `) }},
		{formatGitHub, "want.github", true, func(s string) int { return strings.Count(s, "\n") }},
	}
	want := len(diag.Checks()) - len(ofCommands)
	for _, c := range cases {
		t.Run(c.format, func(t *testing.T) {
			r := checkEveryMistake(t, "--format", c.format)
			if n := c.count(r.stdout); r.code != cli.Problem || n != want || (r.stderr != "") != c.stderr {
				t.Errorf("exit code %d, %d findings, want %d; stderr %q", r.code, n, want, r.stderr)
			}
			got := r.stdout
			if c.format == formatSARIF {
				got = withoutPages(t, got)
			}
			casetest.Golden(t, filepath.Join(everyMistake, c.golden), got)
		})
	}
}

// withoutPages holds a log against the schema of SARIF, and its rules against the pages, and
// returns it without version and pages, so that it only changes with the findings.
func withoutPages(t *testing.T, log string) string {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal([]byte(log), &value); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.Compile("../diag/testdata/sarif/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%#v", err)
	}

	driver := value["runs"].([]any)[0].(map[string]any)["tool"].(map[string]any)["driver"].(map[string]any)
	delete(driver, "version")
	for _, rule := range driver["rules"].([]any) {
		rule := rule.(map[string]any)
		name := rule["id"].(string)
		page, _ := explain.Page(name)
		if help := rule["help"].(map[string]any); help["markdown"] != page || help["text"] == "" {
			t.Errorf("the help of %s is %v", name, help)
		}
		if full := rule["fullDescription"].(map[string]any)["text"].(string); full == "" || !strings.Contains(squeezed(page), full) {
			t.Errorf("the description of %s is %q", name, full)
		}
		_, file, _ := strings.Cut(rule["helpUri"].(string), "/blob/main/")
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); err != nil {
			t.Errorf("the address of %s leads nowhere: %v", name, err)
		}
		delete(rule, "help")
		delete(rule, "fullDescription")
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		t.Fatal(err)
	}

	return b.String()
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// What is fixable is fixed: each such finding is gone, all others are still there, and a second run
// has nothing to do.
func TestEveryMistakeFixed(t *testing.T) {
	before := findings(t, checkEveryMistake(t, "--format", "json"))
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "project"), os.DirFS(filepath.Join(everyMistake, "project"))); err != nil {
		t.Fatal(err)
	}
	r := agentc(dir, "", "check", "--fix", "--format", "json", "project")
	casetest.Golden(t, filepath.Join(everyMistake, "want.fixed"), r.stderr)
	left := findings(t, r)
	for _, f := range before {
		still := slices.ContainsFunc(left, func(l found) bool { return l.Name == f.Name && l.File == f.File })
		if still == (len(f.Fixes) > 0) {
			t.Errorf("%s with %d fixes is found afterwards: %t", f.Name, len(f.Fixes), still)
		}
	}
	for _, l := range left {
		if !slices.ContainsFunc(before, func(f found) bool { return f.Name == l.Name && f.File == l.File }) {
			t.Errorf("new: %s: %s [%s]", l.File, l.Message, l.Name)
		}
	}
	files := relative(t, dir)
	if r := agentc(dir, "", "check", "--fix", "--format", "json", "project"); r.stderr != "" {
		t.Errorf("the second run fixes\n%s", r.stderr)
	}
	sameTree(t, files, relative(t, dir))
}
