package check_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
)

// The pattern of a step is written where the file has room for it, and with the file's own line ends.
func TestStepBecomesReact(t *testing.T) {
	const head = "---\nname: blog\ndescription: Does its part.\nversion: \"1\"\npattern: critic\n---\n"
	cases := []struct{ name, draft, want string }{
		{"no head", "Call finish with it.\n", "---\npattern: react\n---\n\nCall finish with it.\n"},
		{"no head, blank lines", "\n\nCall finish with it.\n", "---\npattern: react\n---\n\n\n\nCall finish with it.\n"},
		{"no head, other line ends", "Call\r\nfinish with it.\r\n", "---\r\npattern: react\r\n---\r\n\r\nCall\r\nfinish with it.\r\n"},
		{"no head, byte order mark", "\ufeffCall finish with it.", "\ufeff---\npattern: react\n---\n\nCall finish with it."},
		{"empty head", "---\n---\nCall finish with it.\n", "---\npattern: react\n---\nCall finish with it.\n"},
		{"a head", "\ufeff---  \r\nrepair: 1\r\n---\r\nCall finish with it.",
			"\ufeff---  \r\npattern: react\r\nrepair: 1\r\n---\r\nCall finish with it."},
		{"a head that begins with a comment", "---\n# short\nrepair: 1\n---\nCall finish with it.",
			"---\npattern: react\n# short\nrepair: 1\n---\nCall finish with it."},
		{"a written pattern", "---\nrepair: 1\npattern: 'oneshot' # yes\n---\nCall finish with it.",
			"---\nrepair: 1\npattern: react # yes\n---\nCall finish with it."},
		{"an indented head", "---\n  repair: 1\n---\nCall finish with it.", ""},
		{"prose about a function", "Explain how to call `finish()` in Python trio.", ""},
		{"prose about functions", "You document a library. Its functions are start(), finish(code) and read_skill.", ""},
		{"a flow mapping", "---\n{repair: 1}\n---\nCall finish with it.", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a := &txtar.Archive{Files: []txtar.File{
				{Name: "agents/blog/AGENT.md", Data: []byte(head)},
				{Name: "agents/blog/draft.md", Data: []byte(c.draft)},
				{Name: "agents/blog/critique.md", Data: []byte("Criticise.")},
				{Name: "agents/blog/refine.md", Data: []byte("Refine.")},
			}}
			findings := compile(t, a)
			if len(findings) != 1 || len(findings[0].Fixes) > 0 != (c.want != "") {
				t.Fatalf("got\n%s", casetest.Text(t, findings))
			}
			if c.want == "" {
				return
			}
			apply(t, a, findings[0].Fixes[0])
			if got := string(a.Files[1].Data); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if after := compile(t, a); len(after) > 0 {
				t.Errorf("after the fix\n%s", casetest.Text(t, after))
			}
		})
	}
}
