package machinetest

import (
	"errors"
	"fmt"
	"github.com/agentc-dev/agentc/runtime/signals"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// input is what the machine is given.
const input = "a task"

// run is the door of one run: it answers for every model, and watches the machine.
type run struct {
	*explorer
	// choices are made in this order where an agent has a choice, and made counts them.
	choices []int
	made    int
	answers int
	// stopped is what ends the run early; options is then how many answers the choice has that was to be made.
	stopped error
	options int
	// frames are the machine and those within it that are running.
	frames []frame
	// expected is the state that the machine is to enter next, "" if it is to end; last is the result of the agent that ended last.
	expected string
	last     event.Event
	path     []string
}

// frame is a machine that is running.
type frame struct {
	machine, state string
	steps          int
	// answered is what was answered in the state: what it depends on how the machine goes on.
	answered []string
	// chosen are the choices that the agents in the state made: one that is asked again answers the same.
	chosen map[string]int
}

// What ends a run early, as a cancellation, so that no group takes it for the failure of a branch.
var (
	errChoice = &runtime.CancelledError{Reason: "an agent has a choice"}
	errStuck  = &runtime.CancelledError{Reason: "there is no answer that fits"}
)

func (r *run) stop(why error) error {
	if r.stopped == nil {
		r.stopped = why
	}

	return r.stopped
}

// position names where the run stands.
func (r *run) position() string {
	var b strings.Builder
	for _, f := range r.frames {
		fmt.Fprintf(&b, "%q%q%q", f.machine, f.state, f.answered)
	}

	return b.String()
}

func (r *run) steps() []int {
	steps := make([]int, len(r.frames))
	for i, f := range r.frames {
		steps[i] = f.steps
	}

	return steps
}

func (r *run) top() *frame {
	if len(r.frames) == 0 {
		return &frame{}
	}

	return &r.frames[len(r.frames)-1]
}

// Model answers for the model of an agent.
func (r *run) Model(request model.Request) (model.Reply, error) {
	r.answers++
	switch {
	case r.stopped != nil:
		return model.Reply{}, r.stopped
	case request.Turn > 0:
		last := request.Messages[len(request.Messages)-1].Text
		r.stuck[fmt.Sprintf("agent %q does not take an answer: %s", request.Agent, last)] = true

		return model.Reply{}, r.stop(errStuck)
	}

	options := r.plan.values.answers(request)
	choice := 0
	if len(options) > 1 {
		var err error
		who := request.Agent
		if len(request.Tools) == 0 {
			who = ""
		}
		if choice, err = r.choose(who, len(options)); err != nil {
			return model.Reply{}, err
		}
	}

	return options[choice], nil
}

// choose makes a choice between n answers of somebody. All texts that steps without tools say in a state are one choice, which
// is nobody's.
func (r *run) choose(who string, n int) (int, error) {
	f := r.top()
	choice, again := f.chosen[who]
	if !again {
		if r.made == len(r.choices) {
			r.options = n

			return 0, r.stop(errChoice)
		}
		choice = r.choices[r.made]
		r.made++
	}
	if f.chosen == nil {
		f.chosen = map[string]int{}
	}
	f.chosen[who] = choice
	f.answered = append(f.answered, fmt.Sprint(who, " ", choice))

	return choice, nil
}

// Tool is not called: no answer asks for a tool.
func (r *run) Tool(call runtime.ToolCall) (runtime.ToolResult, error) {
	return runtime.ToolResult{}, fmt.Errorf("the tool %s: %w", call.Tool.Name, errors.ErrUnsupported)
}

// Call is not called: no generated code does.
func (r *run) Call(call runtime.FuncCall) (runtime.FuncResult, error) {
	return runtime.FuncResult{}, fmt.Errorf("the function %s: %w", call.Name, errors.ErrUnsupported)
}

// Guard says yes in one run and no in another. In a state it says the same again. No signals come.
func (r *run) Guard(call runtime.GuardCall) (runtime.Verdict, error) {
	if r.stopped != nil {
		return runtime.Verdict{}, r.stopped
	}
	if call.Signals != nil {
		return runtime.Verdict{}, nil
	}
	r.answers++
	r.asked[call.Name] = true
	choice, err := r.choose("guard "+call.Name, 2)

	return runtime.Verdict{OK: choice == 0}, err
}

// Ask answers with the first choice, or with any text.
func (r *run) Ask(q runtime.Question) (runtime.Answer, error) {
	if len(q.Choices) > 0 {
		return runtime.Answer{Value: q.Choices[0]}, r.stopErr()
	}

	return runtime.Answer{Value: someText}, r.stopErr()
}

// Sleep does not wait.
func (r *run) Sleep(time.Duration) error { return r.stopErr() }

// Now is always the same.
func (r *run) Now() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

// Limit limits nothing: nothing is spent here.
func (r *run) Limit(string, string, *runtime.Budget) (end func()) { return func() {} }

func (r *run) Listen(string, string, []signals.Rule) (end func()) { return func() {} }

func (r *run) Watched() bool { return true }

// stopErr is the cause after the run was stopped.
func (r *run) stopErr() error { return r.stopped }

// Parallel runs the branches one after another. No key comes out of a group, so that what was answered in a branch is
// forgotten behind it.
func (r *run) Parallel(n, _ int, branch func(i int, fx runtime.Effects) error) error {
	depth := len(r.frames)
	before := *r.top()
	errs := make([]error, n)
	for i := range n {
		r.resume(depth, before, fmt.Sprint("branch ", i))
		if errs[i] = recovered(i, r, branch); r.stopped != nil {
			return r.stopped
		}
	}
	r.resume(depth, before, "group")

	return errors.Join(errs...)
}

// resume goes back to where a group began, and notes how far it has come.
func (r *run) resume(depth int, f frame, where string) {
	r.frames = r.frames[:depth]
	f.answered = append(f.answered[:len(f.answered):len(f.answered)], where)
	chosen := make(map[string]int, len(f.chosen))
	for who, choice := range f.chosen {
		chosen[who] = choice
	}
	f.chosen = chosen
	if depth > 0 {
		r.frames[depth-1] = f
	}
}

// recovered runs a branch. A panic in it is its error.
func recovered(i int, fx runtime.Effects, branch func(i int, fx runtime.Effects) error) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &runtime.PanicError{Where: fmt.Sprint("branch ", i), Value: value}
		}
	}()

	return branch(i, fx)
}
