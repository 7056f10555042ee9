package check_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/check"
	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// judge applies the rules of legal(place) as they are written: it visits every place in which an agent can run, with every
// agent as the entry point, and says whether a key comes out somewhere that has no row there.
type judge struct {
	emitter
	unrouted bool
}

func (j *judge) visit(a *ir.Agent, at ir.Place) {
	switch node := a.Node.(type) {
	case *ir.Flow:
		if !node.IsWorkflow() {
			ir.Walk(node.Body.Ops(), func(op ir.Op) {
				switch op := op.(type) {
				case *ir.Run:
					if op.Agent != nil {
						j.visit(op.Agent.Agent, op.At.Within(at))
					}
				}
			})
		}
	case *ir.Machine:
		written, reached := reachable(node), j.reached(node, at)
		for _, s := range node.States {
			if s.Agent == nil || written[s] && !reached[s] {
				continue // the rows of a state that nothing leads to have to be complete
			}
			place := s.Place().Within(at)
			for key := range j.of(s.Agent, place) {
				isUnrouted := s.Place().Kind == ir.PlaceClosed && !hasKey(place.Keys, key)
				if isUnrouted && !j.cannotEnd(s.Agent) {
					j.unrouted = true
				}
			}
			j.visit(s.Agent, place)
		}
	}
}

func hasKey(keys []string, folded string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return ir.FoldKey(key) == folded })
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

// randomProgram nests up to four machines and as many flows. Inner ones are in outer ones, so that there is no circle.
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
	f.Body = ir.NewPipeline()
	add := func(t *ir.Task) { f.Body.Tasks = append(f.Body.Tasks, t) }
	perhaps := func(t *ir.Task) *ir.Task { return &ir.Task{Do: ir.NewCondition(nil, t)} }
	for i := range 1 + random.Intn(3) {
		run := &ir.Run{At: ir.Place{Kind: ir.PlaceKind(random.Intn(4))}}
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
		result := ir.NewOutput(fmt.Sprint("v", i))
		add(&ir.Task{Do: run, Output: result})
		if run.At.Kind == ir.PlaceOuter || run.At.Kind == ir.PlaceOr {
			add(perhaps(&ir.Task{Do: &ir.Return{Key: ir.KeyOwn}, Input: ir.ExpressionDatum(ir.OutputAccess(result))}))
		}
	}
	if random.Intn(2) == 0 {
		last := []ir.ReturnKey{ir.KeyDone, ir.KeyExhausted, ir.KeyUnfinished}[random.Intn(3)]
		add(perhaps(&ir.Task{Do: &ir.Return{Key: ir.KeyDone}}))
		add(&ir.Task{Do: &ir.Return{Key: last}})
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

// The check finds something exactly where walking all places does. An agent that cannot end finishes
// with no key, so that none is unrouted.
func TestUnroutedKeyIsWhatTheRulesSay(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	wrong := 0
	const programs = 3000
	for i := range programs {
		p := randomProgram(random).build()
		j := judge{emitter: rules}
		for _, a := range p.Agents {
			j.visit(a, ir.Place{Kind: ir.PlaceFree})
		}
		list := &diag.List{}
		check.Run(p, list)
		found := slices.ContainsFunc(list.Sorted(), func(d *diag.Diagnostic) bool {
			return d.Check == diag.UnroutedKey && d.Severity == diag.Error
		})
		if found != j.unrouted {
			t.Fatalf("program %d: the rules say %v, the check %v\n%s", i, j.unrouted, found, casetest.Text(t, list.Sorted()))
		}
		if found {
			wrong++
		}
	}
	if wrong < programs/10 || wrong > programs*9/10 {
		t.Errorf("%d of %d programs are wrong: the test says little", wrong, programs)
	}
}

// Whatever the program, no finding is without a place, and none is reported twice.
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
// is at a place.
type emitter struct {
	// texts are all keys that a program has, and one that it does not have.
	texts []string
}

var rules = emitter{texts: []string{"a", "b", "c", ir.DoneKey, ir.ExhaustedKey, "other"}}

func (e emitter) of(a *ir.Agent, at ir.Place) map[string]bool {
	out := map[string]bool{}
	switch node := a.Node.(type) {
	case *ir.Flow:
		if !node.IsWorkflow() {
			ir.Walk(node.Body.Ops(), func(op ir.Op) {
				switch op := op.(type) {
				case *ir.Return:
					if op.Key == ir.KeyDone || op.Key == ir.KeyExhausted {
						out[ir.DoneKey] = true
					}
					if op.Key != ir.KeyOwn && op.Key != ir.KeyDone && slices.Contains(at.Keys, ir.ExhaustedKey) {
						out[ir.ExhaustedKey] = true
					}
				case *ir.Run:
					if op.At.Kind == ir.PlaceOuter || op.At.Kind == ir.PlaceOr {
						e.addRun(out, op, at)
					}
				}
			})
		}
	case *ir.Machine:
		for s := range e.reached(node, at) {
			e.addState(out, s, at)
		}
	default:
		return e.converse(node, at)
	}

	return out
}

// addRun adds the keys of what runs that the flow does not route itself.
func (e emitter) addRun(out map[string]bool, run *ir.Run, at ir.Place) {
	inner := func(place ir.Place) map[string]bool {
		if run.Step != nil {
			return e.converse(run.Step.Node, place)
		}
		return e.of(run.Agent.Agent, place)
	}
	for key := range inner(run.At.Within(at)) {
		if !slices.ContainsFunc(run.At.Keys, func(k string) bool { return ir.FoldKey(k) == key }) {
			out[key] = true
		}
	}
}

// reached are the states that a machine reaches at a place, by the rows for the keys that come out of its agents.
func (e emitter) reached(m *ir.Machine, at ir.Place) map[*ir.State]bool {
	seen := map[*ir.State]bool{}
	open := []*ir.State{m.Initial.State}
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if s == nil || seen[s] {
			continue
		}
		seen[s] = true
		if s.Always != nil {
			open = append(open, s.Always.State)
		}
		for _, row := range s.Rows {
			if e.takes(s, row, at) {
				open = append(open, row.To.State)
			}
		}
	}

	return seen
}

