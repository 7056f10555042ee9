package can

import (
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// analysis follows facts through a program.
type analysis struct {
	facts *flow.Program
	// untrusted are the classes of texts that are followed.
	untrusted map[string]bool
	// all says that calls count whatever their model has read, and blocked names a person or a guard that lets no run pass.
	all     bool
	blocked string
	known   map[seed]*result
	// drivers are the interpreters of workflows.
	drivers map[*ir.Agent]*interp.Interp[facts]
}

// seed is an agent, or the conversation of a label, that begins with one fact.
type seed struct {
	of    *ir.Agent
	label string
	from  fact
}

// agent returns what comes of an agent that begins with a fact. No agent contains itself.
func (x *analysis) agent(a *ir.Agent, from fact) *result {
	key := seed{of: a, from: from}
	if known := x.known[key]; known != nil {
		return known
	}
	r := newResult()
	switch node := a.Node.(type) {
	case *ir.Machine:
		x.machine(r, a, node, from)
	case *ir.Flow:
		if node.IsWorkflow() {
			x.workflow(r, a, node, facts{from: new(trace)})
		} else {
			x.pattern(r, a, node, from)
		}
	case *ir.React, *ir.Oneshot:
		r = x.conversation(talk{agent: a, label: a.Name.Value, step: a.Conversations()[0]}, from)
	}
	x.known[key] = r

	return r
}

// spot is a state of a machine with a fact.
type spot struct {
	state *flow.State
	fact  fact
}

// states follows facts through the states of a machine: step begins in each that is entered, once for each fact, and enters others.
func states(m *flow.Machine, label string, in facts, step func(at spot, begin *trace, enter func(spot, *trace))) {
	way := map[spot]*trace{}
	var layer []spot
	enter := func(to spot, t *trace) {
		if way[to] == nil {
			way[to] = t
			layer = append(layer, to)
		}
	}
	for _, name := range in.sorted() {
		enter(spot{m.Start, name}, in[name])
	}
	for n := 0; n < m.MaxSteps && len(layer) > 0; n++ {
		now := layer
		layer = nil
		for _, at := range now {
			step(at, way[at].then(Step{Do: "enter", Agent: label, State: at.state.Name.Value}), enter)
		}
	}
}

// machine follows a fact through a machine in whose states agents run: each is given the value of the one before it.
func (x *analysis) machine(r *result, a *ir.Agent, m *ir.Machine, from fact) {
	machine := x.facts.Machine(m)
	if machine == nil || machine.Start == nil || m.External {
		return
	}
	states(machine, a.Name.Value, facts{from: new(trace)}, func(at spot, begin *trace, enter func(spot, *trace)) {
		if at.state.Agent != nil {
			x.leave(r, begin, at, machine, enter)
		}
	})
}

// leave runs the agent of a state and follows each move behind it.
func (x *analysis) leave(r *result, begin *trace, at spot, machine *flow.Machine, enter func(spot, *trace)) {
	r.behind(begin, x.agent(at.state.Agent, at.fact), func(k key, name fact, t *trace) {
		if name == failure {
			r.exit("", failure, t)
			return
		}
		if at.state.IsTerminal() {
			r.exit(k, name, t)
			return
		}
		into := name
		if name == value {
			into = given
		}
		for _, move := range at.state.Moves {
			moved, left, passes := x.moved(at.state, move, k, t)
			switch {
			case !passes:
			case move.To == nil || move.To.IsMarker():
				r.exit(left, name, moved)
			default:
				enter(spot{move.To, into}, moved)
			}
		}
		if at.state.Anywhere {
			for _, to := range machine.States {
				enter(spot{to, into}, t.then(Step{Do: "finish", open: "it is not known where the state leads"}))
			}
		}
	})
}

// moved adds a move to a path, if it can be taken with a key, and returns the key with which a machine that ends there finishes.
func (x *analysis) moved(s *flow.State, move *flow.Move, k key, t *trace) (moved *trace, left key, passes bool) {
	row := move.Row
	switch {
	case move.Dead != flow.Alive:
		return nil, k, false
	case row == nil:
		return t, k, true
	}
	has := func(name string) bool {
		return slices.ContainsFunc(s.Moves, func(other *flow.Move) bool {
			return other.Row != nil && other.Dead == flow.Alive && ir.FoldKey(other.Row.Key.Value) == ir.FoldKey(name)
		})
	}
	if k.is(ir.ExhaustedKey) && !has(ir.ExhaustedKey) {
		k = keyOf(ir.DoneKey)
	}
	finish := Step{Do: "finish"}
	switch name, known := k.name(); {
	case row.IsCatchAll() && known && has(name) && x.unguarded(s, name), !row.IsCatchAll() && !k.canBe(row.Key.Value):
		return nil, k, false
	case !row.IsCatchAll():
		if !known {
			finish.Key = row.Key.Value
		}
		k = keyOf(row.Key.Value)
	case !known:
		finish.Key = ir.CatchAll
		for _, name := range s.Keys() {
			if x.unguarded(s, name) {
				k = k.but(name)
			}
		}
	}
	if !x.ask(s, move, &finish) {
		return nil, k, false
	}

	return t.then(finish), k, true
}

// unguarded reports whether some row of a key is taken whatever guards say.
func (*analysis) unguarded(s *flow.State, name string) bool {
	return slices.ContainsFunc(s.RowsByPriority(name), func(row *ir.Row) bool { return row.When == nil })
}

// ask notes what guards say where a row is taken: those that are tried before it say no. Those of another key are only asked if a run
// finishes with that.
func (x *analysis) ask(s *flow.State, move *flow.Move, finish *Step) bool {
	tried := s.RowsByPriority(move.Row.Key.Value)
	if move.Row.IsCatchAll() {
		for _, name := range s.Keys() {
			for _, row := range s.RowsByPriority(name) {
				if !x.unguarded(s, name) {
					finish.guard(row, false, name)
				}
			}
		}
	}
	for _, row := range tried {
		if row == move.Row {
			break
		}
		finish.guard(row, false, "")
	}
	finish.guard(move.Row, true, "")

	return x.passes(move.Row, finish)
}

// guard adds what a guard says if the key is one; "" for any.
func (s *Step) guard(row *ir.Row, taken bool, name string) {
	switch {
	case row.When == nil:
	case row.When.Func == nil:
		s.open = "a guard is an expression"
	default:
		s.guards = append(s.guards, verdict{row.When.Func.Name.Value, taken != row.When.Not, name})
	}
}

// passes notes the guard of a row that is taken, and reports whether it lets runs pass.
func (x *analysis) passes(row *ir.Row, finish *Step) bool {
	if row.When == nil {
		return true
	}
	finish.when = "guard " + row.When.Text.Value

	return x.blocked != finish.when
}

// key is what is known of the key with which something finishes: its name, or names that it does not have; "" for any.
type key string

const butMark = "\x00"

func keyOf(name string) key { return key(ir.FoldKey(name)) }

// name returns the key, if that is known.
func (k key) name() (name string, known bool) {
	return string(k), k != "" && !strings.HasPrefix(string(k), butMark)
}

func (k key) is(name string) bool { return k == keyOf(name) }

// canBe reports whether the key can be one.
func (k key) canBe(name string) bool {
	if _, known := k.name(); known {
		return k.is(name)
	}

	return !slices.Contains(strings.Split(string(k), butMark)[min(1, len(k)):], string(keyOf(name)))
}

// but is a key that is not known, and not one more either.
func (k key) but(name string) key {
	names := append(strings.Split(string(k), butMark)[min(1, len(k)):], string(keyOf(name)))
	slices.Sort(names)

	return key(butMark + strings.Join(slices.Compact(slices.DeleteFunc(names, func(n string) bool { return n == "" })), butMark))
}
