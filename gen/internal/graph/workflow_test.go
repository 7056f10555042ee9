package graph

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func task(name string, do ir.Op) *ir.Task { return &ir.Task{Name: text(name), Do: do} }

func uses(name, agent string) *ir.Task {
	return task(name, &ir.Run{Step: &ir.Step{Name: text(agent), Node: &ir.Oneshot{}}})
}

func builtin(name, id string) *ir.Task { return task(name, &ir.UseBuiltin{Builtin: id}) }

func formula(source string) *ir.Formula { return &ir.Formula{Text: text(source)} }

func body(tasks ...*ir.Task) *ir.Pipeline { return &ir.Pipeline{Tasks: tasks} }

func arm(name string, tasks ...*ir.Task) *ir.Arm {
	return &ir.Arm{Name: text(name), Body: body(tasks...)}
}

func workflowOf(name string, tasks ...*ir.Task) *ir.Agent {
	return &ir.Agent{Name: text(name), Node: &ir.Flow{Kind: ir.Workflow, Body: body(tasks...)}}
}

// machineOf makes a machine of states, of lines "from event to guard…" and of "from next to".
func machineOf(states []*ir.State, lines ...string) *ir.Machine {
	m := &ir.Machine{States: states}
	ref := func(name string) ir.Ref {
		for _, s := range states {
			if s.Name.Value == name {
				return ir.Ref{Text: s.Name, State: s}
			}
		}
		return ir.Ref{Text: text(name)}
	}
	m.Initial = ref(states[0].Name.Value)
	for _, line := range lines {
		words := strings.SplitN(line, " ", 4)
		from := ref(words[0])
		switch words[1] {
		case "next":
			from.State.Next = append(from.State.Next, ref(words[2]))
			continue
		case "open":
			from.State.NextOpen = true
			continue
		}
		row := &ir.Row{From: from, Key: text(words[1]), To: ref(words[2])}
		if len(words) > 3 {
			row.When = guard(words[3])
		}
		m.AddRow(row)
	}

	return m
}

func guard(text string) *ir.Guard {
	f := formula(text)

	return &ir.Guard{Text: f.Text, Formula: f}
}

func workState(name string, tasks ...*ir.Task) *ir.State {
	return &ir.State{Name: text(name), Body: body(tasks...)}
}

func endState(name string, tasks ...*ir.Task) *ir.State {
	s := workState(name, tasks...)
	s.End = true

	return s
}

// orchestrate is a workflow as people write them: imports, a guard, a failure row, a person.
func orchestrate() *ir.Agent {
	clarify := workflowOf("clarify", uses("interview", "interviewer"))
	discover := workflowOf("discover", uses("look-up", "librarian"))
	imports := func(a *ir.Agent) *ir.Task { return task(a.Name.Value, &ir.Import{Agent: ref(a)}) }

	return workflowOf("orchestrate", task("orchestrate", machineOf([]*ir.State{
		workState("clarify", imports(clarify)), workState("discover", imports(discover)),
		workState("review", uses("judge", "judge"), task("approve", &ir.Ask{})),
		endState("done"), endState("failed"),
	},
		"clarify success discover", "discover success review", "review success done steps.approve.approved and steps.judge.score >= 60",
		"review success discover", "review pause review", "* failure failed")))
}

// everything has each kind of step, nested, with fallbacks and empty bodies, and a machine that
// next_state drives.
func everything() *ir.Agent {
	helper, desk, child := react("helper"), machine("desk", false, nil, "closed"), workflowOf("child", task("pass", &ir.PassOn{}))
	contained := func(name string, a *ir.Agent) *ir.Task { return task(name, &ir.Run{Agent: ref(a)}) }
	function := &ir.Func{Name: text("pkg.mod:fetch")}

	spare := uses("guess", "guesser")
	spare.Fallback = builtin("passthrough", "passthrough")
	fetch := task("fetch", &ir.UseFunc{Func: function})
	fetch.Fallback = spare

	inner := task("inner", machineOf([]*ir.State{workState("one", contained("desk", desk)), endState("two", task("never", &ir.PassOn{}))},
		"one next two", "one next two", "one success two "+strings.Repeat("context.is_long and ", 8)+"x"))
	route := task("route", &ir.Branch{
		Key: formula("context.kind"), Default: body(task("other", &ir.Branch{Branches: []*ir.Arm{arm("x", builtin("x", "flatten"))}})),
		Branches: []*ir.Arm{arm("yes", contained("helper", helper)), arm("nothing"), arm("machine", inner)},
	})

	skipped := task("bound of improve", &ir.Branch{
		Key: formula("improve has ended at its bound"), Branches: []*ir.Arm{arm("true"), arm("false", uses("praise", "writer"))},
	})
	skipped.Part = ir.PartSkipped
	output := task("output of everything", &ir.PassOn{})
	output.Part = ir.PartResult

	return workflowOf("everything",
		fetch, route,
		task("choose", &ir.Branch{Func: function, Branches: []*ir.Arm{arm("a")}}),
		task("improve", &ir.Loop{Max: 3, Exit: formula("previous_step.good"), Body: body(
			task("branches", &ir.Parallel{Branches: []*ir.Arm{arm("left", uses("draft", "writer"), uses("polish", "writer")), arm("right")}}),
		)}),
		skipped,
		task("wait", &ir.Loop{Max: 1, Func: function, Body: body()}),
		task("ever", &ir.Loop{Max: 5, Body: body(task("route-again", &ir.Branch{Branches: []*ir.Arm{arm("only")}}))}),
		task("items", &ir.Loop{Over: (&ir.ContextPath{Text: text("context.list")}).Access(ir.Type{}, nil), Body: body(task("ask", &ir.Ask{}), contained("nested", child))}),
		task("more", &ir.Loop{Over: (&ir.ContextPath{}).Access(ir.Type{}, nil), Body: body(task("loop", &ir.Loop{Over: (&ir.ContextPath{}).Access(ir.Type{}, nil), Body: body(contained("again", child))}))}),
		task("driven", machineOf([]*ir.State{workState("a", builtin("set", "context_set")), workState("b"), endState("end")},
			"a next b", "a failure nowhere", "b open", "b success end x > 1")),
		output)
}

