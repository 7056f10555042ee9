package machinetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/rt"
)

const (
	// maxPairs bounds the pairs of state and key that are asked about.
	maxPairs = 250_000
	// maxLong bounds the states that are asked about a long answer.
	maxLong = 10
	// long is the length of a long answer in bytes.
	long = 1 << 20
)

// veryLong is its own folded text.
var veryLong = strings.Repeat("x", long)

// asker asks the code of a machine and compares what it says with the table.
type asker[K Key, S routes[K]] struct {
	*reporter
	plan       *plan
	last       S
	parseState func(text string) (S, error)
	// next asks the transition function; judged does so with guards, nil in a machine without any.
	next   func(s S, key K) (S, bool)
	judged func(s S, key K, prepare func(*rt.Judge)) (S, bool)
	// keys are the keys of all rows.
	keys []string
}

func (a *asker[K, S]) all() {
	a.t.Helper()
	a.keys = a.plan.keys()
	a.none(0)
	a.none(a.last + 1)
	a.stateTexts()

	seen := map[string]bool{}
	for i := range int(a.last) {
		s := S(i + 1)
		name := s.String()
		known := a.plan.states[name]
		switch {
		case seen[name] || name == "":
			a.problem("state number %d is called %q", s, name)
		case known != nil:
			a.state(s, known)
			a.answers(s, known, i)
		default:
			a.problem("there is a state %q", name)
		}
		seen[name] = true
	}
	for _, s := range a.plan.sorted() {
		if !seen[s.name] {
			a.problem("there is no state %q", s.name)
		}
	}
}

// none asks a value that is no state.
func (a *asker[K, S]) none(s S) {
	a.t.Helper()
	for _, answer := range append([]string{"", Else}, a.keys...) {
		_, match := s.CanonicalKey(answer)
		next, ok := a.next(s, K(answer))
		if match != rt.MatchNone || ok || next != 0 {
			a.problem("%d is no state, but %q leads on", s, answer)
		}
	}
	if s.Terminal() != (s == 0) {
		a.problem("%d is no state, but Terminal is %v", s, s != 0)
	}
	if a.isState(s) || s == 0 && s.String() != "" {
		a.problem("%d is no state, but is called %q", s, s)
	}
}

// state asks what a state is.
func (a *asker[K, S]) state(s S, want *state) {
	a.t.Helper()
	if s.Terminal() != want.terminal {
		a.problem("Terminal of %q is %v", want.name, !want.terminal)
	}
	if keyed, ok := any(s).(interface{ Keys() []K }); ok {
		same := func(key K, text string) bool { return string(key) == text }
		if keys := keyed.Keys(); !slices.EqualFunc(keys, want.keys, same) {
			a.problem("Keys of %q are %q, want %q in this order", want.name, keys, want.keys)
		}
	}
}

// answers asks state number i about answers of every kind.
func (a *asker[K, S]) answers(s S, want *state, i int) {
	a.t.Helper()
	for _, key := range a.keysFor(want, i) {
		for _, answer := range []string{key, strings.ToUpper(key), " \t" + key + "\n", key + "\xff"} {
			a.answer(s, want, answer)
		}
	}
	for _, answer := range []string{"", " ", Else, "~", "no row has this key", "\xff", "\xc3\x28", "\x00"} {
		a.answer(s, want, answer)
	}
	if every := (int(a.last) + maxLong - 1) / maxLong; i%every == 0 {
		a.compare(s, want, veryLong, want.findFolded(veryLong, veryLong))
	}
	if i == 0 && len(want.keys) > 0 {
		a.answer(s, want, strings.Repeat(" ", long)+want.keys[0])
	}
}

// keysFor returns the keys that state number i is asked about: all of them, or those of its rows and as many others as
// there is room for.
func (a *asker[K, S]) keysFor(s *state, i int) []string {
	room := maxPairs / int(a.last)
	if len(a.keys) <= room {
		return a.keys
	}

	keys := slices.Clip(s.keys)
	for j := range room {
		keys = append(keys, a.keys[(i*room+j)%len(a.keys)])
	}

	return keys
}

// answer asks a state about one answer.
func (a *asker[K, S]) answer(s S, state *state, answer string) {
	a.t.Helper()
	a.compare(s, state, answer, state.find(answer))
}

func (a *asker[K, S]) compare(s S, state *state, answer string, want row) {
	a.t.Helper()
	key, match := s.CanonicalKey(answer)
	if string(key) != want.key || match != want.match {
		a.problem("in %q the answer %s means %s (%s), want %s (%s)",
			state.name, short(answer), short(string(key)), shown(match), short(want.key), shown(want.match))

		return
	}
	if a.judged != nil {
		a.tries(s, state, key, want)

		return
	}
	next, ok := a.next(s, key)
	if ok != want.found() || next.String() != want.to || (next == 0) != (want.to == End) {
		a.problem("in %q the key %s leads to %s, want %s", state.name, short(string(key)), target(next.String(), ok),
			target(want.to, want.found()))
	}
}

// short quotes a text, the beginning of it if it is long.
func short(text string) string {
	if len(text) <= 80 {
		return fmt.Sprintf("%q", text)
	}

	return fmt.Sprintf("%q… (%d bytes)", text[:40], len(text))
}

func shown(m rt.Match) string {
	if m == rt.MatchNone {
		return "no row"
	}

	return string(m)
}

func target(state string, ok bool) string {
	switch {
	case !ok:
		return "nowhere"
	case state == End:
		return "the end"
	}

	return fmt.Sprintf("%q", state)
}

func (a *asker[K, S]) isState(s S) bool {
	_, err := a.parseState(s.String())

	return err == nil
}
