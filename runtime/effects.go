package runtime

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Effects is the interface through which a running machine does everything outside its own memory, and receives the
// results. The methods up to Parallel are effects: each call has an address, a dot path of 1-based effect ordinals
// and 0-based branch numbers such as 7.0.1. After cancellation every method returns the cause. An Effects value
// belongs to one branch; two goroutines must not use it at the same time.
//
// Middleware is a struct that embeds an Effects and overrides some methods; one that overrides Note overrides Watched
// too. Program.Through of package compiled runs a program's agents through middleware.
type Effects interface {
	// Model asks a language model for one turn. Its error is a *model.Error, or ends the run. The messages of the
	// request must not be written again; the next turn of a conversation appends to them.
	Model(model.Request) (model.Reply, error)
	// Tool executes one tool. A problem that the tool reports is part of the result; an error ends the run.
	Tool(ToolCall) (ToolResult, error)
	// Call calls a method of the user's Funcs.
	Call(FuncCall) (FuncResult, error)
	// Guard calls a method of the user's Guards. If that panics, the error is a *GuardError.
	Guard(GuardCall) (Verdict, error)
	// Ask waits for the answer of a person, however long it takes. An engine that cannot wait returns a *PausedError.
	Ask(Question) (Answer, error)
	// Sleep waits for the given time.
	Sleep(time.Duration) error
	// Backoff reports that work of an agent has failed, and waits before the next attempt, as after a failed call of a
	// model. attempt counts the attempts so far. First and Most of limits replace those of the engine, where they are not 0.
	Backoff(agent string, attempt int, failed error, limits model.Retry) error
	// Now returns the current time.
	Now() time.Time
	// Parallel calls branch for 0 to n-1, at most limit at a time (0: no limit). It waits for all of them, cancels
	// none by itself, and joins their errors in index order. A panic in a branch becomes the *PanicError of that
	// branch.
	Parallel(n, limit int, branch func(i int, fx Effects) error) error
	// Note passes an event to the observer; it never changes control flow and has no address of its own.
	Note(event.Event)
	// Watched reports whether there is an observer: without one, generated code builds no events.
	Watched() bool
	// Limit puts what this branch does until end is called under a budget: that of an agent or, unless step is "", of
	// a step of a workflow. Budgets nest: what is spent under an inner one also counts against those around it.
	// Branches of a parallel group spend from the budgets of the branch that started the group.
	Limit(agent, step string, b *Budget) (end func())
	// Listen announces that, until end is called, a machine with rules for signals is in a state. It changes nothing
	// in the machine; the engine uses it to find the innermost machine with a rule for a signal, and to stop at once
	// if that rule is force-stop.
	Listen(machine, state string, rules []signals.Rule) (end func())
}

// Effect is the kind of effect that a tool has outside the run.
type Effect string

// The effects of tools.
const (
	EffectRead     Effect = "read"
	EffectWrite    Effect = "write"
	EffectExternal Effect = "external"
)

// ToolSpec describes a tool as it is known at compile time. It must not be changed.
type ToolSpec struct {
	// Name is the canonical name, which scripts, events and gates use.
	Name        string
	Description string
	// Input is the JSON Schema of the arguments.
	Input string
	// Output is the JSON Schema of the result; "" for text.
	Output     string
	Effect     Effect
	Idempotent bool
	Confirm    bool
	// OnUnknown is fail, retry or ask, which is the same as "": what happens after an interruption, if it is not known
	// whether the call took place.
	OnUnknown string
	// Interruptible reports whether calls of a typed tool promise to return soon after their contexts have ended, as
	// code that implements [Interruptible].
	Interruptible bool
	// Builtin reports whether the engine provides the tool.
	Builtin bool
	// Server is the MCP server that provides the tool; "" for others. Builtin is false then.
	Server string
	// Check returns what is wrong with the arguments, in a sentence for the model; nil if they are valid.
	Check func(args json.RawMessage) error
	// CheckOutput returns what is wrong with a result that a person enters in place of the tool; nil if any result is
	// valid.
	CheckOutput func(result json.RawMessage) error
	// Question writes what a person who confirms a call is asked, from valid arguments; a line with the arguments
	// follows it. nil: whether the agent may call the tool with the arguments.
	Question func(args json.RawMessage) string
}

// ToolCall is one execution of a tool, whose arguments are valid according to Check.
type ToolCall struct {
	// Agent is the agent that calls.
	Agent string
	// ID is the id that the model gave the call.
	ID string
	// Called is the name by which the model called the tool: built-in tools have an older prefix too.
	Called string
	Tool   *ToolSpec
	Args   json.RawMessage
	// Vars are the names of the environment variables that ${NAME} in the arguments of a built-in tool may refer to:
	// those of the skills that have unlocked the tool. The values are not part of the call; the code that executes
	// the tool looks them up.
	Vars []string
	// Nth is the number of calls of this tool that the agent's run made before; it orders calls that run in parallel.
	Nth int
	// Run executes a typed tool in this process; nil for tools that are built in or provided by a server. An engine
	// that executes the tool elsewhere finds it by its name in [compiled.Program]. The engine has to recover from
	// panics.
	Run func(ctx context.Context, args json.RawMessage) (ToolResult, error)
}

