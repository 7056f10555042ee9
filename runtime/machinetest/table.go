package machinetest

import (
	"sort"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// Table has the rows of states by the state's name.
type Table map[string]Rows

// Rows are the rows of a state, in the order of the source.
type Rows []Row

// Row is a key, which may be [Else] or [Always], and where it leads: the name of a state, or [End]. It is an array so that a
// table is short.
type Row [2]string

func (r Row) key() string { return r[0] }
func (r Row) to() string  { return r[1] }

const (
	// Else is the key of a row for every other key.
	Else = "*"
	// Always is the key of the one row of a state that leads on whatever the key. No text of a source file has this character.
	Always = "\x00"
	// End is the target of a row that ends the machine.
	End = ""
)

// plan is what the source says of a machine.
type plan struct {
	machine, initial string
	states           map[string]*state
	partly           bool
	values           Values
}

// state is a state of the source.
type state struct {
	name string
	rows Rows
	// keys are the keys of the rows without those that stand for others.
	keys []string
	// targets are where the rows lead, by key. folded are the rows' keys by their folded texts.
	targets, folded  map[string]string
	terminal, marker bool
	// tries are the rows of each key of a machine with guards, in the order in which they are tried.
	tries map[string][]GuardedRow
}

func newPlan(machine, initial string, table Table, terminals, markers []string) *plan {
	p := &plan{machine: machine, initial: initial, states: map[string]*state{}}
	for name, rows := range table {
		p.states[name] = newState(name, rows)
	}
	for _, name := range terminals {
		p.states[name] = &state{name: name, terminal: true}
	}
	for _, name := range markers {
		p.states[name] = &state{name: name, terminal: true, marker: true}
	}

	return p
}

func newState(name string, rows Rows) *state {
	s := &state{name: name, rows: rows, targets: map[string]string{}, folded: map[string]string{}}
	for _, row := range rows {
		key := row.key()
		s.targets[key] = row.to()
		if key != Else && key != Always {
			s.keys = append(s.keys, key)
			s.folded[wording.Fold(key)] = key
		}
	}

	return s
}

// row is what happens to an answer. Its key is the row's, or the answer where no row has that key; table is the key under which
// the table has the row.
type row struct {
	key, table string
	match      rt.Match
	to         string
}

func (r row) found() bool { return r.match != rt.MatchNone }

// find returns the row that an answer means: the exact one, else the one that is equal when both are folded, else the one
// for every other key.
func (s *state) find(answer string) row { return s.findFolded(answer, wording.Fold(answer)) }

func (s *state) findFolded(answer, folded string) row {
	if to, ok := s.targets[answer]; ok && answer != Else && answer != Always {
		return row{answer, answer, rt.MatchExact, to}
	}
	if key, ok := s.folded[folded]; ok {
		return row{key, key, rt.MatchFolded, s.targets[key]}
	}
	if to, ok := s.targets[Always]; ok {
		return row{answer, Always, rt.MatchUnconditional, to}
	}
	if to, ok := s.targets[Else]; ok {
		return row{answer, Else, rt.MatchCatchAll, to}
	}

	return row{key: answer}
}

// sorted returns the states by name.
func (p *plan) sorted() []*state {
	states := make([]*state, 0, len(p.states))
	for _, s := range p.states {
		states = append(states, s)
	}
	sort.Slice(states, func(i, j int) bool { return states[i].name < states[j].name })

	return states
}

// keys returns the keys of all rows, each once, sorted.
func (p *plan) keys() []string {
	all := map[string]bool{}
	for _, s := range p.states {
		for _, key := range s.keys {
			all[key] = true
		}
	}

	return sortedKeys(all)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)

	return keys
}
