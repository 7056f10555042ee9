package flow_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/flow"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/source"
)

func text(s string) ir.Text { return ir.Text{Value: s} }

// machineOf makes a machine of lines: "a" is a state, "a!" an end state, "a b success" a row, "a b success?" one with a guard,
// "a b next" a next_state that a may name, "a b always" one that it does name, "a open" one that only the run tells, and
// "a asks" a person who is asked.
func machineOf(lines ...string) *ir.Machine {
	m := &ir.Machine{}
	states := map[string]*ir.State{}
	ref := func(name string) ir.Ref { return ir.Ref{Text: text(name), State: states[name]} }
	for _, line := range lines {
		if name, end := strings.CutSuffix(line, "!"); !strings.Contains(line, " ") {
			states[name] = &ir.State{Name: text(name), End: end, Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: &ir.UseFunc{}, Type: ir.Type{Schema: &ir.Schema{Kind: ir.SchemaString}}}}}}
			m.States = append(m.States, states[name])
		}
	}
	m.Initial = ir.Ref{Text: m.States[0].Name, State: m.States[0]}
	for _, line := range lines {
		words := strings.Fields(line)
		switch s := states[words[0]]; {
		case len(words) == 1:
		case words[1] == "open":
			s.NextOpen = true
		case words[1] == "asks":
			branch := []*ir.Arm{{Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: &ir.Ask{}}}}}}
			s.Body.Tasks = append(s.Body.Tasks, &ir.Task{Do: &ir.UseFunc{}, Fallback: &ir.Task{Do: &ir.Parallel{Branches: branch}}})
		case words[2] == "next":
			s.Next = append(s.Next, ref(words[1]))
		case words[2] == "always":
			s.Next = append(s.Next, ref(words[1]))
			s.Body.Tasks = append(s.Body.Tasks, &ir.Task{Do: &ir.Run{Step: &ir.Step{}}, Type: ir.Type{Schema: naming(words[1])}})
		default:
			m.AddRow(workRow(ref(words[0]), ref(words[1]), words[2]))
		}
	}

	return m
}

func workRow(from, to ir.Ref, event string) *ir.Row {
	on, guarded := strings.CutSuffix(event, "?")
	r := &ir.Row{From: from, Key: text(on), To: to}
	if guarded {
		r.When = &ir.Guard{Formula: &ir.Formula{}}
	}

	return r
}

// naming is the schema of an output that always has this next_state.
func naming(state string) *ir.Schema {
	next := &ir.Schema{Kind: ir.SchemaString, Enum: []string{fmt.Sprintf("%q", state)}}

	return &ir.Schema{Kind: ir.SchemaObject, Properties: []*ir.Property{{Name: text(ir.NextState), Required: true, Schema: next}}}
}

// analysed returns what can happen in a machine that is the only step of a workflow.
func analysed(m *ir.Machine) *flow.Machine {
	w := &ir.Flow{Kind: ir.Workflow, Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: m}}}}
	p := flow.Analyze(&ir.Program{Agents: []*ir.Agent{named("work", w)}}, flow.Guess{})

	return p.Machine(m)
}

// moves writes a state as the moves that can be taken, and what else there is to say.
func moves(s *flow.State) string {
	var parts []string
	for _, move := range s.Moves {
		switch {
		case move.Dead != flow.Alive:
		case move.Next != nil:
			parts = append(parts, "next:"+move.Next.Value)
		case move.Row.When != nil:
			parts = append(parts, move.Row.Key.Value+"?:"+move.Row.To.Value)
		default:
			parts = append(parts, move.Row.Key.Value+":"+move.Row.To.Value)
		}
	}
	if s.Anywhere {
		parts = append(parts, "open")
	}
	if s.Stalls {
		parts = append(parts, "stalls")
	}
	if s.Stops {
		parts = append(parts, "stops")
	}

	return strings.Join(parts, " ")
}

