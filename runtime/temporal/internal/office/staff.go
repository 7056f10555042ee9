package office

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
	"github.com/agentc-dev/agentc/runtime/temporal/internal/office/agents"
)

// Staff are the guards and functions.
type Staff struct{}

// GoodEnough wants a second draft.
func (Staff) GoodEnough(_ context.Context, in runtime.GuardInput[json.RawMessage]) (runtime.Verdict, error) {
	if in.Visit < 2 {
		return runtime.No("the first draft never is"), nil
	}

	return runtime.Yes(), nil
}

// OfficeTextWords counts words.
func (Staff) OfficeTextWords(_ context.Context, in workflow.Value) (workflow.Value, error) {
	return workflow.Int(int64(len(strings.Fields(in.Get("text").String())))), nil
}

// OfficeTextBroken fails.
func (Staff) OfficeTextBroken(context.Context, workflow.Value) (workflow.Value, error) {
	return workflow.Value{}, errors.New("the counter is broken")
}

// Program is the project's.
func Program() *compiled.Program { return agents.New(Staff{}, Staff{}).Program() }
