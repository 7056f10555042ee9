package app

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// fullDisk takes nothing.
type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// What a run gave and could not be printed is a failure, and the command line on stderr gives it.
func TestWhatCouldNotBePrinted(t *testing.T) {
	for _, flag := range []string{"--partial", "--json"} {
		scripts(t, map[string]string{"s.json": agrees})
		k := &clerk{shape: "s1"}
		var stderr strings.Builder
		code := Options{}.Run(k, []string{"run", "--script", "s.json", flag, "write to ada"}, strings.NewReader(""), fullDisk{}, &stderr)
		if code != cli.Failure || strings.Count(stderr.String(), "disk full") != 1 {
			t.Fatalf("%s: exit code %d, %s", flag, code, &stderr)
		}
		_, line, ok := strings.Cut(stderr.String(), "; it is kept, and can be seen: clerk ")
		if !ok {
			t.Fatalf("%s: nothing says how to see it: %s", flag, &stderr)
		}
		if code, stdout, errs := k.at(strings.Fields(line)...); code != cli.Done || stdout != "a letter: yes\n" || k.sent != 1 {
			t.Errorf("%s: exit code %d, stdout %q, sent %d times, %s", line, code, stdout, k.sent, errs)
		}
	}
}

// What keeps no journal cannot be seen again.
func TestWhatCouldNotBePrintedAndIsNotKept(t *testing.T) {
	scripts(t, map[string]string{"s.json": agrees})
	var stderr strings.Builder
	args := []string{"run", "--script", "s.json", "--store", "none", "write to ada"}
	if code := (Options{}).Run(&clerk{shape: "s1"}, args, strings.NewReader(""), fullDisk{}, &stderr); code != cli.Failure ||
		!strings.HasSuffix(stderr.String(), "clerk: disk full\n") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// A question is told, and how to answer it, also where the events cannot be written.
func TestAPauseIsToldWhereEventsCannotBeWritten(t *testing.T) {
	scripts(t, map[string]string{"s.json": noAnswer})
	var stderr strings.Builder
	code := Options{}.Run(&clerk{shape: "s1"}, []string{"run", "--script", "s.json", "--json", "write to ada"}, strings.NewReader(""), fullDisk{}, &stderr)
	if code != cli.Failure || !strings.Contains(stderr.String(), "to answer it: clerk answer ") || !strings.HasSuffix(stderr.String(), "clerk: disk full\n") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// Help and version do not look at what they write.
func TestTextsThatCannotBeWritten(t *testing.T) {
	for _, command := range []string{"--help", "run --help", "version", "graph"} {
		var stderr strings.Builder
		code := Options{}.Run(&clerk{shape: "s1"}, strings.Fields(command), strings.NewReader(""), fullDisk{}, &stderr)
		if code != cli.Failure || stderr.String() != "clerk: disk full\n" {
			t.Errorf("%s: exit code %d, %s", command, code, &stderr)
		}
	}
}
