package machinetest_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/machinetest"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// decides runs a model that has to finish with a key of its place.
func decides(name string, fx runtime.Effects, at ...rt.Place) (runtime.Finish, error) {
	return rt.React(fx, &rt.ReactSpec{Agent: name, MaxIter: 3, Repair: 1}, nil, "", at...)
}

// says runs a step that has no tools.
func says(fx runtime.Effects, step string) (runtime.Finish, error) {
	return rt.Oneshot(fx, &rt.OneshotSpec{Agent: "draft/" + step, Repair: 1}, "")
}

// finishes ends the agent draft.
func finishes(fx runtime.Effects, key string) (runtime.Finish, error) {
	return rt.Pass(fx, "draft", runtime.Finish{Key: key, Value: "text"})
}

// drafts are agents of every kind that can finish with the keys of the state draft.
var drafts = map[string]rt.RunFunc{
	// The machine goes round once before it ends, and takes two keys that the one around it does not have.
	"a machine": func(fx runtime.Effects, input string, at ...rt.Place) (runtime.Finish, error) {
		walk := rt.NewWalk(fx, "draft", 9, input)
		for state, turns := "inner", 0; walk.Enter(state); turns++ {
			walk.Did(decides(state, fx, rt.Or(at, "draft", state, "over", "again")))
			switch {
			case walk.Failed() || !slices.Contains([]string{"over", "again"}, walk.Key()):
				return walk.End()
			case walk.Key() == "over":
				state = "last"
			}
			walk.Take(walk.Key(), rt.MatchExact, state)
		}
		return walk.End()
	},
	// Which key comes out depends on where the machine within it ends, which no key says.
	"a machine that has to go far": func(fx runtime.Effects, input string, _ ...rt.Place) (runtime.Finish, error) {
		walk := rt.NewWalk(fx, "draft", 9, input)
		states := []string{"s0", "s1", "s2", "s3"}
		at := 0
		for at < len(states) && walk.Enter(states[at]) {
			walk.Did(decides(states[at], fx, rt.Closed("draft", states[at], "stay", "go", "give up")))
			if walk.Failed() {
				return walk.End()
			}
			switch walk.Key() {
			case "go":
				at++
			case "give up":
				return walk.Last(runtime.Finish{Key: "Needs Work"}, nil)
			}
		}
		return walk.Last(runtime.Finish{Key: "good-enough"}, nil)
	},
	"groups, and then a judge": func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
		for range 2 {
			if _, err := rt.Together(fx, "draft", 2, "", branches(12)...); err != nil {
				return runtime.Finish{}, err
			}
		}
		// The judge was a member of the groups, where another key was legal.
		fin, err := decides("member 0", fx, at...)
		if err != nil {
			return runtime.Finish{}, err
		}
		return finishes(fx, fin.Key)
	},
	"a branch that panics": func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
		panics := rt.Branch{Name: "panics", Run: func(runtime.Effects, string, ...rt.Place) (runtime.Finish, error) {
			panic("no")
		}}
		results, err := rt.Together(fx, "draft", 2, "", append(branches(2), panics)...)
		if err != nil {
			return runtime.Finish{}, err
		}
		if results[2].Err == nil {
			return runtime.Finish{}, errors.New("the panic is not the branch's failure")
		}
		return decides("draft", fx, at...)
	},
	"a list that is handed out": func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
		mapped, err := rt.React(fx, &rt.ReactSpec{
			Agent: "draft", MaxIter: 3, List: &rt.ListSpec{Kind: rt.ListItems, Key: "Parallel", Max: 2},
			Output: &rt.OutputSpec{Schema: `{"type":"integer"}`, Check: wants("7")},
		}, nil, "", rt.Closed("draft", "map", "Parallel", "good-enough"))
		switch {
		case err != nil:
			return runtime.Finish{}, err
		case mapped.Is("parallel") && len(rt.Items(mapped)) > 0:
			fin, err := rt.React(fx, &rt.ReactSpec{
				Agent: "draft/reduce", MaxIter: 3, List: &rt.ListSpec{Kind: rt.ListClaims},
			}, nil, "", at...)
			if err != nil {
				return runtime.Finish{}, err
			}
			if fin.Is("good-enough") {
				return runtime.Finish{}, &runtime.CycleLimitError{Agent: "draft"} // as if no way led on
			}
			return finishes(fx, fin.Key)
		}
		return finishes(fx, mapped.Key)
	},
	"verdicts": func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
		for range 40 {
			if _, err := says(fx, "act"); err != nil {
				return runtime.Finish{}, err
			}
			verdict, err := says(fx, "reflect")
			if err != nil {
				return runtime.Finish{}, err
			}
			if rt.SaysDone(verdict.Value) {
				return finishes(fx, "good-enough")
			}
		}
		return finishes(fx, "Needs Work")
	},
	"verdicts by key": func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
		for range 40 {
			verdict, err := decides("draft/reflect", fx, rt.Open("draft", "reflect", "done"))
			if err != nil {
				return runtime.Finish{}, err
			}
			if verdict.Is("done") {
				return finishes(fx, "good-enough")
			}
		}
		return finishes(fx, "Needs Work")
	},
	"a person": func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
		answer, err := rt.AskPerson(fx, "draft", runtime.Finish{Key: "done", Value: "May I?"})
		if err != nil || answer.Value == "" {
			return runtime.Finish{}, errors.New("nobody answers")
		}
		choice, err := fx.Ask(runtime.Question{ID: "draft", Choices: []string{"yes", "no"}})
		if err != nil || choice.Value != "yes" {
			return runtime.Finish{}, errors.New("no choice is made")
		}
		return decides("draft", fx, at...)
	},
	"an open place with odd keys": func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
		odd := []string{`say "yes", or`, "a\nb", "Another key", `", "`}
		fin, err := decides("draft", fx, rt.Open("draft", "odd", odd...))
		switch {
		case err != nil:
			return runtime.Finish{}, err
		case fin.Key == odd[3]:
			return finishes(fx, "good-enough")
		case slices.Contains(odd, fin.Key):
			return runtime.Finish{}, &runtime.CycleLimitError{Agent: "draft"}
		}
		return finishes(fx, "Needs Work")
	},
	"waits and asks for the time": func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
		before := fx.Now()
		if err := fx.Sleep(1 << 60); err != nil || fx.Now() != before {
			return runtime.Finish{}, errors.New("time passes")
		}
		return decides("draft", fx, at...)
	},
}

