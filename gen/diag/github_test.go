package diag_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

func github(t *testing.T, path func(string) string, findings ...*diag.Diagnostic) string {
	t.Helper()
	var b strings.Builder
	if err := diag.GitHub(&b, findings, path); err != nil {
		t.Fatal(err)
	}

	return b.String()
}

func TestGitHub(t *testing.T) {
	content := "größe:\n  ä: critque\n  b: c  \n\n"
	span := find(t, content, "critque", 0)
	lines := find(t, content, "critque\n  b: c  \n\n", 0)
	d := diag.New(diag.UndefinedState, span, "100%% of\r\nthem: a, b").WithHint(`did you mean "critique"?`)
	d.Note(lines, "it begins here").Note(source.Span{}, "a note without a place")
	whole := source.Span{File: source.NewFile("agents/x_gen.go", nil), Start: -1, End: -1}

	got := github(t, func(p string) string { return "a,b:c%/" + p },
		d,
		diag.New(diag.BadIgnore, lines, "several lines"),
		diag.New(diag.Syntax, source.Span{File: span.File, Start: span.Start, End: span.Start}, "nothing"),
		diag.New(diag.StaleOutput, whole, "the file is missing"),
		diag.New(diag.BadValue, source.Span{}, "no place"))
	const file = "file=a%2Cb%3Ac%25/agents/x/AGENT.md,"
	want := strings.Join([]string{
		"::error " + file + "line=2,col=6,endLine=2,endColumn=12,title=undefined-state::100%25 of␍␊them: a, b" +
			"%0Adid you mean \"critique\"?%0Aa,b:c%25/agents/x/AGENT.md:2:6: note: it begins here%0Anote: a note without a place",
		"::warning " + file + "line=2,endLine=3,title=bad-ignore::several lines",
		"::error " + file + "line=2,col=6,endLine=2,endColumn=6,title=syntax::nothing",
		"::error file=a%2Cb%3Ac%25/agents/x_gen.go,title=stale-output::the file is missing",
		"::error title=bad-value::no place",
		"",
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGitHubOfACleanProjectIsEmpty(t *testing.T) {
	if got := github(t, nil); got != "" {
		t.Errorf("got %q", got)
	}
}

// FuzzReports checks that no source text, place, path or message breaks a report for programs: a
// log of SARIF stays valid, and an annotation stays one command whose parts can be read back.
func FuzzReports(f *testing.F) {
	f.Add([]byte("a: b\n"), 3, 4, "agents/x/AGENT.md", "message")
	f.Add([]byte("\ufeff\x1b[2J\u202e\r\n\t状态\xff"), 0, 99, "../a b:c,d%/[1]#?.md", "{0} [a](1)\n::error::\r%0A\u2066")
	f.Add([]byte("\xff\xfe"), 1, 2, "/\n", "\xff")
	f.Fuzz(func(t *testing.T, content []byte, start, end int, path, message string) {
		file := source.NewFile(path, content)
		start, end = min(max(start, 0), len(content)), min(max(end, 0), len(content))
		span := source.Span{File: file, Start: min(start, end), End: max(start, end)}
		d := diag.New(diag.Syntax, span, "%s", message).WithHint("%s!", message).Note(span, "%s", message).
			Note(source.Span{}, "%s", message).WithFix(message, span, message)

		sarif(t, nil, d)

		got := github(t, nil, d)
		if strings.Count(got, "\n") != 1 || strings.ContainsRune(got, '\r') {
			t.Fatalf("more than one line: %q", got)
		}
		properties, text, _ := strings.Cut(strings.TrimPrefix(got, "::error "), "::")
		names := []string{}
		for property := range strings.SplitSeq(properties, ",") {
			name, _, _ := strings.Cut(property, "=")
			names = append(names, name)
		}
		switch got := strings.Join(names, " "); got {
		case "file line col endLine endColumn title", "file line endLine title":
		default:
			t.Fatalf("the properties are %s", got)
		}
		if n := strings.Count(text, "%0A"); n != 3 {
			t.Fatalf("%d lines in %q", n+1, text)
		}
	})
}
