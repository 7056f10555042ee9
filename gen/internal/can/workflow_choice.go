package can

import (
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Choose lets all runs take each case. Paths record what a script needs for it.
func (w *workTexts) Choose(c interp.Choice, in facts) interp.Chosen[facts] {
	switch {
	case c.Branch != nil:
		return w.chooseArm(c, in)
	case c.Loop != nil:
		return w.chooseTurn(c, in)
	}

	return w.chooseRow(c, in)
}

// chooseArm selects a branch of a conditional.
func (w *workTexts) chooseArm(c interp.Choice, in facts) interp.Chosen[facts] {
	const why = "a branch is chosen"
	taken := func(number int) facts {
		step := Step{Do: "choose", Agent: w.taskName(c.Task), Branch: number + 1}
		return in.withStep(w.requireCase(step, why, c.Conditions, number))
	}
	chosen := interp.Chosen[facts]{Other: taken(c.Cases), Blocked: in}
	for number := range c.Cases {
		chosen.Cases = append(chosen.Cases, taken(number))
	}

	return chosen
}

// chooseTurn lets a loop end, or begin a turn with the output of the previous one.
func (w *workTexts) chooseTurn(c interp.Choice, in facts) interp.Chosen[facts] {
	why := "an expression decides"
	if c.Conditions == nil {
		why = "a function decides"
	}
	ends := in.withStep(w.requireCase(Step{Do: "finish"}, why, c.Conditions, 0))
	goesOn := in.withStep(w.requireCase(Step{Do: "finish"}, why, c.Conditions, 1))
	next := goesOn.withoutValues(argumentFact, valueFact)
	next.addFact(argumentFact, goesOn[valueFact])

	return interp.Chosen[facts]{Cases: []facts{ends}, Other: next}
}

// chooseRow selects a row of a machine. Guards are not known, so perhaps none holds.
func (w *workTexts) chooseRow(c interp.Choice, in facts) interp.Chosen[facts] {
	chosen := interp.Chosen[facts]{Cases: make([]facts, len(c.Rows)), Other: in}
	for i, row := range c.Rows {
		finish := Step{Do: "finish"}
		if !w.recordGuard(row, &finish) {
			continue
		}
		if c.Event == ir.OnSuccess {
			finish = w.requireCase(finish, "a guard decides", c.Conditions, i)
		} else {
			finish.openReason = "steps fail"
		}
		chosen.Cases[i] = in.withStep(finish)
	}

	return chosen
}
