package app

import (
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// door is what agents work through here: it closes after an interrupt, and tells progress who works.
type door struct {
	fx    runtime.Effects
	stop  *stop
	shown *progress
	// branch says that this is the door of a branch.
	branch bool
}

func (d *door) closed() error {
	if d.stop.requested.Load() {
		return errInterrupted
	}

	return nil
}

func (d *door) Model(r runtime.ModelRequest) (runtime.ModelReply, error) {
	if err := d.closed(); err != nil {
		return runtime.ModelReply{}, err
	}

	d.shown.works(r.Agent)

	return d.fx.Model(r)
}

func (d *door) Tool(c runtime.ToolCall) (runtime.ToolResult, error) {
	if err := d.closed(); err != nil {
		return runtime.ToolResult{}, err
	}

	return d.fx.Tool(c)
}

func (d *door) Call(c runtime.FuncCall) (runtime.FuncResult, error) {
	if err := d.closed(); err != nil {
		return runtime.FuncResult{}, err
	}

	return d.fx.Call(c)
}

func (d *door) Guard(c runtime.GuardCall) (runtime.Verdict, error) {
	if err := d.closed(); err != nil {
		return runtime.Verdict{}, err
	}

	return d.fx.Guard(c)
}

func (d *door) Ask(q runtime.Question) (runtime.Answer, error) {
	if err := d.closed(); err != nil {
		return runtime.Answer{}, err
	}

	return d.fx.Ask(q)
}

func (d *door) Sleep(wait time.Duration) error {
	if err := d.closed(); err != nil {
		return err
	}

	return d.fx.Sleep(wait)
}

func (d *door) Now() time.Time { return d.fx.Now() }

func (d *door) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	if err := d.closed(); err != nil {
		return err
	}
	if d.branch { // it waits for those inside of it
		d.shown.branches(-1)
		defer d.shown.branches(1)
	}

	return d.fx.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		d.shown.branches(1)
		defer d.shown.branches(-1)

		return branch(i, &door{fx: fx, stop: d.stop, shown: d.shown, branch: true})
	})
}

func (d *door) Note(e runtime.Event) { d.fx.Note(e) }

// Listen implements runtime.SignalDoor, if the engine does.
func (d *door) Listen(machine, state string, rules []runtime.SignalRule) (end func()) {
	if inner, ok := d.fx.(runtime.SignalDoor); ok {
		return inner.Listen(machine, state, rules)
	}

	return func() {}
}

// Limit implements runtime.BudgetDoor; it panics if the engine keeps no budgets.
func (d *door) Limit(agent, step string, b *runtime.Budget) (end func()) {
	return runtime.LimitStep(d.fx, agent, step, b)
}

// Watched implements runtime.Watcher: there is always an observer here.
func (d *door) Watched() bool { return true }
