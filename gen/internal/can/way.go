package can

import (
	"github.com/agentc-dev/agentc/gen/internal/interp"
	"github.com/agentc-dev/agentc/gen/internal/ir"
)

// Choose lets all runs take each case, and notes on their paths what a script has to say for it.
func (w *workTexts) Choose(c interp.Choice, in facts) interp.Chosen[facts] {
	switch {
	case c.Branch != nil:
		return w.chooseArm(c, in)
	case c.Loop != nil:
		return w.chooseTurn(c, in)
	}

	return w.chooseRow(c, in)
}

// chooseArm chooses a branch of a conditional.
func (w *workTexts) chooseArm(c interp.Choice, in facts) interp.Chosen[facts] {
	const why = "a branch is chosen"
	taken := func(number int) facts {
		step := Step{Do: "choose", Agent: w.nameOf(c.Task), Branch: number + 1}
		return in.with(w.way(step, why, c.Conditions, number))
	}
	chosen := interp.Chosen[facts]{Other: taken(c.Cases), Blocked: in}
	for number := range c.Cases {
		chosen.Cases = append(chosen.Cases, taken(number))
	}

	return chosen
}

// chooseTurn lets a loop end, or begin a turn that is given the output of the one before.
func (w *workTexts) chooseTurn(c interp.Choice, in facts) interp.Chosen[facts] {
	why := "an expression decides"
	if c.Conditions == nil {
		why = "a function decides"
	}
	ends := in.with(w.way(Step{Do: "finish"}, why, c.Conditions, 0))
	goesOn := in.with(w.way(Step{Do: "finish"}, why, c.Conditions, 1))
	next := goesOn.without(argument, value)
	next.add(argument, goesOn[value])

	return interp.Chosen[facts]{Cases: []facts{ends}, Other: next}
}

// chooseRow chooses a row of a machine. Nothing is known of guards, so that perhaps none holds.
func (w *workTexts) chooseRow(c interp.Choice, in facts) interp.Chosen[facts] {
	chosen := interp.Chosen[facts]{Cases: make([]facts, len(c.Rows)), Other: in}
	for i, row := range c.Rows {
		finish := Step{Do: "finish"}
		if !w.passes(row, &finish) {
			continue
		}
		if c.Event == ir.OnSuccess {
			finish = w.way(finish, "a guard decides", c.Conditions, i)
		} else {
			finish.open = "steps fail"
		}
		chosen.Cases[i] = in.with(finish)
	}

	return chosen
}
