package diag_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

// find returns the span of the n-th (from 0) occurrence of text in content, and the file around it.
func find(t *testing.T, content, text string, n int) source.Span {
	t.Helper()
	f := source.NewFile("agents/x/AGENT.md", []byte(content))
	at := 0
	for ; n >= 0; n-- {
		i := strings.Index(content[at:], text)
		if i < 0 {
			t.Fatalf("%q does not hold %q", content, text)
		}
		at += i
		if n > 0 {
			at += len(text)
		}
	}

	return source.Span{File: f, Start: at, End: at + len(text)}
}

func text(t *testing.T, o diag.TextOptions, findings ...*diag.Diagnostic) string {
	t.Helper()
	var b strings.Builder
	if err := diag.Text(&b, findings, o); err != nil {
		t.Fatal(err)
	}

	return b.String()
}

func TestTextOfTheDocumentation(t *testing.T) {
	content := "---\nname: smart-critic\n\n\n\nstates:\n  draft:\n    - good-enough: done\n    - needs-work: critque\n  critique: refine\n"
	span := find(t, content, "critque", 0)
	start := strings.Index(content, "critique: refine")
	d := diag.New(diag.UndefinedState, span, `state "critque" is not defined in machine "smart-critic"`)
	d.Suggest("critque", []string{"draft", "critique", "refine", "done"})
	d.Note(source.Span{File: span.File, Start: start, End: start + 8}, "the states are draft, critique, refine, done")

	got := text(t, diag.TextOptions{Path: func(p string) string {
		return strings.Replace(p, "agents/x/", "agents/smart-critic/", 1)
	}}, d)
	want := `agents/smart-critic/AGENT.md:9:19: error: state "critque" is not defined in machine "smart-critic" [undefined-state]
   |
 9 |     - needs-work: critque
   |                   ^^^^^^^ did you mean "critique"?
agents/smart-critic/AGENT.md:10:3: note: the states are draft, critique, refine, done
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTextCarets(t *testing.T) {
	// Each case marks the text between « and »; want is what stands below the first line.
	long := strings.Repeat("0123456789", 40)
	cases := []struct{ name, source, want string }{
		{"multi-byte", "schlüssel: «größe» x", "" +
			"   |\n 1 | schlüssel: größe x\n   |            ^^^^^ hint\n"},
		{"wide", "状态: «完成» x", "" +
			"   |\n 1 | 状态: 完成 x\n   |       ^^^^ hint\n"},
		{"emoji", "a: «🚀» x", "" +
			"   |\n 1 | a: 🚀 x\n   |    ^^ hint\n"},
		{"combining", "e\u0301e\u0301: «x»", "" +
			"   |\n 1 | e\u0301e\u0301: x\n   |     ^ hint\n"},
		{"tabs", "\ta:\t«b\tc»", "" +
			"   |\n 1 |     a:  b   c\n   |         ^^^^^ hint\n"},
		{"byte order mark", "\ufeffname: «x»", "" +
			"   |\n 1 | name: x\n   |       ^ hint\n"},
		{"carriage return", "name: «x»\r\nb: c\r\n", "" +
			"   |\n 1 | name: x\n   |       ^ hint\n"},
		{"empty", "name:«»", "" +
			"   |\n 1 | name:\n   |      ^ hint\n"},
		{"empty in front of text", "name:«» x", "" +
			"   |\n 1 | name: x\n   |      ^ hint\n"},
		{"end of file", "name: x\n«»", "" +
			"   |\n 2 |\n   | ^ hint\n"},
		{"line number of two digits", strings.Repeat("\n", 9) + "«x»", "" +
			"    |\n 10 | x\n    | ^ hint\n"},
		{"control characters", "a: «\x1b[31m\x00\x7f» b", "" +
			"   |\n 1 | a: ␛[31m␀␡ b\n   |    ^^^^^^^ hint\n"},
		{"direction marks", "a: «x\u202ey» \u2028b", "" +
			"   |\n 1 | a: x<U+202E>y <U+2028>b\n   |    ^^^^^^^^^^ hint\n"},
		{"not UTF-8", "a: «\xff\xfe» b", "" +
			"   |\n 1 | a: \ufffd\ufffd b\n   |    ^^ hint\n"},
		{"two lines", "  «a: b  \n  c: d» e", "" +
			"   |\n 1 |   a: b\n   |   ^^^^^^\n 2 |   c: d e\n   |   ^^^^ hint\n"},
		{"many lines", "«a\nb\nc\nd\ne\nf\n\n»g", "" +
			"   |\n 1 | a\n   | ^\n 2 | b\n   | ^\n 3 | c\n   | ^\n...\n 6 | f\n   | ^ hint\n"},
		{"long line, place at its start", "«a»: " + long, "" +
			"   |\n 1 | a: " + long[:117] + "…\n   | ^ hint\n"},
		{"long line, place at its end", long + " «end»", "" +
			"   |\n 1 | …" + long[361:] + " end\n   | " + strings.Repeat(" ", 41) + "^^^ hint\n"},
		{"long line, place in its middle", long + " «mid» " + long, "" +
			"   |\n 1 | …" + long[361:] + " mid " + long[:75] + "…\n   | " + strings.Repeat(" ", 41) + "^^^ hint\n"},
		{"a place longer than a line may be", "a: «" + long + "»", "" +
			"   |\n 1 | a: " + long[:117] + "…\n   |    " + strings.Repeat("^", 117) + " hint\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			start := strings.Index(c.source, "«")
			content := strings.Replace(c.source, "«", "", 1)
			end := strings.Index(content, "»")
			content = strings.Replace(content, "»", "", 1)
			f := source.NewFile("f", []byte(content))
			d := diag.New(diag.BadValue, source.Span{File: f, Start: start, End: end}, "m").WithHint("hint")
			_, got, _ := strings.Cut(text(t, diag.TextOptions{}, d), "\n")
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestTextOfALineOfMegabytesIsShort(t *testing.T) {
	content := strings.Repeat("é", 1<<20) + "!" + strings.Repeat("x", 1<<20)
	d := diag.New(diag.Syntax, find(t, content, "!", 0), "m")
	got := text(t, diag.TextOptions{}, d)
	if len(got) > 1000 || !strings.Contains(got, "é!x") {
		t.Errorf("got %d bytes: %.1000s", len(got), got)
	}
}

func TestTextWithoutPlace(t *testing.T) {
	whole := source.Span{File: source.NewFile("agents/x_gen.go", []byte("package agents\n")), Start: -1, End: -1}
	d := diag.New(diag.StaleOutput, whole, "m").WithHint("run it").Note(source.Span{}, "a note")
	got := text(t, diag.TextOptions{}, d, diag.New(diag.BadValue, source.Span{}, "n"))
	want := "agents/x_gen.go: error: m [stale-output]\n   = run it\nnote: a note\nerror: n [bad-value]\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTextDefusesMessages(t *testing.T) {
	span := find(t, "a: b\n", "b", 0)
	d := diag.New(diag.BadValue, span, "x\x1b]0;evil\x07\ny\u202e").WithHint("\x1b[2J").Note(span, "a\rb")
	got := text(t, diag.TextOptions{Path: func(string) string { return "f\x1b\nname" }}, d)
	want := "f␛␊name:1:4: error: x␛]0;evil␇␊y<U+202E> [bad-value]\n   |\n 1 | a: b\n   |    ^ ␛[2J\nf␛␊name:1:4: note: a␍b\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestTextColour(t *testing.T) {
	d := diag.New(diag.MarkerNearAgent, find(t, "a: b\n", "b", 0), "m").WithHint("h").Note(source.Span{}, "n")
	got := text(t, diag.TextOptions{Colour: true}, d)
	want := "\x1b[1magents/x/AGENT.md:1:4:\x1b[0m \x1b[1;33mwarning:\x1b[0m m \x1b[2m[marker-near-agent]\x1b[0m\n" +
		"\x1b[2m   |\x1b[0m\n\x1b[2m 1 |\x1b[0m a: b\n\x1b[2m   |\x1b[0m    \x1b[1;33m^ h\x1b[0m\n\x1b[1;36mnote:\x1b[0m n\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// FuzzText checks that no source text, place or message can make a renderer panic, break out of its
// line or reach the terminal with anything but printable runes.
func FuzzText(f *testing.F) {
	f.Add([]byte("a: b\n"), 3, 4, "message")
	f.Add([]byte("\ufeff\x1b[2J\u202e\r\n\t状态"), 0, 99, "\n\x1b\u2066")
	f.Fuzz(func(t *testing.T, content []byte, start, end int, message string) {
		file := source.NewFile("f", content)
		start, end = min(max(start, 0), len(content)), min(max(end, 0), len(content))
		span := source.Span{File: file, Start: min(start, end), End: max(start, end)}
		d := diag.New(diag.Syntax, span, "%s", message).WithHint("%s", message).Note(span, "%s", message)
		got := text(t, diag.TextOptions{}, d)
		if n := strings.Count(got, "\n"); n > 12 {
			t.Errorf("%d lines:\n%q", n, got)
		}
		for _, r := range got {
			if r != '\n' && (r < 0x20 || r == 0x7f || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069) {
				t.Fatalf("%U in %q", r, got)
			}
		}
	})
}
