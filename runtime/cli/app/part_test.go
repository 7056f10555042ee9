package app

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// greeting is a part that is a command, silent one that is none.
type (
	greeting struct{}
	silent   struct{}
)

func (greeting) Part() string { return "mcp" }

func (greeting) Commands(p *compiled.Program) []*cli.Command {
	return []*cli.Command{{Name: "mcp", Summary: "greet", Run: func(c *cli.Call) error {
		fmt.Fprintln(c.Stdout, "good morning from", p.Name)
		return nil
	}}}
}

func (silent) Part() string { return "otel" }

func (silent) Close(w io.Writer) { fmt.Fprintln(w, "silent has closed") }

// with is a program that carries parts.
type with []compiled.Part

func (w with) Program() *compiled.Program { return &compiled.Program{Name: "desk", Parts: w} }

func TestPartsAreCommands(t *testing.T) {
	tests := []struct {
		parts          with
		word           string
		code           int
		stdout, stderr string
	}{
		{with{silent{}, greeting{}}, "mcp", cli.Done, "good morning from desk\n", ""},
		{with{silent{}}, "mcp", cli.Usage, "", "include: [mcp]"},
		{with{silent{}}, "otel", cli.Usage, "", `unknown command "otel"`},
		{with{greeting{}}, "serve", cli.Usage, "", "include: [serve]"},
		{with{greeting{}}, "worker", cli.Usage, "", "include: [temporal]"},
		{with{greeting{}}, "--help", cli.Done, "greet", ""},
	}
	for _, test := range tests {
		var out, errs strings.Builder
		code := Options{}.Run(test.parts, []string{test.word}, strings.NewReader(""), &out, &errs)
		if slices.Contains(test.parts, compiled.Part(silent{})) != strings.HasSuffix(errs.String(), "silent has closed\n") {
			t.Errorf("%v %s: the last words are\n%s", test.parts, test.word, &errs)
		}
		if code != test.code || !strings.Contains(out.String(), test.stdout) || !strings.Contains(errs.String(), test.stderr) {
			t.Errorf("%v %s: exit code %d\n%s%s", test.parts, test.word, code, &out, &errs)
		}
	}
}
