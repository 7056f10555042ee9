package emit

import "github.com/agentc-dev/agentc/gen/internal/ir"

// guardUse is what the guards of a machine ask for.
type guardUse struct {
	// any says that there are guards, named that one of them is a method of Guards, steps that expressions read what agents gave.
	any, named, steps bool
}

func guardUseOf(m *ir.Machine) guardUse {
	var use guardUse
	for _, s := range m.States {
		for _, row := range s.Rows {
			if row.When == nil {
				continue
			}
			use.any = true
			use.named = use.named || row.When.Func != nil
			row.When.Formula.Walk(func(x ir.Expression) {
				access, isAccess := x.(*ir.Access)
				use.steps = use.steps || isAccess && (access.Root == ir.RootStep || access.Root == ir.RootSteps)
			})
		}
	}

	return use
}
