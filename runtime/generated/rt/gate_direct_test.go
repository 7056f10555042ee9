package rt_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// played is a model that makes the calls of its turns, whatever it is answered, and keeps what it
// was sent.
type played struct {
	turns   [][]model.ToolCall
	told    []model.Message
	offered []string
}

func (p *played) Chat(_ context.Context, r model.Request) (model.Reply, error) {
	p.told, p.offered = slices.Clone(r.Messages), nil
	for _, tool := range r.Tools {
		p.offered = append(p.offered, tool.Name)
	}
	if len(p.turns) == 0 {
		return model.Reply{}, &model.Error{Class: model.BadRequest}
	}
	calls := p.turns[0]
	p.turns = p.turns[1:]

	return model.Reply{Calls: calls}, nil
}

// ran are the calls that were made, sorted: those that only read run side by side where there is no
// gate.
type ran struct{ calls []string }

func (r *ran) Observe(e event.Event) {
	if e.Kind == event.Tool {
		r.calls = append(r.calls, fmt.Sprintf("%s(%s) = %s%s", e.Name, e.Args, e.Text, e.Problem))
		slices.SortFunc(r.calls, cmp.Compare[string])
	}
}

// validTurns walks through a random gate and returns it with the calls of the walk in turns; the
// last of them finishes. A call that fails leaves the gate where it is.
func validTurns(r *rand.Rand) (gate *tableGate, turns [][]model.ToolCall) {
	gate, _ = gateOf("a: start a")
	states := []string{"a", "b", "c", "d"}[:1+r.IntN(4)]
	gate.rows = map[string][]gateRow{}
	for _, state := range states {
		for _, action := range []string{"look", "save", "wipe", "fail", "finish"} {
			if action == "finish" || r.IntN(3) > 0 {
				row := gateRow{action: action, to: states[r.IntN(len(states))]}
				if action == "look" && r.IntN(2) == 0 {
					row.when = "small"
				}
				gate.rows[state] = append(gate.rows[state], row)
			}
		}
	}

	turns = [][]model.ToolCall{{{ID: "skill", Name: "read_skill", Args: `{"name":"web"}`}}}
	state := gate.state
	add := func(call model.ToolCall) {
		if call.ID = fmt.Sprint(len(turns), r.Int()); r.IntN(2) == 0 || len(turns) == 1 {
			turns = append(turns, nil)
		}
		turns[len(turns)-1] = append(turns[len(turns)-1], call)
	}
	for range r.IntN(20) {
		rows := gate.rows[state]
		row := rows[r.IntN(len(rows))]
		if row.action == "finish" {
			continue
		}
		add(model.ToolCall{Name: row.action, Args: fmt.Sprintf(`{"n":%d}`, r.IntN(4))})
		if row.action != "fail" {
			state = row.to
		}
	}
	add(model.ToolCall{Name: "finish", Args: `{"key":"yes","value":"x"}`})

	return gate, turns
}

// TestGateAddsNothingToValidSequences: an agent without a gate may call its tools in any order. One
// whose calls are those that a gate allows does the same behind that gate: the same calls are made
// and answered with the same, and it ends with the same.
func TestGateAddsNothingToValidSequences(t *testing.T) {
	calls := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 18))
		gate, turns := validTurns(r)
		play := func(run func(runtime.Effects, *rt.ReactSpec) (runtime.Finish, error)) (*played, *ran, runtime.Finish) {
			model, watch := &played{turns: turns}, &ran{}
			fx, err := core.New(core.Config{Model: model, Observer: watch, Asker: yes{}}).Effects(context.Background(), nil)
			if err != nil {
				t.Fatal(err)
			}
			spec := testAgent()
			spec.MaxIter, spec.Stuck = 100, 0
			fin, err := run(fx, spec)
			if err != nil {
				t.Fatalf("seed %d: %v\n%v", seed, err, watch.calls)
			}

			return model, watch, fin
		}
		place := placeOf("closed yes no")
		direct, did, want := play(func(fx runtime.Effects, spec *rt.ReactSpec) (runtime.Finish, error) {
			return spec.Run(fx, testTool, "the task", place)
		})
		gated, done, got := play(func(fx runtime.Effects, spec *rt.ReactSpec) (runtime.Finish, error) {
			return spec.RunGated(fx, testTool, "the task", rt.Started{gate}, place)
		})
		if got != want || !reflect.DeepEqual(done.calls, did.calls) || !reflect.DeepEqual(gated.told, direct.told) {
			t.Fatalf("seed %d: behind the gate\n%+v\n%q\n%+v\nwithout it\n%+v\n%q\n%+v",
				seed, got, done.calls, gated.told, want, did.calls, direct.told)
		}
		for _, tool := range gated.offered {
			if !slices.Contains(direct.offered, tool) {
				t.Errorf("seed %d: only the gate offers %s", seed, tool)
			}
		}
		calls += len(did.calls)
	}
	if calls < 1500 {
		t.Errorf("%d calls are too few to tell", calls)
	}
}
