package panel

import (
	"slices"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
)

// shownEffects show on the panel which effects are being executed.
type shownEffects struct {
	runtime.Effects
	shown *screen
	// path are the branches in which this is.
	path lane
	// home is the nearest lane in which a model was asked: tools that one turn calls side by side have lanes of their own, and the
	// agent that calls them is where its model is.
	home lane
}

// Watch implements progress.Panel.
func (s *screen) Watch(p *compiled.Program) *compiled.Program {
	s.atlas = newAtlas(p)

	return p.Through(func(fx runtime.Effects) runtime.Effects { return &shownEffects{Effects: fx, shown: s} })
}

// showDuring shows an effect while it is under way. who is called as scripts call who works in a branch.
func (d *shownEffects) showDuring(who, what string, effect func()) {
	if n := len(d.home); n > 0 {
		who += "@" + strconv.Itoa(d.home[n-1])
	}
	d.shown.changeView(func(v *view, now time.Time) { v.beginEffect(d.path, who, what, now) })
	defer d.shown.changeView(func(v *view, _ time.Time) { v.endEffect(d.path) })
	effect()
}

func (d *shownEffects) Model(r model.Request) (reply model.Reply, err error) {
	d.home = d.path
	d.showDuring(r.Agent, "model", func() { reply, err = d.Effects.Model(r) })

	return reply, err
}

func (d *shownEffects) Tool(c runtime.ToolCall) (result runtime.ToolResult, err error) {
	d.showDuring(c.Agent, "tool "+c.Tool.Name, func() { result, err = d.Effects.Tool(c) })

	return result, err
}

func (d *shownEffects) Call(c runtime.FuncCall) (result runtime.FuncResult, err error) {
	d.showDuring(c.Name, "function", func() { result, err = d.Effects.Call(c) })

	return result, err
}

func (d *shownEffects) Sleep(wait time.Duration) (err error) {
	d.showDuring("waits", wait.String(), func() { err = d.Effects.Sleep(wait) })

	return err
}

// Note receives states here, and not from the observer: when a run is resumed, the observer does not receive earlier
// events.
func (d *shownEffects) Note(e event.Event) {
	if e.Kind == event.Enter && len(d.path) == 0 {
		d.shown.changeView(func(v *view, _ time.Time) { v.enterState(e) })
	}
	d.Effects.Note(e)
}

func (d *shownEffects) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	return d.Effects.Parallel(n, limit, func(i int, fx runtime.Effects) error {
		inner := fx.(*shownEffects) // as the whole program works through them
		inner.path, inner.home = append(slices.Clip(d.path), i), d.home

		return branch(i, inner)
	})
}

// Watched implements runtime.Effects: there is always an observer here.
func (d *shownEffects) Watched() bool { return true }
