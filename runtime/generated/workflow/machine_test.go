package workflow_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

func TestMachines(t *testing.T) {
	const ok, bad, person = workflow.Success, workflow.Failure, workflow.Pause
	const there = `; there are "draft", "review", "publish", "failed", "done"`
	for _, c := range []struct {
		name    string
		steps   steps
		rows    []row
		context string
		starts  bool
		want    string // the finish, or the error
		path    string
	}{
		{
			name:  "rows lead on, and the last state's output is the machine's",
			steps: steps{draft: says("a draft"), review: says("a review")},
			rows:  []row{{draft, ok, review, nil}, {review, ok, done, nil}},
			want:  "done: a review", path: "draft review done",
		},
		{
			name:  "every state is given the machine's input",
			steps: steps{draft: says("a draft"), review: echo},
			rows:  []row{{draft, ok, review, nil}, {review, ok, done, nil}},
			want:  "done: task", path: "draft review done",
		},
		{
			name:  "a machine ends after a state without rows",
			steps: steps{draft: says("a draft")},
			want:  "draft: a draft", path: "draft",
		},
		{
			name:  "a machine stalls in a state that has only a row for another event",
			steps: steps{draft: says("a draft")},
			rows:  []row{{0, workflow.Failure, failed, nil}},
			want:  stalledError("draft"), path: "draft",
		},
		{
			name:  "a machine whose guards all refuse stalls",
			steps: steps{draft: says("a draft")},
			rows:  []row{{draft, ok, done, func(*workflow.Run) bool { return false }}},
			want:  stalledError("draft"), path: "draft",
		},
		{
			name: "a state without steps gives on its input",
			rows: []row{{draft, ok, done, nil}},
			want: "done: task", path: "draft done",
		},
		{
			name:  "the first row that fits wins, those of every state in their place",
			steps: steps{draft: says("a draft")},
			rows:  []row{{review, ok, failed, nil}, {0, ok, publish, nil}, {draft, ok, review, nil}, {publish, ok, done, nil}},
			want:  "step limit", path: strings.Repeat("draft publish publish", 1),
		},
		{
			name:  "a row whose guard does not hold is passed over",
			steps: steps{draft: says(`{"score": 3}`)},
			rows: []row{
				{draft, ok, failed, func(r *workflow.Run) bool { return workflow.Int(5).Less(r.Result().Get("score")) }},
				{draft, ok, done, nil},
			},
			want: `done: {"score":3}`, path: "draft done",
		},
		{
			name:  "next_state of the context leads on where no row does",
			steps: steps{draft: heads("review", "x"), review: says("y")},
			want:  "review: y", path: "draft review",
		},
		{
			name:  "next_state is cleared at each hop",
			steps: steps{draft: heads("review", "x"), review: says("y"), publish: says("z")},
			rows:  []row{{review, ok, publish, nil}},
			want:  "publish: z", path: "draft review publish",
		},
		{
			name:  "rows count more than next_state",
			steps: steps{draft: heads("failed", "x")},
			rows:  []row{{draft, ok, done, nil}},
			want:  "done: x", path: "draft done",
		},
		{
			name:  "next_state of an output leads on",
			steps: steps{draft: says(`{"next_state": "done"}`)},
			want:  `done: {"next_state":"done"}`, path: "draft done",
		},
		{
			name:  "next_state of the context counts more than that of an output",
			steps: steps{draft: heads("failed", `{"next_state": "done"}`)},
			want:  `failed: {"next_state":"done"}`, path: "draft failed",
		},
		{
			name: "the newest output with a next_state counts",
			steps: steps{draft: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
				for _, text := range []string{`{"next_state": "failed"}`, `{"next_state": "done"}`, `{"next_state": 5}`} {
					if _, err := says(text)(r, input); err != nil {
						return workflow.Value{}, err
					}
				}

				return says("x")(r, input)
			}},
			want: "done: x", path: "draft done",
		},
		{
			name: "next_state that is set to none or nothing leads nowhere",
			steps: steps{draft: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
				if _, err := heads("review", "x")(r, input); err != nil {
					return workflow.Value{}, err
				}

				return workflow.Text("x"), r.SetContext(workflow.Value{}, "next_state")
			}},
			want: "draft: x", path: "draft",
		},
		{
			name:  "next_state that names no state",
			steps: steps{draft: heads("nowhere", "x")},
			want:  `machine "orchestrate", state "draft": there is no state "nowhere" to go to` + there,
			path:  "draft",
		},
		{
			name: "next_state that is not text",
			steps: steps{draft: func(r *workflow.Run, _ workflow.Value) (workflow.Value, error) {
				return workflow.Value{}, r.SetContext(workflow.Int(7), "next_state")
			}},
			want: `machine "orchestrate", state "draft": there is no state "7" to go to` + there,
			path: "draft",
		},
		{
			name:  "a failure has its rows",
			steps: steps{draft: breaks},
			rows:  []row{{draft, ok, done, nil}, {0, bad, failed, nil}},
			want:  "failed: ", path: "draft failed",
		},
		{
			name:  "after a failure the machine goes on",
			steps: steps{draft: breaks, review: says("mended")},
			rows:  []row{{draft, bad, review, nil}, {review, ok, done, nil}},
			want:  "done: mended", path: "draft review done",
		},
		{
			name:  "a failure without a row fails the machine",
			steps: steps{draft: breaks},
			rows:  []row{{draft, ok, done, nil}, {review, bad, failed, nil}},
			want:  `machine "orchestrate": state "draft" failed, and no row handles the failure: workflow "flow", step "break": a fault`,
			path:  "draft",
		},
		{
			name: "after a failure next_state does not count",
			steps: steps{draft: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
				if _, err := heads("done", `{"next_state": "done"}`)(r, input); err != nil {
					return workflow.Value{}, err
				}

				return breaks(r, input)
			}},
			want: `machine "orchestrate": state "draft" failed, and no row handles the failure: workflow "flow", step "break": a fault`,
			path: "draft",
		},
		{
			name:  "guards know what failed",
			steps: steps{draft: breaks},
			rows: []row{{draft, bad, failed, func(r *workflow.Run) bool {
				return !r.StepOK() && r.StepName().String() == "break" && r.Result().IsNone() &&
					strings.Contains(r.Feedback().String(), "a fault")
			}}},
			want: "failed: ", path: "draft failed",
		},
		{
			name:  "guards know what went well",
			steps: steps{draft: says("x")},
			rows: []row{{draft, ok, done, func(r *workflow.Run) bool {
				return r.StepOK() && r.StepName().String() == "say" && r.Feedback().IsNone() && r.Result().String() == "x" &&
					r.CurrentState().String() == "draft"
			}}},
			want: "done: x", path: "draft done",
		},
		{
			name: "what ends the run is no failure",
			steps: steps{draft: func(*workflow.Run, workflow.Value) (workflow.Value, error) {
				return workflow.Value{}, runtime.ErrNotImplemented
			}},
			rows: []row{{0, bad, failed, nil}, {0, ok, done, nil}, {0, person, done, nil}},
			want: "not implemented", path: "draft",
		},
		{
			name: "a person's answer takes the run to the state of the row, which is given the answer",
			steps: steps{
				draft: func(*workflow.Run, workflow.Value) (workflow.Value, error) {
					return workflow.Value{}, new(workflow.Run).Leave(workflow.Text("an answer"))
				},
				review: echo,
			},
			rows: []row{{0, bad, failed, nil}, {draft, person, review, nil}, {review, ok, publish, nil}},
			want: stalledError("publish"), path: "draft review publish",
		},
		{
			name: "the output of a state that was left is the answer",
			steps: steps{
				draft: func(*workflow.Run, workflow.Value) (workflow.Value, error) {
					return workflow.Value{}, new(workflow.Run).Leave(workflow.Text("an answer"))
				},
			},
			rows: []row{{draft, person, done, nil}},
			want: "done: an answer", path: "draft done",
		},
		{
			name:  "current_state of the context says where to begin",
			steps: steps{review: says("y")}, context: `{"current_state": "review"}`, starts: true,
			want: "review: y", path: "review",
		},
		{
			name:  "so does that of the older name",
			steps: steps{review: says("y")}, context: `{"scratchpad": {"current_state": "review"}}`, starts: true,
			want: "review: y", path: "review",
		},
		{
			name:  "an end state to begin with: nothing runs",
			steps: steps{draft: says("x")}, context: `{"current_state": "failed"}`, starts: true,
			want: "failed: task",
		},
		{
			name:  "a state to begin with that is none",
			steps: steps{draft: says("x")}, context: `{"current_state": "drft"}`, starts: true,
			want: `machine "orchestrate": there is no state "drft" to go to` + there,
		},
		{
			name:  "only the first machine begins there",
			steps: steps{draft: says("x")}, context: `{"current_state": "review"}`,
			want: "draft: x", path: "draft",
		},
		{
			name:  "next_state of the initial context is of no state",
			steps: steps{draft: says("x")}, context: `{"next_state": "review"}`,
			want: "draft: x", path: "draft",
		},
		{
			name:  "more states than there may be",
			steps: steps{draft: heads("review", "x"), review: heads("draft", "y")},
			want:  "step limit", path: "draft review draft",
		},
	} {
		if c.context == "" {
			c.context = "{}"
		}
		fx := &door{}
		r := start(t, fx, c.context)
		m := machine{name: "orchestrate", max: 3, steps: c.steps, rows: c.rows, starts: c.starts}
		fin, err := r.FinishMachine(m.run(&r, workflow.Text("task")))
		got := fin.Key + ": " + fin.Value
		if limit := (*runtime.StepLimitError)(nil); errors.As(err, &limit) && limit.Machine == "orchestrate" && limit.Steps == 3 {
			got = "step limit"
		} else if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
		if path := walked(fx); path != c.path {
			t.Errorf("%s: the path is %q, expected %q", c.name, path, c.path)
		}
	}
}

// walked returns the states that were entered, and the one in which the machine ended.
func walked(fx *door) string {
	var path []string
	for _, e := range fx.notes {
		if e.Kind == event.Enter {
			path = append(path, e.State)
		}
	}
	for _, e := range fx.notes {
		if e.Kind == event.Transition && (e.To == "failed" || e.To == "done") {
			path = append(path, e.To)
		}
	}

	return strings.Join(path, " ")
}

func stalledError(state string) string {
	return `machine "orchestrate" stalled in state "` + state + `": no row leads on after success, and it is not an end state`
}
