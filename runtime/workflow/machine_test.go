package workflow_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// phase is a state, as generated code has them.
type phase uint8

const (
	draft phase = iota + 1
	review
	publish
	failed
	done
)

var phases = []string{draft: "draft", review: "review", publish: "publish", failed: "failed", done: "done"}

func (p phase) String() string {
	if p == 0 || int(p) >= len(phases) {
		return ""
	}

	return phases[p]
}

func (p phase) Ends() bool { return p == failed || p == done }

func parsePhase(text string) (phase, error) {
	for p := draft; p <= done; p++ {
		if p.String() == text {
			return p, nil
		}
	}

	return 0, &runtime.UnknownNameError{}
}

// row is a row of a machine's table; from 0 is every state.
type row struct {
	from phase
	on   workflow.Event
	to   phase
	when func(r *workflow.Run) bool
}

// machine is what generated code of one machine holds: the steps of each state and the rows.
type machine struct {
	name  string
	max   int
	steps map[phase]func(r *workflow.Run, input workflow.Value) (workflow.Value, error)
	rows  []row
	// starts says that current_state of the initial context counts.
	starts bool
}

// run drives the machine as generated code does.
func (m *machine) run(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
	memory := workflow.NewMachine(r, m.name, m.max, input)
	state := draft
	if m.starts {
		state = workflow.Begin(&memory, draft, parsePhase)
	}
	for !state.Ends() && memory.Enter(state.String()) {
		next, match := m.hop(r, &memory, state)
		if match == runtime.MatchNone {
			break
		}
		memory.Take(next.String(), match)
		state = next
	}

	return memory.End(state.String(), state.Ends())
}

func (m *machine) hop(r *workflow.Run, memory *workflow.Machine, state phase) (phase, runtime.Match) {
	if steps := m.steps[state]; steps != nil {
		memory.Did(steps(r, memory.Input()))
	} else {
		memory.Did(memory.Input(), nil)
	}
	for _, row := range m.rows {
		switch {
		case row.on != memory.Event() || row.from != 0 && row.from != state || row.when != nil && !row.when(r):
		case row.from == 0:
			return row.to, runtime.MatchCatchAll
		default:
			return row.to, runtime.MatchExact
		}
	}

	return workflow.Follow(memory, parsePhase)
}

// says is a step that comes to a value.
func says(text string) func(*workflow.Run, workflow.Value) (workflow.Value, error) {
	return func(r *workflow.Run, _ workflow.Value) (workflow.Value, error) {
		v := workflow.Text(text)
		if strings.HasPrefix(text, "{") {
			v = workflow.None
			if err := v.UnmarshalJSON([]byte(text)); err != nil {
				return workflow.None, err
			}
		}
		r.Did("say", v)

		return v, nil
	}
}

// heads is a step that sets next_state.
func heads(to, text string) func(*workflow.Run, workflow.Value) (workflow.Value, error) {
	return func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
		if err := r.SetContext(workflow.Text(to), "next_state"); err != nil {
			return workflow.None, err
		}

		return says(text)(r, input)
	}
}

func breaks(r *workflow.Run, _ workflow.Value) (workflow.Value, error) {
	return workflow.None, r.Failed("break", errFault)
}

// echo gives on what it is given.
func echo(_ *workflow.Run, input workflow.Value) (workflow.Value, error) { return input, nil }

type steps = map[phase]func(*workflow.Run, workflow.Value) (workflow.Value, error)

