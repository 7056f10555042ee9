package gen_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/agentc-dev/agentc/gen"
	"github.com/agentc-dev/agentc/gen/diag"
	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// flowProject makes projects of machines, three deep, whose rows, guards and bounds are as they
// come: many can never end, many are right.
type flowProject struct {
	*rand.Rand
	files fstest.MapFS
	keys  []string
	// leaves and machines are the names of the agents so far; data are the leaves whose values have
	// the fields kind and fine, and declared the keys of leaves that have some.
	leaves, machines []string
	data             map[string]bool
	declared         map[string][]string
}

func newFlowProject(seed uint64) *flowProject {
	p := &flowProject{
		Rand: rand.New(rand.NewPCG(seed, 9)), files: fstest.MapFS{}, keys: []string{"k1", "k2", "k3", "K4"},
		data: map[string]bool{}, declared: map[string][]string{},
	}
	for i := range 2 + p.IntN(3) {
		p.addLeaf(fmt.Sprint("leaf", i))
	}
	levels := 1 + p.IntN(3)
	for level := range levels {
		inside := append(slices.Clone(p.leaves), p.machines...)
		for i := range 1 + p.IntN(2) {
			if level+1 < levels || i == 0 {
				p.addMachine(fmt.Sprintf("m%d%d", level, i), inside)
			}
		}
	}

	return p
}

func (p *flowProject) file(name, pattern, fields string) {
	text := "---\nname: " + name + "\ndescription: d\nversion: \"1.0.0\"\npattern: " + pattern + "\n" + fields + "---\n\nDo it.\n"
	p.files["agents/"+name+"/AGENT.md"] = &fstest.MapFile{Data: []byte(text)}
}

func (p *flowProject) addLeaf(name string) {
	p.leaves = append(p.leaves, name)
	if p.IntN(5) == 0 {
		p.file(name, "oneshot", "")
		p.declared[name] = []string{"done"}
		return
	}
	fields := ""
	if p.IntN(4) > 0 {
		p.declared[name] = p.pick(1 + p.IntN(3))
		fields = "keys: [" + strings.Join(p.declared[name], ", ") + "]\n"
	}
	if p.data[name] = p.IntN(2) == 0; p.data[name] {
		fields += "output: {type: object, required: [kind], properties: {kind: {enum: [a, b]}, fine: {type: boolean}}}\n"
	}
	p.file(name, "react", fields)
}

func (p *flowProject) pick(n int) []string {
	keys := slices.Clone(p.keys)
	p.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })

	return keys[:n]
}

func (p *flowProject) addMachine(name string, inside []string) {
	inside = slices.Clone(inside)
	p.Shuffle(len(inside), func(i, j int) { inside[i], inside[j] = inside[j], inside[i] })
	if deepest := len(p.machines); deepest > 0 && p.IntN(4) > 0 { // most nest
		inside = append([]string{p.machines[p.IntN(deepest)]}, inside...)
	}
	inside = inside[:min(len(inside), 1+p.IntN(4))]
	slices.Sort(inside)
	inside = slices.Compact(inside)
	p.Shuffle(len(inside), func(i, j int) { inside[i], inside[j] = inside[j], inside[i] })

	fields := ""
	if p.IntN(3) == 0 {
		fields += fmt.Sprintf("max_steps: %d\n", 1+p.IntN(5))
	}
	if p.IntN(4) == 0 {
		fields += fmt.Sprintf("budget: {calls: %d}\n", 1+p.IntN(8))
	}
	fields += "initial: " + inside[0] + "\nstates:\n"
	for i, state := range inside {
		next := "over"
		if i+1 < len(inside) {
			next = inside[i+1]
		}
		fields += p.state(state, next, inside)
	}
	p.file(name, "fsm", fields+"  over: ~\n")
	p.machines = append(p.machines, name)
}

