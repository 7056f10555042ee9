package interp_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// set is a state of a domain for tests: each bit is some runs.
type set uint

// tracer is a domain that notes what the interpreter does with it. Tasks end as their names say: those that
// begin with "bad" fail, and those that begin with "some" do both.
type tracer struct {
	notes []string
}

func (x *tracer) note(format string, a ...any) { x.notes = append(x.notes, fmt.Sprintf(format, a...)) }

func (*tracer) None() set                                             { return 0 }
func (*tracer) IsNone(in set) bool                                    { return in == 0 }
func (*tracer) Union(a, b set) set                                    { return a | b }
func (*tracer) Share(_ *ir.Task, start set, _ []interp.Ends[set]) set { return start }
func (*tracer) Fork(_ *ir.Task, in set) []set                         { return []set{in} }

func (*tracer) Fresh(seen, in set) (fresh, all set) { return in &^ seen, seen | in }

func (x *tracer) Give(t *ir.Task, in set) set {
	x.note("give %s", t.Name.Value)

	return in
}

func (x *tracer) Do(t *ir.Task, given set) interp.Ends[set] {
	x.note("do %s", t.Name.Value)
	switch {
	case strings.HasPrefix(t.Name.Value, "bad"):
		return interp.Ends[set]{Failed: given}
	case strings.HasPrefix(t.Name.Value, "some"):
		return interp.Ends[set]{Done: given, Failed: given}
	}

	return interp.Ends[set]{Done: given}
}

func (x *tracer) Settle(t *ir.Task, in set, ends interp.Ends[set]) interp.Ends[set] {
	x.note("settle %s", t.Name.Value)

	return ends
}

func (x *tracer) Keep(t *ir.Task, in set) interp.Ends[set] {
	x.note("keep %s", t.Name.Value)

	return interp.Ends[set]{Done: in}
}

func (x *tracer) Undo(t *ir.Task, _, failed set) set {
	x.note("undo %s", t.Name.Value)

	return failed
}

func (x *tracer) Retry(t *ir.Task, _, failed set) set {
	x.note("retry %s", t.Name.Value)

	return failed
}

func (x *tracer) Enter(b interp.Block, in set) []interp.Entry[set] {
	switch b.Kind {
	case interp.State:
		x.note("step %d: %s with %b", b.Turn, b.State.Name.Value, in)
	default:
		x.note("turn %d", b.Turn)
	}

	return []interp.Entry[set]{{Start: in}}
}

func (*tracer) Leave(_ interp.Block, _ set, _ interp.Entry[set], inner interp.Ends[set]) interp.Ends[set] {
	return inner
}

func (*tracer) Decide(_ *ir.Task, in set) interp.Ends[set] { return interp.Ends[set]{Done: in} }

func (*tracer) Choose(c interp.Choice, in set) interp.Chosen[set] {
	return interp.Chosen[set]{Cases: slices.Repeat([]set{in}, c.Cases), Other: in}
}

func (*tracer) Item(_ *ir.Loop, _ int, in set) (next, skipped set)   { return in, in }
func (*tracer) Tolerate(_ *ir.Loop, _, failed set) set               { return failed }
func (*tracer) Collect(_ *ir.Loop, in set) interp.Ends[set]          { return interp.Ends[set]{Done: in} }
func (*tracer) Begin(_ *ir.Task, _ *ir.Machine, in set) set          { return in }
func (*tracer) Event(_ interp.StateVisit[set], _ string, in set) set { return in }
func (*tracer) Stop(_ interp.StateVisit[set], _ bool, in set) set    { return in }
func (*tracer) Stall(interp.StateVisit[set], set)                    {}

func (*tracer) Advance(p interp.Progress[set]) interp.Step[set] {
	return interp.Step[set]{Next: p.After, Seen: p.Seen}
}

func (*tracer) Merge(_ *ir.Task, _ set, arms []interp.Ends[set]) interp.Ends[set] { return arms[0] }

// Take gives runs another bit where they take a row that is not the first one of its state.
func (*tracer) Take(at interp.StateVisit[set], move interp.Move, in set) set {
	if move.Row != at.State.Rows[0] {
		in <<= 1
	}

	return in
}

func (x *tracer) Finish(_ *ir.Task, m *ir.Machine, ends interp.Ends[set]) interp.Ends[set] {
	x.note("done %b, failed %b", ends.Done, ends.Failed)

	return ends
}

// graphs is a tracer that extrapolates machines whose states are entered with the bit 1 alone.
type graphs struct{ tracer }

func (*graphs) Settled(*ir.Machine) (all set, ok bool) { return 1, true }

