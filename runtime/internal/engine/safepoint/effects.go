package safepoint

import (
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// stoppable are effects that do not begin when the run is to end.
type stoppable struct {
	runtime.Effects
	stop *Stop
}

func (s *Stop) wrap(fx runtime.Effects) runtime.Effects {
	return &stoppable{Effects: fx, stop: s}
}

// during does an effect that is not interrupted.
func (s *Stop) during(effect func()) {
	if s.begin() {
		defer s.end()
	}
	effect()
}

func (d *stoppable) Model(r model.Request) (reply model.Reply, err error) {
	d.stop.during(func() { reply, err = d.Effects.Model(r) })

	return reply, err
}

func (d *stoppable) Tool(c runtime.ToolCall) (result runtime.ToolResult, err error) {
	d.stop.during(func() { result, err = d.Effects.Tool(c) })

	return result, err
}

func (d *stoppable) Call(c runtime.FuncCall) (result runtime.FuncResult, err error) {
	d.stop.during(func() { result, err = d.Effects.Call(c) })

	return result, err
}

func (d *stoppable) Guard(c runtime.GuardCall) (verdict runtime.Verdict, err error) {
	d.stop.during(func() { verdict, err = d.Effects.Guard(c) })

	return verdict, err
}

// Ask does not hold the end up: it is unknown when a person answers.
func (d *stoppable) Ask(q runtime.Question) (runtime.Answer, error) {
	d.stop.pass()

	return d.Effects.Ask(q)
}

// Sleep does not hold the end up: the rest of the time can be slept later.
func (d *stoppable) Sleep(wait time.Duration) error {
	d.stop.pass()

	return d.Effects.Sleep(wait)
}

// Backoff does not hold the end up, as Sleep does not.
func (d *stoppable) Backoff(agent string, attempt int, failed error, limits model.Retry) error {
	d.stop.pass()

	return d.Effects.Backoff(agent, attempt, failed, limits)
}

func (d *stoppable) Parallel(n, limit int, branch func(i int, fx runtime.Effects) error) error {
	d.stop.pass()

	return d.Effects.Parallel(n, limit, branch)
}