// state writes a state; one of its rows leads to the next state, so that it can be reached.
func (p *flowProject) state(name, next string, inside []string) string {
	switch p.IntN(8) {
	case 0:
		return "  " + name + ": " + next + "\n"
	case 1:
		if next == "over" {
			return "  " + name + ": ~\n"
		}
	}
	keys := slices.Clone(p.declared[name])
	if len(keys) == 0 || p.IntN(8) == 0 {
		keys = append(p.pick(2+p.IntN(3)), "done")
	}
	text, ahead := "  "+name+":\n", p.IntN(len(keys))
	for i, key := range keys {
		to := append(inside, "over", "~", "~")[p.IntN(len(inside)+3)]
		for range p.IntN(2) * p.IntN(3) {
			text += fmt.Sprintf("    - {key: %s, to: %s, when: %q, priority: %d}\n", key,
				append(inside, "over", "~")[p.IntN(len(inside)+2)], p.guard(name, key, inside), p.IntN(6)/4)
		}
		if i == ahead {
			to = next
		}
		text += fmt.Sprintf("    - %s: %s\n", key, to)
	}
	if p.IntN(3) == 0 {
		if guard := p.guard(name, "", inside); !strings.Contains(guard, "key") {
			text += fmt.Sprintf("    - {key: \"*\", to: %s, when: %q}\n", append(inside, "over", "~")[p.IntN(len(inside)+2)], guard)
		}
		text += fmt.Sprintf("    - \"*\": %s\n", append(inside, "over", "~")[p.IntN(len(inside)+2)])
	}

	return text
}

func (p *flowProject) guard(name, key string, inside []string) string {
	if p.IntN(4) == 0 {
		return fmt.Sprintf("visits.%s %s %d", inside[p.IntN(len(inside))], []string{"<", ">", "==", ">="}[p.IntN(4)], p.IntN(4))
	}
	guards := []string{"1 > 2", "key == 'k1'", "key != '" + key + "'", "plan-is-good", "not plan-is-good"}
	if p.data[name] {
		guards = append(guards, "data.kind == 'a'", "data.kind == 'b'", "data.kind != 'a'", "data.fine", "not data.fine", "data.fine == True",
			"data.fine and data.kind == 'a'", "data.fine or data.kind in ['a', 'b']", "data.kind == 'c'", "data.kind == 'a' and data.kind == 'b'")
	}

	return guards[p.IntN(len(guards))]
}

// truth is what runs of a project do, found out by trying all of them: each key, each value of the
// data and each answer of a named guard in each state, within all bounds.
type truth struct {
	program *ir.Program
	keys    []string
	known   map[string]map[string]ending
	// taken are the rows that some run takes within max_steps.
	taken map[*ir.Row]bool
	// stuck, late, failed and unread say where in a place that a run comes to a machine cannot end,
	// an agent cannot end within its bounds, a key has no row, and a state is not led to.
	stuck, late, unrouted, unreached []string
}

// ending is a way to finish: the calls of models that it takes at least, and what each of them
// answers.
type ending struct {
	calls   int
	answers []answer
}

type answer struct{ agent, turn string }

// then returns the ending of what runs e and then next.
func (e ending) then(next ending) ending {
	return ending{e.calls + next.calls, slices.Concat(e.answers, next.answers)}
}

// place is what is legal where an agent runs: keys, and with open any other one too.
type place struct {
	open bool
	keys []string
}

const otherKey = "some-other-key"

// results returns with which keys an agent can finish within its bounds, and how many calls each
// takes at least.
func (t *truth) results(a *ir.Agent, at place) map[string]ending {
	at.keys = slices.Compact(slices.Sorted(slices.Values(at.keys)))
	id := fmt.Sprint(a.Name.Value, at.open, at.keys)
	found, known := t.known[id]
	if known {
		return found
	}
	found = map[string]ending{}
	switch node := a.Node.(type) {
	case *ir.Oneshot:
		found["done"] = ending{1, []answer{{a.Name.Value, `{"say": "x"}`}}}
	case *ir.React:
		for _, key := range t.legal(node, at) {
			found[strings.ToLower(key)] = ending{calls: 1}
		}
	case *ir.Machine:
		found = t.run(a, node, at)
	}
	if b := a.Budget; b != nil {
		maps.DeleteFunc(found, func(_ string, e ending) bool { return e.calls > b.Calls })
	}
	t.known[id] = found

	return found
}

