package emit

import (
	"slices"

	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// guardUse is what the guards of a machine ask for: only that is generated.
type guardUse struct {
	// any says that there are guards, named that one of them is a method of Guards.
	any, named bool
	// visits and data say that expressions read these.
	visits, data bool
	// steps are the outputs that expressions read.
	steps []*ir.Output
}

func guardUseOf(m *ir.Machine) guardUse {
	var use guardUse
	for _, s := range m.States {
		for _, row := range s.Rows {
			if row.When != nil {
				use.add(m, row.When)
			}
		}
	}

	return use
}

func (u *guardUse) add(m *ir.Machine, guard *ir.Guard) {
	u.any = true
	if guard.Func != nil {
		u.named = true

		return
	}
	ir.WalkExpression(guard.Formula.Root, func(x ir.Expression) {
		access, isAccess := x.(*ir.Access)
		if !isAccess {
			return
		}
		switch access.Root {
		case ir.RootVisits:
			u.visits = true
		case ir.RootData:
			u.data = true
		case ir.RootStep:
			u.read(access.Output)
		case ir.RootSteps:
			for _, output := range m.Outputs {
				u.read(output)
			}
		}
	})
}

func (u *guardUse) read(output *ir.Output) {
	if !slices.Contains(u.steps, output) {
		u.steps = append(u.steps, output)
	}
}

// counts reports whether the machine counts how often states are entered: named guards receive it too.
func (u *guardUse) counts() bool { return u.visits || u.named }

// outputs returns the outputs that expressions read, in the order of the states.
func (m *machine) outputs() []*ir.Output {
	return slices.DeleteFunc(slices.Clone(m.ir.Outputs), func(o *ir.Output) bool { return !slices.Contains(m.use.steps, o) })
}