func TestMachines(t *testing.T) {
	const ok, bad, person = workflow.Success, workflow.Failure, workflow.Pause
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
			name:  "a machine without a way on ends after the state",
			steps: steps{draft: says("a draft")},
			want:  "done: a draft", path: "draft",
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
				{draft, ok, failed, func(r *workflow.Run) bool { return workflow.Less(workflow.Int(5), r.Result().Get("score")) }},
				{draft, ok, done, nil},
			},
			want: `done: {"score":3}`, path: "draft done",
		},
		{
			name:  "next_state of the context leads on where no row does",
			steps: steps{draft: heads("review", "x"), review: says("y")},
			want:  "done: y", path: "draft review",
		},
		{
			name:  "next_state is cleared at each hop",
			steps: steps{draft: heads("review", "x"), review: says("y"), publish: says("z")},
			rows:  []row{{review, ok, publish, nil}},
			want:  "done: z", path: "draft review publish",
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
						return workflow.None, err
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
					return workflow.None, err
				}

				return workflow.Text("x"), r.SetContext(workflow.None, "next_state")
			}},
			want: "done: x", path: "draft",
		},
		{
			name:  "next_state that names no state",
			steps: steps{draft: heads("nowhere", "x")},
			want:  `machine "orchestrate", state "draft": there is no state "nowhere" to go to; there are "draft", "review", "publish", "failed", "done"`,
			path:  "draft",
		},
		{
			name: "next_state that is no text",
			steps: steps{draft: func(r *workflow.Run, _ workflow.Value) (workflow.Value, error) {
				return workflow.None, r.SetContext(workflow.Int(7), "next_state")
			}},
			want: `machine "orchestrate", state "draft": there is no state "7" to go to; there are "draft", "review", "publish", "failed", "done"`,
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
			want:  `machine "orchestrate": state "draft" failed, and no row says what follows: workflow "flow", step "break": a fault`,
			path:  "draft",
		},
		{
			name: "after a failure next_state does not count",
			steps: steps{draft: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
				if _, err := heads("done", `{"next_state": "done"}`)(r, input); err != nil {
					return workflow.None, err
				}

				return breaks(r, input)
			}},
			want: `machine "orchestrate": state "draft" failed, and no row says what follows: workflow "flow", step "break": a fault`,
			path: "draft",
		},
		{
			name:  "guards know what failed",
			steps: steps{draft: breaks},
			rows: []row{{draft, bad, failed, func(r *workflow.Run) bool {
				return !r.StepOK() && r.StepName().String() == "break" && strings.Contains(r.Feedback().String(), "a fault") && r.Result().IsNone()
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
				return workflow.None, runtime.ErrNotImplemented
			}},
			rows: []row{{0, bad, failed, nil}, {0, ok, done, nil}, {0, person, done, nil}},
			want: "not implemented", path: "draft",
		},
		{
			name: "a person's answer takes the run to the state of the row, which is given the answer",
			steps: steps{
				draft: func(*workflow.Run, workflow.Value) (workflow.Value, error) {
					return workflow.None, workflow.Leave(workflow.Text("an answer"))
				},
				review: echo,
			},
			rows: []row{{0, bad, failed, nil}, {draft, person, review, nil}, {review, ok, publish, nil}},
			want: "done: task", path: "draft review publish",
		},
		{
			name: "the output of a state that was left is the answer",
			steps: steps{
				draft: func(*workflow.Run, workflow.Value) (workflow.Value, error) {
					return workflow.None, workflow.Leave(workflow.Text("an answer"))
				},
			},
			rows: []row{{draft, person, done, nil}},
			want: "done: an answer", path: "draft done",
		},
		{
			name:  "current_state of the context says where to begin",
			steps: steps{review: says("y")}, context: `{"current_state": "review"}`, starts: true,
			want: "done: y", path: "review",
		},
		{
			name:  "so does that of the older name",
			steps: steps{review: says("y")}, context: `{"scratchpad": {"current_state": "review"}}`, starts: true,
			want: "done: y", path: "review",
		},
		{
			name:  "an end state to begin with: nothing runs",
			steps: steps{draft: says("x")}, context: `{"current_state": "failed"}`, starts: true,
			want: "failed: task",
		},
		{
			name:  "a state to begin with that is none",
			steps: steps{draft: says("x")}, context: `{"current_state": "drft"}`, starts: true,
			want: `machine "orchestrate": there is no state "drft" to go to; there are "draft", "review", "publish", "failed", "done"`,
		},
		{
			name:  "only the first machine begins there",
			steps: steps{draft: says("x")}, context: `{"current_state": "review"}`,
			want: "done: x", path: "draft",
		},
		{
			name:  "next_state of the initial context is of no state",
			steps: steps{draft: says("x")}, context: `{"next_state": "review"}`,
			want: "done: x", path: "draft",
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
		fin, err := r.Ended(m.run(&r, workflow.Text("task")))
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
		if e.Kind == runtime.EventEnter {
			path = append(path, e.State)
		}
	}
	for _, e := range fx.notes {
		if e.Kind == runtime.EventTransition && (e.To == "failed" || e.To == "done") {
			path = append(path, e.To)
		}
	}

	return strings.Join(path, " ")
}

func TestErrorsOfMachinesCanBeToldApart(t *testing.T) {
	r := start(t, &door{}, "{}")
	m := machine{name: "orchestrate", max: 9, steps: steps{draft: breaks}}
	_, err := m.run(&r, workflow.None)
	var state *workflow.StateError
	var step *workflow.StepError
	if !errors.As(err, &state) || state.State != "draft" || state.Workflow != "flow" || !errors.As(err, &step) || !errors.Is(err, errFault) {
		t.Errorf("got %#v", err)
	}

	m.steps[draft] = heads("nowhere", "x")
	_, err = m.run(&r, workflow.None)
	var unknown *workflow.UnknownStateError
	if !errors.As(err, &unknown) || unknown.State != "draft" || unknown.Name != "nowhere" || len(unknown.States) != 5 {
		t.Errorf("got %#v", err)
	}
	if outer := r.Failed("machine", err); runtime.EndsRun(outer) || !errors.As(outer, &unknown) {
		t.Errorf("a machine that fails is a step that fails: %v", outer)
	}
}

