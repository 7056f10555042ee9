package agents

import (
	"encoding/json"
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// A Pair is a piece of generated code and one that was written by hand and does the same. Each works through the same runs as
// often as the argument says.
type Pair struct {
	Name            string
	Generated, Hand func(times int)
}

// Contexts are what runs of a workflow begin with: one in which all is there, one with other values and kinds of values, and
// one in which what may be missing is.
var (
	declaredContexts = []string{
		`{"phase": "open", "score": 8.5, "count": 5, "urgent": true, "tags": ["new", "late", "slow"], "limit": 20,
			"review": {"author": "Ada", "verdict": "good"}}`,
		`{"phase": "new", "score": 9, "count": 12, "urgent": false, "tags": ["slow"], "limit": 7,
			"review": {"author": "Bob"}}`,
		`{"phase": "", "score": 3, "count": 0, "urgent": true, "tags": []}`,
	}
	openContexts = []string{
		`{"phase": "open", "score": 8.5, "count": 5, "urgent": true, "tags": ["new", "late", "slow"], "limit": 20,
			"review": {"author": "Ada", "verdict": "good"}, "seen": {"state": "seen", "times": 3},
			"given": {"score": 8, "verdict": "good", "reasons": ["clear", "short"], "by": "Ada"}}`,
		`{"phase": "new", "score": "9.5", "count": "5", "urgent": "yes", "tags": "slow", "limit": 7,
			"review": {"author": "Bob"}, "seen": {"state": "lost", "times": "1"},
			"given": {"score": 5, "verdict": "good", "reasons": ["long"]}}`,
		`{"phase": "", "score": 3, "count": 12, "urgent": false, "tags": [], "seen": {"state": "", "times": 0},
			"given": {"score": 7.5, "verdict": "bad", "reasons": []}}`,
	}
)

// Pairs returns all pairs, which have been compared in all runs, and the number of runs that each works through.
func Pairs(fx runtime.Effects) (pairs []Pair, runs int, err error) {
	app, c := New(), &comparison{}
	declared, err := begun(declaredContexts, func() *declaredRun { return app.newDeclared(fx) })
	if err != nil {
		return nil, 0, err
	}
	declaredPairs(c, declared)

	open, err := begun(openContexts, func() *openRun { return app.newOpen(fx) })
	if err != nil {
		return nil, 0, err
	}
	openPairs(c, open)

	return c.pairs, len(openContexts), c.err
}

// begun runs a workflow with each of the contexts, so that its steps have their outputs.
func begun[R interface {
	Begin(context json.RawMessage) error
	run(input workflow.Value) (workflow.Value, error)
}](contexts []string, start func() R) ([]R, error) {
	var runs []R
	for _, context := range contexts {
		r := start()
		if err := r.Begin(json.RawMessage(context)); err != nil {
			return nil, err
		}
		if _, err := r.run(workflow.Value{}); err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}

	return runs, nil
}

func declaredPairs(c *comparison, runs []*declaredRun) {
	for _, state := range []DeclaredState{
		DeclaredStateScalars, DeclaredStateLogic, DeclaredStateOptional, DeclaredStateNested, DeclaredStateMembership,
		DeclaredStateMethods, DeclaredStateGet,
	} {
		add(c, "expression over a struct: "+state.String(), runs,
			func(r *declaredRun) (DeclaredState, rt.Match) { return r.nextDeclared(state, workflow.Success) },
			func(r *declaredRun) (DeclaredState, rt.Match) { return r.handNext(state, workflow.Success) })
	}
	const template = "template over a struct: "
	add(c, template+"values", runs, given((*declaredRun).runValues), given((*declaredRun).handValues))
	add(c, template+"or", runs, given((*declaredRun).runAlternatives), given((*declaredRun).handAlternatives))
	add(c, template+"filters", runs, given((*declaredRun).runFilters), given((*declaredRun).handFilters))
	add(c, template+"#if", runs, given((*declaredRun).runConditions), given((*declaredRun).handConditions))
	add(c, template+"#each", runs, given((*declaredRun).runItems), given((*declaredRun).handItems))
}

func openPairs(c *comparison, runs []*openRun) {
	expression := func(title string, states ...OpenState) {
		for _, state := range states {
			add(c, title+state.String(), runs,
				func(r *openRun) (OpenState, rt.Match) { return r.nextOpen(state, workflow.Success) },
				func(r *openRun) (OpenState, rt.Match) { return r.handNext(state, workflow.Success) })
		}
	}
	expression("expression over an open context: ", OpenStateScalars, OpenStateCoercion, OpenStateLogic, OpenStateOptional,
		OpenStateMembership, OpenStateMethods, OpenStateGet)
	expression("expression over outputs: ", OpenStateTyped, OpenStateDynamic)
	const template = "template over an open context: "
	add(c, template+"values", runs, given((*openRun).runValues), given((*openRun).handValues))
	add(c, template+"or", runs, given((*openRun).runAlternatives), given((*openRun).handAlternatives))
	add(c, template+"filters", runs, given((*openRun).runFilters), given((*openRun).handFilters))
	add(c, template+"#if", runs, given((*openRun).runConditions), given((*openRun).handConditions))
	add(c, template+"#each", runs, given((*openRun).runItems), given((*openRun).handItems))
	add(c, "template over outputs", runs, given((*openRun).runOutputs), given((*openRun).handOutputs))
}

// given calls a method that runs steps.
func given[R any](steps func(R, workflow.Value) (workflow.Value, error)) func(R) (workflow.Value, error) {
	return func(r R) (workflow.Value, error) { return steps(r, workflow.Value{}) }
}

// comparison collects pairs, and the first difference.
type comparison struct {
	pairs []Pair
	err   error
}

// add adds a pair after comparing what both give.
func add[R, A, B any](c *comparison, name string, runs []R, generated, hand func(R) (A, B)) {
	for i, r := range runs {
		if want, got := fmt.Sprint(hand(r)), fmt.Sprint(generated(r)); got != want && c.err == nil {
			c.err = fmt.Errorf("%s: run %d gives %s, by hand %s", name, i, got, want)
		}
	}
	c.pairs = append(c.pairs, Pair{name, repeated(runs, generated), repeated(runs, hand)})
}

func repeated[R, A, B any](runs []R, work func(R) (A, B)) func(times int) {
	return func(times int) {
		for range times {
			for _, r := range runs {
				work(r)
			}
		}
	}
}
