package app

import (
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// door is what agents work through here: it tells progress who works.
type door struct {
	runtime.Effects
	shown *progress
	// path are the branches in which this is.
	path lane
	// home is the nearest lane in which a model was asked: tools that one turn calls side by side have lanes of their own, and the
	// agent that calls them is where its model is.
	home lane
}

// watched returns the program with agents that work through a door.
func (p *progress) watched(program *compiled.Program) *compiled.Program {
	p.atlas = newAtlas(program)

	return program.Through(func(fx runtime.Effects) runtime.Effects { return &door{Effects: fx, shown: p} })
}

// during shows an effect while it is under way. who is called as scripts call who works in a branch.
func (d *door) during(who, what string, effect func()) {
	if n := len(d.home); n > 0 {
		who += "@" + decimal(d.home[n-1])
	}
	d.shown.changed(func(v *view, now time.Time) { v.begin(d.path, who, what, now) })
	defer d.shown.changed(func(v *view, _ time.Time) { v.end(d.path) })
	effect()
}

func (d *door) Model(r model.Request) (reply model.Reply, err error) {
	d.home = d.path
	d.during(r.Agent, "model", func() { reply, err = d.Effects.Model(r) })

	return reply, err
}

func (d *door) Tool(c runtime.ToolCall) (result runtime.ToolResult, err error) {
	d.during(c.Agent, "tool "+c.Tool.Name, func() { result, err = d.Effects.Tool(c) })

	return result, err
}

func (d *door) Call(c runtime.FuncCall) (result runtime.FuncResult, err error) {
	d.during(c.Name, "function", func() { result, err = d.Effects.Call(c) })

	return result, err
}

func (d *door) Sleep(wait time.Duration) (err error) {
	d.during("waits", wait.String(), func() { err = d.Effects.Sleep(wait) })

	return err
}

// Note hears of states here, and not where events are told: in a run that is resumed, those of before are told to nobody.
func (d *door) Note(e event.Event) {
	if e.Kind == event.Enter && len(d.path) == 0 {
		d.shown.changed(func(v *view, _ time.Time) { v.enter(e) })
	}
	d.Effects.Note(e)
}

func (d *door) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	return d.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		inner := fx.(*door) // as the whole program works through doors
		inner.path, inner.home = append(slices.Clip(d.path), i), d.home

		return branch(i, inner)
	})
}

// Watched implements runtime.Effects: there is always an observer here.
func (d *door) Watched() bool { return true }
