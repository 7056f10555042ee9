package main

import (
	"testing"

	"github.com/agentc-dev/agentc/examples/door/agents"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/stores/board"
)

// A board drives the door from plain Go: the project includes nothing for that.
func TestBoard(t *testing.T) {
	dir := t.TempDir()
	for _, step := range []struct{ key, to string }{{"lock", "locked"}, {"break", "broken"}} {
		b, err := board.Open(t.Context(), board.Options{Dir: dir, Program: agents.New().Program()})
		if err != nil {
			t.Fatal(err)
		}
		made, err := b.Transition(t.Context(), board.Request{ID: "door/front", Attempt: drive.Attempt{Key: step.key}})
		if err != nil || made.Step.To != step.to {
			t.Errorf("%s: %+v, %v", step.key, made, err)
		}
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
}
