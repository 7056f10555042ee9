package rt

import (
	"fmt"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
)

// Limit begins what an agent may spend and returns what ends it. It panics if the door keeps no budgets: to go on without the
// limits that somebody has set could cost any amount.
func Limit(fx runtime.Effects, agent string, b *runtime.Budget) (end func()) {
	return LimitStep(fx, agent, "", b)
}

// LimitStep is [Limit] for a step of a workflow.
func LimitStep(fx runtime.Effects, workflow, step string, b *runtime.Budget) (end func()) {
	door, keeps := fx.(runtime.BudgetDoor)
	if !keeps {
		panic(fmt.Errorf("%s has a budget, and this engine keeps none: %w", wording.Spender(workflow, step), runtime.ErrNotAvailable))
	}

	return door.Limit(workflow, step, b)
}
