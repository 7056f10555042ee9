package app

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// sleeper is a program that waits, and then asks for a while. It fails behind the wait where its
// input is broken.
type sleeper struct {
	wait, limit time.Duration
}

func (s *sleeper) Program() *compiled.Program {
	run := func(fx runtime.Effects, input string) (runtime.Finish, error) {
		_, err := fx.Ask(runtime.Question{ID: "pause", Agent: "sleeper", Timeout: s.wait, IsTimer: true, Choices: []string{"continue"}})
		if err != nil {
			return runtime.Finish{}, err
		}
		if input == "broken" {
			return runtime.Finish{}, errors.New("it is broken")
		}
		answer, err := fx.Ask(runtime.Question{ID: "approve", Agent: "sleeper", Prompt: "Well?", Timeout: s.limit})
		if late := (*runtime.TimeoutError)(nil); errors.As(err, &late) {
			return runtime.Finish{Key: "done", Value: "late"}, nil
		}

		return runtime.Finish{Key: "done", Value: answer.Value}, err
	}

	return &compiled.Program{Name: "sleeper", Entry: "sleeper", Shape: "s1", Text: "t1", Agents: []compiled.Agent{
		{Name: "sleeper", Pattern: "oneshot", Run: run, Questions: []string{"approve", "pause"}},
	}}
}

func (s *sleeper) at(args ...string) (code int, stdout, stderr string) {
	var out, errs strings.Builder
	code = Options{}.Run(s, args, strings.NewReader(""), &out, &errs)

	return code, out.String(), errs.String()
}

// A run that waits says until when, and goes on from timer to timer; what is not due is left alone.
func TestTimers(t *testing.T) {
	t.Chdir(t.TempDir())
	s := &sleeper{wait: time.Millisecond, limit: time.Hour}
	code, _, stderr := s.at("run", "x")
	if code != cli.Paused || !strings.Contains(stderr, `paused: step "pause" waits until 2`) || !strings.Contains(stderr, "sleeper timers --once") {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	_, stdout, _ := s.at("runs", "show", "last")
	if !strings.Contains(stdout, "wait pause #1 until 2") || !strings.Contains(stdout, "goes on by itself, or before then with the answer continue") {
		t.Errorf("runs show prints\n%s", stdout)
	}
	time.Sleep(2 * time.Millisecond)
	if code, stdout, stderr := s.at("timers"); code != cli.Done || strings.Count(stdout, "\n") != 1 || strings.Contains(stdout, "paused") {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := s.at("timers", "--once", "--json"); code != cli.Done || !strings.Contains(stdout, `"status":"paused"}`) {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	if _, stdout, _ := s.at("runs"); !strings.Contains(stdout, "approve: Well? (until 2") {
		t.Errorf("runs prints\n%s", stdout)
	}
	if _, stdout, _ := s.at("runs", "show", "last"); !strings.Contains(stdout, "waits for an answer until 2") {
		t.Errorf("runs show prints\n%s", stdout)
	}
	if code, stdout, stderr := s.at("timers", "--once"); code != cli.Done || stdout != "" {
		t.Errorf("an hour too early: exit code %d, %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := s.at("answer", "last", "approve", "yes"); code != cli.Done || stdout != "yes\n" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	if code, stdout, stderr := s.at("timers"); code != cli.Done || stdout != "" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}

// The event of a pause has the time at which it is over.
func TestPauseIsDue(t *testing.T) {
	t.Chdir(t.TempDir())
	s := &sleeper{wait: time.Hour}
	before := time.Now()
	_, stdout, stderr := s.at("run", "--json", "x")
	for line := range strings.Lines(stdout) {
		var e event.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		if e.Kind == event.Pause {
			if e.Due.Before(before.Add(time.Hour)) || e.Due.After(time.Now().Add(time.Hour)) {
				t.Errorf("the wait is due at %v", e.Due)
			}

			return
		}
	}
	t.Errorf("there is no pause in\n%s%s", stdout, stderr)
}

// An answer ends a wait early; a run that fails after it was woken is reported, and the others are
// woken, too.
func TestTimersThatFail(t *testing.T) {
	t.Chdir(t.TempDir())
	s := &sleeper{wait: time.Hour, limit: time.Millisecond}
	if code, _, stderr := s.at("run", "x"); code != cli.Paused {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	if code, _, stderr := s.at("answer", "last", "pause", "continue"); code != cli.Paused {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	s.wait = time.Millisecond
	if code, _, stderr := s.at("run", "broken"); code != cli.Paused {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	time.Sleep(2 * time.Millisecond)
	code, stdout, stderr := s.at("timers", "--once")
	if code != cli.Problem || !strings.Contains(stdout, "  failed\n") || !strings.Contains(stderr, "it is broken") || strings.Count(stdout, "\n") != 2 {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
}
