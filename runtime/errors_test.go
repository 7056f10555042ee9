package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestErrors: each error says what a person needs, and its type is found through wrapping and joining.
func TestErrors(t *testing.T) {
	cause := errors.New("the cause")
	for _, c := range []struct {
		err        error
		kind, text string
	}{
		{
			&model.Error{Class: model.RateLimit, Status: 429, Agent: "a", Model: "p:m", Message: "slow down"}, "ModelError",
			`the model call of agent "a" to p:m failed with status 429: slow down`,
		},
		{&model.Error{Class: model.Network, Err: cause}, "ModelError", `the model call failed (network): the cause`},
		{
			&runtime.MissingFinishError{Agent: "a", Valid: []string{"x", "y"}}, "MissingFinishError",
			`agent "a" ended without calling finish (keys: "x", "y")`,
		},
		{
			&runtime.InvalidTransitionError{Machine: "m", State: "s", Key: "k", Valid: []string{"x"}}, "InvalidTransitionError",
			`machine "m", state "s": no row for key "k"; valid keys: "x"`,
		},
		{
			&runtime.InvalidTransitionError{Key: "k", Valid: []string{"x"}, Agent: "a"}, "InvalidTransitionError",
			`agent "a" finished with key "k"; valid keys: "x"`,
		},
		{
			&runtime.InvalidTransitionError{Machine: "m", State: "s", To: "t"}, "InvalidTransitionError",
			`machine "m", state "s": no row leads to state "t"`,
		},
		{
			&drive.AccessError{Machine: "m", State: "s", Key: "k", Agent: "a"}, "AccessError",
			`machine "m", state "s": agent "a" may not fire key "k"`,
		},
		{
			&drive.AccessError{Machine: "m", State: "s", Key: "k"}, "AccessError",
			`machine "m", state "s": a caller without a name may not fire key "k"`,
		},
		{
			&drive.StaleError{Machine: "m", Want: 3, Have: 5}, "StaleError",
			`machine "m" has made other steps: its sequence number is 5, not 3`,
		},
		{
			&drive.SnapshotError{Machine: "m", Problem: "it is of machine \"n\""}, "SnapshotError",
			`machine "m" cannot be restored: it is of machine "n"`,
		},
		{
			&drive.SnapshotError{Machine: "m", Problem: "no JSON", Err: cause}, "SnapshotError",
			`machine "m" cannot be restored: no JSON: the cause`,
		},
		{
			&runtime.OutputError{Agent: "a", Path: "n", Problem: "is missing"}, "OutputError",
			`agent "a": the output does not fit: n is missing`,
		},
		{
			&runtime.InvalidTransitionError{Machine: "m", State: "s", Agent: "a", Problem: "no key", Valid: []string{"k"}}, "InvalidTransitionError",
			`machine "m", state "s": agent "a" could not finish: no key; valid keys: "k"`,
		},
		{
			&runtime.IterationLimitError{Agent: "a", Turns: 10}, "IterationLimitError",
			`agent "a" did not finish within max_iter = 10 turns`,
		},
		{
			&runtime.EndStateError{Workflow: "w", Machine: "m", State: "failed"}, "EndStateError",
			`machine "m" ended in state "failed", which is a failure`,
		},
		{
			&runtime.StepLimitError{Machine: "m", State: "s", Steps: 50}, "StepLimitError",
			`machine "m" did not end within max_steps = 50: stopped before state "s"`,
		},
		{
			&runtime.GroupError{Agent: "a", Failed: []runtime.BranchError{{"b", cause}, {"c", &runtime.StuckError{Agent: "c"}}}}, "GroupError",
			`agent "a": all branches failed: "b": the cause; "c": agent "c" is stuck: it called  0 times in a row with the same ` +
				`arguments and the same result`,
		},
		{
			&runtime.GroupError{Agent: "a", Failed: slices.Repeat([]runtime.BranchError{{"b", cause}}, 1000)}, "GroupError",
			`agent "a": all branches failed: ` + strings.Repeat(`"b": the cause; `, 5) + `and 995 more`,
		},
		{runtime.BranchError{Name: "b", Err: cause}, "BranchError", `"b": the cause`},
		{
			runtime.BranchError{Name: strings.Repeat("é", 1000), Err: cause}, "BranchError",
			`"` + strings.Repeat("é", 200) + `…": the cause`,
		},
		{
			&runtime.ItemLimitError{Agent: "a", Items: 1001, Limit: 1000}, "ItemLimitError",
			`agent "a": the list has 1001 items, more than max_items = 1000`,
		},
		{
			&runtime.CycleLimitError{Agent: "a", Cycles: 3, Feedback: "not yet"}, "CycleLimitError",
			`agent "a" did not reach an accepted result within max_iter = 3 cycles; the last verdict was "not yet"`,
		},
		{
			&runtime.StuckError{Agent: "a", Tool: "t", Times: 4}, "StuckError",
			`agent "a" is stuck: it called t 4 times in a row with the same arguments and the same result`,
		},
		{
			&runtime.GuardError{Machine: "m", State: "s", Key: "k", Guard: "g", Err: cause}, "GuardError",
			`machine "m", state "s", key "k": guard "g" failed: the cause`,
		},
		{
			&runtime.GuardRejectedError{Machine: "m", State: "s", Key: "k", Guards: []runtime.GuardReason{{"g", "too short"}, {"h", ""}}},
			"GuardRejectedError", `machine "m", state "s": guards rejected key "k": g: too short, h`,
		},
		{
			&runtime.MissingValueError{
				Where: "condition_expression", Condition: "context.n < 3", Reason: "unknown (context.n is missing)", Fields: []string{"context.n"},
			},
			"MissingValueError", `condition_expression: context.n < 3: unknown (context.n is missing)`,
		},
		{
			&runtime.MissingValueError{Where: `machine "m"`, Condition: "a < 3", Reason: "unknown", Err: cause}, "MissingValueError",
			`machine "m": a < 3: unknown, after the cause`,
		},
		{&runtime.PanicError{Where: "branch 2", Value: cause}, "PanicError", `branch 2 panicked: the cause`},
		{
			&runtime.PausedError{Question: runtime.Question{ID: "q"}}, "PausedError",
			`the run is paused: question "q" waits for an answer`,
		},
		{&runtime.CancelledError{Reason: "interrupted"}, "CancelledError", `the run was cancelled: interrupted`},
		{&runtime.CancelledError{By: "ann"}, "CancelledError", `the run was cancelled by ann`},
		{&runtime.CancelledError{By: "ann", Reason: "at once"}, "CancelledError", `the run was cancelled by ann: at once`},
		{
			&compiled.UnknownAgentError{Agents: []string{"a", "b"}}, "UnknownAgentError",
			`the project has no single entry point; choose one of the agents "a", "b"`,
		},
		{
			&runtime.ScriptError{Section: "tools", Name: "t", Turn: 2, Problem: "is odd", Err: cause}, "ScriptError",
			`script, tools, "t", turn 2: is odd`,
		},
		{cause, "error", "the cause"},
	} {
		if got := c.err.Error(); got != c.text {
			t.Errorf("got %s\nwant %s", got, c.text)
		}
		joined := errors.Join(errors.New("another"), fmt.Errorf("wrapped: %w", c.err))
		if got := runtime.ErrorType(joined); got != c.kind {
			t.Errorf("%T is %s", c.err, got)
		}
		if unwraps := errors.Unwrap(c.err) != nil; unwraps && !errors.Is(c.err, cause) {
			t.Errorf("%T hides its cause", c.err)
		}
	}
	if !errors.Is(&runtime.CancelledError{}, context.Canceled) {
		t.Error("a CancelledError is no context.Canceled")
	}
}

