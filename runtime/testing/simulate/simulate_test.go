package simulate_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// critic is the hand-written form of a machine with three react agents: draft and refine route, critique does not.
func critic(fx runtime.Effects, input string) (runtime.Finish, error) {
	run := func(name string, at rt.Place, input string) (runtime.Finish, error) {
		return (&rt.ReactSpec{Agent: name, Prompt: "You are " + name, MaxIter: 10, Repair: 2, Stuck: 4}).Run(fx, nil, input, at)
	}
	m := rt.Flow("critic").Machine(fx, 50, input)
	for state := "draft"; state != "done" && m.Enter(state); {
		next, match := "", rt.MatchExact
		switch state {
		case "draft", "refine":
			m.RecordOutput(run(state, rt.Closed("critic", state, "good-enough", "needs-work"), m.Value()))
			switch wording.Fold(m.Key()) {
			case "good-enough":
				next = "done"
			case "needs-work":
				next = "critique"
			}
		case "critique":
			m.RecordOutput(run(state, rt.Place{}, m.Value()))
			next, match = "refine", rt.MatchUnconditional
		}
		if m.Failed() {
			break
		}
		if next == "" {
			return m.Reject([]string{"good-enough", "needs-work"})
		}
		m.RecordTransition(m.Key(), match, next)
		state = next
	}

	return m.End()
}

var program = &compiled.Program{
	Name: "critic", Entry: "critic",
	Agents: []compiled.Agent{
		{Name: "critic", Pattern: "fsm", Contains: []string{"critique", "draft", "refine"}, Run: critic},
		{Name: "critique", Pattern: "react", Model: &model.Choice{Role: "thinker"}},
		{Name: "draft", Pattern: "react", Model: &model.Choice{Role: "thinker"}},
		{Name: "refine", Pattern: "react", Model: &model.Choice{Role: "thinker"}},
	},
}

const script = `{
	"draft": [{"finish": {"key": "Needs-Work ", "value": "one"}}],
	"critique": [{"say": "too short: {{input}}"}],
	"refine": [{"finish": {"key": "needs-work", "value": "two"}}, {"finish": {"key": "good-enough", "value": {"n": [1,  2]}}}],
	"*": [{"say": "unused"}]
}`

type lines struct{ strings.Builder }

func (l *lines) Observe(e event.Event) {
	switch e.Kind {
	case event.Transition:
		fmt.Fprintf(l, "%d %s %s -%s-> %s (%s)\n", e.Seq, e.Address, e.State, e.Key, e.To, e.Matched)
	case event.End:
		fmt.Fprintf(l, "%d end %s %s=%s steps %d\n", e.Seq, e.Status, e.Key, e.Value, e.Count)
	}
}

func TestMachineUnderScript(t *testing.T) {
	text := strings.Replace(script, `[{"say": "too short: {{input}}"}]`, `[{"say": "too short: {{input}}"}, {"say": "again: {{input}}"}]`, 1)
	var seen lines
	fin, err := core.Scripted(text, core.Config{Observer: &seen}).Run(context.Background(), program, "", "task")
	if err != nil {
		t.Fatal(err)
	}
	if want := (runtime.Finish{Key: "good-enough", Value: `{"n":[1,2]}`, JSON: true}); fin != want {
		t.Errorf("got %+v, want %+v", fin, want)
	}
	want := `5 1 draft -Needs-Work -> critique (exact)
9 2 critique -done-> refine (unconditional)
13 3 refine -needs-work-> critique (exact)
17 4 critique -done-> refine (unconditional)
21 5 refine -good-enough-> done (exact)
23 end done good-enough={"n":[1,2]} steps 5
`
	if seen.String() != want {
		t.Errorf("got\n%swant\n%s", seen.String(), want)
	}
}

func TestScriptThatRunsOut(t *testing.T) {
	_, err := core.Scripted(script, core.Config{}).Run(context.Background(), program, "", "task")
	var faulty *runtime.ScriptError
	if !errors.As(err, &faulty) || faulty.Name != "critique" {
		t.Fatalf("got %v", err)
	}
	const want = `script, "critique": ran out: the list has 1 turn, and agent "critique" asks for one more`
	if err.Error() != want {
		t.Errorf("got %s", err)
	}
}

// TestFailureClasses: a script can let a call fail in every way that a provider can, and what may succeed later is repeated.
func TestFailureClasses(t *testing.T) {
	for class, again := range map[model.Class]bool{
		model.RateLimit: true, model.Overloaded: true, model.Server: true, model.Network: true,
		model.Timeout: true, model.Auth: false, model.Quota: false, model.TooLong: false,
		model.Refused: false, model.BadRequest: false, model.Other: false,
	} {
		script := `{"one":[{"error":{"class":"` + string(class) + `"}},{"say":"later"}]}`
		engine := core.New(core.Config{Script: script, Partial: true})
		fx, err := engine.Effects(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		fin, err := (&rt.OneshotSpec{Agent: "one"}).Run(fx, "go")
		var failed *model.Error
		if again && (err != nil || fin.Value != "later") || !again && (!errors.As(err, &failed) || failed.Class != class) {
			t.Errorf("%s: %+v, %v", class, fin, err)
		}
	}
}