// ToolResult is what a tool returned.
type ToolResult struct {
	// Text is the result: text, or JSON if JSON is set.
	Text string
	JSON bool
	// Problem is what went wrong, for the model; "" after success.
	Problem string
	// Shown is the number of bytes of Text, or of Problem, that a model sees at once; it reads the rest with a tool.
	// 0 is all of it. The engine sets it for results that are longer than the project's settings allow.
	Shown int
}

// FuncCall is a call of a method of Funcs.
type FuncCall struct {
	Name string
	Args json.RawMessage
	Run  func(ctx context.Context, args json.RawMessage) (json.RawMessage, error)
	// Timeout bounds the call; 0: no bound. A call that takes longer returns a *TimeoutError.
	Timeout time.Duration
	// Repeatable reports whether a call may be repeated when it is not known whether an interrupted call took place:
	// the author declares that this does no harm, or has failed calls repeated.
	Repeatable bool
	// OnUnknown has the meaning that it has in [ToolSpec], for a call that is not repeatable.
	OnUnknown string
	// Interruptible reports whether calls promise to return soon after their contexts have ended.
	Interruptible bool
	// Check returns what is wrong with a result that a person enters in place of the function; nil if any result is
	// valid.
	Check func(result json.RawMessage) error
	// CheckArgs returns why Run cannot read Args; nil if it reads any JSON. What answers in place of the function, such
	// as a script, calls it first, so that a call that would fail in Run fails there too, with the same error.
	CheckArgs func(args json.RawMessage) error
}

// FuncResult is what a function returned, as JSON.
type FuncResult struct {
	Value json.RawMessage
}

// GuardCall is a call of a named guard.
type GuardCall struct {
	Machine string
	State   string
	Key     string
	Name    string
	// Input describes the transition that the guard decides about.
	Input GuardInput[json.RawMessage]
	// Run calls the method of Guards. Its errors and panics become a *GuardError.
	Run func(ctx context.Context) (Verdict, error)
	// Signals is set if the call does not ask a guard but, under the name "signals:", which signals were
	// received.
	Signals *signals.Question
}

// Verdict is a guard's answer.
type Verdict struct {
	OK bool
	// Reason is why the answer is no.
	Reason string
	// Signal answers a call that asks for signals; nil if none was received.
	Signal *signals.Ruling
}

// Question is a question that a person has to answer.
type Question struct {
	// ID is the name of the human agent, the step or the tool to confirm.
	ID     string
	Agent  string
	Prompt string
	// Channel is the way to ask, such as email; "" for any.
	Channel string
	// Choices are the possible answers; nil if any text is one.
	Choices []string
	// Schema is the JSON Schema of the answer; "" for text.
	Schema string
	// Effect is set if the question is whether an interrupted call took place.
	Effect *event.UnknownEffect
	// Timeout is how long an answer is waited for; 0: as long as it takes. Then Ask returns a *TimeoutError.
	Timeout time.Duration
	// Due is when that time is over. The engine sets it.
	Due time.Time
	// IsTimer reports whether no person is asked: the run waits until Due, and Ask returns without an error. An answer
	// ends the wait before.
	IsTimer bool
	// Check returns what is wrong with an answer; nil if it is valid. If the field is nil, any of the choices is
	// valid, or any text if there are none.
	Check func(answer string) error
}

// OpenQuestion is a question for whose answer a run waits.
type OpenQuestion struct {
	Question
	// Address is the address of the effect that asks.
	Address string
}

// Name returns how an answer names the question: by its id or, if another open question has the same, by ID#ADDRESS.
func (q OpenQuestion) Name(open []OpenQuestion) string {
	for _, other := range open {
		if other.ID == q.ID && other.Address != q.Address {
			return q.ID + "#" + q.Address
		}
	}

	return q.ID
}

// Choose returns the choice that answer means, exactly or after folding; a question without choices accepts every
// answer as it is. A yes or no may also be written as true, y, false or n; for a schema of one boolean it is returned
// as JSON.
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

// Pause returns the event that reports that a run waits for an answer to the question.
func (q Question) Pause() event.Event {
	return event.Event{
		Kind: event.Pause, Agent: q.Agent, Name: q.ID, Text: q.Prompt, Channel: q.Channel, Choices: q.Choices, Effect: q.Effect,
		Schema: q.Schema, Example: q.Example(), Due: q.Due,
	}
}

// Answer is a person's answer.
type Answer struct {
	Value string
	// By names the person who answered, if that is known.
	By string
}
