package rt_test

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// tableGate is a gate as data, written the plainest way.
type tableGate struct {
	state string
	rows  map[string][]gateRow
	judge rt.Judge
	found gateRow
}

// gateRow is a row of a gate: to is "~" where it ends, when is "" without a guard.
type gateRow struct{ action, to, when string }

// gateOf reads a gate. Its lines are `ungated TOOL…` and `STATE: ACTION TO [if GUARD]`, the rows of
// a state in the order in which they are tried; the first state is the initial one.
func gateOf(text string) (gate *tableGate, ungated []string) {
	gate = &tableGate{rows: map[string][]gateRow{}}
	gate.judge = rt.Judge{Machine: "a", Guards: testGuard}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		head, row, isRow := strings.Cut(line, ": ")
		if !isRow {
			ungated = strings.Fields(line)[1:]

			continue
		}
		if gate.state == "" {
			gate.state = head
		}
		row, when, _ := strings.Cut(row, " if ")
		action, to, _ := strings.Cut(row, " ")
		gate.rows[head] = append(gate.rows[head], gateRow{action, to, when})
	}

	return gate, ungated
}

func (g *tableGate) State() string {
	if g.state == "~" {
		return ""
	}

	return g.state
}

func (g *tableGate) Actions() []string {
	var actions []string
	for _, row := range g.rows[g.state] {
		actions = append(actions, row.action)
	}

	return actions
}

func (g *tableGate) Judge(action, value string) (rt.GateStep, error) {
	g.judge.Begin(0, g.state, action, value)
	for _, row := range g.rows[g.state] {
		if row.action != action || !g.holds(row.when) {
			continue
		}
		g.found = row

		return rt.GateStep{
			To: strings.TrimPrefix(row.to, "~"), Matched: g.judge.Match(rt.MatchExact), Guards: g.judge.Asked(),
		}, nil
	}

	return rt.GateStep{}, g.judge.Refusal(g.Actions())
}

func (g *tableGate) holds(when string) bool {
	name, inverted := strings.CutPrefix(when, "not ")
	switch {
	case when == "":
		return g.judge.AllowsElse()
	case inverted:
		return g.judge.AskNot(name)
	}

	return g.judge.Ask(name)
}

func (g *tableGate) Move() { g.state = g.found.to }

func (*tableGate) Signals() []signals.Rule { return nil }

// testGuard are the guards of the cases: they read the arguments, say no for a reason or for none,
// or fail.
func testGuard(_ context.Context, name string, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
	switch name {
	case "small":
		var args struct{ N int }
		if err := json.Unmarshal(in.Data, &args); err != nil || args.N > 3 {
			return runtime.No("n is " + strconv.Itoa(args.N)), err
		}

		return runtime.Yes(), nil
	case "long":
		return runtime.Verdict{OK: len(in.Value) > 20}, nil
	case "panics":
		panic("bang")
	}

	return runtime.Verdict{}, errors.New("no connection")
}

// verdicts are what guards said, for the log.
func verdicts(asked []event.Guard) string {
	text := ""
	for _, guard := range asked {
		text += " " + guard.Name + "=" + strconv.FormatBool(guard.OK)
	}

	return text
}
