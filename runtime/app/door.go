package app

import "github.com/agentc-dev/agentc/runtime"

// door is what agents work through here: it tells progress who works. It is also what engines may be beside [runtime.Effects],
// where the engine is.
type door struct {
	runtime.Effects
	shown *progress
	// branch says that this is the door of a branch.
	branch bool
}

// watched returns the program with agents that work through a door.
func (p *progress) watched(program *runtime.Program) *runtime.Program {
	return program.Through(func(fx runtime.Effects) runtime.Effects { return &door{Effects: fx, shown: p} })
}

func (d *door) Model(r runtime.ModelRequest) (runtime.ModelReply, error) {
	d.shown.works(r.Agent)

	return d.Effects.Model(r)
}

func (d *door) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	if d.branch { // it waits for those inside of it
		d.shown.branches(-1)
		defer d.shown.branches(1)
	}

	return d.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		d.shown.branches(1)
		defer d.shown.branches(-1)

		return branch(i, &door{Effects: fx, shown: d.shown, branch: true})
	})
}

// Listen implements runtime.SignalDoor, if the engine does.
func (d *door) Listen(machine, state string, rules []runtime.SignalRule) (end func()) {
	if inner, ok := d.Effects.(runtime.SignalDoor); ok {
		return inner.Listen(machine, state, rules)
	}

	return func() {}
}

// Limit implements runtime.BudgetDoor; it panics if the engine keeps no budgets.
func (d *door) Limit(agent, step string, b *runtime.Budget) (end func()) {
	return runtime.LimitStep(d.Effects, agent, step, b)
}

// Watched implements runtime.Watcher: there is always an observer here.
func (d *door) Watched() bool { return true }
