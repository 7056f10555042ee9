package otel_test

import (
	"encoding/hex"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// binary says that the process is that of a project with include: [otel].
const binary = "binary"

// start runs the binary of the project in a folder, and returns what it has printed.
func start(t *testing.T, dir, endpoint string, code int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	child := exec.Command(os.Args[0], args...)
	child.Dir, child.Stdout, child.Stderr = dir, &out, &errs
	child.Env = append(os.Environ(), childVariable+"="+binary, "OTEL_EXPORTER_OTLP_ENDPOINT="+endpoint, "TRACEPARENT="+caller)
	_ = child.Run()
	if got := child.ProcessState.ExitCode(); got != code {
		t.Fatalf("%v: exit code %d, want %d\n%s%s", args, got, code, &out, &errs)
	}

	return out.String(), errs.String()
}

// TestBinary: a project's binary sends the trace of a run that pauses, and another process that of its end.
func TestBinary(t *testing.T) {
	r := newReceiver(t)
	dir := t.TempDir()
	start(t, dir, r.URL, 4, "run", "a task that nobody may see")
	stdout, stderr := start(t, dir, r.URL, 0, "answer", "last", "boss", "yes, says somebody whom nobody may see")
	if want := "A letter that nobody may see.\n"; stdout != want || strings.Contains(stderr, "telemetry") {
		t.Errorf("got %q, told %q", stdout, stderr)
	}
	compare(t, "binary.txt", r.tree())
	for _, s := range r.spans {
		if hex.EncodeToString(s.TraceId) != callerID {
			t.Errorf("%s lies in another trace than that of TRACEPARENT", s.Name)
		}
	}
	if strings.Contains(r.wire(), hidden) {
		t.Error("a text was sent")
	}
	r.metric(t, "agentc.runs")
}

// TestBinaryWithoutCollector: the run is as it is without telemetry, and a person is told.
func TestBinaryWithoutCollector(t *testing.T) {
	r := newReceiver(t)
	r.Close()
	_, stderr := start(t, t.TempDir(), r.URL, 4, "run", "a task")
	if strings.Count(stderr, "telemetry: ") != 2 || !strings.Contains(stderr, "spans did not arrive: ") {
		t.Errorf("told %q", stderr)
	}
	if _, stderr = start(t, t.TempDir(), "", 4, "run", "a task"); strings.Contains(stderr, "telemetry") {
		t.Errorf("told %q", stderr)
	}
}
