package mcp_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/board"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// needed are the rights of which a caller needs one for each tool, and arguments with which it can be called; a new tool needs an
// entry. Tools on runs need them beside seeing the run.
var needed = map[string]struct {
	rights []access.Right
	in     args
}{
	"fsm_transition":    {[]access.Right{access.Fire}, args{"fsm_id": "case", "key": "open", "agent_id": "ann"}},
	"fsm_state":         {[]access.Right{access.Fire, access.Read}, args{"fsm_id": "case"}},
	"fsm_history":       {[]access.Right{access.Fire, access.Read}, args{"fsm_id": "case"}},
	"fsm_pending":       {[]access.Right{access.Fire, access.Read}, args{"fsm_id": "case"}},
	"fsm_ack":           {[]access.Right{access.Fire}, args{"fsm_id": "case", "entries": []int{1}}},
	"fsm_snapshot":      {[]access.Right{access.Fire, access.Read}, args{"fsm_id": "case"}},
	"blackboard_read":   {[]access.Right{access.Fire, access.Read}, args{"key": "fsm:case:state"}},
	"blackboard_write":  {[]access.Right{access.Fire}, args{"key": "k", "value": 1}},
	"blackboard_list":   {[]access.Right{access.Fire, access.Read}, args{}},
	"blackboard_delete": {[]access.Right{access.Fire}, args{"key": "k"}},
	"blackboard_exists": {[]access.Right{access.Fire, access.Read}, args{"key": "fsm:case:state"}},
	"orchestrator_info": {nil, args{}},
	"agent_approve":     {[]access.Right{access.Start}, args{"task": "x", "wait": 0}},
	"agent_clerk":       {[]access.Right{access.Start}, args{"task": "x", "wait": 0}},
	"agent_letter":      {[]access.Right{access.Start}, args{"task": "x", "wait": 0, "context": args{}}},
	"run_status":        {nil, args{"run": "RUN"}},
	"run_answer":        {[]access.Right{access.Answer}, args{"run": "RUN", "question": "none", "value": "x"}},
	"run_cancel":        {[]access.Right{access.Cancel}, args{"run": "RUN"}},
}

// rightSets are sets with one right, that and read, all rights but one, and all of them, which an empty list means.
func rightSets() (sets [][]access.Right) {
	for _, right := range access.Rights() {
		allOthers := slices.DeleteFunc(access.Rights(), func(other access.Right) bool { return other == right })
		sets = append(sets, []access.Right{right}, []access.Right{right, access.Read}, allOthers)
	}

	return append(sets, nil)
}

// For each tool and each set of rights, for runs of the caller and of another: what happens is what the table says.
func TestRightsOfTools(t *testing.T) {
	var granted atomic.Pointer[access.Grant]
	granted.Store(&access.Grant{Name: "ann"})
	bob := lookupOf(t, "bob=bob-0123456789abcdef")
	lookup := func(token string) (access.Grant, bool) {
		if token == headToken {
			return *granted.Load(), true
		}
		return bob(token)
	}
	url := httpServer(t, desk(t, "", board.Options{}), lookup).URL
	ann, other := dial(t, at(url, headToken), nil), dial(t, at(url, "bob-0123456789abcdef"), nil)
	runs := map[bool]any{}
	for isOwn, c := range map[bool]*visitor{true: ann, false: other} {
		runs[isOwn] = c.want("agent_clerk", args{"task": "x"}, args{"status": "done"})["run"]
	}
	tools, err := ann.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		needs, known := needed[tool.Name]
		if !known {
			t.Errorf("tool %s: decide what a caller needs for it", tool.Name)
			continue
		}
		for _, rights := range rightSets() {
			for _, isOwn := range []bool{true, false} {
				g := access.Grant{Name: "ann", Rights: rights}
				granted.Store(&g)
				in, isRun := args{}, needs.in["run"] != nil
				for name, value := range needs.in {
					in[name] = value
				}
				want := ""
				if isRun {
					in["run"] = runs[isOwn]
				}
				switch {
				case isRun && !isOwn && !g.Has(access.Read):
					want = "UnknownRunError"
				case len(needs.rights) > 0 && !slices.ContainsFunc(needs.rights, g.Has):
					want = "RightError"
				}
				got, _ := ann.call(tool.Name, in)["errorType"].(string)
				if isRefusal := got == "UnknownRunError" || got == "RightError"; want != "" && got != want || want == "" && isRefusal {
					t.Errorf("%s with %v, own run %v: %q, want %q", tool.Name, rights, isOwn, got, want)
				}
			}
		}
	}
}

