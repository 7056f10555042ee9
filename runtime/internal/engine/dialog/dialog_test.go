package dialog_test

import (
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/engine/dialog"
	"github.com/agentc-dev/agentc/runtime/model"
)

func TestSame(t *testing.T) {
	long := []model.Message{{Role: "user", Text: "a"}, {Role: "assistant", Calls: []model.ToolCall{{ID: "1", Name: "look"}}}, {Role: "tool", CallID: "1", Text: "b"}}
	copied := append([]model.Message{}, long...)
	other := append([]model.Message{}, long...)
	other[1].Calls = []model.ToolCall{{ID: "1", Name: "find"}}
	failed := append([]model.Message{}, long...)
	failed[2].Failed = true
	for name, test := range map[string]struct {
		before, now []model.Message
		want        int
	}{
		"none":            {nil, long, 0},
		"the same memory": {long[:2], long, 2},
		"shorter":         {long, long[:1], 1},
		"a copy":          {copied, long, 3},
		"another call":    {long, other, 1},
		"a failed result": {long, failed, 2},
	} {
		if got := dialog.Same(test.before, test.now); got != test.want {
			t.Errorf("%s: %d, want %d", name, got, test.want)
		}
	}
}
