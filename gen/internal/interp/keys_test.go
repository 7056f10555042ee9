package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// The runs of keyed, by the keys with which their agents finish, as far as these are known.
const (
	isYes set = 1 << iota
	isNo
	isDone
	isLimited
	isUnfinished
	isFired
	isFinish
	isAny
)

// keyed is a domain in which each agent ends as its state is called, with all keys that are in the
// name. Guards may hold or fail.
type keyed struct {
	tracer
}

var keySets = map[string]set{
	"yes": isYes, "no": isNo, "done": isDone, "exhausted": isLimited | isUnfinished, "abort": isFired, "finish": isFinish,
}

func (x *keyed) RunState(at interp.StateVisit[set], _ set) interp.Ends[set] {
	name := at.State.Name.Value
	ends := interp.Ends[set]{}
	for word, runs := range map[string]set{"any": isAny, "limited": isLimited, "unfinished": isUnfinished} {
		if strings.Contains(name, word) {
			ends.Done |= runs
		}
	}
	for _, word := range strings.Split(name, "-") {
		ends.Done |= keySets[word]
	}
	if strings.Contains(name, "fails") {
		ends.Failed = isAny
	}

	return ends
}

func (x *keyed) Enter(_ interp.Block, in set) []interp.Entry[set] {
	return []interp.Entry[set]{{Start: in}}
}

func (*keyed) FireSignal(_ interp.StateVisit[set], fired ir.KeySignal, _ set) set {
	return keySets[fired.Key]
}

func (*keyed) SplitReturned(in set, kind ir.ReturnKey) (returned, others set) {
	of := map[ir.ReturnKey]set{ir.KeyExhausted: isLimited, ir.KeyUnfinished: isUnfinished}[kind]

	return in & of, in &^ of
}

func (*keyed) Return(in set, kind ir.ReturnKey) set {
	if in == 0 {
		return 0
	}

	return map[ir.ReturnKey]set{ir.KeyDone: isDone, ir.KeyUnfinished: isUnfinished}[kind]
}

func (*keyed) SplitKey(in set, key string) (with, others set) {
	return in & (keySets[key] | isAny), in &^ keySets[key]
}

// Choose lets guards hold and fail.
func (*keyed) Choose(c interp.Choice, in set) interp.Chosen[set] {
	chosen := interp.Chosen[set]{Cases: make([]set, c.Cases)}
	for i, row := range c.Rows {
		chosen.Cases[i] = in
		if row.When == nil {
			return chosen
		}
	}
	chosen.Other = in

	return chosen
}

// Take notes the row that is taken, and by which runs.
func (x *keyed) Take(at interp.StateVisit[set], move interp.Move, in set) set {
	label := "always"
	switch {
	case move.Row != nil:
		label = move.Row.Key.Value
	case move.Next == nil:
		label = "anywhere " + move.To.Name.Value
	}
	x.note("%s %b", label, in)

	return in
}

// agentMachine returns a machine over agents: each state is its name, and then a target, or rows of a
// key and a target, "~" for an end; a "?" behind a key is a guard.
func agentMachine(steps int, states ...string) *ir.Machine {
	m := &ir.Machine{MaxSteps: steps}
	at := map[string]*ir.State{}
	for _, text := range states {
		name, _, _ := strings.Cut(text, " ")
		at[name] = &ir.State{Name: ir.Text{Value: name}}
		if name != "end" {
			at[name].Agent = &ir.Agent{}
		}
		m.States = append(m.States, at[name])
	}
	ref := func(name string) ir.Ref { return ir.Ref{Text: ir.Text{Value: name}, State: at[name]} }
	m.Initial = ref(m.States[0].Name.Value)
	for i, text := range states {
		s, words := m.States[i], strings.Fields(text)[1:]
		if len(words) == 1 {
			always := ref(words[0])
			s.Always = &always
			continue
		}
		for ; len(words) > 0; words = words[2:] {
			key, isGuarded := strings.CutSuffix(words[0], "?")
			row := &ir.Row{Key: ir.Text{Value: key}, To: ref(words[1]), End: words[1] == "~"}
			if isGuarded {
				row.When = &ir.Guard{Func: &ir.GuardFunc{}}
			}
			if strings.HasSuffix(key, "!") {
				row.Key.Value, row.Priority = strings.TrimSuffix(key, "!"), 1
			}
			s.Rows = append(s.Rows, row)
		}
	}

	return m
}

