package check_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/check"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/ir"
	"github.com/agentc-dev/agentc/gen/keys"
)

// judge applies the rules of legal(place) as they are written: it walks every place in which an agent can stand, with every
// agent as the entry point, and says whether a key comes out somewhere that is not legal there.
type judge struct {
	unrouted bool
}

func (j *judge) visit(a *ir.Agent, at keys.Place) {
	switch node := a.Node.(type) {
	case *ir.React, *ir.Oneshot:
		j.converse(node, at)
	case *ir.Flow:
		j.flow(node, at)
	case *ir.Machine:
		ends := reachable(node)
		for _, s := range node.States {
			if !ends[s] { // nothing comes out of it, but its own rows have to be complete
				if rule := keys.Of(s); s.Agent != nil && rule.Kind == keys.Closed {
					j.visit(s.Agent, rule.At(at))
				}
				continue
			}
			for _, row := range s.Rows {
				if !row.IsCatchAll() && keys.Leaves(row) {
					j.finish(row.Key.Value, at)
				}
			}
			if s.Agent != nil {
				j.visit(s.Agent, keys.Of(s).At(at))
			}
		}
	}
}

func (j *judge) converse(node ir.Node, at keys.Place) {
	react, ok := node.(*ir.React)
	if !ok {
		j.finish(keys.Done, at)
		return
	}
	for _, key := range react.Keys {
		j.finish(key.Value, at)
	}
}

// flow visits what a flow runs. A limit that is reached has a key only where that is routed, so nothing is said about it.
func (j *judge) flow(f *ir.Flow, at keys.Place) {
	ir.Walk(f.Body, func(op ir.Op) {
		switch op := op.(type) {
		case *ir.Return:
			if op.Key == ir.KeyDone || op.Key == ir.KeyExhausted {
				j.finish(keys.Done, at)
			}
		case *ir.Run:
			if op.Agent != nil {
				j.visit(op.Agent.Agent, keys.OfRun(op).At(at))
			} else {
				j.converse(op.Step.Node, keys.OfRun(op).At(at))
			}
		case *ir.Together:
			for _, ref := range op.Agents {
				j.visit(ref.Agent, keys.Place{Kind: keys.Free})
			}
		}
	})
}

func (j *judge) finish(key string, at keys.Place) {
	if at.Kind != keys.Closed {
		return
	}
	for _, legal := range at.Keys {
		if keys.Fold(legal) == keys.Fold(key) {
			return
		}
	}
	j.unrouted = true
}

func reachable(m *ir.Machine) map[*ir.State]bool {
	seen := map[*ir.State]bool{m.Initial.State: true}
	found := []*ir.State{m.Initial.State}
	for i := 0; i < len(found); i++ {
		var next []*ir.State
		if found[i].Always != nil {
			next = append(next, found[i].Always.State)
		}
		for _, row := range found[i].Rows {
			next = append(next, row.To.State)
		}
		for _, s := range next {
			if s != nil && !seen[s] {
				seen[s] = true
				found = append(found, s)
			}
		}
	}

	return seen
}

// randomProgram nests up to four machines and as many flows. Inner ones stand in outer ones, so that there is no circle.
func randomProgram(random *rand.Rand) *builder {
	b := newBuilder()
	letters := []string{"a", "B", "c", "done"}
	inside := []string{"r0", "r1", "r2", "o"}
	b.react("r0")
	b.react("r1", letters[random.Intn(4)])
	b.react("r2", "b", letters[random.Intn(4)])
	b.agent("o", &ir.Oneshot{})
	for i := range 4 {
		var names []string
		for _, j := range random.Perm(len(inside))[:2+random.Intn(2)] {
			names = append(names, inside[j])
		}
		target := func() string { return append(names, "end", "stop")[random.Intn(len(names)+2)] }
		var states []string
		for _, name := range names {
			states = append(states, name+": "+randomValue(random, letters, target))
		}
		name := fmt.Sprint("m", i)
		b.machine(name, append(states, "end: ~", "stop: ~")...)
		inside = append(inside, name, randomFlow(random, b, fmt.Sprint("f", i), letters, inside))
	}

	return b
}

