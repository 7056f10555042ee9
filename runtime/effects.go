package runtime

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Effects is the way to the world: everything that a running machine does to the world, and all that it learns from it, goes through
// one of these methods. All of them up to Parallel count as effects and have an address, a dot path of 1-based effect ordinals and
// 0-based branch numbers such as 7.0.1. After cancellation every method returns the cause. An Effects value belongs to one
// branch and must not be used by two goroutines.
//
// Middleware is a struct that embeds an Effects and overrides what it changes, with Note also Watched; Program.Through of package compiled makes agents work through it.
type Effects interface {
	// Model asks a language model for one turn. Errors are *model.Error, or end the run.
	Model(model.Request) (model.Reply, error)
	// Tool runs one tool. What the tool reports as wrong is in the result; an error ends the run.
	Tool(ToolCall) (ToolResult, error)
	// Call runs a method of the user's Funcs.
	Call(FuncCall) (FuncResult, error)
	// Guard asks a method of the user's Guards. A panic of it is a *GuardError.
	Guard(GuardCall) (Verdict, error)
	// Ask waits for a person, for days if need be. An engine that cannot wait returns *PausedError.
	Ask(Question) (Answer, error)
	// Sleep waits.
	Sleep(time.Duration) error
	// Now tells the time.
	Now() time.Time
	// Parallel runs branch for 0 to n-1, at most limit at a time (0: no limit), waits for all of them, cancels none by itself,
	// and joins their errors in index order. A panic in a branch is a *PanicError of that branch.
	Parallel(n, limit int, branch func(i int, fx Effects) error) error
	// Note gives the observer an event; it never changes control flow and has no address of its own.
	Note(event.Event)
	// Watched reports whether there is an observer: without one orchestration builds no events.
	Watched() bool
	// Limit says that what this branch does from now on, until end is called, is done under a budget: that of an agent, or if step is
	// not "" of a step of a workflow. Budgets nest: what is spent in an inner one is spent of those around it, too. The branches of a
	// parallel group spend what the branch has that began it.
	Limit(agent, step string, b *Budget) (end func())
	// Listen says that a machine with rules for signals is in a state, until end is called. It changes nothing that a machine does, but
	// lets an engine find the innermost machine with a rule, and stop at once where that says force-stop.
	Listen(machine, state string, rules []signals.Rule) (end func())
}

// Effect is what a tool does to the world.
type Effect string

// The effects of tools.
const (
	EffectRead     Effect = "read"
	EffectWrite    Effect = "write"
	EffectExternal Effect = "external"
)

// ToolSpec is what is known of a tool at compile time. It must not be changed.
type ToolSpec struct {
	// Name is canonical: scripts, events and gates use it.
	Name        string
	Description string
	// Input is the JSON Schema of the arguments.
	Input string
	// Output is the JSON Schema of the result; "" for text.
	Output     string
	Effect     Effect
	Idempotent bool
	Confirm    bool
	// OnUnknown is fail, retry or ask.
	OnUnknown string
	// Builtin says that the engine provides the tool.
	Builtin bool
	// Server is the MCP server that has the tool; "" for others. Builtin is false then.
	Server string
	// Check says what is wrong with arguments, in a sentence for the model; nil when they fit.
	Check func(args json.RawMessage) error
	// CheckOutput says what is wrong with a result that a person gives in the tool's place; nil where any fits.
	CheckOutput func(result json.RawMessage) error
}

// ToolCall is one execution of a tool. Its arguments have passed Check.
type ToolCall struct {
	// Agent is who calls.
	Agent string
	// ID is the model's id of the call.
	ID string
	// Called is the tool as the model has called it: a built-in one may have the older prefix.
	Called string
	Tool   *ToolSpec
	Args   json.RawMessage
	// Vars are the names of the variables of the environment that ${NAME} in the arguments of a built-in tool may stand for: what the
	// skills that have unlocked the tool have in theirs. The values stand nowhere: who runs the tool looks them up.
	Vars []string
	// Nth is how many calls of this tool the agent's run has executed before: calls that run in parallel keep their order by it.
	Nth int
	// Run executes a typed tool in this process; nil for a built-in one and one of a server. An engine that executes elsewhere
	// finds the tool by its name in [compiled.Program]. A panic is the engine's to catch.
	Run func(ctx context.Context, args json.RawMessage) (ToolResult, error)
}