func branches(n int) []rt.Branch {
	list := make([]rt.Branch, n)
	for i := range list {
		name := "member " + string(rune('0'+i))
		list[i] = rt.Branch{Name: name, Run: func(fx runtime.Effects, _ string, _ ...rt.Place) (runtime.Finish, error) {
			return decides(name, fx, rt.Closed("draft", name, "for", "against"))
		}}
	}

	return list
}

func wants(value string) func(json.RawMessage) error {
	return func(got json.RawMessage) error {
		if string(got) != value {
			return errors.New("it has to be " + value)
		}
		return nil
	}
}

// TestAgentsOfEveryKind: whatever an agent is made of, it finishes with each key that it can finish with.
func TestAgentsOfEveryKind(t *testing.T) {
	for name, draft := range drafts {
		t.Run(name, func(t *testing.T) {
			m := critic()
			m.Values = machinetest.Values{"draft": {"7"}}
			m.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
				return walkCritic(fx, input, loop{initial: criticDraft, places: criticPlaces, draft: draft})
			}
			r := check(m)
			if len(r.problems) > 0 || !r.logged("6 of 6 rows were run") {
				t.Errorf("problems %q, logs %q", r.problems, r.logs)
			}
			t.Log(r.logs)
		})
	}
}

// TestNoValue: where no value fits, the runs end there, which is told and is no problem of the machine.
func TestNoValue(t *testing.T) {
	m := critic()
	m.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
		return walkCritic(fx, input, loop{initial: criticDraft, places: criticPlaces,
			draft: func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
				return rt.React(fx, &rt.ReactSpec{
					Agent: "draft", MaxIter: 3, Repair: 2, Output: &rt.OutputSpec{Schema: `{}`, Check: wants("7")},
				}, nil, "", at...)
			}})
	}
	r := check(m)
	if len(r.problems) > 0 || !r.logged(`agent "draft" does not take an answer`) || !r.logged("0 of 6 rows were run") ||
		!r.logged(`the row "Needs Work" of "draft" was not run`) {
		t.Errorf("problems %q, logs %q", r.problems, r.logs)
	}

	m.Values = machinetest.Values{"draft": {"7"}}
	if r := check(m); len(r.problems) > 0 || !r.logged("6 of 6 rows were run") {
		t.Errorf("with a value: problems %q, logs %q", r.problems, r.logs)
	}
}

// TestTooManyWays: runs are bounded, which is told and is no problem of the machine.
func TestTooManyWays(t *testing.T) {
	m := critic()
	m.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
		return walkCritic(fx, input, loop{initial: criticDraft, places: criticPlaces,
			draft: func(fx runtime.Effects, _ string, at ...rt.Place) (runtime.Finish, error) {
				for i := range 40 { // 2 to the power of 40 ways
					name := "draft/" + strings.Repeat("i", i)
					if _, err := decides(name, fx, rt.Closed("draft", name, "left", "right")); err != nil {
						return runtime.Finish{}, err
					}
				}
				return decides("draft", fx, at...)
			}})
	}
	if r := check(m); len(r.problems) > 0 || !r.logged("there are too many ways to go on") {
		t.Errorf("problems %q, logs %q", r.problems, r.logs)
	}
}

// TestFewestSteps: a state is gone on from where it was come to in the fewest steps, however many answers that took.
func TestFewestSteps(t *testing.T) {
	m := critic()
	m.Run = func(fx runtime.Effects, input string) (runtime.Finish, error) {
		walk := rt.NewWalk(fx, "critic", 3, input) // no more than there are to the archive
		state := criticDraft
		for state.runs() && walk.Enter(state.String()) {
			for i := range 5 {
				name := "draft/" + string(rune('a'+i))
				if _, err := decides(name, fx, rt.Closed("critic", name, "left", "right")); err != nil {
					return runtime.Finish{}, err
				}
			}
			walk.Did(agent(state.String())(fx, walk.Value(), criticPlaces[state]))
			if walk.Failed() || state == criticArchive {
				break
			}
			key, match := state.CanonicalKey(walk.Key())
			next, _ := state.Next(key)
			walk.Take(string(key), match, next.String())
			state = next
		}
		return walk.End()
	}
	if r := check(m); len(r.problems) > 0 || !r.logged("6 of 6 rows were run") {
		t.Errorf("problems %q, logs %q", r.problems, r.logs)
	}
}
