package command

import (
	"os"
	"testing"

	"github.com/agentc-dev/agentc/gen"
)

// TestNewCall: what agentc prints, and the Go that it writes, make the program by the names that
// the project has.
func TestNewCall(t *testing.T) {
	for _, c := range []struct{ config, own, generated string }{
		{"", "agents.New(tools{})", "generated.New(struct{ generated.Tools }{})"},
		{"rename: {New: NewDesk, Tools: DeskTools}\n", "agents.NewDesk(tools{})", "generated.NewDesk(struct{ generated.DeskTools }{})"},
	} {
		dir := unpack(t, t.TempDir(), clerk, "-- agentc.yaml --\n"+c.config)
		result, err := gen.Compile(t.Context(), gen.Options{FS: os.DirFS(dir)})
		if err != nil || result.HasErrors() {
			t.Fatal(err, result.Diagnostics)
		}
		if got := newCall(result.Program); got != c.own {
			t.Errorf("%q: %s, want %s", c.config, got, c.own)
		}
		if got := generatedNewCall(result.Program); got != c.generated {
			t.Errorf("%q: %s, want %s", c.config, got, c.generated)
		}
	}
}