// TestKeys: each case is a machine over agents, and the rows that are taken, with the runs that take
// them.
func TestKeys(t *testing.T) {
	for _, c := range []struct {
		name   string
		steps  int
		states []string
		fires  string
		want   string
	}{
		{"a terminal", 9, []string{"yes"}, "", "done 1, failed 0"},
		{"an unconditional state", 9, []string{"yes end", "end"}, "", "always 1; done 1, failed 0"},
		{"an agent that fails", 9, []string{"fails-yes end", "end"}, "", "always 1; done 1, failed 10000000"},
		{"a row of the key", 9, []string{"yes no ~ yes end", "end"}, "", "yes 1; done 1, failed 0"},
		{"a key without a row", 9, []string{"yes-no yes ~"}, "", "yes 1; done 1, failed 10"},
		{"the catch-all", 9, []string{"yes-no yes ~ * ~"}, "", "yes 1; * 10; done 11, failed 0"},
		{"a key that is not known", 9, []string{"any yes ~ * ~"}, "", "yes 10000000; * 10000000; done 10000000, failed 0"},
		{"guards fail", 9, []string{"yes yes? ~ * ~"}, "", "yes 1; * 1; done 1, failed 0"},
		{"guards of all rows fail", 9, []string{"yes yes? ~ *? ~"}, "", "yes 1; * 1; done 1, failed 1"},
		{"a row of a higher priority", 9, []string{"yes yes ~ yes!? end", "end"}, "", "yes 1; yes 1; done 1, failed 0"},
		{"a limit with a row", 9, []string{"limited-unfinished done ~ exhausted ~"}, "", "exhausted 11000; done 11000, failed 0"},
		{"a limit without a row", 9, []string{"limited-unfinished done ~"}, "", "done 100; done 100, failed 10000"},
		{
			"a limit that is passed on", 9, []string{"limited done ~ * ~"}, "",
			"done 100; * 10000; done 10100, failed 0",
		},
		{"a signal", 9, []string{"yes yes ~ abort ~"}, "abort", "yes 1; abort 100000; done 100001, failed 0"},
		{"a signal in a terminal", 9, []string{"yes"}, "abort", "done 1, failed 0"},
		{"a bound", 2, []string{"yes yes no", "no no done", "done"}, "", "yes 1; no 10; done 0, failed 10"},
		{"a target that is not known", 9, []string{"yes yes who", "no"}, "", "yes 1; anywhere yes 1; anywhere no 1; yes 1; anywhere yes 1; anywhere no 1; done 10, failed 0"},
	} {
		m := agentMachine(c.steps, c.states...)
		if c.fires != "" {
			rule := &ir.SignalRule{On: ir.Text{Value: "stop"}, Do: ir.AnswerFire, Fire: ir.Text{Value: c.fires}}
			m.Live.Signals = []*ir.SignalRule{rule}
		}
		x := &keyed{}
		interp.New[set](x, interp.Config{}).RunAgentMachine(m, isAny)
		if got := strings.Join(x.notes, "; "); got != c.want {
			t.Errorf("%s: %s\nwant: %s", c.name, got, c.want)
		}
	}
}

// TestGates: each case is the machine of a gate, and the rows that are taken, with the runs that take them.
func TestGates(t *testing.T) {
	for _, c := range []struct {
		name    string
		states  []string
		ungated string
		want    string
	}{
		{"finish ends, wherever its row leads", []string{"finish finish yes", "yes yes ~"}, "", "finish F; done F, failed 0"},
		{"no other action ends", []string{"yes yes end", "end"}, "", "yes 1; done 0, failed 0"},
		{"finish without a row", []string{"yes yes no", "no"}, "finish", "yes 1; done 11, failed 0"},
		{"an action without a row is refused", []string{"yes-no yes finish", "finish finish ~"}, "", "yes 1; finish F; done F, failed 0"},
		{"the catch-all", []string{"yes-no yes? end * no", "no", "end"}, "", "yes 1; * 11; done 0, failed 0"},
	} {
		g := &ir.Gate{Machine: agentMachine(9, c.states...), Ungated: []ir.Text{{Value: c.ungated}}}
		x := &keyed{}
		interp.New[set](x, interp.Config{}).RunGate(g, isAny)
		want := strings.ReplaceAll(c.want, "F", fmt.Sprintf("%b", isFinish))
		if got := strings.Join(x.notes, "; "); got != want {
			t.Errorf("%s: %s\nwant: %s", c.name, got, want)
		}
	}
}