// TestCancellationIsNoFailure, whatever its cause is.
func TestCancellationIsNoFailure(t *testing.T) {
	fx := &door{}
	r := start(t, fx, "{}")
	cause := errors.New("shut down")
	m := machine{
		name: "orchestrate", max: 9, rows: []row{{0, workflow.Failure, failed, nil}},
		steps: steps{draft: func(r *workflow.Run, _ workflow.Value) (workflow.Value, error) {
			fx.cancelled = cause

			return workflow.None, r.Failed("s", cause)
		}},
	}
	if _, err := m.run(&r, workflow.None); err != cause {
		t.Errorf("got %v", err)
	}
}

func TestEventsOfAMachine(t *testing.T) {
	fx := &door{}
	r := start(t, fx, "{}")
	m := machine{
		name: "orchestrate", max: 9, steps: steps{draft: says("x"), review: heads("draft", "y"), publish: breaks},
		rows: []row{
			{draft, workflow.Success, publish, func(r *workflow.Run) bool { return r.Context("seen").True() }},
			{draft, workflow.Success, review, nil}, {0, workflow.Failure, failed, nil},
		},
	}
	inner := m.steps[review]
	m.steps[review] = func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
		if err := r.SetContext(workflow.Bool(true), "seen"); err != nil {
			return workflow.None, err
		}

		return inner(r, input)
	}
	if _, err := r.Ended(m.run(&r, workflow.Text("task"))); err != nil {
		t.Fatal(err)
	}
	wantTold(t, fx,
		"enter flow orchestrate draft #1",
		"step flow say x",
		"transition flow orchestrate draft success exact review #1",
		"enter flow orchestrate review #1",
		"step flow say y",
		"transition flow orchestrate review success next-state draft #1",
		"enter flow orchestrate draft #2",
		"step flow say x",
		"transition flow orchestrate draft success exact publish #2",
		"enter flow orchestrate publish #1",
		"error flow error a fault",
		"transition flow orchestrate publish failure catch-all failed #1",
		"finish flow failed",
	)
}

// TestMachinesInMachines: each has its own current_state and next_state, and the outer one goes on where it was.
func TestMachinesInMachines(t *testing.T) {
	var seen []string
	note := func(r *workflow.Run) {
		seen = append(seen, fmt.Sprintf("%s>%s", r.CurrentState(), r.NextState()))
	}
	inner := machine{name: "inner", max: 9, steps: steps{
		draft: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
			note(r)

			return heads("done", "inside")(r, input)
		},
	}}
	outer := machine{name: "outer", max: 9, steps: steps{
		draft: heads("publish", "x"),
		publish: func(r *workflow.Run, input workflow.Value) (workflow.Value, error) {
			if _, err := heads("review", "y")(r, input); err != nil {
				return workflow.None, err
			}
			note(r)
			v, err := inner.run(r, input)
			note(r)

			return v, err
		},
		review: says("z"),
	}}
	r := start(t, &door{}, "{}")
	fin, err := r.Ended(outer.run(&r, workflow.Text("task")))
	if err != nil || fin.Value != "z" || fin.Key != "done" {
		t.Errorf("got %+v, %v", fin, err)
	}
	if got := strings.Join(seen, " "); got != "publish>review draft> publish>review" {
		t.Errorf("seen: %s", got)
	}
	if !r.CurrentState().IsNone() || !r.NextState().IsNone() {
		t.Errorf("behind the machine: %s, %s", r.CurrentState(), r.NextState())
	}

	// The key is the end state of the machine that ran last.
	r = start(t, &door{}, "{}")
	outer.steps[review] = nil
	outer.rows = []row{{publish, workflow.Success, failed, nil}}
	if fin, err := r.Ended(outer.run(&r, workflow.Text("task"))); err != nil || fin.Key != "failed" || fin.Value != "inside" {
		t.Errorf("got %+v, %v", fin, err)
	}
}

// TestMachinesTakeLittleMemory: without an observer a hop takes none beyond what its steps take.
func TestMachinesTakeLittleMemory(t *testing.T) {
	fx := &door{unwatched: true}
	r := start(t, fx, "{}")
	input := workflow.Text("task")
	long := machine{name: "orchestrate", max: 1000, rows: []row{{draft, workflow.Success, review, nil}, {review, workflow.Success, draft, nil}}}
	allocs := testing.AllocsPerRun(10, func() {
		if _, err := long.run(&r, input); err == nil {
			t.Error("a machine without an end came to it")
		}
	})
	if allocs > 10 {
		t.Errorf("%.0f allocations in 1000 hops", allocs)
	}
}
