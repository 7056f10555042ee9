package workflow_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
	"github.com/agentc-dev/agentc/runtime/model"
)

// failing returns work that fails n times and then comes to done.
func failing(n int, tries *int) func() (workflow.Value, error) {
	return func() (workflow.Value, error) {
		if *tries++; *tries <= n {
			return workflow.Value{}, errFault
		}

		return workflow.Text("done"), nil
	}
}

func TestTries(t *testing.T) {
	for _, c := range []struct {
		retries, failures int
		tries             int
		want              string // the error
		told              []string
	}{
		{0, 0, 1, "", nil},
		{0, 1, 1, `workflow "flow", step "s": a fault`, []string{"error flow error a fault"}},
		{2, 0, 1, "", nil},
		{2, 2, 3, "", []string{"retry flow a fault #1", "retry flow a fault #2"}},
		{
			2, 3, 3, `workflow "flow", step "s": a fault (3 tries)`,
			[]string{"retry flow a fault #1", "retry flow a fault #2", "error flow error a fault"},
		},
	} {
		fx, tries := &door{}, 0
		r := start(t, fx, "{}")
		value, err := r.Try(workflow.Policy{Step: "s", Retries: c.retries}, failing(c.failures, &tries))
		got, want := value.String(), "done"
		if c.want != "" {
			want = c.want
		}
		if err != nil {
			got = err.Error()
			var failed *workflow.StepError
			if !errors.As(err, &failed) || failed.Tries != tries || !errors.Is(err, errFault) {
				t.Errorf("%d retries: the error is %#v", c.retries, err)
			}
		}
		if tries != c.tries || got != want {
			t.Errorf("%d retries, %d failures: %d tries, %s", c.retries, c.failures, tries, got)
		}
		wantTold(t, fx, c.told...)
	}
}

// TestTriesWait: the waits of a policy come before each retry.
func TestTriesWait(t *testing.T) {
	fx, tries := &door{}, 0
	r := start(t, fx, "{}")
	policy := workflow.Policy{Step: "s", Retries: 2, Backoff: time.Second, MaxBackoff: time.Minute}
	if _, err := r.Try(policy, failing(2, &tries)); err != nil {
		t.Fatal(err)
	}
	want := model.Retry{First: time.Second, Most: time.Minute}
	if !slices.Equal(fx.waits, []model.Retry{want, want}) {
		t.Errorf("it waits as %+v", fx.waits)
	}
}

// TestWhatEndsTheRunIsNotTriedAgain, and no fallback makes up for it.
func TestWhatEndsTheRunIsNotTriedAgain(t *testing.T) {
	for _, ending := range endings {
		tries := 0
		work := func() (workflow.Value, error) {
			tries++

			return workflow.Value{}, ending
		}
		never := func() (workflow.Value, error) {
			t.Errorf("%T: the fallback ran", ending)

			return workflow.Value{}, nil
		}
		r := start(t, &door{}, "{}")
		_, err := r.TryElse(workflow.Policy{Step: "s", Retries: 3}, work, never)
		if tries != 1 || err != ending {
			t.Errorf("%T: %d tries, %v", ending, tries, err)
		}
		if err := r.WrapError("s", ending); err != ending {
			t.Errorf("%T: is a failure of the step: %v", ending, err)
		}
		fails := func(workflow.Value) (workflow.Value, error) { return workflow.Value{}, ending }
		child := start(t, &door{}, "{}")
		if _, err := r.Import(&child, workflow.Import{Skip: true}, fails, workflow.Value{}); err != ending {
			t.Errorf("%T: an import skips it: %v", ending, err)
		}
	}
}

// TestCancellationEndsTries, whatever the cause is that comes back from the effects.
func TestCancellationEndsTries(t *testing.T) {
	cause := errors.New("the machine is shut down")
	fx, tries := &door{}, 0
	r := start(t, fx, "{}")
	_, err := r.Try(workflow.Policy{Step: "s", Retries: 5}, func() (workflow.Value, error) {
		if tries++; tries == 2 {
			fx.cancelled = cause
		}

		return workflow.Value{}, errFault
	})
	if tries != 2 || err != cause {
		t.Errorf("%d tries, %v", tries, err)
	}
}