// randomFlow adds a flow: steps and agents with keys of their own, one after another, of which each may be the last.
func randomFlow(random *rand.Rand, b *builder, name string, letters, inside []string) string {
	f := b.flow(name)
	for i := range 1 + random.Intn(3) {
		run := &ir.Run{Var: fmt.Sprint("v", i), At: ir.Place{Kind: ir.PlaceKind(random.Intn(4))}}
		if run.At.Kind == ir.PlaceOpen || run.At.Kind == ir.PlaceOr {
			run.At.Keys = []string{letters[random.Intn(len(letters))]}
		}
		switch random.Intn(3) {
		case 0:
			run.Agent = b.ref(inside[random.Intn(len(inside))])
		case 1:
			run.Step = &ir.Step{Node: b.keyed(letters[random.Intn(len(letters))])}
		default:
			run.Step = &ir.Step{Node: &ir.Oneshot{}}
		}
		f.Body = append(f.Body, run)
		if run.At.Kind == ir.PlaceOuter || run.At.Kind == ir.PlaceOr {
			f.Body = append(f.Body, &ir.If{Then: []ir.Op{&ir.Return{Key: ir.KeyOwn, Var: run.Var}}})
		}
	}
	if random.Intn(2) == 0 {
		f.Body = append(f.Body, &ir.Return{Key: []ir.ReturnKey{ir.KeyDone, ir.KeyExhausted, ir.KeyUnfinished}[random.Intn(3)]})
	}

	return name
}

func randomValue(random *rand.Rand, letters []string, target func() string) string {
	switch random.Intn(6) {
	case 0:
		return "~"
	case 1:
		return target()
	}
	var rows []string
	for _, i := range random.Perm(len(letters))[:1+random.Intn(len(letters))] {
		to := target()
		if random.Intn(4) == 0 {
			to = "~"
		}
		rows = append(rows, letters[i]+"="+to)
	}
	if random.Intn(2) == 0 {
		rows = append(rows, "*="+target())
	}

	return strings.Join(rows, " ")
}

// The check finds something exactly where walking all places does.
func TestUnroutedKeyIsWhatTheRulesSay(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	wrong := 0
	const programs = 3000
	for i := range programs {
		p := randomProgram(random).build()
		var j judge
		for _, a := range p.Agents {
			j.visit(a, keys.Place{Kind: keys.Free})
		}
		list := &diag.List{}
		check.Run(p, list)
		found := count(list.Sorted())["unrouted-key"] > 0
		if found != j.unrouted {
			t.Fatalf("program %d: the rules say %v, the check %v\n%s", i, j.unrouted, found, rendered(t, list.Sorted()))
		}
		if found {
			wrong++
		}
	}
	if wrong < programs/10 || wrong > programs*9/10 {
		t.Errorf("%d of %d programs are wrong: the test says little", wrong, programs)
	}
}

// Whatever the program, no finding is without a place, and none is told twice.
func TestFindingsHavePlaces(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	for range 500 {
		list := &diag.List{}
		check.Run(randomProgram(random).build(), list)
		for _, d := range list.Sorted() {
			if !d.Span.IsValid() || d.Message == "" {
				t.Fatalf("%s: %q has no place", d.Check.Name, d.Message)
			}
		}
		if list.Len() != len(list.Sorted()) {
			t.Fatalf("%d findings, %d of them different", list.Len(), len(list.Sorted()))
		}
	}
}

// emitter applies the rules of legal(place) as they are written: it lists the keys with which an agent can finish that
// stands at a place.
type emitter struct {
	// texts are all keys that a program has, and one that it does not have.
	texts []string
}

func (e emitter) of(a *ir.Agent, at keys.Place) map[string]bool {
	out := map[string]bool{}
	switch node := a.Node.(type) {
	case *ir.Flow:
		ir.Walk(node.Body, func(op ir.Op) {
			switch op := op.(type) {
			case *ir.Return:
				if op.Key == ir.KeyDone || op.Key == ir.KeyExhausted {
					out[keys.Done] = true
				}
				if op.Key != ir.KeyOwn && op.Key != ir.KeyDone && slices.Contains(at.Keys, keys.Exhausted) {
					out[keys.Exhausted] = true
				}
			case *ir.Run:
				if op.At.Kind == ir.PlaceOuter || op.At.Kind == ir.PlaceOr {
					e.addRun(out, op, at)
				}
			}
		})
	case *ir.Machine:
		for s := range reachable(node) {
			e.addState(out, s, at)
		}
	default:
		return e.converse(node, at)
	}

	return out
}

// addRun adds the keys of what runs that the flow does not route itself.
func (e emitter) addRun(out map[string]bool, run *ir.Run, at keys.Place) {
	inner := func(place keys.Place) map[string]bool {
		if run.Step != nil {
			return e.converse(run.Step.Node, place)
		}
		return e.of(run.Agent.Agent, place)
	}
	for key := range inner(keys.OfRun(run).At(at)) {
		if !slices.ContainsFunc(run.At.Keys, func(k string) bool { return keys.Fold(k) == key }) {
			out[key] = true
		}
	}
}

// addState adds the keys with which a machine ends in s: a row that leaves gives its own key, whether or not it is taken.
func (e emitter) addState(out map[string]bool, s *ir.State, at keys.Place) {
	routed := map[string]bool{}
	for _, row := range s.Rows {
		routed[keys.Fold(row.Key.Value)] = true
		if !row.IsCatchAll() && keys.Leaves(row) {
			out[keys.Fold(row.Key.Value)] = true
		}
	}
	if kind := keys.Of(s).Kind; s.Agent != nil && (kind == keys.Outer || kind == keys.Or) {
		for key := range e.of(s.Agent, keys.Of(s).At(at)) {
			if !routed[key] {
				out[key] = true
			}
		}
	}
}

