package runtime

import "github.com/agentc-dev/agentc/runtime/internal/text/wording"

// Finish is the result of an agent.
type Finish struct {
	// Key is the key as the agent wrote it; a machine chooses the next state by it.
	Key string
	// Value is the text, or JSON byte for byte if JSON is set.
	Value string
	JSON  bool
	// Synthetic reports whether plain text was taken as a finish, without a call of the tool.
	Synthetic bool
	// Context is the final context of a workflow, a JSON object; "" if that is empty, or if the run is not of a
	// workflow. Beside an error it is the context at the time of the failure.
	Context string
}

// Is reports whether the agent finished with key; both are folded before they are compared.
func (f Finish) Is(key string) bool { return f.Key == key || wording.Fold(f.Key) == wording.Fold(key) }

// Result is the finish of an agent whose value has a schema, or of a workflow whose output or context has one.
type Result[T any] struct {
	Finish
	// Output is the value or, of a workflow without a typed output, the final context. Beside an error it is then the
	// context at the time of the failure.
	Output T
}

// Keyed is the finish of an agent whose final keys are known. K is the generated type of the keys, T that of the value: string for
// an agent without a schema.
type Keyed[K ~string, T any] struct {
	// Finish has the key as the agent wrote it.
	Finish
	// Key is the constant that the key means: the equal one, or the one that is equal when both are folded. A key that means none
	// is as the agent wrote it.
	Key K
	// Output is the value.
	Output T
}

// Is reports whether the agent finished with key; both are folded before they are compared.
func (k Keyed[K, T]) Is(key K) bool { return k.Finish.Is(string(key)) }
