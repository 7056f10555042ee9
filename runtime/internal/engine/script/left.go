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
		p.left(heads(p.script.agents), "turns", "the agent never asked for one"),
		p.left(heads(p.script.tools), "answers", "the tool was never called"),
		p.left(heads(p.script.funcs), "answers", "the function was never called"),
		p.left(heads(p.script.asks), "answers", "the question was never asked"),
		p.left(heads(p.script.guards), "answers", "the guard was never asked"),
	)
}

// left returns what was not played of lists.
func (p *Player) left(lists []*head, item, never string) error {
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
		errs = append(errs, l.where(played+1, problem))
	}

	return errors.Join(errs...)
}
