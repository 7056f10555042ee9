package live_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/live"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// place is a state of a random machine: n+1 is the state n of the table.
type place uint16

func (p place) String() string {
	if p == 0 {
		return ""
	}

	return "s" + strconv.Itoa(int(p)-1)
}

// table is a machine as maps; everyKey is where the others lead, and "" the end.
type table []struct {
	rows     map[string]string
	order    []string
	everyKey string
	open     bool
}

var words = []string{"go", "Stop", "back", "on Hold", "ÄRGER", "x", "retry"}

func randomTable(random *rand.Rand) table {
	t := make(table, 2+random.IntN(6))
	to := func() string {
		if random.IntN(8) == 0 {
			return ""
		}
		return "s" + strconv.Itoa(random.IntN(len(t)))
	}
	for i := range t {
		t[i].rows = map[string]string{}
		for _, at := range random.Perm(len(words))[:random.IntN(4)] {
			t[i].rows[words[at]] = to()
			t[i].order = append(t[i].order, words[at])
		}
		if random.IntN(3) == 0 {
			t[i].open, t[i].everyKey = true, to()
		}
	}

	return t
}

// step is the reference: where a key leads from a state.
func (t table) step(state, key string) (to string, ok bool) {
	if state == "" {
		return "", false
	}
	i, _ := strconv.Atoi(state[1:])
	if to, ok := t[i].rows[key]; ok {
		return to, true
	}
	for text, to := range t[i].rows {
		if strings.EqualFold(strings.TrimSpace(key), text) {
			return to, true
		}
	}

	return t[i].everyKey, t[i].open
}

// machine is a live machine with the functions that generated code would have.
func (t table) machine() *live.Machine[place, string] {
	spec := &live.Spec[place, string]{Name: "model", Shape: "m", Initial: 1, Ends: true, Plain: true}
	for _, s := range t {
		spec.Plain = spec.Plain && !s.open
	}
	parse := func(name string) (place, error) {
		for i := range t {
			if place(i+1).String() == name {
				return place(i + 1), nil
			}
		}
		return 0, &rt.UnknownNameError{Machine: "model", Kind: "state", Name: name}
	}
	spec.Parse = parse
	spec.Keys = func(s place) []string {
		if s == 0 {
			return nil
		}
		return t[s-1].order
	}
	spec.Next = func(s place, key string) (place, bool) {
		if s == 0 {
			return 0, false
		}
		to, ok := t[s-1].rows[key]
		if !ok {
			to, ok = t[s-1].everyKey, t[s-1].open
		}
		next, _ := parse(to)
		return next, ok
	}
	spec.Canonical = func(s place, key string) (string, rt.Match) {
		if slices.Contains(t[s-1].order, key) {
			return key, rt.MatchExact
		}
		for _, row := range t[s-1].order {
			if wording.Fold(row) == wording.Fold(key) {
				return row, "folded"
			}
		}
		if t[s-1].open {
			return key, rt.MatchCatchAll
		}
		return key, ""
	}
	m := &live.Machine[place, string]{}
	live.Start(m, spec, nil)

	return m
}

// TestModel drives random machines by random keys, and by states that are wanted: they do what the maps say, and after each
// step a machine that is restored from a snapshot does the same.
func TestModel(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 6))
		model := randomTable(random)
		m := model.machine()
		state, seq := "s0", uint64(1)
		for range 40 {
			key := words[random.IntN(len(words))]
			if random.IntN(3) == 0 {
				key = " " + strings.ToUpper(key)
			}
			want, ok := model.step(state, key)
			_, can := m.Can(drive.Attempt{Key: key})
			step, err := m.Try(drive.Attempt{Key: key, Seq: seq})
			if (err == nil) != ok || (can == nil) != ok {
				t.Fatalf("seed %d, %s on %q: %v and %v, want %v", seed, state, key, err, can, ok)
			}
			if ok {
				if step.From != state || step.To != want {
					t.Fatalf("seed %d, %s on %q: %+v, want %s", seed, state, key, step, want)
				}
				state, seq = want, seq+1
			}
			if m.Current() != state || m.Seq() != seq {
				t.Fatalf("seed %d: in %s, seq %d; want %s, %d", seed, m.Current(), m.Seq(), state, seq)
			}
			snapshot, err := m.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			m = model.machine()
			if err := m.Restore(snapshot); err != nil {
				t.Fatalf("seed %d: %s: %v", seed, snapshot, err)
			}
		}
		model.wanted(t, m, state)
	}
}

// wanted asks for each state by its name: one that a row leads to is reached, and by the first such row.
func (t table) wanted(test *testing.T, m *live.Machine[place, string], state string) {
	test.Helper()
	for i := range t {
		to := place(i + 1).String()
		first := ""
		if state != "" {
			from, _ := strconv.Atoi(state[1:])
			for _, key := range append(slices.Clone(t[from].order), "*") {
				if reached, ok := t.step(state, key); ok && reached == to && first == "" {
					first = key
				}
			}
		}
		step, err := m.Can(drive.Attempt{To: to})
		var invalid *runtime.InvalidTransitionError
		if first == "" && (!errors.As(err, &invalid) || invalid.To != to) || first != "" && (err != nil || step.Key != first) {
			test.Errorf("%s to %s: %+v, %v; want key %q", state, to, step, err, first)
		}
	}
}
