package machinetest

import (
	"sort"

	"github.com/agentc-dev/agentc/runtime"
)

// Table has the rows of states by the state's name.
type Table map[string]Rows

// Rows say where the keys of a state lead: the name of a state, or [End]. The key may be [Else] or [Always].
type Rows map[string]string

// Reasons are sentences about rows, by state and key.
type Reasons map[string]map[string]string

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
	cut              bool
	dead             Reasons
	unreached        map[string]bool
	values           Values
}

// state is a state of the source.
type state struct {
	name string
	rows Rows
	// folded are the rows' keys by their folded texts.
	folded           map[string]string
	terminal, marker bool
}

func newPlan(machine, initial string, table Table, terminals, markers []string) *plan {
	p := &plan{machine: machine, initial: initial, states: map[string]*state{}}
	for name, rows := range table {
		s := &state{name: name, rows: rows, folded: map[string]string{}}
		for _, key := range s.keys() {
			s.folded[runtime.FoldKey(key)] = key
		}
		p.states[name] = s
	}
	for _, name := range terminals {
		p.states[name] = &state{name: name, terminal: true}
	}
	for _, name := range markers {
		p.states[name] = &state{name: name, terminal: true, marker: true}
	}

	return p
}

// row is what happens to an answer. Its key is the row's, or the answer where no row has that key; table is the key under which
// the table has the row.
type row struct {
	key, table string
	match      runtime.Match
	to         string
}

func (r row) found() bool { return r.match != runtime.MatchNone }

// find returns the row that an answer means: the exact one, else the one that is equal when both are folded, else the one
// for every other key.
func (s *state) find(answer string) row { return s.findFolded(answer, runtime.FoldKey(answer)) }

func (s *state) findFolded(answer, folded string) row {
	if to, ok := s.rows[answer]; ok && answer != Else && answer != Always {
		return row{answer, answer, runtime.MatchExact, to}
	}
	if key, ok := s.folded[folded]; ok {
		return row{key, key, runtime.MatchFolded, s.rows[key]}
	}
	if to, ok := s.rows[Always]; ok {
		return row{answer, Always, runtime.MatchUnconditional, to}
	}
	if to, ok := s.rows[Else]; ok {
		return row{answer, Else, runtime.MatchCatchAll, to}
	}

	return row{key: answer}
}

// keys returns the keys of the rows without those that stand for others, sorted.
func (s *state) keys() []string {
	var keys []string
	for key := range s.rows {
		if key != Else && key != Always {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)

	return keys
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
		for _, key := range s.keys() {
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

func setOf(texts []string) map[string]bool {
	set := make(map[string]bool, len(texts))
	for _, text := range texts {
		set[text] = true
	}

	return set
}