func TestRetryable(t *testing.T) {
	for status, want := range map[int]bool{0: false, 400: false, 401: false, 403: false, 404: false, 408: true, 409: true, 421: false, 422: false, 423: true, 425: true, 429: true, 500: true, 503: true, 529: true} {
		bare, classed := &model.Error{Status: status}, &model.Error{Status: status, Class: model.ClassOfStatus(status)}
		if bare.Retryable() != want || classed.Retryable() != want {
			t.Errorf("%d: %v and %v", status, bare.Retryable(), classed.Retryable())
		}
	}
}

func TestChoose(t *testing.T) {
	yesNo := runtime.Question{Choices: []string{"yes", "no"}}
	for answer, want := range map[string]string{"yes": "yes", " NO ": "no", "true": "yes", "n": "no", "perhaps": "", "": ""} {
		if got, ok := yesNo.Choose(answer); got != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", answer, got, ok)
		}
	}
	if got, ok := (runtime.Question{}).Choose(" as it is "); !ok || got != " as it is " {
		t.Errorf("got %q", got)
	}
	if got, ok := (runtime.Question{Choices: []string{"yes", "True"}}).Choose("true "); !ok || got != "True" {
		t.Errorf("got %q", got)
	}
}

func TestNamesOfOpenQuestions(t *testing.T) {
	open := []runtime.OpenQuestion{
		{Question: runtime.Question{ID: "approve"}, Address: "1.0.1"},
		{Question: runtime.Question{ID: "approve"}, Address: "1.1.1"},
		{Question: runtime.Question{ID: "lead"}, Address: "2"},
	}
	for i, want := range []string{"approve#1.0.1", "approve#1.1.1", "lead"} {
		if got := open[i].Name(open); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestCallFromContext(t *testing.T) {
	if _, ok := runtime.CallFromContext(context.Background()); ok {
		t.Error("there is no call")
	}
	if key, ok := runtime.IdempotencyKey(context.Background()); ok || key != "" {
		t.Errorf("without a call the key is %q", key)
	}
	ctx := runtime.WithCall(context.Background(), func() runtime.CallInfo { return runtime.CallInfo{Run: "r", Address: "7.0.1"} })
	info, ok := runtime.CallFromContext(ctx)
	if !ok || info.IdempotencyKey() != "r/7.0.1" {
		t.Errorf("got %+v", info)
	}
	if key, ok := runtime.IdempotencyKey(ctx); !ok || key != "r/7.0.1" {
		t.Errorf("the key is %q", key)
	}
}