func TestPicturesOfWorkflows(t *testing.T) {
	for name, a := range map[string]*ir.Agent{"orchestrate": orchestrate(), "everything": everything(), "empty": workflowOf("empty")} {
		mermaid, dot := DrawMermaid(nil, a), DOT(nil, a)
		checkMermaid(t, mermaid)
		checkDOT(t, dot)
		checkNames(t, mermaid)
		casetest.Golden(t, "testdata/"+name+".mmd", mermaid)
		casetest.Golden(t, "testdata/"+name+".dot", dot)
	}
	casetest.Golden(t, "testdata/orchestrate.mmd", DrawPicture(orchestrate()))
}

var mermaidName = regexp.MustCompile(`\bn\d+\b`)

// checkNames says which lines join what is not drawn.
func checkNames(t *testing.T, mermaid string) {
	t.Helper()
	drawn := map[string]bool{}
	for _, line := range strings.Split(mermaid, "\n") {
		name := mermaidName.FindString(line)
		isEdge := strings.Contains(line, "-->") || strings.Contains(line, "-.->")
		if isEdge || strings.Contains(line, "class ") {
			continue
		}
		if drawn[name] {
			t.Errorf("%s is drawn twice", name)
		}
		drawn[name] = name != ""
	}
	for _, line := range strings.Split(mermaid, "\n") {
		for _, name := range mermaidName.FindAllString(line, -1) {
			if !drawn[name] {
				t.Errorf("%s is not drawn: %s", name, line)
			}
		}
	}
}

// labelWorkflow writes label wherever a workflow shows a text of a source file.
func labelWorkflow(label string) *ir.Agent {
	function := &ir.Func{Name: text(label)}
	machine := &ir.Machine{States: []*ir.State{workState(label, task(label, &ir.PassOn{})), endState(label)}}
	machine.AddRow(&ir.Row{From: ir.Ref{Text: text(ir.CatchAll)}, Key: text(ir.OnSuccess), When: guard(label)})
	fetch := task(label, &ir.UseFunc{Func: function})
	fetch.Fallback = builtin(label, label)

	return workflowOf(label, fetch, uses(label, label+"2"),
		task(label, &ir.Branch{Key: formula(label), Branches: []*ir.Arm{arm(label, task(label, &ir.Run{Agent: ref(react(label))}))}}),
		task(label, &ir.Loop{Exit: formula(label), Body: body(task(label, &ir.Ask{}))}),
		task(label, &ir.Loop{Over: (&ir.ContextPath{Text: text(label)}).Access(ir.Type{}, nil), Body: body(task(label, &ir.PassOn{}))}),
		task(label, &ir.Parallel{Branches: []*ir.Arm{arm(label)}}),
		task(label, machine))
}

// Many states and rows, and the same row from each of them, are drawn in a time that grows with
// them.
func TestLargeMachineOfAWorkflow(t *testing.T) {
	m := &ir.Machine{}
	for i := range 20_000 {
		m.States = append(m.States, workState(fmt.Sprint("s", i)))
	}
	for i, s := range m.States[1:] {
		s.Next = []ir.Ref{{State: m.States[i]}, {State: m.States[i]}}
		m.AddRow(&ir.Row{From: ir.Ref{State: s}, Key: text(ir.OnFailure), To: ir.Ref{State: m.States[0]}})
	}
	if got := strings.Count(DrawMermaid(nil, workflowOf("large", task("m", m))), "|"); got != 2*(2*19_999+19_999) {
		t.Errorf("%d signs of labels", got)
	}
}
