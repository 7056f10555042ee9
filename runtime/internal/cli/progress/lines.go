package progress

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
	"github.com/agentc-dev/agentc/runtime/internal/inspect/trace"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// lines decides which lines about a run stay. Who does something in a branch of a group is called
// as scripts call it: draft@2.
type lines struct {
	// agent is what was started.
	agent string
	// expect has, for a machine in a branch, the state that its last transition led to.
	expect map[seat]string
	// states has, by branch, the states of its machines.
	states map[string]map[string]string
	// asked are the branches in which a model has answered: tools that one turn calls side by side have branches of their own.
	asked map[string]bool
	// failed has, by branch, why the last attempt of a call failed.
	failed map[string]string
	// estimated reports whether a line has reported that tokens are estimated.
	estimated bool
	// held are errors that may turn out to be how the run ends, which is shown elsewhere.
	held []line
}

type line struct {
	who, text string
}

// seat is a machine in a branch.
type seat struct {
	branch, machine string
}

// newLines begins with the lines of a run of the agent.
func newLines(agent string) lines {
	return lines{
		agent: agent, expect: map[seat]string{}, states: map[string]map[string]string{}, asked: map[string]bool{},
		failed: map[string]string{},
	}
}

// shown are the functions that show events, for the kinds whose row says so.
var shown = eventkind.Functions[event.Kind, func(*lines, *event.Event) []line]{
	{Kind: event.Run, Call: (*lines).showBegin},
	{Kind: event.Enter, Call: (*lines).showState},
	{Kind: event.Transition, Call: (*lines).showTransition},
	{Kind: event.Model, Call: (*lines).showModel},
	{Kind: event.Tool, Call: (*lines).showTool},
	{Kind: event.Retry, Call: (*lines).showRetry},
	{Kind: event.Finish, Call: (*lines).showFinish},
	{Kind: event.Error, Call: (*lines).holdError},
	{Kind: event.End, Call: (*lines).showEnd},
}

// linesFor returns the lines for the next event.
func (l *lines) linesFor(e *event.Event) []line {
	own := l.showEvent(e)
	if e.Kind == event.Error {
		return nil // it is held
	}
	own = append(l.held, own...)
	l.held = nil

	return own
}

// showEvent returns the lines about an event, by the row of its kind.
func (l *lines) showEvent(e *event.Event) []line {
	kind := eventkind.Of(string(e.Kind))
	switch {
	case kind == nil:
	case kind.Progress == eventkind.Custom:
		return shown.Of(e.Kind)(l, e)
	case kind.Progress == eventkind.Generic:
		return branchLine(trace.BranchOf(e.Address), cmp.Or(e.Agent, l.agent), eventtext.Line(kind.Line, e))
	}

	return nil
}

func (l *lines) showBegin(e *event.Event) []line {
	*l = newLines(e.Agent)

	return nil
}

func (l *lines) showTransition(e *event.Event) []line {
	branch := trace.BranchOf(e.Address)
	l.expect[seat{branch, e.Machine}] = e.To

	return branchLine(branch, e.Machine, Transition(e))
}

// showModel reports once that tokens are estimated.
func (l *lines) showModel(e *event.Event) []line {
	branch := trace.BranchOf(e.Address)
	l.asked[branch] = true
	if !e.Usage.Estimated || l.estimated {
		return nil
	}
	l.estimated = true

	return branchLine(branch, e.Agent, Estimated(e.Name))
}

func (l *lines) showTool(e *event.Event) []line {
	return branchLine(l.branchOfCaller(e.Address), e.Agent, lineOf(e))
}

// holdError keeps an error that may turn out to be the end of the run.
func (l *lines) holdError(e *event.Event) []line {
	l.held = append(l.held, branchLine(trace.BranchOf(e.Address), e.Agent, lineOf(e))...)

	return nil
}

// showEnd drops the errors that are the end of the run.
func (l *lines) showEnd(e *event.Event) []line {
	if e.Status != "done" {
		l.held = nil
	}

	return nil
}

// lineOf are the words that the row of an event has.
func lineOf(e *event.Event) string { return eventtext.Line(eventkind.Of(string(e.Kind)).Line, e) }

// showRetry describes what follows an attempt that has failed. The reason is printed once for
// successive attempts that failed alike.
func (l *lines) showRetry(e *event.Event) []line {
	next := "again in " + wording.Wait(e.Wait)
	if e.Name != "" {
		next = e.Name + " is asked instead"
	}

	problem, branch := e.Problem, trace.BranchOf(e.Address)
	if e.Count > 1 && Alike(l.failed[branch], problem) {
		problem = SameProblem
	}
	l.failed[branch] = e.Problem

	return branchLine(branch, e.Agent, fmt.Sprintf("attempt %d failed, %s: %s", e.Count, next, problem))
}

// Estimated explains that a model's tokens are estimates, and why.
func Estimated(name string) string {
	return strings.TrimSuffix("the server reports no usage of "+name, " of ") +
		": tokens and cost are estimated from the bytes of texts, and budgets count that"
}

// SameProblem replaces a problem that was shown right before.
const SameProblem = "the same"

// Alike reports whether two problems differ in nothing but the provider's name for the request.
func Alike(a, b string) bool { return withoutRequest(a) == withoutRequest(b) }

func withoutRequest(problem string) string {
	if at := strings.LastIndex(problem, " (request "); at >= 0 && strings.HasSuffix(problem, ")") {
		return problem[:at]
	}

	return problem
}

// branchLine returns a line about a caller in a branch.
func branchLine(branch, who, text string) []line {
	if branch != "" {
		who += "@" + branch[strings.LastIndexByte(branch, '.')+1:]
	}

	return []line{{who, text}}
}

// showState shows a state unless the transition that led there has.
func (l *lines) showState(e *event.Event) []line {
	branch := trace.BranchOf(e.Address)
	if l.states[branch] == nil {
		l.states[branch] = map[string]string{}
	}
	l.states[branch][e.Machine] = e.State
	expected := l.expect[seat{branch, e.Machine}]
	delete(l.expect, seat{branch, e.Machine})
	if expected == e.State {
		return nil
	}

	return branchLine(branch, e.Machine, e.State)
}

// showFinish reports an agent that has ended, unless a transition or the end of the run does.
func (l *lines) showFinish(e *event.Event) []line {
	branch := trace.BranchOf(e.Address)
	if branch == "" && e.Agent == l.agent {
		return nil
	}
	for machine, state := range l.states[branch] {
		if e.Agent == machine || e.Agent == state {
			return nil
		}
	}
	text := "finished"
	if e.Key != "" && e.Key != "done" {
		text += " with " + e.Key
	}

	return branchLine(branch, e.Agent, text)
}

// branchOfCaller is the branch in which the agent runs that calls a tool: the nearest in which a model has answered.
func (l *lines) branchOfCaller(address string) string {
	branch := trace.BranchOf(address)
	for branch != "" && !l.asked[branch] {
		branch = trace.BranchOf(branch[:strings.LastIndexByte(branch, '.')])
	}

	return branch
}

// Transition shows a row that was taken.
func Transition(e *event.Event) string {
	arrow := "-->"
	if e.Matched != string(rt.MatchUnconditional) {
		arrow = "--" + e.Key + "-->"
	}
	to := e.To
	if to == "" {
		to = "end"
	}

	return e.State + " " + arrow + " " + to
}
