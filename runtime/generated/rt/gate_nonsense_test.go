package rt_test

import (
	"context"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// gateConduct watches a gated agent: what runs is possible in the state that the transitions so far
// have led to, what succeeds moves the gate unless it is ungated, and what is refused does not.
type gateConduct struct {
	t       *testing.T
	gate    *tableGate // only its table
	ungated []string
	state   string
	// owed is the action that has succeeded and must now move the gate.
	owed           string
	moves, refused int
}

func (c *gateConduct) possible(action string) bool {
	return slices.Contains(c.ungated, action) ||
		slices.ContainsFunc(c.gate.rows[c.state], func(row gateRow) bool { return row.action == action })
}

func (c *gateConduct) Observe(e event.Event) {
	switch e.Kind {
	case event.Transition:
		c.moved(e)

		return
	case event.Tool:
	default:
		return
	}
	if c.owed != "" {
		c.t.Errorf("%s succeeded in %s, and %s came before its transition", c.owed, c.state, e.Name)
	}
	if e.Problem != "" {
		c.refused++

		return
	}
	if e.Name == "start" || e.Name == "read_skill" {
		return
	}
	if !c.possible(e.Name) {
		c.t.Errorf("%s ran in %s", e.Name, c.state)
	}
	if !slices.Contains(c.ungated, e.Name) {
		c.owed = e.Name
	}
}

func (c *gateConduct) moved(e event.Event) {
	if e.State != c.state || e.Key != "finish" && e.Key != c.owed {
		c.t.Errorf("%s moved %s, not %s in %s", e.Key, e.State, c.owed, c.state)
	}
	to := e.To
	if to == "" {
		to = "~"
	}
	if !slices.ContainsFunc(c.gate.rows[c.state], func(row gateRow) bool { return row.action == e.Key && row.to == to }) {
		c.t.Errorf("%s leads from %s to %q in no row", e.Key, c.state, e.To)
	}
	c.state, c.owed = to, ""
	c.moves++
}

// gateDoor watches what the model is offered.
type gateDoor struct {
	runtime.Effects
	c *gateConduct
}

func (d gateDoor) Model(r model.Request) (model.Reply, error) {
	for _, tool := range r.Tools {
		if name := strings.TrimPrefix(tool.Name, "tama_"); name != "start" && name != "read_skill" && !d.c.possible(name) {
			d.c.t.Errorf("%s is offered in %s", tool.Name, d.c.state)
		}
	}

	return d.Effects.Model(r)
}

// Parallel must not be asked for: the calls of a gated agent follow each other.
func (d gateDoor) Parallel(int, int, func(int, runtime.Effects) error) error {
	panic("calls of a gated agent side by side")
}

// FuzzGate: whatever a model says, nothing runs out of order, and the agent ends with an error of a
// type that says what happened or by a finish that its gate has.
func FuzzGate(f *testing.F) {
	f.Add([]byte{0, 0, 1, 1, 2, 0})
	f.Add([]byte("the quick brown fox jumps over the lazy dog"))
	f.Add([]byte{9, 3, 2, 0, 1, 1, 2, 3, 1, 0, 2, 0, 1, 2, 0, 0, 3, 1, 3, 3, 0, 2, 1, 2, 6, 0, 0, 0, 1, 3, 0, 31, 0, 0, 1, 5, 0, 0})
	f.Fuzz(func(t *testing.T, bytes []byte) { gateNonsense(t, bytes) })
}

// TestGateNonsense holds that such conversations come through gates and are refused by them, so
// that the watch has something to see.
func TestGateNonsense(t *testing.T) {
	moves, refused, finished := 0, 0, 0
	for seed := range int64(500) {
		bytes := make([]byte, 300)
		rand.New(rand.NewSource(seed)).Read(bytes)
		c, err := gateNonsense(t, bytes)
		moves, refused = moves+c.moves, refused+c.refused
		if err == nil {
			finished++
		}
	}
	if moves < 50 || refused < 1000 || finished < 20 {
		t.Errorf("%d moves, %d refused calls and %d finishes in 500 conversations", moves, refused, finished)
	}
}

// gateNonsense runs a random agent behind a random gate, and checks it by what the observer was
// told.
func gateNonsense(t *testing.T, bytes []byte) (*gateConduct, error) {
	n := &nonsense{bytes: bytes, reads: true}
	spec := testAgent()
	spec.MaxIter, spec.Repair, spec.Stuck = 1+n.next()%12, n.next()%4, n.next()%6
	gate, rows := randomGate(n), map[string][]gateRow{}
	for range n.next() % 3 {
		spec.Ungated = append(spec.Ungated, n.pick("look", "fail", "mem_get", "finish"))
	}
	for state, list := range gate.rows {
		rows[state] = slices.Clone(list)
	}
	watch := &gateConduct{t: t, gate: &tableGate{rows: rows}, ungated: spec.Ungated, state: gate.State()}
	fx, err := core.New(core.Config{Model: n, Observer: watch, Asker: yes{}}).Effects(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}

	place := n.pick("free", "open yes", "closed yes no", "closed done")
	fin, err := spec.RunGated(gateDoor{fx, watch}, testTool, "the task", rt.Started{gate}, placeOf(place))
	if watch.state != gate.state || watch.owed != "" {
		t.Errorf("the gate is in %s, and its transitions led to %s (%s owed)", gate.state, watch.state, watch.owed)
	}
	if err != nil {
		checkGateError(t, spec, err, fin)
	} else {
		checkFinish(t, spec, place, fin)
	}

	return watch, err
}

func checkGateError(t *testing.T, spec *rt.ReactSpec, err error, fin runtime.Finish) {
	switch runtime.ErrorType(err) {
	case "GuardError", "GuardRejectedError":
		if fin != (runtime.Finish{}) {
			t.Errorf("a result beside the error: %+v", fin)
		}
	default:
		checkError(t, spec, err, fin)
	}
}

// randomGate is a gate of up to four states, whose rows may lead anywhere, have guards, or be the
// second of their action.
func randomGate(n *nonsense) *tableGate {
	gate, _ := gateOf("a: start a")
	gate.rows = map[string][]gateRow{}
	for _, state := range []string{"a", "b", "c", "d"} {
		for range n.next() % 4 {
			gate.rows[state] = append(gate.rows[state], gateRow{
				action: n.pick("look", "save", "wipe", "boom", "mem_set", "finish", "finish"), to: n.pick("a", "b", "c", "d", "~"),
				when: n.pick("", "", "", "small", "not small", "long", "broken"),
			})
		}
	}

	return gate
}
