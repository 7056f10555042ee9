package app

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// A question with a schema says what form an answer has, wherever it is shown; yes and no will do for a schema of one boolean.
func TestFormsAreShown(t *testing.T) {
	t.Chdir(t.TempDir())
	at := func(args ...string) (code int, out string) {
		var b strings.Builder
		code = Options{}.Run(judged{}, args, strings.NewReader(""), &b, &b)

		return code, b.String()
	}
	const example = `{"approved":true}`
	code, out := at("run", "x")
	for _, want := range []string{"the answer is JSON such as " + example + ", or yes or no\n", " approve '" + example + "'\n"} {
		if code != cli.Paused || !strings.Contains(out, want) {
			t.Errorf("exit code %d, %s lacks %s", code, out, want)
		}
	}
	if _, out := at("runs"); !strings.Contains(out, "approve "+example+": May I?") {
		t.Errorf("runs: %s", out)
	}
	for _, args := range [][]string{{"runs", "--json"}, {"runs", "show", "last", "--json"}} {
		if _, out := at(args...); !strings.Contains(out, `"example":"{\"approved\":true}"`) || !strings.Contains(out, "schema") {
			t.Errorf("%v: %s", args, out)
		}
	}
	code, out = at("answer", "last", "approve", "perhaps")
	if code != cli.Problem || !strings.Contains(out, "; the answer is JSON such as "+example+", or yes or no\n") {
		t.Errorf("exit code %d, %s", code, out)
	}
	if code, out := at("answer", "last", "approve", "N"); code != cli.Done || out != `{"approved":false}`+"\n" {
		t.Errorf("exit code %d, %s", code, out)
	}
}

// judged is a workflow that asks for a boolean.
type judged struct{}

func (judged) Program() *compiled.Program {
	spec := &rt.OutputSpec{
		Schema: `{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}`,
		Check: func(raw json.RawMessage) error {
			if s := string(raw); s != `{"approved":true}` && s != `{"approved":false}` {
				return fmt.Errorf("found %s", raw)
			}

			return nil
		},
	}

	return &compiled.Program{Name: "judged", Entry: "judged", Shape: "s1", Text: "t1", Agents: []compiled.Agent{{
		Name: "judged", Pattern: "workflow", Run: func(fx runtime.Effects, _ string) (runtime.Finish, error) {
			r := workflow.Start(fx, "judged")
			answer, err := r.Ask("approve", "May I?", spec)
			if err != nil {
				return r.Finish(workflow.Value{}, err)
			}

			return r.Finish(answer, nil)
		},
	}}}
}