// legal are the keys with which a react loop can finish at a place.
func (t *truth) legal(node *ir.React, at place) []string {
	var keys []string
	for _, key := range node.Keys {
		keys = append(keys, key.Value)
	}
	if len(keys) > 0 {
		return keys
	}
	if at.open {
		return append(slices.Clone(at.keys), t.keys...)
	}

	return at.keys
}

// spot is a state with how often each state was entered by then; of more than four visits guards make
// no difference.
type spot struct {
	*ir.State
	visits [8]byte
}

// enter returns the spot of the state that a run is in next.
func (at spot) enter(m *ir.Machine, to *ir.State) spot {
	at.State = to
	i := slices.Index(m.States, to)
	at.visits[i] = min(at.visits[i]+1, 4)

	return at
}

// step is a thing that can happen at a spot: it leads to another one, or ends the machine with a key.
type step struct {
	to  spot
	key string
	end ending
	row *ir.Row
}

// ends reports whether the machine ends.
func (s step) ends() bool { return s.to.State == nil }

// run runs a machine in all ways.
func (t *truth) run(a *ir.Agent, m *ir.Machine, at place) map[string]ending {
	start := spot{}.enter(m, m.Initial.State)
	steps := map[spot][]step{}
	for open := []spot{start}; len(open) > 0; open = open[1:] {
		s := open[0]
		if steps[s] != nil {
			continue
		}
		steps[s] = append([]step{}, t.steps(a, m, s, at)...)
		for _, next := range steps[s] {
			if !next.ends() {
				open = append(open, next.to)
			}
		}
	}
	t.judge(a, m, steps)

	found := map[string]ending{}
	fewest := map[spot]ending{start: {}}
	for range m.MaxSteps {
		after := map[spot]ending{}
		for s, before := range fewest {
			for _, next := range steps[s] {
				t.taken[next.row] = true
				if next.ends() {
					keepLeast(found, next.key, before, next.end)
				} else {
					keepLeast(after, next.to, before, next.end)
				}
			}
		}
		fewest = after
	}

	return found
}

func keepLeast[K comparable](least map[K]ending, key K, before, next ending) {
	if known, ok := least[key]; !ok || before.calls+next.calls < known.calls {
		least[key] = before.then(next)
	}
}

// judge notes which states a run comes to and cannot leave for an end, whatever the bounds.
func (t *truth) judge(a *ir.Agent, m *ir.Machine, steps map[spot][]step) {
	ends := map[spot]bool{}
	for changed := true; changed; {
		changed = false
		for s := range steps {
			for _, next := range steps[s] {
				if !ends[s] && (next.ends() || ends[next.to]) {
					ends[s], changed = true, true
				}
			}
		}
	}
	reached, free := map[*ir.State]bool{}, map[*ir.State]bool{}
	for s := range steps {
		reached[s.State] = true
		free[s.State] = free[s.State] || ends[s]
	}
	written := map[*ir.State]bool{}
	for open := []*ir.State{m.Initial.State}; len(open) > 0; open = open[1:] {
		s := open[0]
		if s == nil || written[s] {
			continue
		}
		written[s] = true
		if s.Always != nil {
			open = append(open, s.Always.State)
		}
		for _, row := range s.Rows {
			open = append(open, row.To.State)
		}
	}
	for _, s := range m.States {
		if reached[s] && !free[s] {
			t.stuck = append(t.stuck, a.Name.Value+"/"+s.Name.Value)
		}
		if !written[s] {
			t.unreached = append(t.unreached, a.Name.Value+"/"+s.Name.Value)
		}
	}
}

