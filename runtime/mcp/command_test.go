package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/app"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
)

// The command says what is wrong before it serves anybody.
func TestCommand(t *testing.T) {
	t.Setenv("AGENTC_MCP_TOKENS", "")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"short": "head=x", "good": "head=" + headToken, "s.json": `{"clerk": [{"say": "filed"}]}`, "wrong.json": `{"clrk": []}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		args, in       string
		code           int
		stdout, stderr string
	}{
		{"mcp --help", "", cli.Done, "serve machines and agents", ""},
		{"mcp", "", cli.Done, "", ""},
		{"mcp --store none --agent clerk --script s.json", hello + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/call",` +
			`"params":{"name":"agent_clerk","arguments":{"task":"x"}}}` + "\n", cli.Done, `"id":2`, ""},
		{"mcp --store none --agent clrk", "", cli.Usage, "", `there is no agent "clrk" to run (did you mean "clerk"?)`},
		{"mcp --store none --agent case", "", cli.Usage, "", `there is no agent "case" to run`},
		{"mcp --store none --script wrong.json", "", cli.Problem, "", "wrong.json"},
		{"mcp --store good", "", cli.Failure, "", "--store good: "},
		{"mcp --store none --http 0.0.0.0:0", "", cli.Failure, "", "can be reached from other machines"},
		{"mcp --store none --http nowhere", "", cli.Failure, "", "nowhere"},
		{"mcp --store none --http 127.0.0.1:0 --tokens short", "", cli.Problem, "", "short:1: the token of head is shorter"},
		{"mcp --store none --http 127.0.0.1:0 --tokens none", "", cli.Failure, "", "no such file"},
		{"mcp --store none --http 127.0.0.1:0 --tokens good --as head", "", cli.Usage, "", "--as says who calls without a credential"},
		{"mcp extra", "", cli.Usage, "", "extra"},
	}
	for _, test := range tests {
		var out, errs strings.Builder
		args := append([]string{"-C", dir}, strings.Fields(test.args)...)
		code := app.Run(agents.New(), args, strings.NewReader(test.in), &out, &errs)
		if code != test.code || !strings.Contains(out.String(), test.stdout) || !strings.Contains(errs.String(), test.stderr) {
			t.Errorf("%s: exit code %d\n%s%s", test.args, code, &out, &errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".agentc", "board")); err != nil {
		t.Errorf("without --store there is no record: %v", err)
	}
}
