package machinetest

import (
	"sort"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// GuardedState is [State] for a machine with guards.
type GuardedState[K any] interface{ routes[K] }

// Guarded is [Machine] for a machine whose rows have guards. What is not said here is as there.
type Guarded[K Key, S GuardedState[K]] struct {
	Name    string
	Initial string
	// Table has the rows of each state that has any.
	Table              GuardedTable
	Terminals, Markers []string
	Values             Values

	Last       S
	ParseState func(text string) (S, error)
	// Next asks the transition function, with guards that prepare has made answer.
	Next func(s S, key K, prepare func(*rt.Judge)) (S, bool)
	Run  func(fx runtime.Effects, input string) (runtime.Finish, error)
}

// GuardedTable has the rows of states by the state's name.
type GuardedTable map[string][]GuardedRow

// GuardedRow is a key, where it leads, the guard, "" without one, and the priority, "" for 0.
type GuardedRow [4]string

func (r GuardedRow) row() Row      { return Row{r[0], r[1]} }
func (r GuardedRow) guard() string { return r[2] }

// priority is the number that the text of a source has become; 0 where it is none.
func (r GuardedRow) priority() int {
	n, err := strconv.Atoi(r[3])
	if err != nil {
		return 0
	}

	return n
}

// CheckGuarded is [Check] for a machine with guards. Each state is asked about each key as often as there are rows to try, each
// time with other answers of the guards: yes of the first, no of the first and yes of the second, and so on, and no of all. Runs
// then ask named guards both ways; what expressions say depends on the run, so that not every row needs to be taken there.
func CheckGuarded[K Key, S GuardedState[K]](t T, m Guarded[K, S]) {
	t.Helper()
	report := &reporter{t: t, machine: m.Name}
	defer report.end()

	p := newPlan(m.Name, m.Initial, plainTable(m.Table), m.Terminals, m.Markers)
	p.values = m.Values
	for name, rows := range m.Table {
		p.states[name].tries = triesOf(rows)
	}
	a := &asker[K, S]{
		reporter: report, plan: p, last: m.Last, parseState: m.ParseState,
		next: func(s S, key K) (S, bool) {
			return m.Next(s, key, func(j *rt.Judge) { begin(j, s.String(), string(key), func(string) bool { return true }) })
		},
		judged: m.Next,
	}
	a.all()
	if m.Run != nil {
		x := &explorer{reporter: report, plan: p, start: m.Run, guarded: true}
		x.all()
	}
}

// plainTable has the first row of each key, and so what is known of keys without regard to guards.
func plainTable(table GuardedTable) Table {
	plain := Table{}
	for name, rows := range table {
		known := map[string]bool{}
		for _, r := range rows {
			if row := r.row(); !known[row.key()] {
				known[row.key()] = true
				plain[name] = append(plain[name], row)
			}
		}
	}

	return plain
}

// triesOf returns the rows of each key in the order in which they are tried: those of a higher priority first.
func triesOf(rows []GuardedRow) map[string][]GuardedRow {
	tries := map[string][]GuardedRow{}
	for _, r := range rows {
		tries[r.row().key()] = append(tries[r.row().key()], r)
	}
	for _, list := range tries {
		sort.SliceStable(list, func(i, j int) bool { return list[i].priority() > list[j].priority() })
	}

	return tries
}

// tried returns the rows that are tried on the row that an answer means: those of its key, then those for every key, up to the
// first without a guard.
func (s *state) tried(found row) []GuardedRow {
	list := s.tries[found.table]
	if found.table != Else && found.table != Always {
		list = append(list[:len(list):len(list)], s.tries[Else]...)
	}
	for i, r := range list {
		if r.guard() == "" {
			return list[:i+1]
		}
	}

	return list
}

// begin makes guards, named ones and expressions, answer as says does, one after another.
func begin(j *rt.Judge, state, key string, says func(string) bool) {
	j.Begin(state, key, "")
	j.Suppose = says
}
