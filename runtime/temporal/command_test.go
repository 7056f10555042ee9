package temporal_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/temporal"
	"github.com/agentc-dev/agentc/runtime/temporal/internal/office"
)

// carrier is a program as app.Run takes it.
type carrier struct{ p *compiled.Program }

func (c carrier) Program() *compiled.Program { return c.p }

// command runs a command of a binary.
func command(p *compiled.Program, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = app.Options{}.Run(carrier{p}, args, strings.NewReader(""), &out, &errs)

	return code, out.String(), errs.String()
}

// curious is a program that asks, with the part; a script answers instead of its models.
func curious() *compiled.Program {
	p := asker()
	p.Parts = []compiled.Part{temporal.Part{}}

	return p
}

// TestCommands: a worker, a run that is started, asks, is answered and waited for, each by a command.
func TestCommands(t *testing.T) {
	s := serve(t)
	dir := t.TempDir()
	at := []string{"--address", s.address, "--blobs", dir, "--queue", "scripted"} // whose workers need no model
	script := "testdata/empty.json"
	s.spawnArgs(t, "curious", append([]string{"worker"}, at...)...)
	say := func(args ...string) (code int, stdout, stderr string) {
		return command(curious(), append(args, at...)...)
	}

	code, stdout, stderr := say("start", "--run", "asks-1", "--script", script, "x")
	if code != cli.Paused || stdout != "" || !strings.Contains(stderr, "first asks: May I? (yes, no)") {
		t.Fatalf("start: %d %q %q", code, stdout, stderr)
	}
	if code, _, stderr = say("start", "--run", "asks-1", "--script", script, "x"); code != cli.Problem ||
		!strings.Contains(stderr, "there is a run") {
		t.Errorf("a second start: %d %q", code, stderr)
	}
	if code, stdout, _ = say("reply", "asks-1"); code != cli.Done || stdout != "first: May I? (yes, no)\n" {
		t.Errorf("the questions: %d %q", code, stdout)
	}
	if code, _, stderr = say("reply", "asks-1", "first", "perhaps"); code != cli.Problem ||
		!strings.Contains(stderr, `is not one of "yes", "no"`) {
		t.Errorf("an answer that does not fit: %d %q", code, stderr)
	}
	for _, question := range []string{"first", "second"} {
		deadline := time.Now().Add(30 * time.Second)
		for {
			code, _, stderr = say("reply", "asks-1", question, "yes")
			if code == cli.Done || time.Now().After(deadline) {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if code != cli.Done {
			t.Fatalf("reply: %d %q", code, stderr)
		}
	}
	if code, stdout, stderr = say("start", "--run", "asks-1", "--attach"); code != cli.Done || stdout != "yes yes\n" {
		t.Errorf("attach: %d %q %q", code, stdout, stderr)
	}
}

// TestCompiledProject: a binary of a project with include: [temporal] works and starts, with guards and functions that workers
// carry out.
func TestCompiledProject(t *testing.T) {
	s := serve(t)
	at := []string{"--address", s.address, "--blobs", t.TempDir()}
	s.spawnArgs(t, "office", append([]string{"worker"}, at...)...)
	code, stdout, stderr := command(office.Program(), append([]string{"start", "Write a text."}, at...)...)
	if code != cli.Done || stdout != "1\n" {
		t.Errorf("%d %q %q", code, stdout, stderr)
	}
}

// TestUsage: what cannot be is said before anything is dialled.
func TestUsage(t *testing.T) {
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"reply", "a", "b"}, cli.Usage, "a run, or a run, a question and its answer"},
		{[]string{"worker", "--tool-queue", "x"}, cli.Usage, "TOOL=QUEUE"},
		{[]string{"worker", "--address", "127.0.0.1:1"}, cli.Problem, `no model is configured for role "worker"`},
		{[]string{"start", "--address", "127.0.0.1:1", "x"}, cli.Failure, "127.0.0.1:1"},
	} {
		if code, _, stderr := command(curious(), test.args...); code != test.code || !strings.Contains(stderr, test.want) {
			t.Errorf("%q: %d %q", test.args, code, stderr)
		}
	}
}
