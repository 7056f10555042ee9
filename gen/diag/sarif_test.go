package diag_test

import (
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// sarif renders findings, and holds the log against the schema of the standard.
func sarif(t *testing.T, path func(string) string, findings ...*diag.Diagnostic) string {
	t.Helper()
	var b strings.Builder
	err := diag.SARIF(&b, findings, diag.SARIFOptions{Path: path, Version: "v1.2.3", Help: func(c *diag.Check) diag.Help {
		return diag.Help{Reason: "Why " + c.Name + ".", Text: "Why and how.", Markdown: "# {page}"}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := problemOf(t, b.String()); err != nil {
		t.Errorf("%#v\n%s", err, b.String())
	}

	return b.String()
}

// schema compiles the published schema; testdata/sarif/NOTICE.md says whose it is.
var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	const name = "testdata/sarif/sarif-schema-2.1.0.json"
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	c := jsonschema.NewCompiler()
	c.AssertFormat = true
	if err := c.AddResource(name, file); err != nil {
		return nil, err
	}

	return c.Compile(name)
})

// problemOf says why a log is no SARIF; nil if it is.
func problemOf(t *testing.T, log string) error {
	t.Helper()
	schema, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal([]byte(log), &value); err != nil {
		t.Fatal(err)
	}

	return schema.Validate(value)
}

func TestSARIF(t *testing.T) {
	span := find(t, "größe:\n  ä: critque\n  b: critque\n", "critque", 0)
	other := find(t, "größe:\n  ä: critque\n  b: critque\n", "b", 0)
	d := diag.New(diag.UndefinedState, span, `state "{critque}" <is> [not](defined)`).WithHint(`did you mean "critique"?`)
	d.Note(other, "written {here}").Note(source.Span{}, "a note without a place")
	d.Fixes = []diag.Fix{{Message: `rename "critque"`, Edits: []diag.Edit{
		{Span: span, New: "critique"}, {Span: source.Span{File: span.File, Start: other.Start, End: other.Start}, New: "# {a}\n"},
		{Span: other},
	}}}
	whole := source.Span{File: source.NewFile("agents/x_gen.go", nil), Start: -1, End: -1}

	got := sarif(t, func(p string) string { return "a b/" + p }, d,
		diag.New(diag.StaleOutput, whole, "the file is missing"),
		diag.New(diag.UndefinedState, span, "m").Warn())
	want, err := os.ReadFile("testdata/sarif/want.sarif")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("got\n%s", got)
	}
}

func TestSARIFOfACleanProject(t *testing.T) {
	if got := sarif(t, nil); !strings.Contains(got, `"results": []`) || !strings.Contains(got, `"rules": []`) {
		t.Errorf("got\n%s", got)
	}
}

func TestSARIFOfAFindingWithoutAPlace(t *testing.T) {
	if got := sarif(t, nil, diag.New(diag.BadValue, source.Span{}, "m")); strings.Contains(got, `"locations"`) {
		t.Errorf("got\n%s", got)
	}
}

// The log validates because it is right, not because the schema takes anything.
func TestTheSchemaFindsWhatIsWrong(t *testing.T) {
	log := sarif(t, nil, diag.New(diag.Syntax, find(t, "a: b\n", "b", 0), "m"))
	for _, replace := range [][2]string{
		{`"2.1.0"`, `"2.2.0"`}, {`"unicodeCodePoints"`, `"runes"`}, {`"startLine": 1`, `"startLine": 0`},
		{`"level": "error"`, `"level": "fatal"`}, {`"ruleIndex"`, `"rule"`}, {`"name": "agentc"`, `"nom": "agentc"`},
	} {
		wrong := strings.Replace(log, replace[0], replace[1], 1)
		if wrong == log || problemOf(t, wrong) == nil {
			t.Errorf("%s is not found", replace[1])
		}
	}
}

// An address is relative, escaped, and leads out of no base.
func TestSARIFAddresses(t *testing.T) {
	cases := []struct{ path, want string }{
		{"agents/x/AGENT.md", `"uri": "agents/x/AGENT.md", "uriBaseId": "%SRCROOT%"`},
		{"a b/größe#1?.md", `"uri": "a%20b/gr%C3%B6%C3%9Fe%231%3F.md", "uriBaseId": "%SRCROOT%"`},
		{"c:d/100%.md", `"uri": "c%3Ad/100%25.md", "uriBaseId": "%SRCROOT%"`},
		{"\xff[1].md", `"uri": "%FF%5B1%5D.md", "uriBaseId": "%SRCROOT%"`},
		{"../x.md", `"uri": "../x.md"`},
		{"..x.md", `"uri": "..x.md", "uriBaseId": "%SRCROOT%"`},
		{"/home/a b/x.md", `"uri": "file:///home/a%20b/x.md"`},
	}
	for _, c := range cases {
		got := sarif(t, func(string) string { return c.path }, diag.New(diag.Syntax, find(t, "a: b\n", "b", 0), "m"))
		_, got, _ = strings.Cut(got, `"artifactLocation": {`)
		got, _, _ = strings.Cut(got, "}")
		if got := strings.Join(strings.Fields(got), " "); got != c.want {
			t.Errorf("%s: got %s", c.path, got)
		}
	}
}
