package app

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

type greeter struct{}

func (greeter) Program() *compiled.Program { return &compiled.Program{Name: "greeter", Shape: "s1"} }

// A program that is asked what it is runs no command, and says so on stdout.
func TestIdentity(t *testing.T) {
	t.Setenv(IdentityVariable, "n1")
	for _, args := range [][]string{nil, {"version"}, {"run", "--", "a task"}, {"nonsense"}} {
		var stdout, stderr bytes.Buffer
		code := Options{}.Run(greeter{}, args, strings.NewReader(""), &stdout, &stderr)
		var got Identity
		if err := json.Unmarshal(stdout.Bytes(), &got); err != nil || code != cli.Done || stderr.Len() > 0 {
			t.Fatalf("%q: exit code %d, %v, %s", args, code, err, &stderr)
		}
		if want := (Identity{Nonce: "n1", Protocol: Protocol, Name: "greeter", Shape: "s1"}); got != want {
			t.Errorf("%q: %+v, want %+v", args, got, want)
		}
	}
	if code := (Options{}).Run(greeter{}, nil, nil, fullDisk{}, &bytes.Buffer{}); code != cli.Failure {
		t.Errorf("an identity that cannot be written: exit code %d", code)
	}
}
