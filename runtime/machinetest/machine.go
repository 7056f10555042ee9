package machinetest

import (
	"encoding"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// T is what a check needs of a *testing.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Logf(format string, args ...any)
}

// Key is the generated type of a machine's keys.
type Key interface{ ~string }

// State is the generated type S of a machine's states, which routes on keys K. States are numbered from 1 on.
type State[K, S any] interface {
	routes[K]
	Next(key K) (S, bool)
}

// routes is what the states of a machine have, with guards and without.
type routes[K any] interface {
	~uint8 | ~uint16 | ~uint32
	fmt.Stringer
	encoding.TextMarshaler
	CanonicalKey(answer string) (K, rt.Match)
	Terminal() bool
}

// Machine is a machine as its source has it, and the code that has to be it.
type Machine[K Key, S State[K, S]] struct {
	Name    string
	Initial string
	// Table has the rows of each state that has any. Terminals are the states in which an agent runs and the machine then ends,
	// Markers those in which it ends at once.
	Table              Table
	Terminals, Markers []string
	// Partly says that there may be rows that no run takes: no agent finishes with their keys, or no run reaches their states.
	Partly bool
	// Values are what agents finish with whose output has a schema.
	Values Values

	// Last is the last of the states.
	Last       S
	ParseState func(text string) (S, error)
	// Run runs the machine; nil for one that others drive.
	Run func(fx runtime.Effects, input string) (runtime.Finish, error)
}

// Check asks and runs a machine, and reports what differs from its table.
func Check[K Key, S State[K, S]](t T, m Machine[K, S]) {
	t.Helper()
	report := &reporter{t: t, machine: m.Name}
	defer report.end()

	p := newPlan(m.Name, m.Initial, m.Table, m.Terminals, m.Markers)
	p.partly, p.values = m.Partly, m.Values
	a := &asker[K, S]{
		reporter: report, plan: p, last: m.Last, parseState: m.ParseState,
		next: func(s S, key K) (S, bool) { return s.Next(key) },
	}
	a.all()
	if m.Run != nil {
		x := &explorer{reporter: report, plan: p, start: m.Run}
		x.all()
	}
}

// maxProblems bounds what is reported of one machine: a state that is wrong is wrong for all keys.
const maxProblems = 20

// reporter reports each problem of a machine once.
type reporter struct {
	t        T
	machine  string
	reported map[string]bool
	more     int
}

func (r *reporter) problem(format string, args ...any) {
	r.t.Helper()
	text := fmt.Sprintf(format, args...)
	switch {
	case r.reported[text]:
		return
	case len(r.reported) == maxProblems:
		r.more++

		return
	case r.reported == nil:
		r.reported = map[string]bool{}
	}
	r.reported[text] = true
	r.t.Errorf("%s: %s", r.machine, text)
}

func (r *reporter) log(format string, args ...any) {
	r.t.Helper()
	r.t.Logf("%s: %s", r.machine, fmt.Sprintf(format, args...))
}

// end reports how much was not reported.
func (r *reporter) end() {
	r.t.Helper()
	if r.more > 0 {
		r.t.Errorf("%s: %d more problems", r.machine, r.more)
	}
}
