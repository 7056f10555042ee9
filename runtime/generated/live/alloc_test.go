package live_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/live"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// A guard costs no allocation, whether it is the user's Go or an expression.
func TestGuardsAllocateNothing(t *testing.T) {
	visits := func(j *rt.Judge) workflow.Value { return workflow.Int(j.Visits[opened]) }
	for name, guard := range map[string]func(j *rt.Judge) bool{
		"Go":          func(j *rt.Judge) bool { return j.Ask("may-open") },
		"inverted Go": func(j *rt.Judge) bool { return j.AskNot("may-not-open") },
		"expression": func(j *rt.Judge) bool {
			return workflow.Known(j.Visits[opened] >= 0).Allows(j, `visits["opened"] >= 0`, workflow.Member{Name: `visits["opened"]`, Value: visits(j)})
		},
		"expression over the values of states": func(j *rt.Judge) bool {
			return record(j, `steps.closed != "stay"`, j.Values[closed] != "stay")
		},
	} {
		m := &door{}
		live.Start(m, &doorSpec{
			Name: "door", Shape: "g", Initial: closed, States: 4, Values: true,
			Canonical: doorState.CanonicalKey, Keys: doorState.Keys, Parse: parseDoor,
			Guarded: func(s doorState, key doorKey, j *rt.Judge) (doorState, bool) {
				next, ok := s.Next(key)

				return next, ok && guard(j)
			},
		}, func(_ context.Context, name string, _ runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
			return runtime.Verdict{OK: name == "may-open"}, nil
		})
		allocations := testing.AllocsPerRun(100, func() { openAndClose(t, m, 1) })
		if allocations != 0 {
			t.Errorf("%s: opening and closing the door allocates %v times", name, allocations)
		}
	}
}

// The guards of a step stay those of the step, whatever the machine decides after it.
func TestAskedGuardsOutliveTheNextStep(t *testing.T) {
	for _, subscribed := range []bool{false, true} {
		m, clock := newGuarded(func(runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) { return runtime.Yes(), nil })
		if subscribed {
			m.Subscribe(func(drive.Step) {})
		}
		openAndClose(t, m, 2)
		opened, err := m.Try(drive.Attempt{Key: "open"})
		if err != nil {
			t.Fatal(err)
		}
		*clock = clock.Add(time.Minute)
		next, err := m.Try(drive.Attempt{Key: "open"})
		if err != nil || len(next.Timers) != 1 {
			t.Fatalf("%+v, %v", next, err)
		}
		for _, step := range []drive.Step{opened, next} {
			if len(step.Guards) != 2 || step.Guards[1].Name != "may-open" {
				t.Errorf("the guards of step %d are %+v", step.Seq, step.Guards)
			}
		}
		if closing := next.Timers[0]; len(closing.Guards) != 1 || closing.Guards[0].Name != `steps.closed != "stay"` {
			t.Errorf("the guards of the timer are %+v", closing.Guards)
		}
	}
}