func (x *graphs) Extrapolate(g interp.Graph[set]) interp.Ends[set] {
	for _, n := range g.Nodes {
		moves := ir.Map(n.Moves, func(e interp.Edge[set]) string {
			return fmt.Sprintf("%s with %b", g.Nodes[e.To].State.Name.Value, e.Taken)
		})
		x.note("%s: begins %b, done %b, failed %b, moves %v", n.State.Name.Value, n.Begins, n.Ends.Done, n.Ends.Failed, moves)
	}
	x.note("%d steps left", g.StepsLeft)

	return interp.Ends[set]{Done: g.All}
}

func task(name string) *ir.Task { return &ir.Task{Name: ir.Text{Value: name}, Do: &ir.PassOn{}} }

// tried is a task that is tried again, with a fallback.
func tried(name, fallback string) *ir.Task {
	t := task(name)
	t.Retries, t.Fallback = 1, task(fallback)

	return t
}

// withFallback gives a task a fallback.
func withFallback(t *ir.Task, fallback string) *ir.Task {
	t.Fallback = task(fallback)

	return t
}

// machine is a task with a machine: each row is FROM, EVENT and TO.
func machine(steps int, states string, rows ...string) *ir.Task {
	m := &ir.Machine{MaxSteps: steps}
	at := map[string]*ir.State{}
	for _, name := range strings.Fields(states) {
		at[name] = &ir.State{Name: ir.Text{Value: name}, End: name == "end", Body: ir.NewPipeline(task("some"))}
		m.States = append(m.States, at[name])
	}
	ref := func(name string) ir.Ref { return ir.Ref{Text: ir.Text{Value: name}, State: at[name]} }
	m.Initial = ref(m.States[0].Name.Value)
	for _, row := range rows {
		words := strings.Fields(row)
		m.AddRow(&ir.Row{From: ref(words[0]), Key: ir.Text{Value: words[1]}, To: ref(words[2])})
	}

	return &ir.Task{Name: ir.Text{Value: "machine"}, Do: m}
}

// TestOrder: each case is some tasks, and what a domain is asked for while they run.
func TestOrder(t *testing.T) {
	loop := &ir.Task{Name: ir.Text{Value: "loop"}, Do: &ir.Loop{Max: 2, Body: ir.NewPipeline(task("a"))}}
	badLoop := func(retries int) *ir.Task {
		return &ir.Task{Name: ir.Text{Value: "loop"}, Retries: retries, Do: &ir.Loop{Max: 1, OnBound: ir.BoundDone, Body: ir.NewPipeline(task("bad"))}}
	}
	for _, c := range []struct {
		name  string
		tasks []*ir.Task
		want  string
	}{
		{
			"one task after the other", []*ir.Task{task("a"), task("b")},
			"give a, do a, settle a, keep a, give b, do b, settle b, keep b",
		},
		{"nothing follows what fails", []*ir.Task{task("bad"), task("b")}, "give bad, do bad, retry bad, settle bad"},
		{
			"the tries are settled before the fallback", []*ir.Task{tried("bad", "b")},
			"give bad, do bad, retry bad, do bad, retry bad, settle bad, retry bad, give b, do b, settle b, keep b, keep bad",
		},
		{
			"what a step that is tried once has written remains", []*ir.Task{badLoop(0)},
			"give loop, turn 1, give bad, do bad, retry bad, settle bad, retry loop, settle loop",
		},
		{
			"each attempt that fails is undone", []*ir.Task{badLoop(1)},
			"give loop, turn 1, give bad, do bad, retry bad, settle bad, undo loop, retry loop, " +
				"turn 1, give bad, do bad, retry bad, settle bad, undo loop, retry loop, settle loop",
		},
		{
			"a fallback that fails is undone", []*ir.Task{withFallback(badLoop(0), "bad other")},
			"give loop, turn 1, give bad, do bad, retry bad, settle bad, undo loop, retry loop, settle loop, " +
				"retry loop, give bad other, do bad other, retry bad other, settle bad other, undo loop",
		},
		{
			"a failed fallback of a task without steps remains", []*ir.Task{withFallback(task("bad"), "bad other")},
			"give bad, do bad, retry bad, settle bad, retry bad, give bad other, do bad other, retry bad other, settle bad other",
		},
		{
			"a loop is settled behind all turns", []*ir.Task{loop},
			"give loop, turn 1, give a, do a, settle a, keep a, turn 2, give a, do a, settle a, keep a, retry loop, settle loop, keep loop",
		},
	} {
		x := &tracer{}
		interp.New(x, interp.Config{}).RunPipeline(ir.NewPipeline(c.tasks...), 1)
		if got := strings.Join(x.notes, ", "); got != c.want {
			t.Errorf("%s: %s\nwant: %s", c.name, got, c.want)
		}
	}
}

