package rt_test

import (
	"errors"
	"math/rand"
	"strconv"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// table is a machine as data: for each state its rows, the catch-all under "*"; "" as a target ends
// the machine.
type table map[string]map[string]string

// TestWalkAgainstReference drives random machines with random keys, and compares results, errors
// and events with an interpreter that is written down in the plainest way.
func TestMachineRunAgainstReference(t *testing.T) {
	keys := []string{"a", "b", " A ", "c", "*"}
	for seed := range int64(2000) {
		random := rand.New(rand.NewSource(seed))
		machine := table{}
		for s := range 1 + random.Intn(5) {
			rows := map[string]string{}
			for range random.Intn(4) {
				rows[[]string{"a", "b", "*"}[random.Intn(3)]] = target(random)
			}
			machine[strconv.Itoa(s)] = rows
		}
		given := make([]string, 30)
		for i := range given {
			given[i] = keys[random.Intn(4)]
		}
		limit := 1 + random.Intn(12)

		got, gotErr, gotPath := runTable(machine, given, limit)
		want, wantErr, wantPath := interpret(machine, given, limit)
		if got != want || gotErr != wantErr || gotPath != wantPath {
			t.Fatalf("seed %d: got %v, %s, %s\nwant %v, %s, %s", seed, got, gotErr, gotPath, want, wantErr, wantPath)
		}
	}
}

func target(random *rand.Rand) string {
	if random.Intn(5) == 0 {
		return ""
	}

	return strconv.Itoa(random.Intn(5))
}

// path collects the events of a run as text.
type path struct {
	base
	text string
}

func (p *path) Note(e event.Event) {
	switch e.Kind {
	case event.Enter:
		p.text += "[" + e.State + "#" + strconv.Itoa(e.Visit) + "]"
	case event.Transition:
		p.text += "-" + e.Key + "/" + string(e.Matched) + "->" + e.To
	case event.Error:
		p.text += "!" + e.Type
	case event.Finish:
		p.text += "=" + e.Key
	}
}

// find is the row of a key, as generated code finds it.
func find(rows map[string]string, key string) (to, row string, match rt.Match) {
	if to, ok := rows[key]; ok && key != "*" {
		return to, key, rt.MatchExact
	}
	if to, ok := rows[wording.Fold(key)]; ok {
		return to, wording.Fold(key), "folded"
	}
	if to, ok := rows["*"]; ok {
		return to, key, rt.MatchCatchAll
	}

	return "", "", ""
}

func runTable(machine table, keys []string, limit int) (runtime.Finish, string, string) {
	fx := &path{}
	m := rt.Flow("m").Machine(fx, limit, "in")
	state := "0"
	for n := 0; machine[state] != nil && m.Enter(state); n++ {
		m.RecordOutput(runtime.Finish{Key: keys[n], Value: m.Value() + state}, nil)
		to, row, match := find(machine[state], m.Key())
		if match == "" {
			fin, err := m.Reject([]string{"v"})

			return fin, errorText(err), fx.text
		}
		m.RecordTransition(row, match, to)
		state = to
	}
	fin, err := m.End()

	return fin, errorText(err), fx.text
}

func errorText(err error) string {
	var invalid *runtime.InvalidTransitionError
	var limit *runtime.StepLimitError
	switch {
	case errors.As(err, &invalid):
		return "invalid " + invalid.Machine + " " + invalid.State + " " + invalid.Key + " " + invalid.Valid[0]
	case errors.As(err, &limit):
		return "limit " + limit.Machine + " " + limit.State + " " + strconv.Itoa(limit.Steps)
	}

	return ""
}

func interpret(machine table, keys []string, limit int) (fin runtime.Finish, problem, path string) {
	fin.Value = "in"
	visits := map[string]int{}
	state := "0"
	for n := 0; machine[state] != nil; n++ {
		if n == limit {
			return runtime.Finish{}, "limit m " + state + " " + strconv.Itoa(limit), path + "!StepLimitError"
		}
		visits[state]++
		path += "[" + state + "#" + strconv.Itoa(visits[state]) + "]"
		fin = runtime.Finish{Key: keys[n], Value: fin.Value + state}
		to, _, match := find(machine[state], fin.Key)
		if match == "" {
			return runtime.Finish{}, "invalid m " + state + " " + fin.Key + " v", path + "!InvalidTransitionError"
		}
		path += "-" + fin.Key + "/" + string(match) + "->" + to
		state = to
	}

	return fin, "", path + "=" + fin.Key
}

func TestMachineRunKeepsTheAgentsError(t *testing.T) {
	fault := errors.New("broken")
	m := rt.Flow("m").Machine(&path{}, 5, "in")
	if !m.Enter("a") {
		t.Fatal("not entered")
	}
	m.RecordOutput(runtime.Finish{Key: "k", Value: "v"}, fault)
	if !m.Failed() || m.Enter("b") {
		t.Error("the run continues")
	}
	if fin, err := m.End(); err != fault || fin != (runtime.Finish{}) {
		t.Errorf("got %+v, %v", fin, err)
	}
}
