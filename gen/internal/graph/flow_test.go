package graph

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func flowOf(name, kind string, body ...*ir.Task) *ir.Agent {
	return &ir.Agent{Name: text(name), Node: &ir.Flow{Kind: kind, Body: ir.NewPipeline(body...)}}
}

// does returns a task.
func does(do ir.Op) *ir.Task { return &ir.Task{Do: do} }

// step runs a step file, or the body of AGENT.md if it has no name.
func step(name string) *ir.Task {
	return does(&ir.Run{Step: &ir.Step{Name: text(name), Node: &ir.Oneshot{}}})
}

func ref(a *ir.Agent) *ir.AgentRef { return &ir.AgentRef{Text: a.Name, Agent: a} }

func agent(a *ir.Agent) *ir.Task { return does(&ir.Run{Agent: ref(a)}) }

var done, assigns = does(&ir.Return{Key: ir.KeyDone}), does(&ir.PassOn{})

// keyIs and keyIsNot ask for the key of some result, says whether it says done, and at which turn
// it is.
func keyIs(key string) ir.Expression {
	return ir.KeyTest{Of: ir.NewOutput("result"), Key: key}.Expression()
}

func keyIsNot(key string) ir.Expression {
	return ir.KeyTest{Of: ir.NewOutput("result"), Key: key, Not: true}.Expression()
}

var saysDone = &ir.SaysDone{X: ir.OutputAccess(ir.NewOutput("result"))}

func atTurn(turn *ir.Output, n int) ir.Expression {
	return ir.TurnTest{Turn: turn, N: n}.Expression()
}

func when(condition ir.Expression, then ...*ir.Task) *ir.Task {
	return does(ir.NewCondition(condition, append(then, done)...))
}

func loop(times int, turn *ir.Output, body ...*ir.Task) *ir.Task {
	return does(&ir.Loop{Turn: turn, Max: times, OnBound: ir.BoundDone, Width: 1, Reduce: ir.ReduceLast, Body: ir.NewPipeline(body...)})
}

func together(width int, agents ...*ir.Agent) *ir.Task {
	group := &ir.Parallel{Width: width, Reduce: ir.ReduceResults}
	for _, a := range agents {
		group.Branches = append(group.Branches, &ir.Arm{Name: a.Name, Body: ir.NewPipeline(agent(a))})
	}

	return does(group)
}

// each runs something for each item of a list.
func each(width int, kind ir.ListKind, run *ir.Task) *ir.Task {
	return does(&ir.Loop{Width: width, Over: listOf(kind), Reduce: ir.ReduceResults, Body: ir.NewPipeline(run)})
}

func listOf(kind ir.ListKind) *ir.ListOf { return &ir.ListOf{Kind: kind, Of: ir.NewOutput("listed")} }

// flows has each pattern as the front end lowers it, as far as a picture shows it.
func flows() map[string]*ir.Agent {
	turn := ir.NewOutput("turn")
	steps := &ir.Loop{Over: listOf(ir.ListPlan), Width: 1, Reduce: ir.ReduceLast, Body: ir.NewPipeline(step("execute"), assigns)}
	variants := &ir.Loop{Width: 2, Max: 3, Reduce: ir.ReduceResults, Body: ir.NewPipeline(step(""))}

	return map[string]*ir.Agent{
		"critic":         flowOf("blog-writer", "critic", step("draft"), step("critique"), step("refine"), done),
		"constitutional": flowOf("answerer", "constitutional", step(""), step("critique"), step("revise"), done),
		"chain-of-verification": flowOf("fact-checker", "chain-of-verification", step(""), step("verify"),
			each(8, ir.ListClaims, step("check")), step("revise"), done),
		"reflexion": flowOf("puzzle-solver", "reflexion", assigns,
			loop(0, turn, step("act"), when(atTurn(turn, 3)), step("reflect"), when(keyIs("done")), assigns)),
		"plan-execute": flowOf("trip-planner", "plan-execute", assigns,
			loop(0, turn, step(""), assigns, does(steps), step("verify"), when(saysDone), when(atTurn(turn, 1)), assigns)),
		"best-of-n": flowOf("newsletter", "best-of-n", does(variants), step("judge"), done),
		"parallel":  flowOf("contest", "parallel", together(8, react("writer-a"), react("writer-b")), done),
		"scatter": flowOf("research", "scatter", step(""), when(keyIsNot("parallel")),
			each(8, ir.ListItems, agent(react("research-angle"))), step("reduce"), done),
		"debate": flowOf("debate", "debate", assigns,
			loop(2, nil, together(1, react("optimist"), react("pessimist")), assigns), agent(react("judge")), done),
		"human": flowOf("approval", "human", step(""), does(&ir.Ask{}), step("resume"), done),
	}
}

