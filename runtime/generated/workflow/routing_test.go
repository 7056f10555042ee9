package workflow_test

import (
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// TestCurrentStateThatIsNoText is refused wherever it is written, and leaves the context as it was.
func TestCurrentStateThatIsNoText(t *testing.T) {
	const problem = "current_state: found 7, expected the name of a state"
	seven := workflow.Object(workflow.Member{Name: "current_state", Value: workflow.Int(7)})
	r := start(t, &door{}, `{"a": 1}`)
	for name, write := range map[string]func() error{
		"merge": func() error { return r.MergeContext(seven) },
		"alias": func() error {
			return r.MergeContext(workflow.Object(workflow.Member{Name: "scratchpad", Value: seven}))
		},
		"set":     func() error { return r.SetContext(workflow.Int(7), "current_state") },
		"replace": func() error { return r.SetContext(seven) },
		"builtin": func() error {
			_, err := r.SetAt(workflow.Text("scratchpad.current_state"), workflow.Int(7))

			return err
		},
	} {
		err := write()
		if runtime.ErrorType(err) != "ContextError" || errors.Unwrap(err).Error() != problem {
			t.Errorf("%s: got %v", name, err)
		}
		if r.Context().JSON() != `{"a":1}` || !r.CurrentState().IsNone() {
			t.Errorf("%s: the context is %s, current_state %s", name, r.Context(), r.CurrentState())
		}
	}

	other := workflow.Start(&door{}, "flow")
	var bad *compiled.ContextError
	if err := other.Begin([]byte(`{"current_state": 7}`)); !errors.As(err, &bad) || bad.Err.Error() != problem {
		t.Errorf("got %v", err)
	}
	for given, fits := range map[string]bool{
		`{"current_state": 7}`: false, `{"current_state": ["a"]}`: false, `{"current_state": "a"}`: true, `{"current_state": null}`: true,
	} {
		if err := workflow.CheckContext(nil)([]byte(given)); (err == nil) != fits {
			t.Errorf("%s: got %v", given, err)
		}
	}
}
