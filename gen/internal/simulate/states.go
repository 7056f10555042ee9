package simulate

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// stateID numbers the states of all machines of a search, from 1.
type stateID uint32

// stateMark begins the text of a stateID, which no name of a source has: the names are those of
// [workSearch.states].
const stateMark = "\ue001"

func (s stateID) String() string { return stateMark + strconv.Itoa(int(s)) }

// named returns a value in which the text of a stateID is the name of the state.
func (s *workSearch) named(v workflow.Value) workflow.Value {
	text, _ := v.AsText()
	digits, isState := strings.CutPrefix(text, stateMark)
	if id, err := strconv.Atoi(digits); isState && err == nil {
		return workflow.Text(s.states[id-1].Name.Value)
	}

	return v
}

// number gives the states of a machine numbers, unless they have some.
func (s *workSearch) number(m *ir.Machine) {
	for _, state := range m.States {
		if s.ids[state] == 0 {
			s.states = append(s.states, state)
			s.ids[state] = stateID(len(s.states))
		}
	}
}

// manySteps is a bound on the states of a machine beyond which paths are not distinguished by how
// many have run.
const manySteps = 20

// machine runs the machine of a step.
func (r *workRun) machine(t *ir.Task, m *ir.Machine, input workflow.Value) (workflow.Value, error) {
	r.number(m)
	found := r.found(r.agent, t, m)
	most := limit(m, r.maxSteps)
	outer := []string{input.JSON(), r.NextState().JSON(), r.CurrentState().JSON(), r.next.JSON(), r.event}
	next, event, leave := r.next, r.event, r.leave
	defer func() { r.next, r.event, r.leave = next, event, leave }()

	w := workflow.NewMachine(&r.Run, t.Name.Value, most, func(name string) (stateID, error) { return r.parse(m, name) }, input)
	at := w.Begin(r.ids[m.Initial.State])
	for steps := 0; ; steps++ {
		s := r.states[at-1]
		r.x.note(item{kind: kindEnter, state: found.states[s]})
		if s.End || !w.Enter(at) {
			break
		}
		r.next, r.event = workflow.Value{}, ""
		r.leave = func(answer workflow.Value) error { return r.answered(m, s, answer) }
		depth := ""
		if most <= manySteps {
			depth = strconv.Itoa(steps)
		}
		end := r.x.inside(s, append(outer, depth)...)
		w.RecordOutput(r.pipeline(s.Body, w.Input()))
		end()
		r.event = string(w.Event())
		to, match := r.follow(found, s)
		if match == "" {
			to, match = w.Follow(m.Rowless(s))
		}
		if match == "" {
			break
		}
		w.Take(to, match)
		at = to
	}

	return w.End(at)
}

// follow returns where the first row leads whose guard holds. Behind a guard that is unknown no row
// without one is taken, and next_state is not followed: the machine fails, as it does where no row
// leads on.
func (r *workRun) follow(found *Machine, s *ir.State) (stateID, rt.Match) {
	isUnknown := false
	for _, row := range found.machine.Ways(s, r.event) {
		switch t := r.guard(row, r.Result()); {
		case t == workflow.Unknown:
			isUnknown = true
			r.RecordRefused(row.When.Text.Value, t.String(), []string{})
		case !t.Holds():
		case row.When == nil && isUnknown:
			return 0, r.Else(rt.MatchExact)
		default:
			r.x.note(item{kind: kindTake, row: found.of[row]})
			return r.ids[row.To.State], rt.MatchExact
		}
	}

	return 0, ""
}

// answered leaves a state where a person has answered and a row on that leads to another state, or
// cannot be decided.
func (r *workRun) answered(m *ir.Machine, s *ir.State, answer workflow.Value) error {
	isUnknown := false
	for _, row := range m.Ways(s, ir.OnPause) {
		switch t := r.guard(row, answer); {
		case t == workflow.Unknown:
			isUnknown = true
		case !t.Holds(), row.When == nil && isUnknown:
		case interp.Stays(s, row):
			return nil
		default:
			return r.leaveFor(answer)
		}
	}
	if isUnknown {
		return r.leaveFor(answer)
	}

	return nil
}

// leaveFor returns the error that leaves a state for an answer.
func (r *workRun) leaveFor(answer workflow.Value) error {
	r.left = r.Leave(answer)

	return r.left
}

// parse finds a state by its name: any state if that is not known.
func (r *workRun) parse(m *ir.Machine, name string) (stateID, error) {
	if strings.Contains(name, mark) {
		i := r.choose(len(m.States))
		r.x.depends()
		return r.ids[m.States[i]], nil
	}
	for _, s := range m.States {
		if id := r.ids[s]; s.Name.Value == name || id.String() == name {
			return id, nil
		}
	}

	return 0, fmt.Errorf("no state is called %q", name)
}