// steps returns what can happen at a spot of a machine that runs at a place.
func (t *truth) steps(a *ir.Agent, m *ir.Machine, s spot, at place) []step {
	to := func(ref *ir.Ref) spot {
		if next := target(ref); next != nil {
			return s.enter(m, next)
		}
		return spot{}
	}
	in := inside(s.State, at)
	results := t.results(s.Agent, in)
	if len(results) == 0 {
		t.late = append(t.late, s.Agent.Name.Value+" in "+a.Name.Value)
	}
	var all []step
	for _, key := range slices.Sorted(maps.Keys(results)) {
		end := results[key]
		if len(s.Rows) == 0 {
			all = append(all, step{to(s.Always), key, end.of(s.Agent, key, worlds(s.Agent)[0]), nil})
			continue
		}
		exact, catchAll := "", false
		for _, row := range s.Rows {
			if strings.ToLower(row.Key.Value) == key {
				exact = row.Key.Value
			}
			catchAll = catchAll || row.Key.Value == "*"
		}
		if exact == "" && !catchAll {
			t.unrouted = append(t.unrouted, a.Name.Value+"/"+s.Name.Value+" "+key)
			continue
		}
		for _, says := range worlds(s.Agent) {
			if row := takes(m, s, exact, key, says); row != nil {
				all = append(all, step{to(&row.To), key, end.of(s.Agent, key, says), row})
			}
		}
	}

	return all
}

// of returns the ending with what the agent answers, if that is a react loop: the key, with what
// guards are asked about.
func (e ending) of(a *ir.Agent, key string, says world) ending {
	if _, ok := a.Node.(*ir.React); !ok {
		return e
	}
	value := `"text"`
	if says.data != nil {
		text, _ := json.Marshal(says.data)
		value = string(text)
	}

	return ending{e.calls, []answer{{a.Name.Value, fmt.Sprintf(`{"finish": {"key": %q, "value": %s}}`, key, value)}}}
}

// inside is what is legal in a state.
func inside(s *ir.State, at place) place {
	if len(s.Rows) == 0 {
		if target(s.Always) == nil {
			return at
		}
		return place{open: true}
	}
	in := place{}
	leaves := false
	for _, row := range s.Rows {
		to := row.To
		if row.Key.Value != "*" {
			in.keys = append(in.keys, row.Key.Value)
			continue
		}
		in.open, leaves = true, leaves || target(&to) == nil
	}
	if leaves {
		in.open, in.keys = at.open, append(in.keys, at.keys...)
	}

	return in
}

// target is the state whose agent runs next; nil if the machine ends.
func target(ref *ir.Ref) *ir.State {
	if ref == nil || ref.State == nil || ref.State.Agent == nil {
		return nil
	}

	return ref.State
}

// world is what guards are asked about, beside the key.
type world struct {
	data map[string]any
	good bool
}

// worlds are all of them, for what an agent gives.
func worlds(a *ir.Agent) []world {
	data := []map[string]any{nil}
	if react, ok := a.Node.(*ir.React); ok && react.Output != nil {
		data = nil
		for _, kind := range []string{"a", "b"} {
			for _, fine := range []bool{true, false} {
				data = append(data, map[string]any{"kind": kind, "fine": fine})
			}
			data = append(data, map[string]any{"kind": kind})
		}
	}
	var all []world
	for _, d := range data {
		all = append(all, world{d, true}, world{d, false})
	}

	return all
}

// takes returns the row that a key takes; nil if no guard holds, or if a row without a guard would be taken only because a guard before
// it is unknown.
func takes(m *ir.Machine, s spot, exact, key string, says world) *ir.Row {
	isUnknown := false
	for _, wanted := range []string{exact, "*"} {
		rows := slices.Clone(s.Rows)
		slices.SortStableFunc(rows, func(a, b *ir.Row) int { return b.Priority - a.Priority })
		for _, row := range rows {
			shown := exact
			if shown == "" {
				shown = key
			}
			switch {
			case row.Key.Value != wanted:
			case row.When == nil && isUnknown:
				return nil
			case row.When == nil, s.holds(m, row.When.Text.Value), says.holds(row.When.Text.Value, shown):
				return row
			default:
				isUnknown = isUnknown || says.isUnknown(row.When.Text.Value)
			}
		}
	}

	return nil
}

