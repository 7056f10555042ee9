package machinetest

import (
	"errors"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// tries asks a state about a key as often as there are guards to ask, and once more: of the rows that are tried on it the guards
// before one say no, and that one says yes.
func (a *asker[K, S]) tries(s S, state *state, key K, found row) {
	a.t.Helper()
	rows := state.tried(found)
	for yes := range len(rows) + 1 {
		if yes > 0 && rows[yes-1].guard() == "" {
			return // the row before is taken without a question
		}
		a.try(s, state, key, found, rows, yes)
	}
}

// try asks with guards of which the one with index yes is the first that lets its row be taken; none does if there is none.
func (a *asker[K, S]) try(s S, state *state, key K, found row, rows []GuardedRow, yes int) {
	a.t.Helper()
	asked := 0
	var judge *rt.Judge
	next, ok := a.judged(s, key, func(j *rt.Judge) {
		judge = j
		begin(j, s.String(), string(key), func(string) bool {
			asked++

			return asked == yes+1
		})
	})
	want := outcome(found, rows, yes)
	if ok != want.found() || ok && next.String() != want.to {
		a.problem("in %q the key %s leads to %s%s, want %s", state.name, short(string(key)), target(next.String(), ok),
			saying(rows, yes), target(want.to, want.found()))
	}
	if match := judge.Match(found.match); ok && match != want.match {
		a.problem("in %q the key %s finds its row as %s%s, want %s", state.name, short(string(key)), shown(match),
			saying(rows, yes), shown(want.match))
	}
	a.verdicts(state, key, rows, yes, judge)
	var rejected *runtime.GuardRejectedError
	if refusal := judge.Refusal(nil); !ok && errors.As(refusal, &rejected) != (len(rows) > 0) {
		a.problem("in %q the key %s is refused%s: %v", state.name, short(string(key)), saying(rows, yes), refusal)
	}
}

// verdicts compares the guards that were asked with the rows, one after another.
func (a *asker[K, S]) verdicts(state *state, key K, rows []GuardedRow, yes int, judge *rt.Judge) {
	a.t.Helper()
	var want []string
	for i, row := range rows {
		if i <= yes && row.guard() != "" {
			want = append(want, row.guard())
		}
	}
	var got []string
	for i, guard := range judge.Asked() {
		got = append(got, guard.Name)
		if guard.OK != (i == yes) {
			a.problem("in %q the guard %q of the key %s turns its answer round", state.name, guard.Name, short(string(key)))
		}
	}
	if strings.Join(got, "\x00") != strings.Join(want, "\x00") {
		a.problem("in %q the key %s asks %q, want %q", state.name, short(string(key)), got, want)
	}
}

// outcome is the row that is taken if the guard with index yes is the first that holds.
func outcome(found row, rows []GuardedRow, yes int) row {
	if yes >= len(rows) {
		return row{key: found.key}
	}
	taken := rows[yes]
	match := found.match
	switch {
	case taken.guard() != "":
		match = rt.MatchGuard
	case taken.row().key() == Else:
		match = rt.MatchCatchAll
	}

	return row{found.key, taken.row().key(), match, taken.row().to()}
}

func saying(rows []GuardedRow, yes int) string {
	switch {
	case len(rows) == 0 || rows[0].guard() == "":
		return ""
	case yes >= len(rows) || rows[yes].guard() == "":
		return " though all guards say no"
	}

	return " when " + short(rows[yes].guard()) + " is the first to say yes"
}
