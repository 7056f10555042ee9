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

// lines says which lines about a run stay. Who does something in a branch of a group is called as scripts call it: draft@2.
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
	// estimated says that the lines said that tokens are estimated.
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
	{Kind: event.Run, Call: (*lines).begin},
	{Kind: event.Enter, Call: (*lines).enter},
	{Kind: event.Transition, Call: (*lines).transition},
	{Kind: event.Model, Call: (*lines).model},
	{Kind: event.Tool, Call: (*lines).tool},
	{Kind: event.Retry, Call: (*lines).retry},
	{Kind: event.Finish, Call: (*lines).finish},
	{Kind: event.Error, Call: (*lines).hold},
	{Kind: event.End, Call: (*lines).end},
}

// of returns the lines for the next event.
func (l *lines) of(e *event.Event) []line {
	own := l.show(e)
	if e.Kind == event.Error {
		return nil // it is held
	}
	own = append(l.held, own...)
	l.held = nil

	return own
}

// show returns the lines about an event, as the row of its kind says.
func (l *lines) show(e *event.Event) []line {
	kind := eventkind.Of(string(e.Kind))
	switch {
	case kind == nil:
	case kind.Progress == eventkind.Custom:
		return shown.Of(e.Kind)(l, e)
	case kind.Progress == eventkind.Generic:
		return at(trace.BranchOf(e.Address), cmp.Or(e.Agent, l.agent), eventtext.Line(kind.Line, e))
	}

	return nil
}

func (l *lines) begin(e *event.Event) []line {
	*l = newLines(e.Agent)

	return nil
}

func (l *lines) transition(e *event.Event) []line {
	branch := trace.BranchOf(e.Address)
	l.expect[seat{branch, e.Machine}] = e.To

	return at(branch, e.Machine, Transition(e))
}

// model says once that tokens are estimated.
func (l *lines) model(e *event.Event) []line {
	branch := trace.BranchOf(e.Address)
	l.asked[branch] = true
	if !e.Usage.Estimated || l.estimated {
		return nil
	}
	l.estimated = true

	return at(branch, e.Agent, Estimated(e.Name))
}

func (l *lines) tool(e *event.Event) []line {
	return at(l.home(e.Address), e.Agent, lineOf(e))
}

// hold keeps an error that may turn out to be how the run ends.
func (l *lines) hold(e *event.Event) []line {
	l.held = append(l.held, at(trace.BranchOf(e.Address), e.Agent, lineOf(e))...)

	return nil
}

// end drops the errors that are how the run ends.
func (l *lines) end(e *event.Event) []line {
	if e.Status != "done" {
		l.held = nil
	}

	return nil
}

// lineOf are the words that the row of an event has.
func lineOf(e *event.Event) string { return eventtext.Line(eventkind.Of(string(e.Kind)).Line, e) }

// retry says what comes after an attempt that has failed. Why it failed is said once for attempts in a row that failed alike.
func (l *lines) retry(e *event.Event) []line {
	next := "again in " + wording.Wait(e.Wait)
	if e.Name != "" {
		next = e.Name + " is asked instead"
	}

	problem, branch := e.Problem, trace.BranchOf(e.Address)
	if e.Count > 1 && Alike(l.failed[branch], problem) {
		problem = SameProblem
	}
	l.failed[branch] = e.Problem

	return at(branch, e.Agent, fmt.Sprintf("attempt %d failed, %s: %s", e.Count, next, problem))
}

// Estimated says that a model's tokens are estimates, and why.
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

// at is a line about a caller in a branch.
func at(branch, who, text string) []line {
	if branch != "" {
		who += "@" + branch[strings.LastIndexByte(branch, '.')+1:]
	}

	return []line{{who, text}}
}

// enter shows a state unless the transition that led there has.
func (l *lines) enter(e *event.Event) []line {
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

	return at(branch, e.Machine, e.State)
}

// finish reports an agent that has ended, unless a transition or the end of the run does.
func (l *lines) finish(e *event.Event) []line {
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

	return at(branch, e.Agent, text)
}

// home is the branch in which the agent runs that calls a tool: the nearest in which a model has answered.
func (l *lines) home(address string) string {
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
