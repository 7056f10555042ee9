package cli

import (
	"strings"
	"testing"
)

// TestHelpIsWrapped: paragraphs are joined and broken at 80 columns, and a line that begins with a space stays as it is.
func TestHelpIsWrapped(t *testing.T) {
	p := echo()
	p.Commands[0].Help = strings.Repeat("word ", 20) + "\nend\n  agentc echo " + strings.Repeat("x", 70) + "\nlast"
	p.Commands[0].Flags[2].Help = strings.Repeat("flag ", 20) + "end"
	var stdout strings.Builder
	env := &Env{Stdout: &stdout, Stderr: &stdout, Getenv: func(string) string { return "" }}
	if code := p.Run(env, []string{"echo", "--help"}); code != Done {
		t.Fatalf("exit code %d: %s", code, &stdout)
	}
	for _, want := range []string{
		"\n" + strings.TrimSpace(strings.Repeat("word ", 16)) + "\n" + strings.Repeat("word ", 4) + "end\n",
		"\n  agentc echo " + strings.Repeat("x", 70) + "\nlast\n",
		"flag end\n",
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the help lacks %q:\n%s", want, &stdout)
		}
	}
	for line := range strings.Lines(stdout.String()) {
		if isLiteral := strings.HasPrefix(line, "  agentc"); len(line) > columns && !isLiteral {
			t.Errorf("the line has %d columns: %s", len(line)-1, line)
		}
	}
}
