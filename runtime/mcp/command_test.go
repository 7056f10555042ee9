package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
)

// The command says what is wrong before it serves anybody.
func TestCommand(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
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
		{"mcp --store none --replay none.jsonl", "", cli.Usage, "", "no such file"},
		{"mcp --store none --record short", "", cli.Problem, "", "it is not a recording"},
		{"mcp --store none --script s.json --replay good", "", cli.Usage, "", "give one of them"},
		{"mcp --store none --agent clrk", "", cli.Usage, "", `there is no agent "clrk" (did you mean "clerk"?)`},
		{"mcp --store none --agent case", "", cli.Problem, "", `"case" is a machine that others drive`},
		{"mcp --store none --script wrong.json", "", cli.Problem, "", "wrong.json"},
		{"mcp --store good", "", cli.Failure, "", "--store good: "},
		{"mcp --store none --http 0.0.0.0:0", "", cli.Failure, "", "can be reached from other machines"},
		{"mcp --store none --http nowhere", "", cli.Failure, "", "nowhere"},
		{"mcp --store none --http 127.0.0.1:0 --tokens short", "", cli.Problem, "", "short:1: the token of head is shorter"},
		{"mcp --store none --http 127.0.0.1:0 --tokens none", "", cli.Failure, "", "no such file"},
		{"mcp --store none --http 127.0.0.1:0 --tokens good --as head", "", cli.Usage, "", "--as names the caller where there are no tokens"},
		{"mcp extra", "", cli.Usage, "", "extra"},
	}
	for _, test := range tests {
		var out, errs strings.Builder
		args := append([]string{"-C", dir}, strings.Fields(test.args)...)
		code := app.Options{}.Run(agents.New(), args, strings.NewReader(test.in), &out, &errs)
		if code != test.code || !strings.Contains(out.String(), test.stdout) || !strings.Contains(errs.String(), test.stderr) {
			t.Errorf("%s: exit code %d\n%s%s", test.args, code, &out, &errs)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".agentc", "board")); err != nil {
		t.Errorf("without --store there is no record: %v", err)
	}
}

// What the agents of calls have asked is recorded, call after call, and each call plays a recording from its beginning.
func TestRecordedCalls(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	calls := func(flags, task string, times int) string {
		in := hello + "\n"
		for i := range times {
			in += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"agent_clerk","arguments":{"task":"%s"}}}`+"\n",
				i+2, task)
		}
		var out, errs strings.Builder
		args := append([]string{"-C", dir, "mcp", "--store", "none", "--agent", "clerk"}, strings.Fields(flags)...)
		if code := (app.Options{}).Run(agents.New(), args, strings.NewReader(in), &out, &errs); code != cli.Done {
			t.Fatalf("%s: exit code %d\n%s%s", flags, code, &out, &errs)
		}

		return out.String()
	}
	const filed = `\"result\":{\"key\":\"done\",\"value\":\"a letter, filed\",\"json\":false}`
	if out := calls("--record r.jsonl", "a letter", 1); strings.Count(out, filed) != 1 {
		t.Fatalf("recorded:\n%s", out)
	}
	recorded, err := os.ReadFile(filepath.Join(dir, "r.jsonl"))
	if err != nil || strings.Count(string(recorded), "\n") != 2 || !strings.Contains(string(recorded), `"reply":{"text":"a letter, filed"`) {
		t.Fatalf("%v\n%s", err, recorded)
	}
	if out := calls("--replay r.jsonl", "a letter", 2); strings.Count(out, filed) != 2 {
		t.Errorf("replayed:\n%s", out)
	}
	if out := calls("--replay r.jsonl", "a parcel", 1); !strings.Contains(out, "+a parcel") || !strings.Contains(out, `MissError`) {
		t.Errorf("what nobody has recorded:\n%s", out)
	}
}
