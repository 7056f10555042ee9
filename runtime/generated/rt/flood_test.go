package rt_test

import (
	"context"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// longest is the longest text that an observer hears, but for arguments, which are what the model
// wrote.
type longest int

func (l *longest) Observe(e event.Event) {
	*l = longest(max(int(*l), len(e.Name), len(e.Problem)))
}

// TestNobodyHearsAFlood: of a name, a key or an argument of a megabyte, what a model is told,
// events and the error have the beginning.
func TestNobodyHearsAFlood(t *testing.T) {
	const enough = 2000
	flood := strings.Repeat("ü", 1<<19)
	replies := [][2]string{
		{"read_skill", `{"name":"` + flood + `"}`},
		{"read_skill", `{"name":"kit"}`},
		{flood, "{}"},
		{"bash", `{"command":["` + flood + `"]}`},
		{"finish", `{"key":"` + flood + `"}`},
		{"finish", `{"key":"` + flood + `"}`},
	}
	chat := func(_ context.Context, r model.Request) (model.Reply, error) {
		if told := r.Messages[len(r.Messages)-1].Text; len(told) > enough {
			t.Errorf("turn %d is told %d bytes: %s", r.Turn, len(told), told[:200])
		}

		return model.Reply{Calls: []model.ToolCall{{ID: "1", Name: replies[r.Turn][0], Args: replies[r.Turn][1]}}}, nil
	}
	var heard longest
	fx, err := core.New(core.Config{Model: model.ProviderFunc(chat), Observer: &heard}).Effects(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&rt.ReactSpec{
		Agent: "a", MaxIter: 9, Repair: 1, Keys: []string{"done"},
		Skills: []*rt.SkillSpec{{Name: "kit", Body: "Use it.", Tools: []*runtime.ToolSpec{
			rt.Builtin("bash"),
		}}},
	}).Run(fx, nil, "go", rt.Closed("m", "s", "done"))
	if err == nil || len(err.Error()) > enough || !strings.Contains(err.Error(), "üüü") {
		t.Errorf("the error is %.200v", err)
	}
	if heard == 0 || heard > enough {
		t.Errorf("an observer hears %d bytes", heard)
	}
}