// A list of agents or machines limits what a caller starts, fires and sees.
func TestLists(t *testing.T) {
	var granted atomic.Pointer[access.Grant]
	lookup := func(string) (access.Grant, bool) { return *granted.Load(), true }
	granted.Store(&access.Grant{Name: "head"})
	c := dial(t, at(httpServer(t, desk(t, "", board.Options{}), lookup).URL, headToken), nil)
	c.want("fsm_transition", args{"fsm_id": "case", "key": "open", "agent_id": "head"}, args{"ok": true})
	c.want("blackboard_write", args{"key": "k", "value": 1}, args{"ok": true})

	granted.Store(&access.Grant{Name: "head", Agents: []string{"clerk"}, Machines: []string{"other"}})
	for tool, in := range map[string]args{
		"fsm_transition": {"fsm_id": "case/1", "key": "open", "agent_id": "head"}, "fsm_state": {"fsm_id": "case"}, "fsm_pending": {"fsm_id": "case"},
		"fsm_ack": {"fsm_id": "case", "entries": []int{1}}, "blackboard_read": {"key": "fsm:case:state"}, "blackboard_exists": {"key": "fsm:case:history"},
		"agent_approve": {"task": "x"},
	} {
		c.want(tool, in, args{"ok": false, "errorType": "RightError"})
	}
	c.checkAgentTools("agent_clerk")
	c.want("fsm_pending", args{}, args{"ok": true, "pending": []any{}})
	c.want("blackboard_list", args{}, args{"ok": true, "count": 1})
	c.want("orchestrator_info", args{}, args{"ok": true, "machines": []any{}, "agents": []any{"clerk"}})
	c.want("agent_clerk", args{"task": "x"}, args{"ok": true, "status": "done"})

	granted.Store(&access.Grant{Name: "head", Rights: []access.Right{access.Read}})
	c.checkAgentTools()
	granted.Store(&access.Grant{Name: "head", Machines: []string{"case"}})
	c.checkAgentTools("agent_approve", "agent_clerk", "agent_letter")
	c.want("fsm_state", args{"fsm_id": "case"}, args{"ok": true})
	c.want("blackboard_list", args{}, args{"ok": true, "count": 3})
}

// checkAgentTools holds the agents among the tools that the caller is shown against names.
func (c *visitor) checkAgentTools(want ...string) {
	c.Helper()
	tools, err := c.session.ListTools(c.Context(), nil)
	if err != nil {
		c.Fatal(err)
	}
	var got []string
	for _, tool := range tools.Tools {
		if strings.HasPrefix(tool.Name, "agent_") {
			got = append(got, tool.Name)
		}
	}
	if !slices.Equal(got, want) || len(tools.Tools) == len(got) {
		c.Errorf("the list of tools has the agents %v of %d tools, want %v", got, len(tools.Tools), want)
	}
}

// On stdin a token says who calls, and one that is revoked while it is in use counts no more.
func TestTokenOnStdin(t *testing.T) {
	t.Setenv("AGENTC_TOKEN", "")
	dir := t.TempDir()
	t.Chdir(dir)
	head, err := access.Add(access.DefaultFile, access.Grant{Name: "head", Rights: []access.Right{access.Fire}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"head.token": head + "\n", "empty": "", "wrong": "wrong-0123456789abcdef", "broken": "tokens: ["} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const archive = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"fsm_transition","arguments":{"fsm_id":"case","key":"archive","agent_id":"head"}}}` + "\n"
	for args, want := range map[string]struct {
		code           int
		stdout, stderr string
	}{
		"mcp":                         {cli.Problem, "", ".agentc/tokens.yaml defines who may do what, so that you need a token: --token-file FILE, or the variable AGENTC_TOKEN"},
		"mcp --as head":               {cli.Usage, "", "--as names the caller where there are no tokens, and with .agentc/tokens.yaml no caller can"},
		"mcp --token-file wrong":      {cli.Problem, "", "the token of --token-file wrong is none of those in .agentc/tokens.yaml"},
		"mcp --token-file empty":      {cli.Problem, "", "the token of --token-file empty is none"},
		"mcp --token-file none":       {cli.Usage, "", "there is no such file"},
		"mcp --tokens broken":         {cli.Problem, "", "broken:1: "},
		"mcp --operators eve":         {cli.Problem, "", "no token has the name eve"},
		"mcp --token-file head.token": {cli.Done, `\"key\":\"archive\"`, ""},
	} {
		var out, errs strings.Builder
		code := app.Options{}.Run(agents.New(), append([]string{"-C", dir}, strings.Fields(args)...), strings.NewReader(hello+"\n"+archive), &out, &errs)
		if code != want.code || !strings.Contains(out.String(), want.stdout) || !strings.Contains(errs.String(), want.stderr) {
			t.Errorf("%s: exit code %d\n%s%s", args, code, &out, &errs)
		}
	}

	if err := os.Remove(access.DefaultFile); err != nil {
		t.Fatal(err)
	}
	var out, errs strings.Builder
	code := app.Options{}.Run(agents.New(), []string{"-C", dir, "mcp", "--as", "head"}, strings.NewReader(""), &out, &errs)
	if code != cli.Problem || !strings.Contains(errs.String(), "--as head proves nothing, and the access rules of machine case name callers") {
		t.Errorf("without tokens: exit code %d\n%s", code, &errs)
	}
	code = app.Options{}.Run(agents.New(), []string{"-C", dir, "mcp", "--operators", "head"}, strings.NewReader(""), &out, &errs)
	if code != cli.Usage || !strings.Contains(errs.String(), "there are no tokens") {
		t.Errorf("operators without tokens: exit code %d\n%s", code, &errs)
	}
}

// A connection whose token is revoked while it is open does nothing any more, not even to its own runs.
func TestRevokedOnStdin(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens.yaml")
	token, err := access.Add(path, access.Grant{Name: "head", Rights: access.Rights()})
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := access.Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	head, err := access.Holder(tokens.Lookup, token)
	if err != nil {
		t.Fatal(err)
	}
	c := connect(t, server(t, journal.Memory(), mcp.Options{Caller: head}), nil)
	run := c.want("agent_approve", args{"task": "x"}, args{"status": "paused"})["run"]
	if err := access.Revoke(path, "head"); err != nil {
		t.Fatal(err)
	}
	for tool, in := range map[string]args{
		"run_status": {"run": run}, "run_answer": {"run": run, "question": "approve", "value": "yes"}, "agent_approve": {"task": "x"}, "orchestrator_info": {},
	} {
		c.want(tool, in, args{"ok": false, "errorType": "TokenError", "error": "the token of head has been revoked"})
	}
}
