package yamldoc_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/source"
	"github.com/agentc-dev/agentc/gen/internal/yamldoc"
)

// TestLargeFile reads ten million bytes and looks at the last place, which any slip before it would move.
func TestLargeFile(t *testing.T) {
	text := largeDocuments(10_000_000)["states"] + "last: value\n"
	root := parse(t, text)
	last := root.Fields[len(root.Fields)-1]
	if last.Key.Text != "last" || last.Value.Span.Text() != "value" {
		t.Errorf("the last field is %q: %q", last.Key.Text, last.Value.Span.Text())
	}
	if want := strings.Count(text, "\n"); last.Key.Span.Pos().Line != want {
		t.Errorf("it stands on line %d, want %d", last.Key.Span.Pos().Line, want)
	}
}

// TestLargeMistake looks for a mistake behind a million bytes that are right.
func TestLargeMistake(t *testing.T) {
	text := largeDocuments(1_000_000)["states"]
	line := strings.Count(text, "\n") + 2
	_, found := yamldoc.Parse(source.NewFile("a.yaml", []byte(text+"last:\n\t- x: y\n")))
	if len(found) != 1 || found[0].Span.Pos() != (source.Pos{Line: line, Column: 1}) {
		t.Errorf("found %s", lines(found))
	}
}

// TestAliasesAreBounded: nine lines may not stand for a billion values, and those below the bound are all there.
func TestAliasesAreBounded(t *testing.T) {
	list := "a: &a [" + strings.Repeat("x, ", 99) + "x]\n" // 101 nodes
	for _, tt := range []struct {
		aliases int
		ok      bool
	}{{99, true}, {100, false}} {
		text := list + "b: [" + strings.Repeat("*a, ", tt.aliases-1) + "*a]\n"
		root, found := yamldoc.Parse(source.NewFile("a.yaml", []byte(text)))
		if (len(found) == 0) != tt.ok {
			t.Fatalf("%d aliases: found %q", tt.aliases, lines(found))
		}
		if tt.ok && len(root.Value("b").Items[tt.aliases-1].Items) != 100 {
			t.Errorf("%d aliases: the last is not whole", tt.aliases)
		}
		if !tt.ok && !strings.HasSuffix(text[:found[0].Span.End], "*a") {
			t.Errorf("%d aliases: found at %q", tt.aliases, found[0].Span.Text())
		}
	}
}
