package script

import (
	"errors"
	"fmt"

	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// End returns what was not played, in source order, each as a *runtime.ScriptError.
func (p *Player) End() error {
	p.mu.Lock()
	defer p.mu.Unlock()

	return errors.Join(
		p.unplayedItems(headsOf(p.script.agents), "turns", "the agent never asked for one"),
		p.unplayedItems(headsOf(p.script.tools), "answers", "the tool was never called"),
		p.unplayedItems(headsOf(p.script.funcs), "answers", "the function was never called"),
		p.unplayedItems(headsOf(p.script.asks), "answers", "the question was never asked"),
		p.unplayedItems(headsOf(p.script.guards), "answers", "the guard was never asked"),
	)
}

// unplayedItems returns an error for each list that has items that were not played.
func (p *Player) unplayedItems(lists []*head, item, never string) error {
	var errs []error
	for _, l := range lists {
		played := p.played[l]
		if played == l.size {
			continue
		}
		problem := fmt.Sprintf("left over: %s of %d", wording.Amount(item, int64(l.size-played)), l.size)
		if played == 0 {
			problem += " (" + never + ")"
		}
		errs = append(errs, l.errorAt(played+1, problem))
	}

	return errors.Join(errs...)
}
