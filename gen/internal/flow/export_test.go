package flow

import "github.com/agentc-dev/agentc/gen/internal/ir"

// CountCombinations returns how many combinations of values are looked at in a workflow when all
// variables are followed; -1 where these are too many.
func (p *Program) CountCombinations(w *ir.Flow) int {
	may, sure, _ := p.followBoth(w, withInputs)
	if may.hasGivenUp || sure.hasGivenUp {
		return -1
	}

	return may.count + sure.count
}
