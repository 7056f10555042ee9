package rt_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// judge returns a judge of state s of machine m whose guards answer as they are told.
func judge(value string, guards map[string]func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error)) *rt.Judge {
	j := &rt.Judge{
		Machine: "m", Input: "in", Visit: 2,
		Guards: func(_ context.Context, name string, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
			return guards[name](in)
		},
	}
	j.Begin(0, "s", "k", value)

	return j
}

func says(verdict runtime.Verdict) func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
	return func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) { return verdict, nil }
}

func TestJudgeRemembersWhatGuardsSaid(t *testing.T) {
	j := judge(`{"n": 1}`, map[string]func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error){
		"good": func(in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
			want := runtime.GuardInput[json.RawMessage]{
				Machine: "m", State: "s", Key: "k", Value: `{"n": 1}`, Data: json.RawMessage(`{"n": 1}`), Input: "in", Visit: 2,
			}
			if !reflect.DeepEqual(in, want) {
				t.Errorf("the guard is asked about %+v, want %+v", in, want)
			}

			return runtime.No("no steps"), nil
		},
		"quiet": says(runtime.Yes()),
	})

	if j.RecordRefused("a < b", "false", nil) || j.Ask("good") || j.AskNot("quiet") {
		t.Error("a guard that says no lets the row be taken")
	}
	refused := &runtime.GuardRejectedError{Machine: "m", State: "s", Key: "k", Guards: []runtime.GuardReason{
		{Guard: "a < b", Reason: "false"}, {Guard: "good", Reason: "no steps"}, {Guard: "not quiet"},
	}}
	if err := j.Refusal([]string{"k"}); !reflect.DeepEqual(err, error(refused)) {
		t.Errorf("Refusal: %v", err)
	}
	if !j.AskNot("good") || j.Match(rt.MatchExact) != rt.MatchGuard {
		t.Error("a guard that is inverted and says no does not let the row be taken")
	}
	if asked := j.Asked(); len(asked) != 4 || asked[3].Name != "not good" || !asked[3].OK {
		t.Errorf("Asked: %+v", asked)
	}

	j.Begin(0, "s", "other", "")
	if len(j.Asked()) != 0 || j.Match("folded") != "folded" {
		t.Error("the next key begins with the guards of the last one")
	}
	var invalid *runtime.InvalidTransitionError
	if err := j.Refusal([]string{"k"}); !errors.As(err, &invalid) || invalid.Key != "other" {
		t.Errorf("a key that no guard was asked about: %v", err)
	}
}

func TestJudgeSaysHowTheRowWasFound(t *testing.T) {
	j := judge("", nil)
	j.RecordRefused("x", "false", nil)
	if !j.AllowsElse() || j.Match("folded") != "folded" {
		t.Error("a row without a guard is not found as its key is")
	}
	if !j.AllowsCatchAll() || j.Match(rt.MatchExact) != rt.MatchCatchAll {
		t.Error("what is left for every key is not found as such")
	}
}

func TestJudgeStopsAtAGuardThatFails(t *testing.T) {
	fault := errors.New("no network")
	j := judge("text", map[string]func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error){
		"broken": func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) { return runtime.Yes(), fault },
		"fine": func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
			t.Error("a guard is asked after one has failed")

			return runtime.Yes(), nil
		},
	})
	if j.AskNot("broken") || j.Ask("fine") || j.AskNot("fine") || j.RecordHeld("x") || j.AllowsElse() || j.AllowsCatchAll() {
		t.Error("a row can be taken though a guard has failed")
	}
	var failed *runtime.GuardError
	if err := j.Refusal(nil); !errors.As(err, &failed) || failed.Guard != "broken" || !errors.Is(err, fault) || err != j.Err() {
		t.Errorf("Refusal: %v", err)
	}
}

func TestGuardsCatchPanics(t *testing.T) {
	j := &rt.Judge{Machine: "m", Guards: func(context.Context, string, runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
		panic("bang")
	}}
	j.Begin(0, "s", "k", "")
	if j.Ask("g") {
		t.Error("a guard that panics allows a transition")
	}
	err := j.Err()
	var failed *runtime.GuardError
	var panicked *runtime.PanicError
	if !errors.As(err, &failed) || failed.State != "s" || !errors.As(err, &panicked) || panicked.Value != "bang" {
		t.Errorf("%v", err)
	}
}

func TestAskTyped(t *testing.T) {
	read := func(v *rt.JSON) int { return int(v.Int()) }
	ask := func(value string) (got runtime.GuardInput[int], asked bool, err error) {
		_, err = rt.AskTyped(t.Context(), runtime.GuardInput[json.RawMessage]{Machine: "m", Value: value, Visit: 3}, read,
			func(_ context.Context, in runtime.GuardInput[int]) (runtime.Verdict, error) {
				got, asked = in, true

				return runtime.Yes(), nil
			})

		return got, asked, err
	}

	if got, _, err := ask("7"); err != nil || got != (runtime.GuardInput[int]{Machine: "m", Value: "7", Data: 7, Visit: 3}) {
		t.Errorf("a value that fits: %+v, %v", got, err)
	}
	if got, asked, err := ask(""); err != nil || !asked || got.Data != 0 {
		t.Errorf("no value: %+v, %v", got, err)
	}
	for _, value := range []string{`"7"`, "seven"} {
		if _, asked, err := ask(value); err == nil || asked {
			t.Errorf("%s: the guard is asked about what does not fit", value)
		}
	}
}