func TestFallback(t *testing.T) {
	second := errors.New("another fault")
	for name, c := range map[string]struct {
		failures int
		fallback error
		want     string // a value or an error
		ran      int
	}{
		"the step is fine":          {0, nil, "done", 0},
		"the second try is fine":    {1, nil, "done", 0},
		"the fallback is fine":      {2, nil, "instead", 1},
		"both fail":                 {2, second, "workflow \"flow\", step \"s\": a fault\nanother fault (2 tries)", 1},
		"the fallback ends the run": {2, runtime.ErrNotImplemented, "not implemented", 1},
	} {
		tries, ran := 0, 0
		r := start(t, &door{}, "{}")
		value, err := r.TryElse(workflow.Policy{Step: "s", Retries: 1}, failing(c.failures, &tries), func() (workflow.Value, error) {
			ran++
			if c.fallback != nil {
				return workflow.Value{}, c.fallback
			}

			return workflow.Text("instead"), nil
		})
		got := value.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want || ran != c.ran {
			t.Errorf("%s: got %q, and the fallback ran %d times", name, got, ran)
		}
		if err != nil && c.fallback == second && (!errors.Is(err, errFault) || !errors.Is(err, second)) {
			t.Errorf("%s: one of the errors is lost: %v", name, err)
		}
	}
}

// TestOneStepIsNamedOnce: an error that a step within has is not wrapped for the same step again,
// but for the one around it.
func TestOneStepIsNamedOnce(t *testing.T) {
	r := start(t, &door{}, "{}")
	inner := r.WrapError("inner", errFault)
	if again := r.WrapError("inner", inner); again != inner {
		t.Errorf("got %v", again)
	}
	outer := r.WrapError("outer", inner)
	if got, want := outer.Error(), `workflow "flow", step "outer": workflow "flow", step "inner": a fault`; got != want {
		t.Errorf("got %s", got)
	}
}

// TestTheObserverIsToldOfAnErrorOnce, where it comes up, and not of a pause.
func TestTheObserverIsToldOfAnErrorOnce(t *testing.T) {
	fx := &door{}
	r := start(t, fx, "{}")
	err := r.WrapError("outer", r.WrapError("inner", errFault))
	if _, end := r.Finish(workflow.Value{}, err); end != err {
		t.Errorf("the run ends with %v", end)
	}
	_ = r.WrapError("person", &runtime.PausedError{})
	wantTold(t, fx, "error flow error a fault")

	fx.notes, fx.unwatched = nil, true
	r = start(t, fx, "{}")
	r.RecordOutput("s", workflow.Text("x"))
	_ = r.WrapError("s", errFault)
	wantTold(t, fx)
}

// nested is a run as generated code has one.
type nested struct {
	workflow.Run
	count int
}

// TestAFailedTryLeavesNothing where the work has steps of its own: neither in the context nor in
// the outputs of steps.
func TestAFailedTryLeavesNothing(t *testing.T) {
	fx := &door{}
	r := &nested{Run: start(t, fx, `{"kept": 1}`)}
	tries := 0
	work := func() (workflow.Value, error) {
		tries++
		r.count++
		if err := r.SetContext(workflow.Int(int64(tries)), "tries"); err != nil {
			return workflow.Value{}, err
		}
		if tries < 3 {
			return workflow.Value{}, errFault
		}

		return workflow.Text("done"), nil
	}
	if _, err := r.Try(workflow.Policy{Step: "s", Retries: 2}, workflow.UndoOnError(r, work)); err != nil {
		t.Fatal(err)
	}
	if r.count != 1 || r.Context().JSON() != `{"kept":1,"tries":3}` {
		t.Errorf("count %d, context %s", r.count, r.Context())
	}

	tries = -10
	value, err := r.TryElse(workflow.Policy{Step: "s"}, workflow.UndoOnError(r, work), workflow.UndoOnError(r, func() (workflow.Value, error) {
		return r.Context("tries"), nil
	}))
	if err != nil || value.JSON() != "3" || r.count != 1 {
		t.Errorf("the fallback sees %s, %v; count %d", value, err, r.count)
	}
}

var writer = rt.OneshotSpec{Agent: "flow/writer", Prompt: "Write."}

func TestTimeoutsBoundEachCall(t *testing.T) {
	fx := &door{replies: []any{"a", "b", "c"}}
	r := start(t, fx, "{}")
	ask := func() (workflow.Value, error) { return r.Agent(&writer, workflow.Text("go")) }
	_, err := r.Try(workflow.Policy{Step: "outer", Timeout: time.Minute}, func() (workflow.Value, error) {
		if _, err := r.Try(workflow.Policy{Step: "longer", Timeout: time.Hour}, ask); err != nil {
			return workflow.Value{}, err
		}

		return r.Try(workflow.Policy{Step: "shorter", Timeout: time.Second}, ask)
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ask(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, request := range fx.requests {
		got = append(got, request.Timeout.String())
	}
	if strings.Join(got, " ") != "1m0s 1s 0s" {
		t.Errorf("calls were bounded by %v", got)
	}

	_, err = r.Try(workflow.Policy{Step: "f", Timeout: time.Second}, func() (workflow.Value, error) {
		return r.Call("f", workflow.Value{}, double)
	})
	if err != nil || len(fx.called) != 1 || fx.called[0].Timeout != time.Second {
		t.Errorf("%v, %d calls of functions", err, len(fx.called))
	}
}
