package script

import (
	"errors"
	"fmt"
)

// End returns what was not played, in source order, each as a *runtime.ScriptError.
func (p *Player) End() error {
	p.mu.Lock()
	defer p.mu.Unlock()

	return errors.Join(
		p.left(heads(p.script.agents), "turn", "the agent never asked for one"),
		p.left(heads(p.script.tools), "answer", "the tool was never called"),
		p.left(heads(p.script.funcs), "answer", "the function was never called"),
		p.left(heads(p.script.asks), "answer", "the question was never asked"),
		p.left(heads(p.script.guards), "answer", "the guard was never asked"),
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
		problem := fmt.Sprintf("left over: %s of %d", count(l.size-played, item), l.size)
		if played == 0 {
			problem += " (" + never + ")"
		}
		errs = append(errs, l.where(played+1, problem))
	}

	return errors.Join(errs...)
}
