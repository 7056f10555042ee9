package gen_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// choices are the decisions of one run: what each question is answered with. Runs with all choices
// are made one after the other, as an odometer counts.
type choices struct {
	taken, widths []int
	at            int
}

// pick answers a question that has n answers.
func (c *choices) pick(n int) int {
	if c.at == len(c.taken) {
		c.taken, c.widths = append(c.taken, 0), append(c.widths, n)
	}
	c.at++

	return c.taken[c.at-1]
}

// next prepares the run after this one; false if there is none.
func (c *choices) next() bool {
	c.at = 0
	for last := len(c.taken) - 1; last >= 0; last-- {
		if c.taken[last]++; c.taken[last] < c.widths[last] {
			return true
		}
		c.taken, c.widths = c.taken[:last], c.widths[:last]
	}

	return false
}

// workRun interprets a workProgram: the second opinion on what its generated code does.
type workRun struct {
	*choices
	// context is what steps have written, and initial what a run found where it read first.
	context, initial map[string]any
	typed            bool
	steps            map[string]map[string]any
	// states are those that were entered, and ended the end state of the machine that ended last.
	states []string
	rows   []string
	ended  string
	// answers are those of agents, as JSON.
	answers []string
	// unrouted says that the key of a branch had no arm, and stalled that no row of a state applied.
	unrouted, stalled bool
}

// The ways in which a machine fails. Only a step that fails has rows.
var (
	errStalled = errors.New("stalled")
	errLimit   = errors.New("step limit")
	errStep    = errors.New("step")
	errMissing = errors.New("a value is missing")
)

func (r *workRun) read(of, field string) any {
	if step, isStep := strings.CutPrefix(of, "steps."); isStep {
		return r.steps[step][field]
	}

	if value, written := r.context[field]; written {
		return value
	}
	if _, known := r.initial[field]; !known {
		values := r.initially(workFields[slices.IndexFunc(workFields, func(f workField) bool { return f.name == field })])
		if i := r.pick(len(values) + 1); i > 0 {
			r.initial[field] = values[i-1]
		} else {
			r.initial[field] = nil
		}
	}

	return r.initial[field]
}

// initially returns what the context of a run can begin with in a field. One that is not declared may hold any text: one that is no value
// of the field, and for a boolean also those that hold, and name branches, as true and false do.
func (r *workRun) initially(f workField) []any {
	switch {
	case r.typed:
		return f.values
	case f.name == "ok":
		return append(slices.Clone(f.values), "true", "false", "other")
	}

	return append(slices.Clone(f.values), "other")
}

func (r *workRun) pipeline(steps []*workStep) error {
	for _, s := range steps {
		if err := r.step(s); err != nil {
			return err
		}
	}

	return nil
}

func (r *workRun) step(s *workStep) error {
	switch s.kind {
	case "ask":
		answer := map[string]any{}
		for _, f := range s.agent.fields {
			answer[f.name] = f.values[r.pick(len(f.values))]
		}
		r.answers = append(r.answers, asJSON(answer))
		r.steps[s.name] = answer
		if s.merges {
			maps.Copy(r.context, answer)
		}
	case "set":
		r.context[s.field.name] = s.value
	case "loop":
		for range s.most {
			if err := r.pipeline(s.body); err != nil {
				return err
			}
			if s.exit.holds(r).Holds() {
				return nil
			}
		}
		return errStep
	case "branch":
		value := r.read("context", s.field.name)
		if value == nil {
			return errMissing
		}
		key := fmt.Sprint(value)
		for _, arm := range s.arms {
			if arm.name == key {
				return r.pipeline(arm.steps)
			}
		}
		if s.other == nil {
			r.unrouted = true
			return errStep
		}
		return r.pipeline(s.other.steps)
	case "fork":
		return r.fork(s)
	case "machine":
		return r.machine(s.machine)
	}

	return nil
}

// fork runs each branch on a copy of the context and merges what they have changed.
func (r *workRun) fork(s *workStep) error {
	before, changed := maps.Clone(r.context), map[string]any{}
	var failed error
	for _, arm := range s.arms {
		r.context = maps.Clone(before)
		if err := r.pipeline(arm.steps); err != nil {
			failed = err
			continue
		}
		written := r.context
		r.context = before
		for _, f := range workFields {
			value, isWritten := written[f.name]
			if !isWritten || r.read("context", f.name) == value {
				continue
			}
			if _, known := changed[f.name]; !known || !s.first {
				changed[f.name] = value
			}
		}
	}
	r.context = before
	if failed == nil {
		maps.Copy(r.context, changed)
	}

	return failed
}

