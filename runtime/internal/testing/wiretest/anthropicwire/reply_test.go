package anthropicwire_test

import (
	"encoding/json"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestHalvesAreWhole: the arguments of a call come in two parts, of which none begins in the midst of a character.
func TestHalvesAreWhole(t *testing.T) {
	for _, args := range []string{"{}", `{"q":"äöü"}`, `{"q":"xäöü"}`, `{"q":"日本"}`} {
		got := ""
		for _, part := range anthropicwire.Parts(model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "search", Args: args}}}) {
			var event struct {
				Delta struct {
					JSON string `json:"partial_json"`
				} `json:"delta"`
			}
			if err := json.Unmarshal([]byte(part), &event); err != nil {
				t.Fatal(err)
			}
			got += event.Delta.JSON
		}
		if got != args {
			t.Errorf("the parts of %s are %s", args, got)
		}
	}
}
