package workflow_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// TestComparisonsWithWhatIsMissing: a comparison with none is unknown, as is an order that does not
// exist.
func TestComparisonsWithWhatIsMissing(t *testing.T) {
	five, none := workflow.Int(5), workflow.Value{}
	list := workflow.List(none, five)
	for what, truth := range map[string]workflow.Truth{
		"none == 5": none.Equals(five), "5 == none": five.Equals(none), "none == none": none.Equals(none),
		"none < 5": none.LessThan(five), "5 >= none": five.AtLeast(none), "5 < text": five.LessThan(workflow.Text("many")),
		"5 in none": none.Includes(five), "none in text": workflow.Text("a").Includes(none),
		"not none < 5": none.LessThan(five).Not(), "none starts": none.HasStart(workflow.Text("")),
	} {
		if truth != workflow.Unknown || truth.Holds() || !truth.Value().IsNone() {
			t.Errorf("%s is %s", what, truth)
		}
	}
	for what, c := range map[string]struct{ got, want workflow.Truth }{
		"5 == '5'":       {five.Equals(workflow.Text("5")), workflow.Known(true)},
		"5 > '4'":        {five.GreaterThan(workflow.Text("4")), workflow.Known(true)},
		"5 <= 4":         {five.AtMost(workflow.Int(4)), workflow.Known(false)},
		"none in list":   {list.Includes(none), workflow.Known(true)},
		"6 in list":      {list.Includes(workflow.Int(6)), workflow.Known(false)},
		"5 in 5":         {five.Includes(five), workflow.Known(false)},
		"missing member": {none.IsTrue(), workflow.Known(false)},
		"a text in data": {workflow.Text("false").IsTrue(), workflow.Unknown},
	} {
		if c.got != c.want {
			t.Errorf("%s is %s, want %s", what, c.got, c.want)
		}
	}
}

// TestGuardsBeforeAnUnguardedRow: of the guards before a row without one only an unknown guard is recorded, and it keeps
// that row from being taken.
func TestGuardsBeforeAnUnguardedRow(t *testing.T) {
	read := workflow.Member{Name: "context.score"}
	for truth, want := range map[workflow.Truth]rt.Match{
		workflow.Known(true): rt.MatchExact, workflow.Known(false): rt.MatchExact, workflow.Unknown: "",
	} {
		r := workflow.Start(&door{}, "desk")
		allows := truth.AllowsElse(&r, "context.score > 5", read)
		if match := r.MatchUnguarded(rt.MatchExact); allows != truth.Holds() || match != want {
			t.Errorf("%s: %v, and the row after it is %q", truth, allows, match)
		}
		if allocs := testing.AllocsPerRun(10, func() { workflow.Known(false).AllowsElse(&r, "context.score > 5", read) }); allocs > 0 {
			t.Errorf("a guard that is false allocates %v times", allocs)
		}
	}
}

// TestOptionalFieldsAreComparedAsValues: a pointer means what the value does.
func TestOptionalFieldsAreComparedAsValues(t *testing.T) {
	numbers := []*int64{nil, new(int64), new(int64), new(int64)}
	for i, n := range numbers[1:] {
		*n = int64(i + 4)
	}
	for _, n := range numbers {
		field, value := workflow.Maybe(n), workflow.Of(n)
		for what, pair := range map[string][2]workflow.Truth{
			"==": {field.Equals(5), value.Equals(workflow.Int(5))},
			"<":  {field.LessThan(5), value.LessThan(workflow.Int(5))},
			"<=": {field.AtMost(5), value.AtMost(workflow.Int(5))},
			">":  {field.GreaterThan(5), value.GreaterThan(workflow.Int(5))},
			">=": {field.AtLeast(5), value.AtLeast(workflow.Int(5))},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s %s 5 is %s as a field, and %s as a value", value.JSON(), what, pair[0], pair[1])
			}
		}
	}
}

