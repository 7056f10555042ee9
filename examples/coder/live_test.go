package main

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/agentc-dev/agentc/examples/coder/agents"
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
)

// TestLive drives the gate without an agent, as another program could: three retries and no fourth, also in a machine that was
// restored on the way.
func TestLive(t *testing.T) {
	m := agents.NewCoderMachine(&workspace{})
	if _, err := m.Fire(agents.CoderKeyWriteFile); err == nil {
		t.Fatal("a file is written before any research")
	}
	for _, key := range []agents.CoderKey{agents.CoderKeyResearch, agents.CoderKeyWriteFile, agents.CoderKeyRunTests} {
		if _, err := m.Fire(key); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		snapshot, err := m.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		m = agents.NewCoderMachine(&workspace{})
		if err := m.Restore(snapshot); err != nil {
			t.Fatal(err)
		}
		for _, key := range []agents.CoderKey{agents.CoderKeyWriteFile, agents.CoderKeyRunTests} {
			if _, err := m.Fire(key); err != nil {
				t.Fatal(err)
			}
		}
	}

	_, err := m.Try(drive.Attempt{To: "written"})
	var rejected *runtime.GuardRejectedError
	if !errors.As(err, &rejected) || rejected.State != "tested" || rejected.Guards[0].Guard != `visits["tested"] <= 3` {
		t.Errorf("the fourth retry: %v", err)
	}
	if m.State() != agents.CoderStateTested || m.Seq() != 10 || !slices.Contains(m.Valid(), "write_file") {
		t.Errorf("%v, seq %d, %q", m.State(), m.Seq(), m.Valid())
	}
	var snapshot struct{ Visits map[string]int }
	if text, err := m.Snapshot(); err != nil || json.Unmarshal(text, &snapshot) != nil || snapshot.Visits["tested"] != 4 {
		t.Errorf("%s, %v", text, err)
	}
}
