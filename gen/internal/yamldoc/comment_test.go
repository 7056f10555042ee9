package yamldoc_test

import (
	"path"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/tomldoc"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

func TestComments(t *testing.T) {
	// Every comment that is one holds the word yes, everything else that looks like one the word no.
	const yaml = `# agentc:ignore yes
a: 1 # yes
b: "# no"   # yes
c: 'it''s # no' # yes
d: it's # yes
e: a#no # yes
f: |  # yes
  # no
    # no

  # no
g: >-
  # no
# yes
h: "two
  # no
  lines" # yes
i: [ "# no", '# no', no#no ] # yes
j:
  - |2
     # no
  - - >
      # no
  - k: |
      # no
    l: 1 # yes
m: {n: "\"# no"} # yes
o: a|
   # yes
"p # no": 1	# yes
q: r ' # yes
`
	const toml = `# agentc:ignore yes
a = "# no" # yes
b = '# no\' # yes
c = """
# no
\""" # no
""" # yes
d = '''
# no''' # yes
e = 1# yes
`
	cases := []struct{ name, path, text string }{
		{"yaml", "agentc.yaml", yaml},
		{"yaml with carriage returns", "agentc.yml", strings.ReplaceAll(yaml, "\n", "\r\n")},
		{"toml", "tama.toml", toml},
		{"frontmatter", "agents/x/AGENT.md", "---\n" + yaml + "---\n# no\n"},
		{"frontmatter with a byte order mark", "agents/x/AGENT.md", "\ufeff---  \r\n" + strings.ReplaceAll(yaml, "\n", "\r\n") + "--- \r\n# no\n"},
		{"markdown without frontmatter", "agents/x/draft.md", "# no agentc:ignore\n"},
		{"frontmatter without an end", "agents/x/AGENT.md", "---\na: 1 # no agentc:ignore\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := 0
			for _, span := range commentsOf(t, source.NewFile(c.path, []byte(c.text))) {
				if got++; !strings.HasPrefix(span.Text(), "#") || strings.ContainsAny(span.Text(), "\r\n") ||
					strings.Contains(span.Text(), "no") && !strings.Contains(span.Text(), "agentc:ignore yes") {
					t.Errorf("%q is taken for a comment", span.Text())
				}
			}
			if want := strings.Count(c.text, "yes"); got != want {
				t.Errorf("%d comments found, want %d", got, want)
			}
		})
	}
}

// commentsOf parses a file by its kind, and returns its comments.
func commentsOf(t *testing.T, f *source.File) []source.Span {
	t.Helper()
	switch path.Ext(f.Path) {
	case ".md":
		_, _ = yamldoc.ParseFrontmatter(f)
	case ".toml":
		_, _ = tomldoc.Parse(f)
	default:
		if _, findings := yamldoc.Parse(f); len(findings) > 0 {
			t.Fatal(findings[0].Message)
		}
	}

	return f.Comments
}

// FuzzComments checks that no comment lies inside a text as the YAML parser sees it.
func FuzzComments(f *testing.F) {
	f.Add("a: \"# x\" # y\nb: |\n  # z\n")
	f.Add("- 'a\n  # b'\n- [c, # d\n  e]\n")
	f.Fuzz(func(t *testing.T, text string) {
		text = "x-note: 1 # agentc:\n" + text
		file := source.NewFile("agentc.yaml", []byte(text))
		root, findings := yamldoc.Parse(file)
		found := file.Comments
		if len(findings) > 0 || strings.Contains(text, "\t") {
			return
		}
		eachScalar(root, func(n *yamldoc.Node) {
			for _, c := range found {
				if n.Span.Start < c.Start && c.End <= n.Span.End && strings.Contains(n.Text, strings.TrimSpace(c.Text())) {
					t.Errorf("%q is taken for a comment and is part of the text %q", c.Text(), n.Text)
				}
			}
		})
	})
}

func eachScalar(n *yamldoc.Node, visit func(*yamldoc.Node)) {
	if n == nil {
		return
	}
	if n.Kind != yamldoc.Seq && n.Kind != yamldoc.Map {
		visit(n)
	}
	for _, item := range n.Items {
		eachScalar(item, visit)
	}
	for _, field := range n.Fields {
		visit(field.Key)
		eachScalar(field.Value, visit)
	}
}
