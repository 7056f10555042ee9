package simulate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/emit/emittest"
	"github.com/agentc-dev/agentc/gen/internal/graph"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/simulate"
)

// TestAgainstEveryRun makes every run of small random programs that has few turns, one after the other, and compares
// what they take with what the search finds: a row is taken by a run that ends if and only if it has a shortest run, and
// that has as many turns as the shortest run. A row that is taken by a run that was broken off is taken by a simulate.
func TestAgainstEveryRun(t *testing.T) { againstEveryRun(t, 1500, 8, smallProgram) }

// Runs of machines with named guards differ in what the guards say too.
func TestAgainstEveryRunWithGuards(t *testing.T) {
	guards := 0
	againstEveryRun(t, 600, 6, func(seed uint64) *ir.Program {
		p := smallProgram(seed)
		guards += addGuards(p, seed)
		return p
	})
	if guards < 1000 {
		t.Errorf("%d rows have guards: too few to mean anything", guards)
	}
}

// againstEveryRun does it for so many programs and the runs with so many turns at most.
func againstEveryRun(t *testing.T, programs uint64, most int, program func(seed uint64) *ir.Program) {
	t.Helper()
	compared, nested := 0, 0
	for seed := range programs {
		p := program(seed)
		roots := graph.FindRoots(p)
		shortest, begun := everyRun(p, roots, most)
		for _, m := range simulate.FindRuns(p, simulate.Options{Roots: roots}).Machines {
			for i, row := range m.Rows {
				want, found := shortest[rowAt{m.Agent, i}]
				if found != (row.Ends && row.Turns <= most) || found && want != row.Turns {
					t.Fatalf("seed %d, %s: the shortest run has %d turns (%t), the search says %d (%t)\n%s",
						seed, rowTexts([]*simulate.Row{row}), want, found, row.Turns, row.Ends, graph.DrawMermaid(nil, roots...))
				}
				if begun[rowAt{m.Agent, i}] && !row.Taken {
					t.Fatalf("seed %d, %s: not taken", seed, rowTexts([]*simulate.Row{row}))
				}
				if found {
					compared++
					if !slices.Contains(roots, m.Agent) {
						nested++
					}
				}
			}
		}
	}
	if compared < int(programs) || nested < int(programs)/4 {
		t.Errorf("%d rows of which %d are in nested machines: too few to mean anything", compared, nested)
	}
	t.Logf("%d rows, %d in nested machines", compared, nested)
}

// smallProgram returns a program of a few small machines and flows in each other.
func smallProgram(seed uint64) *ir.Program {
	p := &ir.Program{}
	words := append(emittest.NewKeys(2), "done", "exhausted")
	inner := emittest.AddMachine(p, seed, emittest.Options{Name: "inner", States: 3, Rows: 2, Keys: words, Agents: true})
	agents := []*ir.Agent{inner, p.AgentByName("state-0")}
	middle := emittest.AddFlow(p, seed, emittest.FlowOptions{
		Name: "middle", Size: 1 + int(seed%2), Agents: agents[:1+seed%2],
	})
	emittest.AddMachine(p, seed+1, emittest.Options{
		Name: "outer", States: 4, Rows: 2, Keys: words, Agents: true,
		StateName: func(i int) string { return []string{"first", inner.Name.Value, middle.Name.Value, "last"}[i] },
	})
	for i, a := range p.Agents {
		if _, oneshot := a.Node.(*ir.Oneshot); oneshot && (seed+uint64(i))%4 > 0 {
			a.Node = &ir.React{MaxIter: 10}
		}
		if m, isMachine := a.Node.(*ir.Machine); isMachine && seed%2 == 0 {
			m.MaxSteps = 2 + int(seed/2)%3
		}
	}
	emittest.SortAgents(p)

	return p
}

// rowAt is a row of a machine, counted as the machine's states are in the source.
type rowAt struct {
	machine *ir.Agent
	row     int
}

// everyRun makes every run with few turns and returns how many turns the shortest takes that takes a row and ends, and
// which rows are taken at all.
func everyRun(p *ir.Program, roots []*ir.Agent, most int) (shortest map[rowAt]int, begun map[rowAt]bool) {
	shortest, begun = map[rowAt]int{}, map[rowAt]bool{}
	for _, root := range roots {
		var choices []choice
		for {
			m := &model{choices: choices, most: most}
			ended := m.run(root)
			for row := range m.taken {
				begun[row] = true
				if known, ok := shortest[row]; ended && (!ok || m.turns < known) {
					shortest[row] = m.turns
				}
			}
			if choices = nextChoices(m.choices[:m.chosen]); choices == nil {
				break
			}
		}
	}

	return shortest, begun
}

// choice is one of several possibilities.
type choice struct{ at, of int }

