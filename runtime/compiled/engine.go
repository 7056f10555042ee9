package compiled

import (
	"context"
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
	"github.com/agentc-dev/agentc/runtime/rt"
)

// Engine executes programs. The type Engine of package engine is one.
type Engine interface {
	// Run runs an agent of p with the input and returns its result. When ctx is done, it returns the cause.
	Run(ctx context.Context, p *Program, agent, input string) (runtime.Finish, error)
}

// Run runs an agent of p whose value has a schema; read decodes the value.
func Run[T any](ctx context.Context, engine Engine, p *Program, agent, input string, read rt.Reader[T]) (runtime.Result[T], error) {
	fin, err := engine.Run(ctx, p, agent, input)
	if err != nil {
		return runtime.Result[T]{Finish: fin}, err
	}
	value := []byte(fin.Value)
	if !fin.JSON {
		value = jsontext.Append(nil, fin.Value)
	}
	out, err := read.Decode(value)

	return runtime.Result[T]{Finish: fin, Output: out}, err
}

// RunFrom runs a workflow of p with an initial context; read decodes the final context. Errors: those of the engine,
// and *[ContextError].
func RunFrom[T any](
	ctx context.Context, engine Engine, p *Program, workflow, input string, initial T, read rt.Reader[T],
) (runtime.Result[T], error) {
	text, err := json.Marshal(initial)
	if err != nil {
		return runtime.Result[T]{}, &ContextError{Agent: workflow, Err: err}
	}
	p, err = p.WithContext(workflow, text)
	if err != nil {
		return runtime.Result[T]{}, err
	}
	fin, err := engine.Run(ctx, p, workflow, input)
	if err != nil {
		return runtime.Result[T]{Finish: fin}, err
	}
	final := fin.Context
	if final == "" {
		final = "{}"
	}
	out, err := read.Decode([]byte(final))

	return runtime.Result[T]{Finish: fin, Output: out}, err
}