// takes reports whether a key comes out of the agent of a state that takes a row; of one out of which nothing comes any does.
func (e emitter) takes(s *ir.State, row *ir.Row, at ir.Place) bool {
	keys := e.of(s.Agent, s.Place().Within(at))
	if len(keys) == 0 {
		return true
	}
	if !row.IsCatchAll() {
		return keys[ir.FoldKey(row.Key.Value)]
	}
	for key := range keys {
		if !hasKey(s.Keys(), key) {
			return true
		}
	}

	return false
}

// cannotEnd reports whether no run of an agent's machine ends, wherever it is.
func (e emitter) cannotEnd(a *ir.Agent) bool {
	m, isMachine := a.Node.(*ir.Machine)
	places := []ir.Place{{Kind: ir.PlaceFree}, {Kind: ir.PlaceClosed, Keys: e.texts}}

	return isMachine && !slices.ContainsFunc(places, func(at ir.Place) bool { return e.mayEnd(m, at) })
}

// mayEnd reports whether a machine reaches an end at a place, past no agent that cannot end.
func (e emitter) mayEnd(m *ir.Machine, at ir.Place) bool {
	seen := map[*ir.State]bool{}
	open := []*ir.State{m.Initial.State}
	for len(open) > 0 {
		s := open[len(open)-1]
		open = open[:len(open)-1]
		if s == nil || seen[s] || s.Agent != nil && e.cannotEnd(s.Agent) {
			continue
		}
		seen[s] = true
		if e.endsIn(s, at) {
			return true
		}
		if s.Always != nil {
			open = append(open, s.Always.State)
		}
		for _, row := range s.Rows {
			if e.takes(s, row, at) {
				open = append(open, row.To.State)
			}
		}
	}

	return false
}

// endsIn reports whether a machine can end in a state: nothing follows it, a row leaves the machine,
// or a key comes out of its agent that has no row.
func (e emitter) endsIn(s *ir.State, at ir.Place) bool {
	isLast := s.Always == nil && len(s.Rows) == 0
	if isLast || s.Agent == nil {
		return isLast
	}
	isOpen := s.Place().Kind == ir.PlaceClosed || s.Place().PassesKeyOn()
	for key := range e.of(s.Agent, s.Place().Within(at)) {
		if isOpen && !hasKey(s.Keys(), key) {
			return true
		}
	}

	return slices.ContainsFunc(s.Rows, func(row *ir.Row) bool { return row.EndsMachine() && e.takes(s, row, at) })
}