// ToolResult is what a tool gave back.
type ToolResult struct {
	// Text is the result: text, or JSON if JSON is set.
	Text string
	JSON bool
	// Problem says what went wrong, for the model; "" after success.
	Problem string
	// Shown is how many bytes of Text, or of Problem, a model sees at once; it reads the rest with a tool. 0: all of it. The engine says
	// so, by the settings of the project, of a longer result.
	Shown int
}

// FuncCall is a call of a method of Funcs.
type FuncCall struct {
	Name string
	Args json.RawMessage
	Run  func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)
	// Timeout bounds the call; 0: no bound. A call that takes longer is a *TimeoutError.
	Timeout time.Duration
	// Repeatable says that the author allows the call to be made again when it has failed: then it may also be made again when nobody
	// knows whether it has happened.
	Repeatable bool
	// Check says what is wrong with a result that a person gives in the function's place; nil where any fits.
	Check func(result json.RawMessage) error
}

// FuncResult is what a function gave back, as JSON.
type FuncResult struct {
	Value json.RawMessage
}

// GuardCall is a question to a named guard.
type GuardCall struct {
	Machine string
	State   string
	Key     string
	Name    string
	// Input is what the guard is asked about.
	Input GuardInput[json.RawMessage]
	// Run asks the method of Guards. An error of it is a *GuardError, as is a panic.
	Run func(ctx context.Context) (Verdict, error)
	// Signals is set where it is no guard that is asked but, under the name signals.GuardName, which signals have come.
	Signals *signals.Question
}

// Verdict is a guard's answer.
type Verdict struct {
	OK bool
	// Reason says why not.
	Reason string
	// Signal answers a question for signals; nil if none has come.
	Signal *signals.Ruling
}

// Question is something that a person has to answer.
type Question struct {
	// ID is the human agent's, step's or confirmed tool's name.
	ID     string
	Agent  string
	Prompt string
	// Channel says by which way to ask, such as email; "" for any.
	Channel string
	// Choices are the answers to choose from; nil: any text.
	Choices []string
	// Schema is the JSON Schema of the answer; "" for text.
	Schema string
	// Effect is set where the question is whether a call has happened that was interrupted.
	Effect *event.UnknownEffect
	// Check says what is wrong with an answer; nil when it fits. Without it any text does that is among the choices, if there are some.
	Check func(answer string) error
}

// Choose returns the choice that answer means, exactly or folded; a question without choices takes every answer as it is.
// A yes or no may also be said as true, y, false or n; for a schema of one boolean it is returned as JSON.
func (q Question) Choose(answer string) (choice string, ok bool) {
	if q.Effect != nil {
		return q.Effect.Choose(answer)
	}
	if len(q.Choices) == 0 {
		if meant := q.yesNo(answer); meant != "" {
			return meant, true
		}
		return answer, true
	}
	if slices.Contains(q.Choices, answer) {
		return answer, true
	}

	meant := []string{wording.Fold(answer)}
	switch meant[0] {
	case "true", "y":
		meant = append(meant, "yes")
	case "false", "n":
		meant = append(meant, "no")
	}
	for _, folded := range meant {
		for _, c := range q.Choices {
			if wording.Fold(c) == folded {
				return c, true
			}
		}
	}

	return "", false
}

// Pause is the event that a run waits for an answer to the question.
func (q Question) Pause() event.Event {
	return event.Event{
		Kind: event.Pause, Agent: q.Agent, Name: q.ID, Text: q.Prompt, Channel: q.Channel, Choices: q.Choices, Effect: q.Effect,
		Schema: q.Schema, Example: q.Example(),
	}
}

// Answer is what a person said.
type Answer struct {
	Value string
	// By says who answered, if that is known.
	By string
}
