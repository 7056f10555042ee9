package script

import (
	"errors"
	"fmt"
	"strings"
)

// End returns what was not played, in source order, each as a *runtime.ScriptError. reached are the agents that the run could
// get to, nil for all: turns of others are not left over, nor are answers that nobody asked for, since they may be theirs.
func (p *Player) End(reached map[string]bool) error {
	p.mu.Lock()
	defer p.mu.Unlock()

	theirs := func(name string) bool {
		agent, _, _ := strings.Cut(name, "/")

		return reached != nil && !reached[agent]
	}

	return errors.Join(
		p.left(heads(p.script.agents), theirs, "turn", "the agent never asked for one"),
		p.left(heads(p.script.tools), theirs, "answer", "the tool was never called"),
		p.left(heads(p.script.funcs), theirs, "answer", "the function was never called"),
		p.left(heads(p.script.asks), theirs, "answer", "the question was never asked"),
		p.left(heads(p.script.guards), theirs, "answer", "the guard was never asked"),
	)
}

// left returns what was not played of lists. A list of which nothing was played counts unless theirs says that its name is
// somebody's whom the run could not get to.
func (p *Player) left(lists []*head, theirs func(name string) bool, item, never string) error {
	var errs []error
	for _, l := range lists {
		played := p.played[l]
		if played == l.size || played == 0 && theirs(l.base) {
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