func (r *workRun) machine(m *workMachine) error {
	at, ran := m.start, 0
	for !slices.Contains(m.ends, at) {
		if ran == m.most {
			return errLimit
		}
		ran++
		r.states = append(r.states, at)
		i := slices.IndexFunc(m.states, func(s *workState) bool { return s.name == at })
		event := "success"
		err := r.pipeline(m.states[i].steps)
		if err != nil {
			event = "failure"
		}
		row, isBlocked := r.choose(m, at, event)
		switch {
		case row >= 0:
			taken := m.rows[row]
			r.rows = append(r.rows, rowIn(at, taken.from, taken.on, taken.to, taken.when.text))
			at = taken.to
		case err != nil:
			return err
		case isBlocked:
			return errMissing
		case slices.ContainsFunc(m.rows, func(row workRow) bool { return row.from == at || row.from == "*" }):
			r.stalled = true
			return errStalled
		default:
			r.ended = at
			return nil
		}
	}
	r.ended = at

	return nil
}

// choose returns the first row for an event whose guard holds; -1 if there is none. isBlocked says that a row without a guard is not
// taken, because a guard before it is unknown.
func (r *workRun) choose(m *workMachine, at, event string) (row int, isBlocked bool) {
	isUnknown := false
	for i, row := range m.rows {
		isFor := (row.from == at || row.from == "*") && row.on == event
		switch {
		case !isFor:
		case row.when.text != "":
			t := row.when.holds(r)
			if t.Holds() {
				return i, false
			}
			isUnknown = isUnknown || t == workflow.Unknown
		case isUnknown:
			return -1, true
		default:
			return i, false
		}
	}

	return -1, false
}

// rowIn writes a row that a state has.
func rowIn(state, from, on, to, when string) string {
	return strings.Join([]string{state, from, on, to, when}, " | ")
}

// asJSON writes what is known of values.
func asJSON(values map[string]any) string {
	text, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}

	return string(text)
}

// workTruth is what the runs of a program do.
type workTruth struct {
	runs []tried
	// ends are the end states in which runs end, with the fewest calls; states are those that are entered.
	ends   map[string]int
	states map[string]bool
	// leading are the states that are entered in a run that ends.
	leading map[string]bool
	// rows are those that are taken.
	rows map[string]bool
	// stalls and fails say that a run stalls, and that one fails in another way than by the bounds of
	// machines; all says that all runs were made.
	stalls, fails, all bool
}

// tried is a run: what it finds, and what it does.
type tried struct {
	Context json.RawMessage
	Answers []string
	does    string
}

// tryWork makes runs of a program, so many at most.
func tryWork(p *workProgram, most int) *workTruth {
	t := &workTruth{ends: map[string]int{}, states: map[string]bool{}, leading: map[string]bool{}, rows: map[string]bool{}, all: true}
	for c := (&choices{}); ; {
		r := &workRun{choices: c, typed: p.typed, context: map[string]any{}, initial: map[string]any{}, steps: map[string]map[string]any{}}
		t.add(r, r.pipeline(p.steps))
		if !c.next() {
			return t
		}
		if len(t.runs) == most {
			t.all = false
			return t
		}
	}
}

func (t *workTruth) add(r *workRun, err error) {
	does := "fails"
	if err == nil {
		does = "ends in " + r.ended
		if calls, known := t.ends[r.ended]; !known || len(r.answers) < calls {
			t.ends[r.ended] = len(r.answers)
		}
		t.states[r.ended], t.leading[r.ended] = true, true
		for _, s := range r.states {
			t.leading[s] = true
		}
	}
	t.stalls = t.stalls || r.stalled
	t.fails = t.fails || err == errStep || err == errMissing || r.unrouted
	for _, s := range r.states {
		t.states[s] = true
	}
	for _, row := range r.rows {
		t.rows[row] = true
	}
	maps.DeleteFunc(r.initial, func(_ string, value any) bool { return value == nil })
	t.runs = append(t.runs, tried{json.RawMessage(asJSON(r.initial)), r.answers, strings.TrimSpace(does + ": " + strings.Join(r.states, " "))})
}

// hasDeadEnd reports whether no run that enters some state ends.
func (t *workTruth) hasDeadEnd() bool { return len(t.leading) < len(t.states) }

// right reports whether each run ends or meets a bound, and each state is entered by some run.
func (t *workTruth) right(p *workProgram) bool {
	for i := range p.names {
		if name := fmt.Sprint("state", i+1); p.states[name] && !t.states[name] {
			return false
		}
	}

	return t.all && len(t.ends) > 0 && !t.stalls && !t.fails
}
