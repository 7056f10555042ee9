package machinetest_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/machinetest"
	"github.com/agentc-dev/agentc/runtime/rt"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// steps are what the states of work do: they are what a test runs.
type steps map[workState]func(r *workflow.Run) (workflow.Value, error)

// next finds the row of a state and an event.
type next func(workState, workflow.Event) (workState, rt.Match)

// runs is the method that runs one state, as generated code has it.
func (do steps) runs(rows next) func(runtime.Effects, workState, string, json.RawMessage) (workState, runtime.Finish, error) {
	return func(fx runtime.Effects, s workState, input string, context json.RawMessage) (workState, runtime.Finish, error) {
		r := workflow.Start(fx, "work")
		if err := r.Begin(context); err != nil {
			return 0, runtime.Finish{}, err
		}
		m := workflow.NewMachine(&r, "work", 1, parseWorkState, workflow.Text(input)).Single()
		m.Enter(s)
		m.Did(do[s](&r))
		to, match := rows(s, m.Event())
		if match == rt.MatchNone {
			to, _ = m.Follow(nil)
		}
		m.Take(to, match)
		fin, err := r.Done(m.End(s, false))

		return m.Next(), fin, err
	}
}

// callsAll asks for one thing of each kind, each of which has to be answered so that it fits.
func callsAll(r *workflow.Run) (workflow.Value, error) {
	said, err := r.Agent(&rt.OneshotSpec{Agent: "work/judge", Output: &rt.OutputSpec{Schema: "{}", Check: isNumber}}, workflow.None)
	if err != nil {
		return workflow.None, r.Failed("judge", err)
	}
	run := func(context.Context, json.RawMessage) (json.RawMessage, error) {
		return nil, errors.New("nothing is called")
	}
	counted, err := r.Call("tools:count", said, run)
	if err != nil || counted.String() != "12" {
		return workflow.None, r.Failed("count", errors.Join(err, errors.New("12 is wanted")))
	}
	answer, err := r.Ask("confirm", "Is it?", &rt.OutputSpec{Schema: "{}", Check: isNumber})
	if err != nil {
		return workflow.None, r.Failed("confirm", err)
	}

	return answer, nil
}

func isNumber(value json.RawMessage) error {
	var number float64

	return json.Unmarshal(value, &number)
}

func giveOn(*workflow.Run) (workflow.Value, error) { return workflow.Text("value"), nil }

// goTo puts a name into next_state.
func goTo(name string) func(r *workflow.Run) (workflow.Value, error) {
	return func(r *workflow.Run) (workflow.Value, error) {
		return workflow.None, r.SetContext(workflow.Text(name), "next_state")
	}
}

// running returns work with states that can be run.
func running(do steps, rows next) machinetest.Steps[workState] {
	m := work()
	m.Run, m.Context = do.runs(rows), `{"size": 1}`
	m.StepAnswers = machinetest.StepAnswers{
		Values: machinetest.Values{"work/judge": {"7"}}, Results: map[string]string{"tools:count": "12"},
		Answers: map[string]string{"work/confirm": "3"},
	}

	return m
}

// TestStepsRun: states run with whatever they ask for, and with the failure of each of it in turn.
func TestStepsRun(t *testing.T) {
	for _, c := range []struct {
		name string
		do   steps
		want []string
	}{
		{"calls", steps{1: callsAll, 2: callsAll}, []string{"3 of 3 rows without a guard were run, in 18 calls"}},
		{"no calls", steps{1: giveOn, 2: giveOn}, []string{
			`the row of "open" on failure was asked, not run`, `the row of "busy" on failure was asked, not run`,
			"1 of 3 rows without a guard were run, in 0 calls",
		}},
		{"next_state", steps{1: giveOn, 2: goTo("open")}, []string{"1 of 3 rows"}},
		{"an unknown next_state", steps{1: giveOn, 2: goTo("nowhere")}, []string{"1 of 3 rows"}},
	} {
		var told recorder
		machinetest.CheckSteps(&told, running(c.do, nextWork(false)))
		if len(told.problems) > 0 {
			t.Errorf("%s: told is\n%s", c.name, strings.Join(told.problems, "\n"))
		}
		for _, want := range c.want {
			if !told.logged("work: " + want) {
				t.Errorf("%s: %q is not among\n%s", c.name, want, strings.Join(told.logs, "\n"))
			}
		}
	}
}

// TestStepsRunSees: a machine whose rows are right but not asked, or asked for the wrong state or event, is noticed where it runs.
func TestStepsRunSees(t *testing.T) {
	right := nextWork(false)
	for _, c := range []struct {
		name string
		do   steps
		rows next
		want string
	}{
		{"rows are not asked", steps{1: callsAll, 2: callsAll},
			func(workState, workflow.Event) (workState, rt.Match) { return 0, rt.MatchNone },
			`state "open" ran, failure: the machine goes to "", want ["done"]`},
		{"another state is asked about", steps{1: giveOn, 2: callsAll},
			func(s workState, on workflow.Event) (workState, rt.Match) { return right(2, on) },
			`state "open" ran, success: the machine goes to "", want ["busy" "done"]`},
		{"another event is asked about", steps{1: callsAll, 2: callsAll},
			func(s workState, on workflow.Event) (workState, rt.Match) { return right(s, workflow.Success) },
			`state "busy" ran, failure: the machine goes to "", want ["done"]`},
		{"it stays where it is", steps{1: giveOn, 2: giveOn},
			func(s workState, on workflow.Event) (workState, rt.Match) { return s, rt.MatchExact },
			`state "open" ran, success: the machine goes to "open", want ["busy" "done"]`},
	} {
		var told recorder
		machinetest.CheckSteps(&told, running(c.do, c.rows))
		if text := strings.Join(told.problems, "\n"); !strings.Contains(text, "work: "+c.want) {
			t.Errorf("%s: told is\n%s", c.name, text)
		}
	}
}

// TestStepsFollow: a machine that does not refuse a next_state, or goes elsewhere, is noticed.
func TestStepsFollow(t *testing.T) {
	m := work()
	m.ParseState = func(text string) (workState, error) {
		s, err := parseWorkState(text)
		if err != nil && text == "no such state" {
			return 1, nil
		}
		return s, err
	}
	var told recorder
	machinetest.CheckSteps(&told, m)
	if text := strings.Join(told.problems, "\n"); text != `work: next_state "no such state" leads to "open": <nil>` {
		t.Errorf("told is\n%s", text)
	}
}