func (e emitter) converse(node ir.Node, at keys.Place) map[string]bool {
	out := map[string]bool{}
	react, ok := node.(*ir.React)
	switch {
	case !ok:
		out[keys.Done] = true
	case len(react.Keys) > 0:
		for _, key := range react.Keys {
			out[keys.Fold(key.Value)] = true
		}
	case at.Kind == keys.Closed:
		for _, key := range at.Keys {
			out[keys.Fold(key)] = true
		}
	default:
		for _, key := range e.texts {
			out[key] = true
		}
	}

	return out
}

// What is said to come out of an agent comes out of it in one of the places where most is legal, and nothing else does.
func TestOutcomesAreWhatTheRulesSay(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	e := emitter{texts: []string{"a", "b", "c", keys.Done, keys.Exhausted, "other"}}
	counts := map[bool]int{}
	for i := range 3000 {
		p := randomProgram(random).build()
		flow := keys.OfProgram(p, keys.Guess{Reached: reachedIn})
		for _, a := range p.Agents {
			free, closed := e.of(a, keys.Place{Kind: keys.Free}), e.of(a, keys.Place{Kind: keys.Closed, Keys: e.texts})
			for _, key := range e.texts {
				can := flow.Outcomes(a).Can(key)
				if want := free[key] || closed[key]; can != want {
					t.Fatalf("program %d: agent %q, key %q: the rules say %v, the key flow %v", i, a.Name.Value, key, want, can)
				}
				counts[can]++
			}
		}
	}
	if counts[true] < 1000 || counts[false] < 1000 {
		t.Errorf("%d keys come out, %d do not: the test says little", counts[true], counts[false])
	}
}

func reachedIn(m *ir.Machine) []bool {
	ends := reachable(m)
	reached := make([]bool, len(m.States))
	for i, s := range m.States {
		reached[i] = ends[s]
	}

	return reached
}

// walker visits every place in which an agent can stand, from the entry points on, and remembers what is legal there.
type walker map[*ir.Agent][]keys.Place

func (w walker) visit(a *ir.Agent, at keys.Place) {
	w[a] = append(w[a], at)
	switch node := a.Node.(type) {
	case *ir.Machine:
		for _, s := range node.States {
			if s.Agent != nil {
				w.visit(s.Agent, keys.Of(s).At(at))
			}
		}
	case *ir.Flow:
		ir.Walk(node.Body, func(op ir.Op) {
			if run, ok := op.(*ir.Run); ok && run.Agent != nil {
				w.visit(run.Agent.Agent, keys.OfRun(run).At(at))
			}
		})
	}
}

// allows reports whether key is legal in one of the places where a stands.
func (w walker) allows(a *ir.Agent, key string) bool {
	return slices.ContainsFunc(w[a], func(at keys.Place) bool {
		return at.Kind != keys.Closed || slices.ContainsFunc(at.Keys, func(k string) bool { return keys.Fold(k) == key })
	})
}

func (w walker) stands(a *ir.Agent, at keys.Place) bool {
	return slices.ContainsFunc(w[a], func(p keys.Place) bool { return p.Kind == at.Kind && slices.Equal(p.Keys, at.Keys) })
}

// What is said to be legal where an agent stands is what a walk along all ways from the entry points finds.
func TestStandingsAreWhatTheRulesSay(t *testing.T) {
	random := rand.New(rand.NewSource(4))
	counts := map[bool]int{}
	for i := range 1000 {
		p := randomProgram(random).build()
		w := walker{}
		contained := map[*ir.Agent]bool{}
		for _, a := range p.Agents {
			for _, ref := range a.Contained() {
				contained[ref.Agent] = true
			}
		}
		for _, a := range p.Agents {
			if !contained[a] {
				w.visit(a, keys.Place{Kind: keys.Free})
			}
		}
		flow := keys.OfProgram(p, keys.Guess{})
		for _, a := range p.Agents {
			standing := flow.Standing(a)
			for _, key := range []string{"a", "b", "c", "done", "other"} {
				if got, want := standing.Allows(key), w.allows(a, key); got != want {
					t.Fatalf("program %d: agent %q, key %q: the rules say %v, the key flow %v", i, a.Name.Value, key, want, got)
				}
				counts[standing.Allows(key)]++
			}
			for _, site := range standing.Sites {
				if !w.stands(a, site.Legal()) {
					t.Fatalf("program %d: agent %q does not stand at %v", i, a.Name.Value, site.Legal())
				}
			}
		}
	}
	if counts[true] < 1000 || counts[false] < 1000 {
		t.Errorf("%d keys are legal, %d are not: the test says little", counts[true], counts[false])
	}
}
