package command

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// Each command that reports as JSON does so by --format json and by --json, which does not go with
// another format.
func TestFormats(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic)
	tested := 0
	for _, c := range newProgram().Commands {
		at := slices.IndexFunc(c.Flags, func(f cli.Flag) bool { return f.Name == "format" })
		if at < 0 || !slices.Contains(c.Flags[at].Choices, formatText) {
			continue
		}
		tested++
		args := []string{c.Name}
		if c.Name == "diff" {
			args = append(args, ".", ".")
		}
		long := agentc(dir, "", append(args, "--format", "json")...)
		short := agentc(dir, "", append(args, "--json")...)
		if !json.Valid([]byte(long.stdout)) || long.stdout != short.stdout || long.code != short.code {
			t.Errorf("%s: --format json prints\n%s%s\n--json prints\n%s%s", c.Name, long.stdout, long.stderr, short.stdout, short.stderr)
		}
		both := agentc(dir, "", append(args, "--json", "--format", "text")...)
		if both.code != cli.Usage || !strings.Contains(both.stderr, "--json and --format text exclude each other") || both.stdout != "" {
			t.Errorf("%s --json --format text: %d, %s%s", c.Name, both.code, both.stdout, both.stderr)
		}
	}
	if tested != 6 {
		t.Errorf("%d commands report in several formats", tested)
	}
}
