package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// Tokens are added, listed and revoked, and a mistake changes nothing.
func TestTokenCommand(t *testing.T) {
	t.Chdir(t.TempDir())
	k := &clerk{shape: "s1"}
	for _, c := range []struct {
		args           string
		code           int
		stdout, stderr string
	}{
		{"token", cli.Usage, "", "token add NAME, token list or token revoke NAME?"},
		{"token ad ann", cli.Usage, "", "token add NAME, token list or token revoke NAME?"},
		{"token list", cli.Problem, "", "there is no tokens file .agentc/tokens.yaml: token add NAME makes it"},
		{"token list ann", cli.Usage, "", `"ann" is one argument too many`},
		{"token revoke", cli.Usage, "", "whose token? token revoke NAME"},
		{"token revoke ann", cli.Problem, "", `no token has the name "ann"`},
		{"token add", cli.Usage, "", "whose token? token add NAME"},
		{"token add ann", cli.Usage, "", "what may ann do? --rights RIGHTS"},
		{"token add ann --rights raed", cli.Usage, "", `--rights: there is no right "raed" (did you mean "read"?)`},
		{"token add ann --rights all,read", cli.Usage, "", `there is no right "all"`},
		{"token add ann --rights ,", cli.Usage, "", "--rights names no right"},
		{"token add ann --rights read --agents clrk", cli.Usage, "", `--agents: the program has no agent "clrk" (did you mean "clerk"?)`},
		{"token add ann --rights fire --machines m", cli.Usage, "", `--machines: the program has no machine "m"`},
		{"token add * --rights read", cli.Problem, "", "cannot be a name"},
		{"token list --rights read", cli.Usage, "", "--rights belongs to token add"},
		{"token add ann --rights read --json", cli.Usage, "", "--json belongs to token list"},
		{"token add ann --rights read,answer --agents clerk --questions approve", cli.Done, "agentc_", "ann has a token in .agentc/tokens.yaml, which is printed only now"},
		{"token add bob --rights start --agents clerk --questions aprove --tokens new.yaml", cli.Done, "agentc_", `note: --questions: no question "aprove" of the program is known before it is asked (did you mean "approve"?)`},
		{"token add eve --rights start --questions unknown:mail.send --tokens new.yaml", cli.Done, "agentc_", "only now\nclerk: note: without --agents, eve can also start alone what other agents run, past what those ask and check: draft\n"},
		{"token add ann --rights read", cli.Problem, "", `there are two tokens with the name "ann"`},
		{"token add boss --rights all", cli.Done, "agentc_", "note: without --agents, boss can"},
		{"token list", cli.Done, "ann   read, answer; agents: clerk; questions: approve\nboss  start, read, answer, cancel, fire, admin\n", ""},
		{"token list --json", cli.Done, `{"name":"ann","rights":["read","answer"],"agents":["clerk"],"questions":["approve"],"machines":[]}` + "\n", ""},
		{"token revoke ann", cli.Done, "", "the token of ann is revoked"},
		{"token list", cli.Done, "boss  start, read, answer, cancel, fire, admin\n", ""},
		{"token add eve --rights read --tokens other.yaml", cli.Done, "agentc_", "eve has a token in other.yaml"},
	} {
		code, stdout, stderr := k.at(strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stdout, c.stdout) || c.stdout == "" && stdout != "" || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s: exit code %d, stdout %q, stderr:\n%s", c.args, code, stdout, stderr)
		}
		if isNoted := strings.Contains(stderr, "note: "); isNoted != strings.Contains(c.stderr, "note: ") {
			t.Errorf("%s: stderr:\n%s", c.args, stderr)
		}
	}
}

// Where there is a tokens file, the commands that a server would need a right for need it, too, and a name is no token.
func TestCommandsNeedTokens(t *testing.T) {
	k := pausedClerk(t)
	files := map[string]access.Grant{
		"front.token":     {Name: "front", Rights: []access.Right{access.Start}},
		"reader.token":    {Name: "reader", Rights: []access.Right{access.Read, access.Answer, access.Cancel}, Questions: []string{"other"}},
		"starter.token":   {Name: "starter", Rights: []access.Right{access.Read, access.Start}},
		"canceller.token": {Name: "canceller", Rights: []access.Right{access.Read, access.Start, access.Cancel}},
		"other.token":     {Name: "other", Rights: access.Rights(), Agents: []string{"other"}},
		"head.token":      {Name: "head", Rights: []access.Right{access.Read, access.Answer}, Questions: []string{"approve"}},
	}
	for name, g := range files {
		token, err := access.Add(access.DefaultFile, g)
		if err == nil {
			err = os.WriteFile(name, []byte(token+"\n"), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("AGENTC_TOKEN", "")
	for _, c := range []struct {
		args   string
		code   int
		stderr string
	}{
		{"answer last approve yes", cli.Problem, ".agentc/tokens.yaml defines who may do what, so that you need a token"},
		{"answer last approve yes --by head", cli.Problem, "so that you need a token"},
		{"cancel last --by head", cli.Problem, "so that you need a token"},
		{"fork last --at 1", cli.Problem, "so that you need a token"},
		{"answer last approve yes --token-file front.token", cli.Problem, "no such run"},
		{"answer last approve yes --token-file other.token", cli.Problem, "no such run"},
		{"answer last approve yes --token-file reader.token", cli.Problem, `the token of reader has the right "answer" for the questions other, and not for "approve"`},
		{"cancel last --token-file head.token", cli.Problem, `the token of head does not have the right "cancel"`},
		{"fork last --at 1 --token-file head.token", cli.Problem, `the token of head does not have the right "admin"`},
		{"answer last approve yes --by ada --token-file head.token", cli.Problem, "the token belongs to head, and --by cannot name ada"},
		{"answer last approve yes --force-shape --token-file head.token", cli.Problem, `the token of head does not have the right "admin"`},
		{"resume last", cli.Problem, "so that you need a token"},
		{"resume last --token-file head.token", cli.Problem, `the token of head does not have the right "start"`},
		{"answer last approve yes --no-resume --script s.json --token-file head.token", cli.Done, "the answer is recorded"},
		{"cancel last --by reader --token-file reader.token", cli.Done, "is cancelled"},
		{"resume last --token-file starter.token", cli.Problem, `the token of starter does not have the right "cancel"`},
		{"resume last --force-shape --token-file canceller.token", cli.Problem, `the token of canceller does not have the right "admin"`},
	} {
		code, stdout, stderr := k.at(strings.Fields(c.args)...)
		if code != c.code || stdout != "" || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s: exit code %d, stdout %q, stderr:\n%s", c.args, code, stdout, stderr)
		}
	}
	if _, stdout, _ := k.at("runs", "show", "last"); !strings.Contains(stdout, "answer by head: yes") {
		t.Errorf("stdout:\n%s", stdout)
	}

	if code, stdout, stderr := k.at("resume", "last", "--script", "s.json", "--token-file", "canceller.token"); code != cli.Done {
		t.Errorf("who may cancel and start runs cannot resume one: exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
	if _, stdout, _ := k.at("runs", "show", "last"); !strings.Contains(stdout, "by canceller, done") {
		t.Errorf("stdout:\n%s", stdout)
	}

	if err := os.Remove(filepath.FromSlash(access.DefaultFile)); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := k.at("cancel", "last", "--token-file", "head.token"); code != cli.Usage || !strings.Contains(stderr, "there is no tokens file") {
		t.Errorf("a token without a tokens file: exit code %d, %s", code, stderr)
	}
}