// isUnknown reports whether a guard compares a member that is missing.
func (w world) isUnknown(guard string) bool {
	return guard == "data.fine == True" && w.data["fine"] == nil
}

// holds reports whether a guard is about visits, and holds at the spot.
func (at spot) holds(m *ir.Machine, guard string) bool {
	words := strings.Fields(strings.TrimPrefix(guard, "visits."))
	if len(words) != 3 || guard == words[0] {
		return false
	}
	i := slices.IndexFunc(m.States, func(s *ir.State) bool { return s.Name.Value == words[0] })
	if i < 0 {
		return false
	}
	n := int(at.visits[i])
	limit := int(words[2][0] - '0')
	switch words[1] {
	case "<":
		return n < limit
	case ">":
		return n > limit
	case ">=":
		return n >= limit
	}

	return n == limit
}

// holds says what each of the guards of a flowProject means. A member that is missing does not hold.
func (w world) holds(guard, key string) bool {
	kind, fine := w.data["kind"], w.data["fine"]
	switch guard {
	case "plan-is-good":
		return w.good
	case "not plan-is-good":
		return !w.good
	case "key == 'k1'":
		return key == "k1"
	case "data.kind == 'a'", "data.kind == 'b'", "data.kind == 'c'":
		return kind == guard[len(guard)-2:len(guard)-1]
	case "data.kind != 'a'":
		return kind != nil && kind != "a"
	case "data.fine", "data.fine == True":
		return fine == true
	case "not data.fine":
		return fine != true
	case "data.fine and data.kind == 'a'":
		return fine == true && kind == "a"
	case "data.fine or data.kind in ['a', 'b']":
		return true
	}
	if name, isKey := strings.CutPrefix(guard, "key != "); isKey {
		return "'"+key+"'" != name
	}

	return false
}

// tryAll finds out what the runs of a program do. Each agent may be the one with which they begin.
func tryAll(program *ir.Program) *truth {
	runs := &truth{program: program, keys: []string{"k1", "k2", "k3", "k4", "done", otherKey}, known: map[string]map[string]ending{}, taken: map[*ir.Row]bool{}}
	for _, a := range program.Agents {
		if len(runs.results(a, place{open: true})) == 0 {
			runs.late = append(runs.late, a.Name.Value)
		}
	}

	return runs
}

func (t *truth) right() bool { return len(t.stuck)+len(t.late)+len(t.unrouted)+len(t.unreached) == 0 }

// flowChecks are the checks that say whether runs can end; what others find is not asked here.
var flowChecks = []*diag.Check{diag.NoExit, diag.BeyondBounds, diag.UnroutedKey, diag.UnreachableState}

