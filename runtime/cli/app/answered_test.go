package app

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// An answer is recorded where the run cannot be resumed, for want of a key, a variable or a model. The command says so before it
// says what is missing, and exits with 1; the list of runs says that nothing but resume is needed.
func TestAnswerWithoutModel(t *testing.T) {
	scripts(t, map[string]string{"s.json": noAnswer, "yes.json": agrees})
	k := &clerk{shape: "s1"}
	if code, _, stderr := k.at("run", "--script", "s.json", "write to ada"); code != cli.Paused {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	code, stdout, stderr := k.at("answer", "last", "approve", "yes")
	recorded := strings.Index(stderr, "the answer is recorded, but the run is not resumed: ")
	if code != cli.Problem || stdout != "" || recorded < 0 || recorded > strings.Index(stderr, "script:none") ||
		!strings.Contains(stderr, "\nto resume: clerk resume ") {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
	var page, said strings.Builder
	code = Options{}.Run(&printer{clerk{shape: "s1"}}, []string{"runs", "show", "last", "--html", "-"}, strings.NewReader(""), &page, &said)
	if code != cli.Done || strings.Contains(page.String(), "waits for an answer") {
		t.Errorf("exit code %d, %s; the page of the answered run is\n%s", code, &said, &page)
	}
	if _, stdout, _ := k.at("runs"); !strings.Contains(stdout, "answered, and not resumed") {
		t.Errorf("runs prints\n%s", stdout)
	}
	if code, stdout, stderr := k.at("resume", "last", "--script", "yes.json"); code != cli.Done || stdout != "a letter: yes\n" {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
}

// A run that waits for an answer and needs another version of the program is marked in the list of runs. An answer is refused and names
// the flag that resumes it all the same.
func TestStrandedRunInList(t *testing.T) {
	scripts(t, map[string]string{"s.json": noAnswer, "yes.json": agrees})
	if code, _, stderr := (&clerk{shape: "s1"}).at("run", "--script", "s.json", "write to ada"); code != cli.Paused {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	next := &clerk{shape: "s2"}
	if _, stdout, _ := next.at("runs", "show", "last", "--json"); !strings.Contains(stdout, `"stranded":true`) {
		t.Errorf("runs show --json says %s", stdout)
	}
	if _, stdout, _ := next.at("runs"); !strings.Contains(stdout, "needs another version of the program: approve") {
		t.Errorf("runs prints\n%s", stdout)
	}
	if _, stdout, _ := next.at("runs", "--json"); !strings.Contains(stdout, `"stranded":true`) {
		t.Errorf("runs --json prints\n%s", stdout)
	}
	code, _, stderr := next.at("answer", "last", "approve", "yes")
	if code != cli.Problem || !strings.Contains(stderr, "to answer and resume it with this program: clerk answer last approve yes --force-shape\n") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	if code, _, stderr := next.at("resume", "last"); code != cli.Problem || !strings.Contains(stderr, "needs another version of the program") ||
		!strings.Contains(stderr, "--force-shape") {
		t.Errorf("exit code %d, stderr:\n%s", code, stderr)
	}
	code, stdout, stderr := next.at("answer", "last", "approve", "yes", "--force-shape", "--script", "yes.json")
	if code != cli.Done || stdout != "a letter: yes\n" {
		t.Errorf("exit code %d, stdout %q, stderr:\n%s", code, stdout, stderr)
	}
}
