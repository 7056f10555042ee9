//go:build unix

package app

import (
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// screen is what a person sees; others may look at it meanwhile.
type screen struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.text.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.text.String()
}

// await waits until the screen shows something.
func (s *screen) await(t *testing.T, text string) {
	t.Helper()
	for range 1000 {
		if strings.Contains(s.String(), text) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("the screen never shows %q:\n%s", text, s)
}

// An interrupt while a function is under way: what the function did is recorded, and is not done again.
func TestInterruptIsRecorded(t *testing.T) {
	scripts(t, map[string]string{"s.json": agrees})
	seen := &screen{}
	k := &clerk{shape: "s1", during: func() {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
			t.Error(err)
		}
		seen.await(t, "stopping at the next safe point")
	}}
	code := Options{}.Run(k, []string{"run", "--script", "s.json", "write to ada"}, strings.NewReader(""), seen, seen)
	if text := unhurried(seen.String()); code != 130 || !strings.Contains(text, "to resume: clerk resume RUN --script s.json\n") {
		t.Errorf("exit code %d, %s", code, text)
	}
	if _, stdout, _ := k.at("runs", "--status", "cancelled"); strings.Count(stdout, "\n") != 2 {
		t.Errorf("stdout:\n%s", stdout)
	}
	code, stdout, stderr := k.at("resume", "last", "--script", "s.json")
	if code != cli.Done || stdout != "a letter: yes\n" || k.sent != 1 {
		t.Errorf("exit code %d, stdout %q, sent %d times, stderr:\n%s", code, stdout, k.sent, stderr)
	}
}

// A run is cancelled by another command while it works: its process stops at the next safe point.
func TestCancelOfARunThatIsUnderWay(t *testing.T) {
	scripts(t, map[string]string{"s.json": agrees})
	k := &clerk{shape: "s1"}
	var asked struct {
		code   int
		stderr string
	}
	k.during = func() {
		asked.code, _, asked.stderr = k.at("cancel", "last", "--by", "bob")
		time.Sleep(2 * time.Second)
	}
	seen := &screen{}
	code := Options{}.Run(k, []string{"run", "--script", "s.json", "write to ada"}, strings.NewReader(""), seen, seen)
	if asked.code != cli.Done || !strings.Contains(asked.stderr, "will stop at its next safe point") {
		t.Errorf("cancel: exit code %d, %s", asked.code, asked.stderr)
	}
	if text := unhurried(seen.String()); code != cli.Problem || !strings.Contains(text, "the run was cancelled by bob\nto resume: clerk resume RUN") {
		t.Errorf("exit code %d, %s", code, text)
	}
	if code, stdout, _ := k.at("resume", "last", "--script", "s.json"); code != cli.Done || stdout != "a letter: yes\n" || k.sent != 1 {
		t.Errorf("exit code %d, stdout %q, sent %d times", code, stdout, k.sent)
	}
}
