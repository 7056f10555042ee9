package machinetest

import (
	"fmt"
	"slices"
)

// maxEvents bounds the events of other states that a state is asked about.
const maxEvents = 100

// Check reports the differences between the code of a machine and its table: of each state the first.
func Check[S State](t T, m Machine[S]) {
	t.Helper()
	rows, events := m.byState()
	for i, name := range m.States {
		s := S(i + 1)
		problem := m.named(s, name)
		if problem == "" {
			problem = m.offered(s, rows[name])
		}
		for _, event := range append(eventsOf(rows[name]), events...) {
			if problem != "" {
				break
			}
			problem = m.ask(s, event, tried(rows[name], event))
		}
		if problem != "" {
			t.Errorf("state %q: %s", name, problem)
		}
	}
	if !S(0).Terminal() {
		t.Errorf("0 is not an end")
	}
	for _, name := range []string{"", "no state has this name", S(len(m.States) + 1).String()} {
		if s, err := m.Parse(name); err == nil {
			t.Errorf("%q, which the table does not have, is state %d", name, s)
		}
	}
}

// byState returns the rows of each state, and events to ask every state about.
func (m *Machine[S]) byState() (rows map[string][]Row, events []string) {
	rows = map[string][]Row{}
	for _, row := range m.Rows {
		from := []string{row[0]}
		if row[0] == Any {
			from = m.States
		}
		for _, state := range from {
			if !slices.Contains(m.Ends, state) {
				rows[state] = append(rows[state], row)
			}
		}
	}
	events = eventsOf(m.Rows[:min(len(m.Rows), maxEvents)])

	return rows, append(events, "no row has this event")
}

func eventsOf(rows []Row) []string {
	var events []string
	for _, row := range rows {
		if row[1] != Any {
			events = append(events, row[1])
		}
	}

	return events
}

// tried returns the rows that are tried on an event: those that name it, then those for all others, up to the first without a guard.
func tried(rows []Row, event string) []Row {
	var list []Row
	for _, want := range []string{event, Any} {
		for _, row := range rows {
			if row[1] != want {
				continue
			}
			list = append(list, row)
			if row[3] == "" {
				return list
			}
		}
	}

	return list
}

// named compares what a state is called, and whether the machine ends in it.
func (m *Machine[S]) named(s S, name string) string {
	if s.String() != name {
		return fmt.Sprintf("state %d is called %q", s, s)
	}
	if found, err := m.Parse(name); found != s || err != nil {
		return fmt.Sprintf("the name belongs to state %d: %v", found, err)
	}
	if ends := slices.Contains(m.Ends, name); s.Terminal() != ends {
		return fmt.Sprintf("the machine ends there: %v, want %v", !ends, ends)
	}

	return ""
}

// offered compares the keys of a state with those of its rows.
func (m *Machine[S]) offered(s S, rows []Row) string {
	if m.Keys == nil {
		return ""
	}
	var want []string
	for _, key := range eventsOf(rows) {
		if !slices.Contains(want, key) {
			want = append(want, key)
		}
	}
	if got := m.Keys(s); !slices.Equal(got, want) {
		return fmt.Sprintf("the keys are %q, want %q", got, want)
	}

	return ""
}

// ask asks a state about an event once for each row that is tried, of which the guard is the first that holds, and once where none does.
func (m *Machine[S]) ask(s S, event string, rows []Row) string {
	if m.Next == nil {
		return ""
	}
	for first := range outcomes(rows) {
		var asked []string
		next, ok := m.Next(s, event, func(guard string) bool {
			asked = append(asked, guard)
			return len(asked) == first+1
		})
		if m.Decides {
			return compareDecision(event, rows, next.String(), ok)
		}
		if want := guardsOf(rows[:min(first+1, len(rows))]); !slices.Equal(asked, want) {
			return fmt.Sprintf("%q asks the guards %q, want %q", event, asked, want)
		}
		if want := target(rows, first); answer(next.String(), ok) != want {
			return fmt.Sprintf("%q leads to %s where guard %d of %q is the first that holds, want %s",
				event, answer(next.String(), ok), first+1, guardsOf(rows), want)
		}
	}

	return ""
}

// compareDecision compares where a machine goes whose guards decide by themselves: to the target of any row that is tried, or nowhere if none
// of them has to be taken, because all have guards, or because one of the guards may be unknown.
func compareDecision(event string, rows []Row, next string, ok bool) string {
	var right []string
	for i := range outcomes(rows) {
		right = append(right, target(rows, i))
	}
	if len(guardsOf(rows)) > 0 {
		right = append(right, answer("", false))
	}
	if got := answer(next, ok); !slices.Contains(right, got) {
		return fmt.Sprintf("%q leads to %s, want one of %s", event, got, right)
	}

	return ""
}

// outcomes is in how many ways the guards of rows can come out: each row can be taken and, if all have guards, none.
func outcomes(rows []Row) int {
	if n := len(rows); n > 0 && rows[n-1][3] == "" {
		return n
	}

	return len(rows) + 1
}

func guardsOf(rows []Row) []string {
	var guards []string
	for _, row := range rows {
		if row[3] != "" {
			guards = append(guards, row[3])
		}
	}

	return guards
}

// target is the answer where a row is taken; that of no row behind the last one.
func target(rows []Row, i int) string {
	if i >= len(rows) {
		return answer("", false)
	}

	return answer(rows[i][2], true)
}

func answer(next string, ok bool) string {
	switch {
	case !ok:
		return "nowhere"
	case next == "":
		return "the end"
	}

	return fmt.Sprintf("%q", next)
}