// TestMissingKeysChooseNothing: a key that is missing is an error, which names what is missing.
func TestMissingKeysChooseNothing(t *testing.T) {
	none, five := workflow.Value{}, workflow.Int(5)
	reads := []workflow.Member{{Name: "context.a", Value: five}, {Name: "context.b", Value: none}}
	decision := none.LessThan(five).Decide("context.b < context.a", reads...)
	var missing *runtime.MissingValueError
	if !errors.As(decision.Err, &missing) || decision.Holds || !slices.Equal(missing.Fields, []string{"context.b"}) ||
		missing.Where != "condition_expression" || missing.Condition != "context.b < context.a" {
		t.Errorf("a missing value decides %+v", decision)
	}
	if decision := five.AtLeast(five).Decide("5 >= 5"); !decision.Holds || decision.Err != nil {
		t.Errorf("a condition that holds decides %+v", decision)
	}
	if chosen := none.Choose("context.b", reads...); !errors.As(chosen.Err, &missing) || chosen.Key != "" {
		t.Errorf("a missing value chooses %+v", chosen)
	}
	if chosen := workflow.Text("urgent").Choose("context.kind"); chosen.Key != "urgent" || chosen.Err != nil {
		t.Errorf("a text chooses %+v", chosen)
	}
	text := workflow.Text("many")
	if err := five.LessThan(text).Decide("x", workflow.Member{Name: "context.n", Value: text}).Err; !errors.As(err, &missing) ||
		missing.Reason != `unknown (context.n = "many")` || missing.Fields[0] != "context.n" {
		t.Errorf("what has no order: %v", err)
	}
}

// TestLoopLimitSaysWhatIsMissing: the error of a loop whose exit stayed unknown wraps that of the
// missing value.
func TestLoopLimitSaysWhatIsMissing(t *testing.T) {
	turns := workflow.Member{Name: "context.turns"}
	err := workflow.Unknown.LoopLimit(3, "until", "context.turns > 2", turns)
	var missing *runtime.MissingValueError
	want := "no exit within max_loops = 3 turns: context.turns > 2: unknown (context.turns is missing)"
	if err.Error() != want || runtime.ErrorType(err) != "LoopLimitError" || !errors.As(err, &missing) || missing.Fields[0] != turns.Name {
		t.Errorf("%v", err)
	}
	turns.Value = workflow.Int(1)
	if err := workflow.Known(false).LoopLimit(3, "until", "context.turns > 2", turns); errors.As(err, &missing) {
		t.Errorf("an exit that is false: %v", err)
	}
}

// TestJudgesDoNotGuess: behind an expression that is unknown, a row without a guard is not taken.
func TestJudgesDoNotGuess(t *testing.T) {
	amount := workflow.Member{Name: "data.amount"}
	j := &rt.Judge{Machine: "m"}
	j.Begin(0, "s", "k", "{}")
	if workflow.Unknown.Allows(j, "data.amount < 3", amount) || j.AllowsElse() || j.AllowsCatchAll() {
		t.Error("a row is taken for an unknown guard")
	}
	var missing *runtime.MissingValueError
	var rejected *runtime.GuardRejectedError
	err := j.Refusal(nil)
	want := `machine "m", state "s", key "k": data.amount < 3: unknown (data.amount is missing)`
	if err.Error() != want || !errors.As(err, &missing) || missing.Fields[0] != amount.Name || !errors.As(err, &rejected) {
		t.Errorf("Refusal: %v", err)
	}

	j.Begin(0, "s", "k", "{}")
	if !workflow.Known(true).Allows(j, "True") || !j.AllowsElse() {
		t.Error("the next key begins with what the last one lacked")
	}
	j.Begin(0, "s", "k", "{}")
	if workflow.Unknown.Allows(j, "data.amount < 3", amount); errors.As(j.Refusal(nil), &missing) {
		t.Error("where all rows have guards, they refuse")
	}
}