// addState adds the keys with which a machine ends in s.
func (e emitter) addState(out map[string]bool, s *ir.State, at ir.Place) {
	for _, row := range s.Rows {
		if !row.IsCatchAll() && row.EndsMachine() && e.takes(s, row, at) {
			out[ir.FoldKey(row.Key.Value)] = true
		}
	}
	if s.Agent != nil && s.Place().PassesKeyOn() {
		for key := range e.of(s.Agent, s.Place().Within(at)) {
			if !hasKey(s.Keys(), key) {
				out[key] = true
			}
		}
	}
}

func (e emitter) converse(node ir.Node, at ir.Place) map[string]bool {
	out := map[string]bool{}
	react, ok := node.(*ir.React)
	switch {
	case !ok:
		out[ir.DoneKey] = true
	case len(react.Keys) > 0:
		for _, key := range react.Keys {
			out[ir.FoldKey(key.Value)] = true
		}
	case at.Kind == ir.PlaceClosed:
		for _, key := range at.Keys {
			out[ir.FoldKey(key)] = true
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
	counts := map[bool]int{}
	for i := range 3000 {
		p := randomProgram(random).build()
		facts := flow.Analyze(p, flow.Guess{})
		for _, a := range p.Agents {
			free, closed := rules.of(a, ir.Place{Kind: ir.PlaceFree}), rules.of(a, ir.Place{Kind: ir.PlaceClosed, Keys: rules.texts})
			for _, key := range rules.texts {
				can := facts.Outcomes(a).CanFinishWith(key)
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

// walker visits every place in which an agent can be, from the entry points on, and remembers what is legal there.
type walker map[*ir.Agent][]ir.Place

func (w walker) visit(a *ir.Agent, at ir.Place) {
	w[a] = append(w[a], at)
	switch node := a.Node.(type) {
	case *ir.Machine:
		for _, s := range node.States {
			if s.Agent != nil {
				w.visit(s.Agent, s.Place().Within(at))
			}
		}
	case *ir.Flow:
		if !node.IsWorkflow() {
			ir.Walk(node.Body.Ops(), func(op ir.Op) {
				if run, ok := op.(*ir.Run); ok && run.Agent != nil {
					w.visit(run.Agent.Agent, run.At.Within(at))
				}
			})
		}
	}
}

// allows reports whether key is legal in one of the places where a is.
func (w walker) allows(a *ir.Agent, key string) bool {
	return slices.ContainsFunc(w[a], func(at ir.Place) bool {
		return at.Kind != ir.PlaceClosed || hasKey(at.Keys, key)
	})
}

func (w walker) stands(a *ir.Agent, at ir.Place) bool {
	return slices.ContainsFunc(w[a], func(p ir.Place) bool { return p.Kind == at.Kind && slices.Equal(p.Keys, at.Keys) })
}

// What is called legal where an agent is used is what a visit of all ways from the entry points finds.
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
				w.visit(a, ir.Place{Kind: ir.PlaceFree})
			}
		}
		facts := flow.Analyze(p, flow.Guess{})
		for _, a := range p.Agents {
			uses := facts.UsesOf(a)
			for _, key := range []string{"a", "b", "c", "done", "other"} {
				if got, want := allows(uses, key), w.allows(a, key); got != want {
					t.Fatalf("program %d: agent %q, key %q: the rules say %v, the key flow %v", i, a.Name.Value, key, want, got)
				}
				counts[allows(uses, key)]++
			}
			for _, site := range uses.Sites {
				if !w.stands(a, site.LegalPlace()) {
					t.Fatalf("program %d: agent %q does not stand at %v", i, a.Name.Value, site.LegalPlace())
				}
			}
		}
	}
	if counts[true] < 1000 || counts[false] < 1000 {
		t.Errorf("%d keys are legal, %d are not: the test says little", counts[true], counts[false])
	}
}

// allows reports whether a key is legal in one of all the places.
func allows(uses *flow.Uses, key string) bool {
	return uses.AnyKey || slices.ContainsFunc(uses.LegalKeys(), func(legal string) bool { return ir.FoldKey(legal) == ir.FoldKey(key) })
}