// nextChoices counts up, the last choice first; nil when there is nothing left.
func nextChoices(choices []choice) []choice {
	for i := len(choices) - 1; i >= 0; i-- {
		if choices[i].at+1 < choices[i].of {
			next := slices.Clone(choices[:i+1])
			next[i].at++
			return next
		}
	}

	return nil
}

// model is what decides in a run.
type model struct {
	choices []choice
	chosen  int
	most    int
	turns   int
	taken   map[rowAt]bool
}

// stopped ends a run that is too long, or that fails.
type stopped struct{}

func (m *model) run(root *ir.Agent) (ended bool) {
	defer func() {
		if v := recover(); v != nil {
			if _, ok := v.(stopped); !ok {
				panic(v)
			}
		}
	}()
	m.taken = map[rowAt]bool{}
	m.agent(root, ir.Place{Kind: ir.PlaceFree})

	return true
}

func (m *model) choose(n int) int {
	if n == 0 {
		panic(stopped{})
	}
	if m.chosen == len(m.choices) {
		m.choices = append(m.choices, choice{0, n})
	}
	m.chosen++

	return m.choices[m.chosen-1].at
}

func (m *model) turn() {
	if m.turns++; m.turns > m.most {
		panic(stopped{})
	}
}

// ended is what a run of something came to.
type ended struct {
	key        string
	done, list bool
}

func (e ended) is(key string) bool { return ir.FoldKey(e.key) == ir.FoldKey(key) }

func (m *model) agent(a *ir.Agent, at ir.Place) ended {
	switch n := a.Node.(type) {
	case *ir.Machine:
		return m.machine(a, n, at)
	case *ir.Flow:
		if !n.IsWorkflow() {
			f := &flowRun{model: m, flow: n, at: at, results: map[*ir.Output]ended{}, counters: map[*ir.Output]int{}}
			e, _ := f.body(n.Body)
			return e
		}
	}

	return m.converse(a.Conversations()[0], at, nil, false)
}

func (m *model) converse(s *ir.Step, at ir.Place, compared []string, judged bool) ended {
	m.turn()
	e := ended{key: "done", list: s.List() != nil}
	if react, ok := s.Node.(*ir.React); ok {
		all := []string{"done"}
		if at.Kind != ir.PlaceFree {
			all = slices.Clone(at.Keys)
		}
		if at.Kind != ir.PlaceClosed {
			all = append(all, compared...)
		}
		if at.Kind == ir.PlaceOpen { // where nothing reads the key, one is as good as another
			all = append(all, "something else")
		}
		e.key = all[m.choose(len(all))]
		e.list = react.List != nil && e.is(react.List.Key)
	}
	e.done = judged && !e.list && m.choose(2) == 1

	return e
}

func (m *model) machine(a *ir.Agent, x *ir.Machine, at ir.Place) ended {
	first := map[*ir.State]int{} // number of a state's first row
	count := 0
	for _, s := range x.States {
		first[s] = count
		count += len(s.Rows)
		if s.Always != nil {
			count++
		}
	}

	var e ended
	s := x.Initial.State
	for steps := 0; s != nil && !s.IsMarker(); steps++ {
		if steps == x.MaxSteps {
			panic(stopped{})
		}
		e = m.agent(s.Agent, s.Place().Within(at))
		switch {
		case s.IsTerminal():
			return e
		case s.Always != nil:
			m.taken[rowAt{a, first[s]}] = true
			s = s.Always.State
			continue
		}
		i := m.route(s, e)
		m.taken[rowAt{a, first[s] + i}] = true
		s = s.Rows[i].To.State
	}

	return e
}

// route returns the row that is taken: the guards of the rows of a key are asked in turn, then those of the catch-all.
func (m *model) route(s *ir.State, e ended) int {
	said := map[*ir.GuardFunc]bool{}
	holds := func(r *ir.Row) bool {
		if r.When == nil {
			return true
		}
		if _, asked := said[r.When.Func]; !asked {
			said[r.When.Func] = m.choose(2) == 1
		}
		return said[r.When.Func] != r.When.Not
	}
	var rows []*ir.Row
	if i := slices.IndexFunc(s.Rows, func(r *ir.Row) bool { return !r.IsCatchAll() && e.is(r.Key.Value) }); i >= 0 {
		rows = s.RowsByPriority(s.Rows[i].Key.Value)
	}
	for _, row := range append(rows, s.RowsByPriority(ir.CatchAll)...) {
		if holds(row) {
			return slices.Index(s.Rows, row)
		}
	}
	panic(stopped{})
}

