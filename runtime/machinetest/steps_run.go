package machinetest

import (
	"encoding/json"
	"errors"
	"slices"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/rt"
	"github.com/agentc-dev/agentc/runtime/workflow"
)

// StepAnswers are what the steps of a workflow are answered where not any text will do, as JSON.
type StepAnswers struct {
	// Values are what agents finish with.
	Values Values
	// Results are what functions give, by name, Answers what people answer, by workflow/step.
	Results, Answers map[string]string
}

// maxFailures bounds the calls of a state that fail in turn.
const maxFailures = 20

// stepRunner runs the steps of each state: once with an answer to whatever they ask for, and once for each call from which on all
// fail. Where the machine goes has to be where its rows lead.
type stepRunner[S StepState] struct {
	*stepAsker[S]
	// spent counts the calls of all runs.
	spent int
	// taken are the rows without a guard that were taken, by state and event.
	taken map[[2]string]bool
}

func (r *stepRunner[S]) all() {
	r.t.Helper()
	r.taken = map[[2]string]bool{}
	for i, name := range r.States {
		if slices.Contains(r.Ends, name) {
			continue
		}
		calls := r.run(S(i+1), name, 0)
		for fails := 1; fails <= min(calls, maxFailures) && r.spent < maxAnswers; fails++ {
			r.run(S(i+1), name, fails)
		}
	}
	r.report()
}

// run runs a state whose calls fail from one on, and returns how many there were.
func (r *stepRunner[S]) run(s S, name string, fails int) (calls int) {
	r.t.Helper()
	d := &stepDoor{StepAnswers: r.StepAnswers, fails: fails}
	var context json.RawMessage
	if r.Context != "" {
		context = json.RawMessage(r.Context)
	}
	next, _, err := r.Run(d, s, input, context)
	r.spent += d.calls
	events := r.events(name, err, d.asked)
	var right []string
	for _, on := range events {
		right = append(right, r.leads(name, on)...)
	}
	to := next.String()
	switch anyState := slices.Contains(right, anywhere) && slices.Contains(r.States, to); {
	case len(events) == 0:
	case !anyState && !slices.Contains(right, to):
		r.problem("state %q ran, %s: the machine goes to %q, want %q", name, events[0], to, right)
	case r.last(name, events[0]).to == to && to != End:
		r.taken[[2]string{name, events[0].String()}] = true
	}

	return d.calls
}

// events tells how a state came out; a person who has answered may have led out of it. There is none if the run ended.
func (r *stepRunner[S]) events(state string, err error, asked bool) []workflow.Event {
	var unknown *workflow.UnknownStateError
	var stalled *workflow.StalledError
	switch {
	case errors.As(err, &stalled) && stalled.Machine == r.Name && stalled.State == state && stalled.Event == workflow.Success.String():
		return []workflow.Event{workflow.Success}
	case errors.As(err, &unknown) && unknown.Machine == r.Name && unknown.State == state:
		return []workflow.Event{workflow.Success}
	case runtime.EndsRun(err):
		return nil
	case err != nil:
		return []workflow.Event{workflow.Failure}
	case asked:
		return []workflow.Event{workflow.Success, workflow.Pause}
	}

	return []workflow.Event{workflow.Success}
}

// anywhere stands for the states that next_state may name. No state has this name.
const anywhere = "\x00"

// leads returns where a state leads on an event: where a row does, and behind all rows nowhere or, after success, to any state
// that next_state names.
func (r *stepRunner[S]) leads(state string, on workflow.Event) []string {
	var to []string
	for _, a := range r.answers(state, on) {
		to = append(to, a.to)
	}
	if r.last(state, on).match == rt.MatchNone && on == workflow.Success {
		to = append(to, anywhere)
	}

	return to
}

// last returns what follows where no guard holds.
func (r *stepRunner[S]) last(state string, on workflow.Event) answer {
	answers := r.answers(state, on)

	return answers[len(answers)-1]
}

// report tells which rows without a guard were taken.
func (r *stepRunner[S]) report() {
	r.t.Helper()
	rows := 0
	for _, state := range r.States {
		for _, on := range []workflow.Event{workflow.Success, workflow.Failure} {
			if slices.Contains(r.Ends, state) || r.last(state, on).match == rt.MatchNone {
				continue
			}
			rows++
			if !r.taken[[2]string{state, on.String()}] {
				r.log("the row of %q on %s was asked, not run: the steps did not come out so", state, on)
			}
		}
	}
	r.log("%d of %d rows without a guard were run, in %d calls", len(r.taken), rows, r.spent)
}
