package access

import (
	"slices"
	"strings"
)

// Right is something that a caller may do.
type Right string

// The rights. Every caller may also read the runs that it has started.
const (
	// Start starts runs, and resumes runs that failed or were interrupted; for more see [ResumeRights].
	Start Right = "start"
	// Read shows the runs of other callers.
	Read Right = "read"
	// Answer answers the questions of runs that the caller can see.
	Answer Right = "answer"
	// Cancel ends runs that the caller can see, and with Start resumes runs that were cancelled.
	Cancel Right = "cancel"
	// Fire sends keys, acknowledgements and signals to machines, and writes on the blackboard.
	Fire Right = "fire"
	// Admin makes copies of runs with other replies, and resumes runs by a program of another shape. A copy can hold
	// an answer that no person gave, so this right includes all approvals.
	Admin Right = "admin"
)

// Rights returns all rights.
func Rights() []Right { return []Right{Start, Read, Answer, Cancel, Fire, Admin} }

// ResumeRights returns the rights that a caller needs to resume a run: one that was cancelled, or one by force.
func ResumeRights(wasCancelled, isForced bool) []Right {
	rights := []Right{Start}
	if wasCancelled {
		rights = append(rights, Cancel)
	}
	if isForced {
		rights = append(rights, Admin)
	}

	return rights
}

// Grant is what the holder of a token may do. An empty list permits everything that it could name.
type Grant struct {
	// Name is recorded with the runs that the caller starts and the answers that it gives.
	Name   string  `json:"name"`
	Rights []Right `json:"rights"`
	// Agents are the agents and workflows whose runs the rights are for: those that were started, not those that
	// they call.
	Agents []string `json:"agents"`
	// Questions are the ids of the questions that Answer is for.
	Questions []string `json:"questions"`
	// Machines are the live machines that Fire and Read are for.
	Machines []string `json:"machines"`
}

// Has reports whether the grant includes the right, for some agents, questions or machines at least.
func (g Grant) Has(right Right) bool { return isPermitted(g.Rights, right) }

// HasAgent reports whether the rights of the grant are for the runs of an agent.
func (g Grant) HasAgent(agent string) bool { return isPermitted(g.Agents, agent) }

// CanSee reports whether the caller may see a run: it has started the run, or may read those of its agent.
func (g Grant) CanSee(t Target) bool {
	isOwn := t.By != "" && t.By == g.Name

	return isOwn || g.Has(Read) && isPermitted(g.Agents, t.Agent)
}

// isPermitted reports whether a list permits a value.
func isPermitted[T comparable](list []T, value T) bool {
	return len(list) == 0 || slices.Contains(list, value)
}

// Target is what a right is asked for. Fields that do not matter to the request are "".
type Target struct {
	// By is the caller who has started the run, Agent the agent that was started, or is to be.
	By, Agent string
	// Question is the id of a question of the run.
	Question string
	// Machine is the name of a live machine.
	Machine string
}

// checkRight returns why the grant does not include the right for the target. Errors: *RightError.
func (g Grant) checkRight(right Right, t Target) error {
	refused := &RightError{Caller: g.Name, Right: right}
	switch {
	case !g.Has(right):
		return refused
	case t.Agent != "" && !isPermitted(g.Agents, t.Agent):
		refused.Kind, refused.Value, refused.Permitted = "agent", t.Agent, g.Agents
	case t.Question != "" && right == Answer && !isPermitted(g.Questions, t.Question):
		refused.Kind, refused.Value, refused.Permitted = "question", t.Question, g.Questions
	case t.Machine != "" && !slices.ContainsFunc(g.Machines, sameMachine(t.Machine)) && len(g.Machines) > 0:
		refused.Kind, refused.Value, refused.Permitted = "machine", t.Machine, g.Machines
	default:
		return nil
	}

	return refused
}

// Complete returns the grant with all its rights by name, and without nil lists.
func (g Grant) Complete() Grant {
	if len(g.Rights) == 0 {
		g.Rights = Rights()
	}
	g.Agents, g.Questions, g.Machines = append([]string{}, g.Agents...), append([]string{}, g.Questions...), append([]string{}, g.Machines...)

	return g
}

// sameMachine compares names of machines as the tools of machines do: _ and - are the same.
func sameMachine(name string) func(other string) bool {
	return func(other string) bool {
		return strings.ReplaceAll(other, "_", "-") == strings.ReplaceAll(name, "_", "-")
	}
}
