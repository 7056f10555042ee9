package workflow

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Agent runs an agent of the workflow. Its input is rendered as in a template.
func (r *Run) Agent(spec *rt.OneshotSpec, input Value) (Value, error) {
	return r.ResultOf(spec.Run(r.fx, input.String()))
}

// Conversation is what an agent in a loop remembers of the earlier turns: the inputs and the replies
// that were used. It may be copied.
type Conversation struct{ messages []model.Message }

// Converse is Agent in a conversation, whose earlier turns the model is sent before the input. The
// turn is added to it, unless it fails. Without a conversation it is Agent.
func (r *Run) Converse(earlier *Conversation, spec *rt.OneshotSpec, input Value) (Value, error) {
	if earlier == nil {
		return r.Agent(spec, input)
	}
	text := input.String()
	finish, err := spec.Continue(r.fx, earlier.messages, text)
	if err == nil {
		earlier.messages = append(slices.Clip(earlier.messages),
			model.Message{Role: model.RoleUser, Text: text}, model.Message{Role: model.RoleAssistant, Text: finish.Value})
	}

	return r.ResultOf(finish, err)
}

// Call calls a function. run decodes the argument, calls the user's method and encodes its result.
func (r *Run) Call(
	name string, argument Value, run func(ctx context.Context, argument json.RawMessage) (json.RawMessage, error),
) (Value, error) {
	return r.CallDeclared(name, argument, run, FuncSpec{})
}

// FuncSpec is what a workflow declares about a function. A nil check accepts any JSON.
type FuncSpec struct {
	// Argument is the reader with which run decodes the argument. A script that answers for the
	// function calls it too.
	Argument func(argument json.RawMessage) error
	// Result checks what a person enters for a call that was interrupted.
	Result func(result json.RawMessage) error
	// Repeatable, OnUnknown and Interruptible are fields of [runtime.FuncCall].
	Repeatable    bool
	OnUnknown     string
	Interruptible bool
}

// CallDeclared is Call of a function about which something is declared.
func (r *Run) CallDeclared(
	name string, argument Value, run func(ctx context.Context, argument json.RawMessage) (json.RawMessage, error), spec FuncSpec,
) (Value, error) {
	result, err := r.fx.Call(runtime.FuncCall{
		Name: name, Args: argument.encode(), Run: run,
		Repeatable: r.repeatable || spec.Repeatable, OnUnknown: spec.OnUnknown, Interruptible: spec.Interruptible,
		CheckArgs: spec.Argument, Check: spec.Result,
	})
	if err != nil {
		r.reportError(err)

		return Value{}, reportedError{&funcError{name, err}}
	}

	return Parse(result.Value)
}

// funcError is the error of a function, whose text begins with its name.
type funcError struct {
	name string
	err  error
}

func (e *funcError) Error() string { return e.err.Error() }

func (e *funcError) Unwrap() error { return e.err }

// ownText returns what the function has said.
func (e *funcError) ownText() string {
	return strings.TrimPrefix(e.Error(), wording.FuncFailed(e.name))
}

// CallFunc calls the user's method for a function: decode reads its argument, encode writes its
// result.
func CallFunc[I, O any, B ~[]byte](
	ctx context.Context, argument json.RawMessage, decode func([]byte) (I, error),
	method func(context.Context, I) (O, error), encode func(O) (B, error),
) (json.RawMessage, error) {
	in, err := decode(argument)
	if err != nil {
		return nil, err
	}
	out, err := method(ctx, in)
	if err != nil {
		return nil, err
	}
	result, err := encode(out)

	return json.RawMessage(result), err
}

// CallFuncWithContext is [CallFunc] for a method that takes fields of the context, which decodeFields
// reads. The argument is an object with the members input and context.
func CallFuncWithContext[I, C, O any, B ~[]byte](
	ctx context.Context, argument json.RawMessage, decode func([]byte) (I, error), decodeFields func([]byte) (C, error),
	method func(context.Context, I, C) (O, error), encode func(O) (B, error),
) (json.RawMessage, error) {
	parts, err := splitArgument(argument)
	if err != nil {
		return nil, err
	}
	fields, err := decodeFields(parts.Context)
	if err != nil {
		return nil, err
	}
	withFields := func(ctx context.Context, in I) (O, error) { return method(ctx, in, fields) }

	return CallFunc(ctx, parts.Input, decode, withFields, encode)
}

// CheckWithContext returns the check of the argument of a function that takes fields of the context. A
// nil check of the input accepts any JSON.
func CheckWithContext(input, fields func(json.RawMessage) error) func(argument json.RawMessage) error {
	return func(argument json.RawMessage) error {
		parts, err := splitArgument(argument)
		if err != nil {
			return err
		}
		if input != nil {
			if err := input(parts.Input); err != nil {
				return err
			}
		}

		return fields(parts.Context)
	}
}