// addGuards gives some rows of the machines of a program a guard, or one before them that has one, and returns how many.
func addGuards(p *ir.Program, seed uint64) int {
	random := rand.New(rand.NewPCG(seed, 1))
	named := []*ir.GuardFunc{{Name: ir.Text{Value: "g"}}, {Name: ir.Text{Value: "h"}}}
	count := 0
	guard := func(r *ir.Row) *ir.Row {
		count++
		r.When = &ir.Guard{Func: named[random.IntN(2)], Not: random.IntN(2) == 1}
		r.When.Text.Value = r.When.Func.Name.Value
		return r
	}
	for _, a := range p.Agents {
		m, isMachine := a.Node.(*ir.Machine)
		if !isMachine {
			continue
		}
		for _, s := range m.States {
			for _, row := range slices.Clone(s.Rows) {
				if random.IntN(3) == 0 {
					target := m.States[random.IntN(len(m.States))]
					other := guard(&ir.Row{Key: row.Key, To: ir.Ref{Text: target.Name, State: target}, Priority: random.IntN(2)})
					s.Rows = slices.Insert(s.Rows, slices.Index(s.Rows, row), other)
				}
				if random.IntN(6) == 0 && !row.IsCatchAll() {
					guard(row)
				}
			}
		}
	}

	return count
}

// flowRun is a run of a flow.
type flowRun struct {
	*model
	flow     *ir.Flow
	at       ir.Place
	results  map[*ir.Output]ended
	counters map[*ir.Output]int
}

func (f *flowRun) body(p *ir.Pipeline) (e ended, over bool) {
	for _, t := range p.Tasks {
		if e, over = f.task(t); over {
			return e, true
		}
	}

	return ended{}, false
}

func (f *flowRun) task(t *ir.Task) (e ended, over bool) {
	switch op := t.Do.(type) {
	case *ir.Run:
		f.results[t.Output] = f.run(op, t.Output)
	case *ir.Parallel:
		for _, arm := range op.Branches {
			f.run(arm.Body.Tasks[0].Do.(*ir.Run), nil)
		}
	case *ir.Ask:
		f.turn()
	case *ir.Loop:
		return f.loop(op)
	case *ir.Branch:
		if f.holds(op.Condition()) {
			return f.body(op.ThenBody())
		}
	case *ir.Return:
		return f.end(op, t.InputExpression()), true
	}

	return ended{}, false
}

func (f *flowRun) loop(op *ir.Loop) (e ended, over bool) {
	times := op.Max
	if list, isList := op.Over.(*ir.ListOf); isList {
		times = f.items(list)
	}
	for n := 1; op.EndsByReturn() || n <= times; n++ {
		f.counters[op.Turn] = n
		if op.Reduce == ir.ReduceResults {
			f.run(op.Body.Tasks[0].Do.(*ir.Run), nil)
			continue
		}
		if e, over = f.body(op.Body); over {
			return e, true
		}
	}

	return ended{}, false
}

// run runs what gives a result, which is nil where nothing can ask about it.
func (f *flowRun) run(r *ir.Run, result *ir.Output) ended {
	at := r.At.Within(f.at)
	if r.Agent != nil {
		return f.agent(r.Agent.Agent, at)
	}
	var compared []string
	judged := false
	for _, branch := range ir.OpsOf[*ir.Branch](f.flow.Body.Ops()) {
		if test, isKey := ir.KeyTestOf(branch.Condition()); isKey && test.Of == result {
			compared = append(compared, test.Key)
		}
		if says, isSays := branch.Condition().(*ir.SaysDone); isSays {
			judged = judged || ir.OutputOf(says.X) == result
		}
	}

	return f.converse(r.Step, at, compared, judged)
}

func (f *flowRun) items(l *ir.ListOf) int {
	if f.results[l.Of].list || l.Kind != ir.ListItems {
		return 1
	}

	return 0
}

func (f *flowRun) holds(x ir.Expression) bool {
	if says, isSays := x.(*ir.SaysDone); isSays {
		return f.results[ir.OutputOf(says.X)].done
	}
	if test, isKey := ir.KeyTestOf(x); isKey {
		return f.results[test.Of].is(test.Key) != test.Not
	}
	limit, isLimit := ir.TurnTestOf(x)
	if !isLimit {
		panic(fmt.Sprintf("%T", x))
	}

	return f.counters[limit.Turn] == limit.N
}

func (f *flowRun) end(r *ir.Return, value ir.Expression) ended {
	e := ended{key: "done"}
	result, isRun := f.results[ir.OutputOf(value)]
	if _, isWhole := value.(*ir.Access); isRun && isWhole {
		e.done = result.done
		if r.Key == ir.KeyOwn {
			e.key = result.key
		}
	}
	if r.Key == ir.KeyExhausted || r.Key == ir.KeyUnfinished {
		routed := slices.ContainsFunc(f.at.Keys, func(k string) bool { return strings.EqualFold(k, "exhausted") })
		if routed {
			e.key = "exhausted"
		} else if r.Key == ir.KeyUnfinished {
			panic(stopped{})
		}
	}

	return e
}