// office mixes machines and flows: a flow in a terminal, one beside a machine in a group, and one
// that stands there again.
func office() *ir.Agent {
	critic := flows()["critic"]
	review := machine("review", false, map[string]*ir.Agent{"critic": critic}, "critic")
	teams := flowOf("teams", "parallel", together(8, review, critic, react("clerk")), done)
	items := flowOf("items", "scatter", step(""),
		each(3, ir.ListItems, agent(door())), does(&ir.Return{Key: ir.KeyOwn}))

	return machine("office", false, map[string]*ir.Agent{"teams": teams, "items": items, "critic": critic},
		"teams ok items, bad critic", "items", "critic")
}

// odd has what no pattern is lowered to today: a branch that goes on, a loop that only returns, one
// without a node, conditions in a row.
func odd() *ir.Agent {
	return flowOf("odd", "odd",
		does(ir.NewCondition(keyIs("more"), step("extra"))),
		does(ir.NewCondition(keyIsNot("a"), when(keyIsNot("b")))),
		loop(2, nil, assigns),
		step("last"),
		loop(0, nil, agent(react("worker")), when(saysDone)))
}

func TestPicturesOfFlows(t *testing.T) {
	all := flows()
	all["office"], all["odd"] = office(), odd()
	for name, a := range all {
		mermaid, dot := DrawMermaid(nil, a), DOT(nil, a)
		checkMermaid(t, mermaid)
		checkDOT(t, dot)
		casetest.Golden(t, "testdata/"+name+".mmd", mermaid)
		casetest.Golden(t, "testdata/"+name+".dot", dot)
	}
	casetest.Golden(t, "testdata/office.mmd", DrawPicture(office()))
}

// nested puts n flows into each other.
func nested(n int) *ir.Agent {
	inner := react("work")
	for range n {
		inner = flowOf("f", "parallel", together(8, inner), done)
	}

	return inner
}

func TestPictureOfFlowsIsBounded(t *testing.T) {
	if whole := nested(mostInner + 1); DrawPicture(whole) != DrawMermaid(nil, whole) {
		t.Error("24 inner flows are not shown")
	}
	if got, want := len(DrawPicture(nested(1000))), len(DrawPicture(nested(mostInner+2))); got != want {
		t.Errorf("1000 flows give %d bytes, one too many %d", got, want)
	}
}

func TestAgentsOfFlowsAreNoRoots(t *testing.T) {
	scatter, debate := flows()["scatter"], flows()["debate"]
	p := &ir.Program{Agents: []*ir.Agent{scatter, debate}}
	for _, a := range []*ir.Agent{scatter, debate} {
		for _, inner := range a.Contained() {
			p.Agents = append(p.Agents, inner.Agent)
		}
	}
	if got := FindRoots(p); len(got) != 2 || got[0] != scatter || got[1] != debate {
		t.Errorf("the roots are %v", got)
	}
}

// labelFlow writes label wherever a flow shows a text of a source file.
func labelFlow(label string) *ir.Agent {
	worker := react(label)

	return flowOf(label, "scatter", step(label), when(keyIs(label)),
		together(1, worker, flowOf(label, "critic", step(label), done)),
		loop(0, nil, agent(worker), when(keyIsNot(label))))
}
