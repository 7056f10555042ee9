package graph

import (
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/casetest"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

func flowOf(name, kind string, body ...ir.Op) *ir.Agent {
	return &ir.Agent{Name: text(name), Node: &ir.Flow{Kind: kind, Body: body}}
}

// step runs a step file, or the body of AGENT.md if it has no name.
func step(name string) *ir.Run {
	return &ir.Run{Var: name, Step: &ir.Step{Name: text(name), Node: &ir.Oneshot{}}}
}

func ref(a *ir.Agent) *ir.AgentRef { return &ir.AgentRef{Text: a.Name, Agent: a} }

func agent(a *ir.Agent) *ir.Run { return &ir.Run{Var: a.Name.Value, Agent: ref(a)} }

var done = &ir.Return{Key: ir.KeyDone}

func when(cond ir.Cond) *ir.Branch { return ir.When(cond, done) }

func together(limit int, agents ...*ir.Agent) *ir.Parallel {
	group := &ir.Parallel{Limit: limit}
	for _, a := range agents {
		group.Branches = append(group.Branches, ir.SideBySide(agent(a))...)
	}

	return group
}

// each runs something for each item of a list.
func each(limit int, kind ir.ListKind, run *ir.Run) *ir.Parallel {
	return &ir.Parallel{Limit: limit, List: &ir.List{Kind: kind}, Branches: ir.SideBySide(run)}
}

// flows has each pattern as the front end lowers it, as far as a picture shows it.
func flows() map[string]*ir.Agent {
	return map[string]*ir.Agent{
		"critic":         flowOf("blog-writer", "critic", step("draft"), step("critique"), step("refine"), done),
		"constitutional": flowOf("answerer", "constitutional", step(""), step("critique"), step("revise"), done),
		"chain-of-verification": flowOf("fact-checker", "chain-of-verification", step(""), step("verify"),
			each(8, ir.ListClaims, step("check")), step("revise"), done),
		"reflexion": flowOf("puzzle-solver", "reflexion", &ir.Set{},
			&ir.Loop{Counter: "try", Body: ir.Sequence(
				step("act"), when(ir.AtLimit{Counter: "try", N: 3}), step("reflect"), when(ir.KeyIs{Key: "done"}), &ir.Set{},
			)}),
		"plan-execute": flowOf("trip-planner", "plan-execute", &ir.Set{},
			&ir.Loop{Counter: "cycle", Body: ir.Sequence(
				step(""), &ir.Set{},
				&ir.Loop{List: &ir.List{Kind: ir.ListPlan}, Body: ir.Sequence(step("execute"), &ir.Set{})},
				step("verify"), when(ir.SaysDone{}), when(ir.AtLimit{Counter: "cycle", N: 1}), &ir.Set{},
			)}),
		"best-of-n": flowOf("newsletter", "best-of-n", &ir.Parallel{Limit: 2, N: 3, Branches: ir.SideBySide(step(""))}, step("judge"), done),
		"parallel":  flowOf("contest", "parallel", together(8, react("writer-a"), react("writer-b")), done),
		"scatter": flowOf("research", "scatter", step(""), when(ir.KeyIs{Key: "parallel", Not: true}),
			each(8, ir.ListItems, agent(react("research-angle"))), step("reduce"), done),
		"debate": flowOf("debate", "debate", &ir.Set{},
			&ir.Loop{Times: 2, Body: ir.Sequence(together(1, react("optimist"), react("pessimist")), &ir.Set{})},
			agent(react("judge")), done),
		"human": flowOf("approval", "human", step(""), &ir.Ask{}, step("resume"), done),
	}
}

// office mixes machines and flows: a flow in a terminal, one beside a machine in a group, and one that stands there again.
func office() *ir.Agent {
	critic := flows()["critic"]
	review := machine("review", false, map[string]*ir.Agent{"critic": critic}, "critic")
	teams := flowOf("teams", "parallel", together(8, review, critic, react("clerk")), done)
	items := flowOf("items", "scatter", step(""),
		each(3, ir.ListItems, agent(door())), &ir.Return{Key: ir.KeyOwn})

	return machine("office", false, map[string]*ir.Agent{"teams": teams, "items": items, "critic": critic},
		"teams ok items, bad critic", "items", "critic")
}

// odd has what no pattern is lowered to today: a branch that goes on, a loop that only returns, one without a node, conditions
// in a row.
func odd() *ir.Agent {
	return flowOf("odd", "odd",
		ir.When(ir.KeyIs{Key: "more"}, step("extra")),
		ir.When(ir.KeyIs{Key: "a", Not: true}, when(ir.KeyIs{Key: "b", Not: true})),
		&ir.Loop{Times: 2, Body: ir.Sequence(&ir.Set{})},
		step("last"),
		&ir.Loop{Body: ir.Sequence(agent(react("worker")), when(ir.SaysDone{}))})
}

func TestPicturesOfFlows(t *testing.T) {
	all := flows()
	all["office"], all["odd"] = office(), odd()
	for name, a := range all {
		mermaid, dot := Mermaid(nil, a), DOT(nil, a)
		checkMermaid(t, mermaid)
		checkDOT(t, dot)
		casetest.Golden(t, "testdata/"+name+".mmd", mermaid)
		casetest.Golden(t, "testdata/"+name+".dot", dot)
	}
	casetest.Golden(t, "testdata/office.mmd", Picture(office()))
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
	if whole := nested(mostInner + 1); Picture(whole) != Mermaid(nil, whole) {
		t.Error("24 inner flows are not shown")
	}
	if got, want := len(Picture(nested(1000))), len(Picture(nested(mostInner+2))); got != want {
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
	if got := Roots(p); len(got) != 2 || got[0] != scatter || got[1] != debate {
		t.Errorf("the roots are %v", got)
	}
}

// labelFlow writes label wherever a flow shows a text of a source file.
func labelFlow(label string) *ir.Agent {
	worker := react(label)

	return flowOf(label, "scatter", step(label), when(ir.KeyIs{Key: label}),
		together(1, worker, flowOf(label, "critic", step(label), done)),
		&ir.Loop{Body: ir.Sequence(agent(worker), when(ir.KeyIs{Key: label, Not: true}))})
}