// TestGreenMeansItCanRun holds what is found in random projects against all runs of them: a project
// without errors can end from everywhere within its bounds, and one that can, and has a row for
// each key, has no errors. No row that is said never to be taken is taken.
func TestGreenMeansItCanRun(t *testing.T) {
	projects := 10_000
	if testing.Short() {
		projects = 400
	}
	counts := map[string]int{}
	for seed := range uint64(projects) {
		p := newFlowProject(seed)
		result, err := gen.Compile(t.Context(), gen.Options{FS: p.files, CheckOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, d := range result.Diagnostics {
			if slices.Contains(flowChecks, d.Check) && d.Severity == diag.Error {
				found = d.Check.Name
			} else if d.Severity == diag.Error && d.Check != diag.ShadowedTransition {
				t.Fatalf("seed %d: %s\n%s", seed, d.Message, p)
			}
		}
		runs := tryAll(result.Program)
		for row := range runs.taken {
			if row != nil && slices.ContainsFunc(result.Diagnostics, func(d *diag.Diagnostic) bool { return d.Check == diag.DeadTransition && d.Span == row.Key.Span }) {
				t.Errorf("seed %d: the row %q is taken, and said not to be\n%s\n%s", seed, row.Key.Value, p, casetest.Text(t, result.Diagnostics))
			}
		}
		counts["rows that are never taken"] += countDead(result.Diagnostics)
		wrong := !runs.right()
		switch {
		case wrong && found == "":
			t.Errorf("seed %d: no error, and stuck %q, late %q, unrouted %q, unreached %q\n%s\n%s", seed,
				runs.stuck, runs.late, runs.unrouted, runs.unreached, p, casetest.Text(t, result.Diagnostics))
		case !wrong && found != "":
			t.Errorf("seed %d: %s in a project that is right\n%s\n%s", seed, found, p, casetest.Text(t, result.Diagnostics))
		}
		if t.Failed() {
			return
		}
		counts[map[bool]string{true: "wrong", false: "right"}[wrong]]++
		for what, places := range map[string][]string{"stuck": runs.stuck, "late": runs.late, "unrouted": runs.unrouted} {
			if len(places) > 0 {
				counts[what]++
			}
		}
	}
	t.Logf("%d projects: %v; none that cannot end is without an error, none that is right has one", projects, counts)
	for _, what := range []string{"right", "wrong", "stuck", "late", "unrouted", "rows that are never taken"} {
		if counts[what] < projects/50 {
			t.Errorf("%s: %d is so few that the test says little", what, counts[what])
		}
	}
}

// countDead counts the rows that are said never to be taken because of what the states before have left.
func countDead(found []*diag.Diagnostic) int {
	dead := slices.DeleteFunc(slices.Clone(found), func(d *diag.Diagnostic) bool {
		return d.Check != diag.DeadTransition || !strings.Contains(d.Message, "way to this state")
	})

	return len(dead)
}

func (p *flowProject) String() string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		text += "-- " + name + " --\n" + string(p.files[name].Data)
	}

	return text
}

// TestGreenProjectsRun compiles some of the projects in which nothing is found, and plays the
// shortest run of each on the generated code: it comes to its end.
func TestGreenProjectsRun(t *testing.T) {
	projects := 60
	if testing.Short() {
		projects = 6
	}
	packages := map[string]*gen.Result{}
	var plays []play
	for seed := uint64(100_000); len(plays) < projects; seed++ {
		p := newFlowProject(seed)
		if strings.Contains(p.String(), "plan-is-good") || len(p.machines) < 2 {
			continue // no script answers for named guards
		}
		p.files["agentc.yaml"] = &fstest.MapFile{Data: []byte("entrypoint: " + p.machines[len(p.machines)-1] + "\n")}
		result, err := gen.Compile(t.Context(), gen.Options{FS: p.files})
		if err != nil {
			t.Fatal(err)
		}
		if result.HasErrors() {
			continue
		}
		ends := slices.Collect(maps.Values(tryAll(result.Program).results(result.Program.Entry, place{open: true})))
		shortest := slices.MinFunc(ends, func(a, b ending) int { return a.calls - b.calls })
		if shortest.calls < 3 {
			continue
		}
		pkg := fmt.Sprint("p", len(plays))
		packages[pkg] = result
		plays = append(plays, play{name: pkg, pkg: pkg, task: "do it", script: shortest.script()})
	}
	for name, events := range playAll(t, packages, plays) {
		if strings.Contains(events, "error:") || !strings.Contains(events, `"status":"done"`) {
			t.Errorf("%s\n%s", name, events)
		}
	}
}

// script answers with the ending, and with nothing else.
func (e ending) script() string {
	turns := map[string][]string{}
	for _, a := range e.answers {
		turns[a.agent] = append(turns[a.agent], a.turn)
	}
	var agents []string
	for _, name := range slices.Sorted(maps.Keys(turns)) {
		agents = append(agents, fmt.Sprintf("%q: [%s]", name, strings.Join(turns[name], ", ")))
	}

	return "{" + strings.Join(agents, ", ") + "}"
}
