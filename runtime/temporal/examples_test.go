package temporal_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/workflow"

	patterns "github.com/agentc-dev/agentc/examples/all-patterns/agents"
	approval "github.com/agentc-dev/agentc/examples/approval/agents"
	orchestrate "github.com/agentc-dev/agentc/examples/orchestrate/agents"
	critic "github.com/agentc-dev/agentc/examples/smart-critic/agents"
	support "github.com/agentc-dev/agentc/examples/support/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/temporal"
	"github.com/agentc-dev/agentc/runtime/temporal/internal/office"
	"github.com/agentc-dev/agentc/runtime/testing/enginetest"
)

// bank is the ledger of the example.
type bank struct{}

func (bank) PayBack(_ context.Context, in approval.PayBackInput) (string, error) {
	return fmt.Sprintf(`paid: {"order":%q,"cents":%d}`, in.Order, in.Cents), nil
}

// example is a program with a run that its script plays.
type example struct {
	name    string
	program *compiled.Program
	input   string
	// answer is what a person says, script what answers instead of models where none is compiled in.
	answer, script string
}

// Ask implements core.Asker.
func (e example) Ask(context.Context, runtime.Question) (runtime.Answer, error) {
	return runtime.Answer{Value: e.answer}, nil
}

func examples() []example {
	return []example{
		{name: "all-patterns", program: patterns.New().Program(), input: "All patterns compile."},
		{name: "approval", program: approval.New(bank{}).Program(), input: "A-1042 was charged twice.", answer: `{"approved": true}`},
		{name: "office", program: office.Program(), input: "Write a text."},
		{name: "orchestrate", program: orchestrate.New().Program(), input: "Build it.", script: "orchestrate/scripts/approved.json"},
		{name: "smart-critic", program: critic.New().Program(), input: "a haiku about compilers"},
		{name: "support", program: support.New().Program(), input: "The app charged me twice."},
	}
}

// answers are the example's script, below the examples, if it is not compiled in.
func (e example) answers(t *testing.T) string {
	t.Helper()
	if e.script == "" {
		return ""
	}
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", filepath.FromSlash(e.script)))
	if err != nil {
		t.Fatal(err)
	}

	return string(text)
}

// told are the events of a run.
type told []event.Event

func (t *told) Observe(e event.Event) { *t = append(*t, e) }

// answering is an observer that answers questions.
type answering struct {
	*told
	example
	env *testsuite.TestWorkflowEnvironment
}

func (a *answering) Observe(e event.Event) {
	a.told.Observe(e)
	if e.Kind != event.Pause {
		return
	}
	a.env.RegisterDelayedCallback(func() {
		a.env.UpdateWorkflow(temporal.AnswerUpdate, "", &testsuite.TestUpdateCallback{
			OnReject: func(err error) { panic(err) }, OnComplete: func(any, error) {}, OnAccept: func() {},
		}, temporal.Answer{Question: e.Name, Value: a.answer})
	}, 0)
}

// trace is what they tell that does not depend on the order of branches, nor on whether somebody was there to answer at once.
func (t told) trace(test *testing.T) string {
	test.Helper()
	var kept []event.Event
	for i, e := range t {
		if e.Seq != i+1 {
			test.Errorf("event %d has number %d", i+1, e.Seq)
		}
		if e.Kind != event.Pause {
			kept = append(kept, e)
		}
	}

	return enginetest.Trace(kept)
}

// inEnvironment runs an example in Temporal's test environment, in executions of at most so many events.
func inEnvironment(t *testing.T, e example, longest int) (fin runtime.Finish, events told, executions int) {
	t.Helper()
	watch := &answering{told: &events, example: e}
	o := temporal.Options{Blobs: temporal.Files(t.TempDir()), Observer: watch}
	in := temporal.Input{Input: e.input, Script: e.answers(t), Longest: longest}
	for {
		executions++
		var suite testsuite.WorkflowTestSuite
		suite.SetLogger(log.NewStructuredLogger(silent))
		env := suite.NewTestWorkflowEnvironment()
		env.SetTestTimeout(time.Minute)
		watch.env = env
		c := temporal.Client{Program: e.program, Options: o}
		c.RegisterWorkflows(env)
		if err := c.RegisterActivities(env); err != nil {
			t.Fatal(err)
		}
		env.SetCurrentHistoryLength(longest)
		env.ExecuteWorkflow(temporal.WorkflowType(e.program, ""), in)
		err := env.GetWorkflowError()
		var next *workflow.ContinueAsNewError
		if asContinued(err, &next) {
			in = temporal.Input{}
			if err := converter.GetDefaultDataConverter().FromPayloads(next.Input, &in); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err != nil {
			t.Fatal(temporal.ErrorOf(err))
		}
		var out temporal.Output
		if err := env.GetWorkflowResult(&out); err != nil {
			t.Fatal(err)
		}

		return runtime.Finish(out), events, executions
	}
}

// locally runs an example in this process.
func locally(t *testing.T, e example) (runtime.Finish, told) {
	t.Helper()
	var events told
	fin, err := core.New(core.Config{Observer: &events, Asker: e, Script: e.answers(t)}).Run(t.Context(), e.program, "", e.input)
	if err != nil {
		t.Fatal(err)
	}

	return fin, events
}

// TestExamplesAreTheSame: results and events are those of the engine in one process.
func TestExamplesAreTheSame(t *testing.T) {
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			want, wanted := locally(t, e)
			got, events, _ := inEnvironment(t, e, 0)
			if got != want {
				t.Errorf("finished with %+v, want %+v", got, want)
			}
			if a, b := events.trace(t), wanted.trace(t); a != b {
				t.Errorf("the events are\n%s\nwant\n%s", a, b)
			}
		})
	}
}

// TestContinuedAsNew: a run that goes on in new executions, whenever it could, does and tells the same as in one.
func TestContinuedAsNew(t *testing.T) {
	for _, e := range examples() {
		t.Run(e.name, func(t *testing.T) {
			want, wanted := locally(t, e)
			got, events, executions := inEnvironment(t, e, 1)
			if got != want || executions < 3 {
				t.Errorf("finished with %+v after %d executions, want %+v", got, executions, want)
			}
			if a, b := events.trace(t), wanted.trace(t); a != b {
				t.Errorf("the events are\n%s\nwant\n%s", a, b)
			}
		})
	}
}
