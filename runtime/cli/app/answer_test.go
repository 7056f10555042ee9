package app

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// pausedClerk is a run of clerk that waits for its answer.
func pausedClerk(t *testing.T) *clerk {
	t.Helper()
	scripts(t, map[string]string{"s.json": noAnswer})
	k := &clerk{shape: "s1"}
	if code, _, stderr := k.at("run", "--script", "s.json", "write to ada"); code != cli.Paused {
		t.Fatalf("exit code %d, %s", code, stderr)
	}

	return k
}

func TestAnswer(t *testing.T) {
	k := pausedClerk(t)
	for _, c := range []struct {
		args   string
		code   int
		stdout string
		stderr string
	}{
		{"answer", cli.Usage, "", "which run?"},
		{"answer last", cli.Usage, "", "QUESTION and ANSWER are missing: answer RUN QUESTION ANSWER"},
		{"answer last approve", cli.Usage, "", "ANSWER is missing, unless \"approve\" is one: then QUESTION is: answer RUN"},
		{"answer last approve perhaps", cli.Problem, "", `question "approve" of run RUN: the answer "perhaps" is not one of "yes", "no"`},
		{"answer last aprove yes", cli.Problem, "", `it waits for "approve"`},
		{"answer lost approve yes", cli.Usage, "", `(did you mean "last"?)`},
		{"answer last approve Y --by ada --no-resume --script s.json", cli.Done, "", "the answer is recorded; to resume: clerk resume RUN --script s.json\n"},
		{"answer last approve no --by bob --script s.json", cli.Problem, "", `question "approve" of run RUN has been answered by ada: "yes"`},
		{"resume last --script s.json", cli.Done, "a letter: yes\n", ""},
		{"answer last approve yes", cli.Problem, "", "has been answered by ada"},
		{"runs show last", cli.Done, "answer by ada: yes", ""},
	} {
		code, stdout, stderr := k.at(strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(stdout, c.stdout) || c.stdout == "" && stdout != "" || !strings.Contains(unhurried(stderr), c.stderr) {
			t.Errorf("%s: exit code %d, stdout %q, stderr:\n%s", c.args, code, stdout, stderr)
		}
	}
	if k.sent != 1 {
		t.Errorf("the letter was sent %d times", k.sent)
	}
}

func TestAnswerGoesOn(t *testing.T) {
	k := pausedClerk(t)
	t.Setenv("USER", "carl")
	code, stdout, stderr := k.at("answer", "last", "approve", "yes", "--script", "s.json")
	if code != cli.Done || stdout != "a letter: yes\n" || k.sent != 1 || stderr != "clerk: approve --yes--> end\n" {
		t.Errorf("exit code %d, stdout %q, sent %d times, stderr:\n%s", code, stdout, k.sent, stderr)
	}
	if _, stdout, _ := k.at("runs", "show", "last"); !strings.Contains(stdout, "answer by carl: yes") {
		t.Errorf("stdout:\n%s", stdout)
	}
}

// Where the environment does not name the user, the system does.
func TestAnswerNamesTheUser(t *testing.T) {
	k := pausedClerk(t)
	t.Setenv("USER", "")
	t.Setenv("USERNAME", "")
	if code, _, stderr := k.at("answer", "last", "approve", "yes", "--no-resume"); code != cli.Done {
		t.Fatal(code, stderr)
	}
	if of := lastRun(t, k); len(of.Answers) != 1 || of.Answers[0].By == "" {
		t.Errorf("the answers are %+v", of.Answers)
	}
}

// lastRun is the newest run, as runs show --json has it.
func lastRun(t *testing.T, k *clerk) (of client.Run) {
	t.Helper()
	_, stdout, _ := k.at("runs", "show", "last", "--json")
	if err := json.Unmarshal([]byte(stdout), &of); err != nil {
		t.Fatalf("%v:\n%s", err, stdout)
	}

	return of
}

// Two branches wait; each answer goes on until the next question.
func TestAnswersOfBranches(t *testing.T) {
	t.Chdir(t.TempDir())
	var out, errs strings.Builder
	if code := (Options{}).Run(desk{}, []string{"run", "--agent", "both", "money", "--script", "s.json"}, strings.NewReader(""), &out, &errs); code != cli.Usage {
		t.Fatal(code, errs.String())
	}
	if err := os.WriteFile("s.json", []byte(`{"*": []}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  []string
		stdin string
		code  int
		says  string
	}{
		{[]string{"run", "--agent", "both", "money"}, "", cli.Paused, "desk answer RUN approve@1 yes --script s.json"},
		{[]string{"answer", "last", "approve@1", "-"}, "no\n", cli.Paused, `question "approve@0" waits for an answer`},
		{[]string{"answer", "last", "approve@0", "yes"}, "", cli.Done, `"approve":"yes to money"`},
	} {
		var out, errs strings.Builder
		code := Options{}.Run(desk{}, append(c.args, "--script", "s.json"), strings.NewReader(c.stdin), &out, &errs)
		if text := unhurried(out.String() + errs.String()); code != c.code || !strings.Contains(text, c.says) {
			t.Errorf("%q: exit code %d, %s", c.args, code, text)
		}
	}
}

func TestCancel(t *testing.T) {
	k := pausedClerk(t)
	code, stdout, stderr := k.at("cancel", "last", "--by", "eve")
	if code != cli.Done || stdout != "" || unhurried(stderr) != "clerk: run RUN is cancelled; to resume: clerk resume RUN\n" {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
	if _, stdout, _ := k.at("runs", "--status", "cancelled"); strings.Count(stdout, "\n") != 2 {
		t.Errorf("stdout:\n%s", stdout)
	}
	if code, _, stderr := k.at("cancel", "last"); code != cli.Problem || !strings.Contains(stderr, "has ended: cancelled") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	if code, _, stderr := k.at("answer", "last", "approve", "yes", "--script", "s.json"); code != cli.Problem ||
		!strings.Contains(stderr, "takes no answer: the run was cancelled by eve; resume it first") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	if code, _, stderr := k.at("resume", "last", "--script", "s.json"); code != cli.Paused {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	if code, stdout, stderr := k.at("answer", "last", "approve", "yes", "--script", "s.json"); code != cli.Done || stdout != "a letter: yes\n" {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
}

func TestFork(t *testing.T) {
	golden := goldenFile(t, "clerk-fork")
	k := pausedClerk(t)
	if err := os.WriteFile("better.txt", []byte("a better letter"), 0o600); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"fork": "which run?", "fork last": "--at ADDRESS is required: the number after # in clerk runs show last", "fork last --at 1 --reply nothing.txt": "--reply: ",
	} {
		if code, _, stderr := k.at(strings.Fields(args)...); code != cli.Usage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, stderr:\n%s", args, code, stderr)
		}
	}
	if code, _, stderr := k.at("fork", "last", "--at", "9"); code != cli.Problem || !strings.Contains(stderr, "the run has no such effect") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}

	original := pausedRun(t, k)
	t.Setenv("USER", "eve")
	code, stdout, stderr := k.at("fork", "last", "--at", "1", "--reply", "better.txt", "--no-resume")
	copied := strings.TrimSuffix(stdout, "\n")
	if code != cli.Done || runID.FindString(copied) != copied || k.sent != 1 {
		t.Errorf("exit code %d, stdout %q, sent %d times, stderr:\n%s", code, stdout, k.sent, stderr)
	}
	if _, stdout, _ := k.at("runs", "--status", "paused"); !strings.Contains(stdout, "not resumed: resume continues it") {
		t.Errorf("a fork that waits is listed as:\n%s", stdout)
	}
	if _, stdout, _ := k.at("runs", "show", copied, "--json"); !strings.Contains(stdout, `"by":"eve"`) {
		t.Errorf("nobody has made the fork:\n%s", stdout)
	}
	code, _, stderr = k.at("fork", original, "--at", "1", "--reply", "better.txt", "--script", "s.json")
	if code != cli.Paused || k.sent != 2 || !strings.Contains(unhurried(stderr), "run RUN is a copy of run RUN\n") {
		t.Errorf("exit code %d, sent %d times, stderr:\n%s", code, k.sent, stderr)
	}
	code, stdout, stderr = k.at("answer", "last", "approve", "no", "--by", "ada", "--script", "s.json")
	if code != cli.Done || stdout != "a better letter: no\n" {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
	_, stdout, _ = k.at("runs", "show", "last")
	golden(unhurried(stdout))

	if _, stdout, _ = k.at("runs", "--status", "paused"); !strings.Contains(stdout, original) {
		t.Errorf("the first run is not as it was:\n%s", stdout)
	}
}

// pausedRun is the one run that waits.
func pausedRun(t *testing.T, k *clerk) string {
	t.Helper()
	_, stdout, stderr := k.at("runs", "--status", "paused", "--json")
	var run client.Run
	if err := json.Unmarshal([]byte(stdout), &run); err != nil {
		t.Fatalf("%v: %s%s", err, stdout, stderr)
	}

	return run.ID
}