// TestVisits: each case is a machine, and the visits of its states.
func TestVisits(t *testing.T) {
	diamond := []string{"a success b", "a success b", "b success c", "c success end"}
	circle := []string{"a success a", "a failure end"}
	for _, c := range []struct {
		name   string
		domain interp.Domain[set]
		apart  int
		starts string
		steps  int
		states string
		rows   []string
		want   string
	}{
		{
			"what was seen is not visited again", &tracer{}, 0, "", 9, "a end", circle,
			"step 1: a with 1; done 10, failed 1",
		},
		{
			"visits apart go on up to the bound", &tracer{}, 2, "", 2, "a end", circle,
			"step 1: a with 1; step 2: a with 1; done 10, failed 1",
		},
		{
			"two visits of a step apart", &tracer{}, 2, "", 9, "a b c end", diamond,
			"step 1: a with 1; step 2: b with 1; step 2: b with 10; step 3: c with 1; step 3: c with 10; done 11, failed 11",
		},
		{
			"further visits of a step are joined", &tracer{}, 1, "", 9, "a b c end", diamond,
			"step 1: a with 1; step 2: b with 11; step 3: c with 11; done 11, failed 11",
		},
		{
			"a machine that begins anywhere", &tracer{}, 1, "b c", 9, "a b c end", diamond,
			"step 1: b with 1; step 1: c with 1; step 2: c with 1; done 1, failed 1",
		},
		{
			"a machine that is extrapolated", &graphs{}, 1, "", 7, "a b end", []string{"a success b", "b success a", "end success a"},
			"step 1: a with 1; step 1: b with 1; a: begins 1, done 0, failed 1, moves [b with 1]; " +
				"b: begins 0, done 0, failed 1, moves [a with 1]; 7 steps left; done 1, failed 0",
		},
	} {
		do := machine(c.steps, c.states, c.rows...)
		m := do.Do.(*ir.Machine)
		config := interp.Config{}
		if c.apart > 0 {
			config.MaxVisitsApart = func(int) int { return c.apart }
		}
		if c.starts != "" {
			config.Starts = func(*ir.Task, *ir.Machine) []*ir.State {
				return ir.Where(m.States, func(s *ir.State) bool { return strings.Contains(c.starts, s.Name.Value) })
			}
		}
		interp.New(c.domain, config).RunPipeline(ir.NewPipeline(do), 1)
		isVisit := func(note string) bool {
			return !slices.Contains([]string{"give", "do", "settle", "keep", "retry"}, strings.Fields(note)[0]) || strings.HasPrefix(note, "done")
		}
		x, is := c.domain.(*tracer)
		if !is {
			x = &c.domain.(*graphs).tracer
		}
		if got := strings.Join(ir.Where(x.notes, isVisit), "; "); got != c.want {
			t.Errorf("%s: %s\nwant: %s", c.name, got, c.want)
		}
	}
}

// TestSweeps looks at states in source order where bounds are ignored: each visit has all that has
// come from the states before it, and what leads back waits for the next sweep.
func TestSweeps(t *testing.T) {
	rows := []string{"a success b", "a success c", "b success d", "c success b", "d success end"}
	for _, c := range []struct {
		states string
		want   string
	}{
		{"a c b d end", "a with 1, c with 10, b with 11, d with 11"},
		{"a b c d end", "a with 1, b with 1, c with 10, d with 1, b with 10, d with 10"},
	} {
		x := &tracer{}
		interp.New(x, interp.Config{IgnoresBounds: true}).RunPipeline(ir.NewPipeline(machine(1, c.states, rows...)), 1)
		var visits []string
		for _, note := range x.notes {
			_, visit, isVisit := strings.Cut(note, ": ")
			if strings.HasPrefix(note, "step ") && isVisit {
				visits = append(visits, visit)
			}
		}
		if got := strings.Join(visits, ", "); got != c.want {
			t.Errorf("%s: %s\nwant: %s", c.states, got, c.want)
		}
	}
}

// starter is a domain in which some runs begin in the last state, and some fail.
type starter struct{ tracer }

func (x *starter) Starts(_ *ir.Task, m *ir.Machine, in set) (starts []interp.Start[set], failed set) {
	last := m.States[len(m.States)-1]

	return []interp.Start[set]{{State: m.States[0], In: in & 1}, {State: last, In: in & 2}}, in & 4
}

// TestStarts: runs begin where the domain says, and end at the bound that the configuration says.
func TestStarts(t *testing.T) {
	for most, want := range map[int]string{
		1: "step 1: a with 1; step 1: b with 10; done 10, failed 111",
		2: "step 1: a with 1; step 1: b with 10; step 2: b with 1; done 11, failed 111",
	} {
		x := &starter{}
		config := interp.Config{MaxSteps: func(*ir.Machine) int { return most }}
		ends := interp.New[set](x, config).RunPipeline(ir.NewPipeline(machine(9, "a b", "a success b")), 7)
		visits := ir.Where(x.notes, func(note string) bool { return strings.HasPrefix(note, "step ") })
		got := fmt.Sprintf("%s; done %b, failed %b", strings.Join(visits, "; "), ends.Done, ends.Failed)
		if got != want {
			t.Errorf("at most %d steps: %s\nwant: %s", most, got, want)
		}
	}
}
