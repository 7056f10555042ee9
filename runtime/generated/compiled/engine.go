package compiled

import (
	"context"
	"encoding/json"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
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

// RunKeyed runs an agent of p that finishes with one of keys and whose value has a schema; read decodes the value.
func RunKeyed[K ~string, T any](
	ctx context.Context, engine Engine, p *Program, agent, input string, keys []K, read rt.Reader[T],
) (runtime.Keyed[K, T], error) {
	result, err := Run(ctx, engine, p, agent, input, read)

	return runtime.Keyed[K, T]{Finish: result.Finish, Key: keyMeant(result.Key, keys), Output: result.Output}, err
}

// RunKeyedText runs an agent of p that finishes with one of keys and whose value is a text.
func RunKeyedText[K ~string](
	ctx context.Context, engine Engine, p *Program, agent, input string, keys []K,
) (runtime.Keyed[K, string], error) {
	fin, err := engine.Run(ctx, p, agent, input)

	return runtime.Keyed[K, string]{Finish: fin, Key: keyMeant(fin.Key, keys), Output: fin.Value}, err
}

// keyMeant returns the key of keys that a text means: the equal one, else the first that is equal when both are folded, else the
// text as it is.
func keyMeant[K ~string](text string, keys []K) K {
	for _, key := range keys {
		if string(key) == text {
			return key
		}
	}
	for _, key := range keys {
		if wording.Fold(string(key)) == wording.Fold(text) {
			return key
		}
	}

	return K(text)
}

// RunInput runs a workflow of p whose input has a schema. Errors: those of the engine, and *[InputError].
func RunInput[I any](ctx context.Context, engine Engine, p *Program, workflow string, input I) (runtime.Finish, error) {
	text, err := inputText(workflow, input)
	if err != nil {
		return runtime.Finish{}, err
	}

	return engine.Run(ctx, p, workflow, text)
}

// RunFrom runs a workflow of p with an initial context; read decodes the final context. The input is a text, or what the
// input_schema of the workflow says. Beside an error the output is the context at the time of the failure, or the initial
// one if the run had not begun. Errors: those of the engine, *[ContextError] and *[InputError].
func RunFrom[I, T any](
	ctx context.Context, engine Engine, p *Program, workflow string, input I, initial T, read rt.Reader[T],
) (runtime.Result[T], error) {
	p, err := withInitialContext(p, workflow, initial)
	if err != nil {
		return runtime.Result[T]{Output: initial}, err
	}
	fin, err := RunInput(ctx, engine, p, workflow, input)
	if err != nil {
		return runtime.Result[T]{Finish: fin, Output: contextAtFailure(fin, initial, read)}, err
	}
	final := fin.Context
	if final == "" {
		final = "{}"
	}
	out, err := read.Decode([]byte(final))

	return runtime.Result[T]{Finish: fin, Output: out}, err
}

// withInitialContext returns the program with the context with which a workflow begins.
func withInitialContext[C any](p *Program, workflow string, initial C) (*Program, error) {
	text, err := json.Marshal(initial)
	if err != nil {
		return nil, &ContextError{Agent: workflow, Err: err}
	}

	return p.WithContext(workflow, text)
}

// RunOutput runs a workflow of p whose output has a schema; read decodes the output. The input is a text, or what the
// input_schema of the workflow says. Errors: those of the engine, and *[InputError].
func RunOutput[I, T any](
	ctx context.Context, engine Engine, p *Program, workflow string, input I, read rt.Reader[T],
) (runtime.Result[T], error) {
	text, err := inputText(workflow, input)
	if err != nil {
		return runtime.Result[T]{}, err
	}

	return Run(ctx, engine, p, workflow, text, read)
}

// RunOutputFrom is [RunOutput] with an initial context. The final context is in the finish. Errors: those of the engine,
// *[ContextError] and *[InputError].
func RunOutputFrom[I, C, T any](
	ctx context.Context, engine Engine, p *Program, workflow string, input I, initial C, read rt.Reader[T],
) (runtime.Result[T], error) {
	p, err := withInitialContext(p, workflow, initial)
	if err != nil {
		return runtime.Result[T]{}, err
	}

	return RunOutput(ctx, engine, p, workflow, input, read)
}

// contextAtFailure decodes the context of a workflow that has failed; initial counts where there is none, because the run had not
// begun, or where it cannot be read.
func contextAtFailure[T any](fin runtime.Finish, initial T, read rt.Reader[T]) T {
	if fin.Context == "" {
		return initial
	}
	context, err := read.Decode([]byte(fin.Context))
	if err != nil {
		return initial
	}

	return context
}