func TestWorkStates(t *testing.T) {
	cases := []struct {
		name, state, want string
		lines             []string
	}{
		{"nothing leads on", "a", "stops", []string{"a", "b!"}},
		{"a row", "a", "success:b", []string{"a", "b!", "a b success"}},
		{"a row without a guard hides those behind it", "a", "success?:b success:a",
			[]string{"a", "b!", "a b success?", "a a success", "a b success", "* b success"}},
		{"it hides next_state too", "a", "success:b", []string{"a", "b!", "a b success", "a a next", "a open"}},
		{"but not other events", "a", "success:b failure:b pause:a",
			[]string{"a", "b!", "a b success", "a b failure", "a a pause", "a asks"}},
		{"there is no pause where nobody is asked", "a", "success:b", []string{"a", "b!", "a b success", "* b pause"}},
		{"a person is asked", "a", "pause:b stalls", []string{"a", "b!", "* b pause", "a asks"}},
		{"a row from * stands in its place", "a", "failure?:b success:b failure:a",
			[]string{"a", "b!", "* b failure?", "a b success", "* a failure", "a b failure"}},
		{"a row from * with a guard hides nothing", "a", "success?:b success:a",
			[]string{"a", "b!", "* b success?", "a a success", "* b success"}},
		{"a guard may not hold", "a", "success?:b stalls", []string{"a", "b!", "a b success?"}},
		{"a next_state may be there", "a", "next:b stops", []string{"a", "b!", "a b next"}},
		{"a next_state is there", "a", "failure:a next:b", []string{"a", "b!", "a b always", "a a failure"}},
		{"only the run decides", "a", "open stops", []string{"a", "b!", "a open"}},
		{"a row on failure alone", "a", "failure:b stalls", []string{"a", "b!", "a b failure"}},
		{"an end state leads nowhere", "b", "", []string{"a", "b!", "b a success", "* a failure", "b a next", "b open"}},
	}
	for _, c := range cases {
		for _, s := range analysed(machineOf(c.lines...)).States {
			if got := moves(s); s.Name.Value == c.state && got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		}
	}
}

