package workflow

import (
	"errors"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// OneOf reports whether x equals one of items: `x in [a, b]`.
func (x Value) OneOf(items ...Value) bool {
	for _, item := range items {
		if x.Equal(item) {
			return true
		}
	}

	return false
}

// When is {{#if}}: a text if the condition holds, else an empty one.
func When(holds bool, text func() string) string {
	if !holds {
		return ""
	}

	return text()
}

// WhenElse is {{#if}} with {{else}}: one text if the condition holds, else the other.
func WhenElse(holds bool, text, otherwise func() string) string {
	if holds {
		return text()
	}

	return otherwise()
}

// BuildText returns the text that build writes: a template with {{#each}}.
func BuildText(build func(b *strings.Builder)) string {
	var b strings.Builder
	build(&b)

	return b.String()
}

// WithoutNone returns an object without the members that are none.
func (v Value) WithoutNone() Value {
	return v.filterMembers(func(_ string, value Value) bool { return !value.IsNone() })
}

// Each calls run for each item of the list at a path of the context, one after another, and returns
// the list of the outputs. A value that is not a list is an error with the code ContextError.
func (r *Run) Each(run func(item Value) (Value, error), path ...string) (Value, error) {
	list, err := r.listAt(path)
	if err != nil {
		return Value{}, err
	}
	outer, around := r.item, r.turn
	defer func() { r.item, r.turn = outer, around }()
	outputs := make([]Value, len(list))
	for i, item := range list {
		r.item, r.turn = item, turn{i, len(outputs)}
		output, err := run(item)
		if err != nil {
			return Value{}, err
		}
		outputs[i] = output
	}

	return List(outputs...), nil
}

// listAt returns the items of the list at a path of the context.
func (r *Run) listAt(path []string) ([]Value, error) {
	list := r.Context(path...)
	if list.Kind() != kindList {
		return nil, pathError(path, &runtime.ValueError{Problem: "found " + list.describeKind() + ", expected a list"})
	}

	return list.shape.items, nil
}

// Turn runs the body of a loop once. index is the number of the turn, from 0, and count the largest
// number of turns. The body finds them in [Run.TurnIndex], [Run.IsFirstTurn] and [Run.IsLastTurn].
func (r *Run) Turn(index, count int, body func(input Value) (Value, error), input Value) (Value, error) {
	around := r.turn
	defer func() { r.turn = around }()
	r.turn = turn{index, count}

	return body(input)
}

// TurnIndex returns the number of the turn of the innermost loop, or of the item of the innermost
// [Run.Each], from 0.
func (r *Run) TurnIndex() int64 { return int64(r.turn.index) }

// IsFirstTurn reports whether no turn or item was before.
func (r *Run) IsFirstTurn() bool { return r.turn.index == 0 }

// IsLastTurn reports whether no item follows, or whether the bound of the loop permits no further
// turn.
func (r *Run) IsLastTurn() bool { return r.turn.index == r.turn.count-1 }

// This returns the current item of the innermost [Run.Each].
func (r *Run) This() Value { return r.item }

// Tool runs a built-in tool. A problem that the tool reports is a failure of the step.
func (r *Run) Tool(name string, args Value) (Value, error) {
	spec := rt.Builtin(name)
	call := runtime.ToolCall{Agent: r.workflow, Tool: spec, Args: []byte(args.JSON())}
	if err := spec.Check(call.Args); err != nil {
		return Value{}, err
	}
	result, err := r.fx.Tool(call)
	switch {
	case err != nil:
		r.reportError(err)
		return Value{}, reportedError{err}
	case result.Problem != "":
		return Value{}, errors.New(result.Problem)
	case result.JSON:
		return Parse([]byte(result.Text))
	}

	return Text(result.Text), nil
}

// Greater reports whether x > y in an expression, as [Value.Less] does.
func (x Value) Greater(y Value) bool { return y.Less(x) }

// GreaterEqual reports whether x >= y in an expression, as [Value.Less] does.
func (x Value) GreaterEqual(y Value) bool { return y.LessEqual(x) }

// ValueOr returns *p, or fallback if p is nil: .get(name, fallback).
func ValueOr[T any](p *T, fallback T) T {
	if p == nil {
		return fallback
	}

	return *p
}
