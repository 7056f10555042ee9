package rt_test

import (
	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// base is what tests embed that answer some effects only: it is observed, and keeps no budgets.
type base struct{ runtime.Effects }

func (base) Watched() bool { return true }

func (base) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

func (base) Listen(string, string, []signals.Rule) (end func()) { return func() {} }