func TestWorkReached(t *testing.T) {
	cases := []struct {
		name, want string
		lines      []string
	}{
		{"by rows", "a b c", []string{"a", "b", "c!", "d", "a b success", "b c failure", "d a success"}},
		{"by next_state", "a c", []string{"a", "b", "c!", "a c next"}},
		{"not behind a row that is always taken", "a b", []string{"a", "b!", "c", "a b success", "a c next", "a c success"}},
		{"anything", "a b c", []string{"a", "b", "c!", "a b next", "b open"}},
		{"not by a pause that stays", "a", []string{"a", "b!", "a a pause", "a b pause", "a asks"}},
		{"by a pause", "a b", []string{"a", "b!", "a b pause", "a asks"}},
		{"from *", "a c", []string{"a", "b", "c!", "* c failure"}},
	}
	for _, c := range cases {
		var got []string
		for _, s := range analysed(machineOf(c.lines...)).States {
			if s.Reached {
				got = append(got, s.Name.Value)
			}
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestWorkReachedWithoutStart(t *testing.T) {
	m := machineOf("a", "b!")
	m.Initial = ir.Ref{Text: text("c")}
	if x := analysed(m); x.Start != nil || !x.States[0].Reached || !x.States[1].Reached {
		t.Error("it is not known where it starts, and a state is not reached")
	}
}

// What a machine in a state asks is no pause of the state; the builtin that asks is one.
func TestAsks(t *testing.T) {
	inner := machineOf("a", "a asks")
	for name, c := range map[string]struct {
		do   ir.Op
		asks bool
	}{
		"a machine that asks":    {inner, false},
		"the builtin that asks":  {&ir.Ask{}, true},
		"another builtin":        {&ir.UseBuiltin{Builtin: "stringify"}, false},
		"a loop around asking":   {&ir.Loop{Body: inner.States[0].Body}, true},
		"another workflow":       {&ir.Import{Agent: &ir.AgentRef{}}, false},
		"a loop around the same": {&ir.Loop{Body: &ir.Pipeline{Tasks: []*ir.Task{{Do: inner}}}}, false},
	} {
		m := machineOf("s")
		m.States[0].Body.Tasks = []*ir.Task{{Do: c.do}}
		if got := analysed(m).States[0].Asks; got != c.asks {
			t.Errorf("%s: Asks is %v", name, got)
		}
	}
	if s := (&ir.State{Name: text("a")}); analysed(&ir.Machine{States: []*ir.State{s}}).States[0].Asks {
		t.Error("a state without a body asks")
	}
}

// A state is left by its own steps for certain, or it is not.
func TestStalls(t *testing.T) {
	file := source.NewFile("f", nil)
	at := func(start, end int) source.Span { return source.Span{File: file, Start: start, End: end} }
	state := &ir.State{Name: text("a"), Next: []ir.Ref{{Text: ir.Text{Value: "b", Span: at(15, 16)}}}}
	sets := &ir.Task{Span: at(10, 20), Do: &ir.UseBuiltin{Builtin: "context_set"}}
	other := &ir.Task{Span: at(30, 40), Do: &ir.UseBuiltin{Builtin: "context_set"}}
	agent := func(schema *ir.Schema) *ir.Task {
		return &ir.Task{Do: &ir.Run{Step: &ir.Step{}}, Type: ir.Type{Schema: schema}}
	}
	tells := agent(naming("b"))
	sinks := func(schema *ir.Schema, name string) *ir.Task {
		t := agent(schema)
		t.SinkTo = &ir.ContextPath{Path: []ir.Text{text(name)}}
		return t
	}
	body := func(tasks ...*ir.Task) *ir.Pipeline { return &ir.Pipeline{Tasks: tasks} }
	arms := func(bodies ...*ir.Pipeline) []*ir.Arm {
		var list []*ir.Arm
		for _, b := range bodies {
			list = append(list, &ir.Arm{Body: b})
		}
		return list
	}
	schema := func(change func(object, next *ir.Schema)) *ir.Task {
		s := naming("b")
		change(s, s.Properties[0].Schema)
		return agent(s)
	}
	imports := func(t *ir.Task, next bool, failure ir.ImportFailure) *ir.Task {
		child := &ir.AgentRef{Agent: &ir.Agent{Node: &ir.Flow{Kind: ir.Workflow, Body: body(t)}}}
		return &ir.Task{Do: &ir.Import{Agent: child, Next: next, OnFailure: failure}}
	}
	one := 1
	cases := []struct {
		name   string
		tasks  []*ir.Task
		stalls bool
	}{
		{"no steps", nil, true},
		{"a builtin that sets it", []*ir.Task{other, sets}, false},
		{"a builtin that sets something else", []*ir.Task{other}, true},
		{"an input that has it", []*ir.Task{{Span: at(10, 20), Do: &ir.PassOn{}}}, false},
		{"a verdict that is put there", []*ir.Task{sinks(&ir.Schema{Kind: ir.SchemaString, Enum: []string{`"b"`}}, ir.NextState)}, false},
		{"a text that is put there", []*ir.Task{sinks(&ir.Schema{Kind: ir.SchemaString}, ir.NextState)}, true},
		{"a verdict that is put elsewhere", []*ir.Task{sinks(&ir.Schema{Kind: ir.SchemaString, Enum: []string{`"b"`}}, "kind")}, true},
		{"an agent that tells it", []*ir.Task{tells}, false},
		{"an agent that tells anything", []*ir.Task{agent(nil)}, true},
		{"an agent that may tell it", []*ir.Task{schema(func(o, _ *ir.Schema) { o.Properties[0].Required = false })}, true},
		{"an agent that tells it or null", []*ir.Task{schema(func(_, n *ir.Schema) { n.Nullable = true })}, true},
		{"an agent that tells it or nothing", []*ir.Task{schema(func(_, n *ir.Schema) { n.Enum = append(n.Enum, `""`) })}, true},
		{"an agent that tells some text", []*ir.Task{schema(func(_, n *ir.Schema) { n.Enum = nil })}, true},
		{"an agent that tells a text of one letter", []*ir.Task{schema(func(_, n *ir.Schema) { n.Enum, n.MinLength = nil, &one })}, false},
		{"an agent that may tell nothing at all", []*ir.Task{schema(func(o, _ *ir.Schema) { o.Nullable = true })}, true},
		{"a fallback that does not", []*ir.Task{{Span: at(10, 20), Do: sets.Do, Fallback: other}}, true},
		{"a fallback that does too", []*ir.Task{{Span: at(10, 20), Do: sets.Do, Fallback: tells}}, false},
		{"a loop", []*ir.Task{{Do: &ir.Loop{Body: body(sets)}}}, false},
		{"a branch", []*ir.Task{{Do: &ir.Branch{Branches: arms(body(sets), body()), Default: body(sets)}}}, true},
		{"each branch", []*ir.Task{{Do: &ir.Branch{Branches: arms(body(sets), body(tells))}}}, false},
		{"each branch but the default", []*ir.Task{{Do: &ir.Branch{Branches: arms(body(sets)), Default: body(other)}}}, true},
		{"each item, of which there may be none", []*ir.Task{{Do: &ir.Loop{Over: &ir.Access{Root: ir.RootContext}, Body: body(sets)}}}, true},
		{"an import", []*ir.Task{{Do: &ir.Import{Agent: &ir.AgentRef{}}, Type: tells.Type}}, false},
		{"an import that sets it", []*ir.Task{imports(sets, true, ir.FailureAbort)}, false},
		{"an import that sets it and may be skipped", []*ir.Task{imports(sets, true, ir.FailureSkip)}, true},
		{"an import that keeps it", []*ir.Task{imports(sets, false, ir.FailureAbort)}, true},
		{"an import that may be skipped", []*ir.Task{{Do: &ir.Import{Agent: &ir.AgentRef{}, OnFailure: ir.FailureSkip}, Type: tells.Type}}, true},
		{"a step that was faulty", []*ir.Task{{}}, true},
	}
	for _, c := range cases {
		state.Body = body(c.tasks...)
		m := &ir.Machine{States: []*ir.State{state}}
		if got := analysed(m).States[0]; got.Stops != c.stalls || got.Stalls {
			t.Errorf("%s, no rows: Stops is %v, Stalls is %v", c.name, got.Stops, got.Stalls)
		}
		m.AddRow(&ir.Row{From: ir.Ref{Text: state.Name, State: state}, Key: text(ir.OnFailure), To: ir.Ref{Text: state.Name, State: state}})
		if got := analysed(m).States[0]; got.Stalls != c.stalls || got.Stops {
			t.Errorf("%s, rows: Stops is %v, Stalls is %v", c.name, got.Stops, got.Stalls)
		}
		state.Rows = nil
	}
}

// The graph grows with the machine, not with its square: a hundred thousand states under rows from "*".
func TestWorkSize(t *testing.T) {
	m := &ir.Machine{}
	for i := range 100_000 {
		m.States = append(m.States, &ir.State{Name: text(fmt.Sprint("s", i))})
	}
	ref := func(i int) ir.Ref { return ir.Ref{Text: m.States[i].Name, State: m.States[i]} }
	for i := range m.States[1:] {
		m.AddRow(workRow(ref(i), ref(i+1), "success"))
	}
	m.Initial = ref(0)
	for range 1000 {
		m.AddRow(workRow(ir.Ref{Text: text(ir.CatchAll)}, ref(0), ir.OnFailure))
	}
	x := analysed(m)
	if last := x.States[len(x.States)-1]; len(last.Moves) != 1 || !last.Reached {
		t.Errorf("the last state has %d moves", len(last.Moves))
	}
}