// argumentParts is the argument of a function that takes fields of the context.
type argumentParts struct {
	Input   json.RawMessage `json:"input"`
	Context json.RawMessage `json:"context"`
}

func splitArgument(argument json.RawMessage) (argumentParts, error) {
	var parts argumentParts
	if err := json.Unmarshal(argument, &parts); err != nil {
		return parts, &runtime.ValueError{Problem: "found no object with an input and a context"}
	}

	return parts, nil
}

// Ask asks a person, and repeats the question until the answer is valid; answer is nil if any text
// is.
func (r *Run) Ask(step, prompt string, answer *rt.OutputSpec) (Value, error) {
	return r.AskWithin(AnswerLimit{}, step, prompt, answer)
}

// AnswerLimit bounds how long a question waits. After Timeout the answer is OnTimeout, as JSON; if
// that is empty, the question fails with a *runtime.TimeoutError.
type AnswerLimit struct {
	Timeout   time.Duration
	OnTimeout string
}

// AskWithin is Ask with a limit.
func (r *Run) AskWithin(limit AnswerLimit, step, prompt string, answer *rt.OutputSpec) (Value, error) {
	question := runtime.Question{ID: step, Agent: r.workflow, Prompt: prompt, Timeout: limit.Timeout}
	if answer != nil {
		question.Schema = answer.Schema
		question.Check = func(said string) error {
			_, err := checkAnswer(answer, said)

			return err
		}
	}
	for {
		said, err := r.fx.Ask(question)
		if errs.Is[*runtime.TimeoutError](err) && limit.OnTimeout != "" {
			said, err = runtime.Answer{Value: answerOf(limit.OnTimeout, answer)}, nil
		}
		if err != nil {
			r.reportError(err)

			return Value{}, reportedError{err}
		}
		value, err := checkAnswer(answer, said.Value)
		if err == nil {
			r.answer = value

			return value, nil
		}
		question.Prompt = prompt + "\n\nThe last answer cannot be used: " + err.Error()
		if r.watched {
			r.fx.Note(event.Event{Kind: event.Repair, Agent: r.workflow, Problem: err.Error()})
		}
	}
}

// answerOf returns an answer in JSON as a person gives it: a text for a question that takes any.
func answerOf(value string, answer *rt.OutputSpec) string {
	var text string
	if answer == nil && json.Unmarshal([]byte(value), &text) == nil {
		return text
	}

	return value
}

// Answer returns the newest answer of a person; none before the first.
func (r *Run) Answer() Value { return r.answer }

// checkAnswer returns a person's answer as a value: JSON that fits the schema, else the text itself
// if the text fits.
func checkAnswer(answer *rt.OutputSpec, said string) (Value, error) {
	if answer == nil {
		return Text(said), nil
	}
	value, err := parseAnswer(answer, said)
	if err == nil {
		return value, nil
	}
	text := Text(said)
	if answer.Check([]byte(text.JSON())) == nil {
		return text, nil
	}

	return Value{}, err
}

func parseAnswer(answer *rt.OutputSpec, said string) (Value, error) {
	value, err := Parse([]byte(strings.TrimSpace(said)))
	if err != nil {
		return Value{}, err
	}

	return value, answer.Check([]byte(value.JSON()))
}

// BranchKey returns the key of the branch that a value selects: true and false as in YAML, anything
// else as a template renders it.
func (v Value) BranchKey() string {
	if b, isBool := v.AsBool(); isBool {
		return strconv.FormatBool(b)
	}

	return v.String()
}

// Decode decodes a value into the Go type of its schema.
func Decode[T any](v Value, read rt.Reader[T]) (Output[T], error) {
	data, err := read.DecodeText(v.JSON())

	return Output[T]{Value: v, Data: data}, err
}

// Receive reads the input of a run as its schema says: JSON, with the defaults of what is missing. The
// error is a *[compiled.InputError].
func Receive[T any](r *Run, input Value, read rt.Reader[T]) (Output[T], error) {
	given := json.RawMessage(input.JSON())
	if text, isText := input.AsText(); isText {
		spec := compiled.Input{Check: read.Check}
		var err error
		given, err = spec.Read(text)
		if err != nil {
			return Output[T]{}, r.inputError(err)
		}
	}
	data, err := read.Decode(given)
	if err != nil {
		return Output[T]{}, r.inputError(err)
	}

	return Output[T]{Value: Of(data), Data: data}, nil
}

// inputError reports an input that does not fit the schema, and returns its error.
func (r *Run) inputError(err error) error {
	err = &compiled.InputError{Agent: r.workflow, Err: err}
	r.reportError(err)

	return reportedError{err}
}

// Output is the output of a step whose schema has a Go type. Before the step has run, its value is
// none.
type Output[T any] struct {
	Value Value
	Data  T
	// size is how many bytes the value has as JSON, or more; 0 if that is not known.
	size int
}
