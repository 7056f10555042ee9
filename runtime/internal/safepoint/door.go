package safepoint

import (
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// door is what agents work through.
type door struct {
	runtime.Effects
	stop *Stop
}

func (s *Stop) door(fx runtime.Effects) runtime.Effects {
	return &door{Effects: fx, stop: s}
}

// during does an effect that is not broken off.
func (s *Stop) during(effect func()) {
	if s.begin() {
		defer s.end()
	}
	effect()
}

func (d *door) Model(r model.Request) (reply model.Reply, err error) {
	d.stop.during(func() { reply, err = d.Effects.Model(r) })

	return reply, err
}

func (d *door) Tool(c runtime.ToolCall) (result runtime.ToolResult, err error) {
	d.stop.during(func() { result, err = d.Effects.Tool(c) })

	return result, err
}

func (d *door) Call(c runtime.FuncCall) (result runtime.FuncResult, err error) {
	d.stop.during(func() { result, err = d.Effects.Call(c) })

	return result, err
}

func (d *door) Guard(c runtime.GuardCall) (verdict runtime.Verdict, err error) {
	d.stop.during(func() { verdict, err = d.Effects.Guard(c) })

	return verdict, err
}

// Ask does not hold the end up: nobody knows when a person answers.
func (d *door) Ask(q runtime.Question) (runtime.Answer, error) {
	d.stop.pass()

	return d.Effects.Ask(q)
}

// Sleep does not hold the end up: the rest of the time can be slept later.
func (d *door) Sleep(wait time.Duration) error {
	d.stop.pass()

	return d.Effects.Sleep(wait)
}

func (d *door) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	d.stop.pass()

	return d.Effects.Parallel(n, limit, branch)
}
