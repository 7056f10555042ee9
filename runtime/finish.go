package runtime

import "github.com/agentc-dev/agentc/runtime/internal/wording"

// Finish is the result of an agent.
type Finish struct {
	// Key routes, as the agent gave it.
	Key string
	// Value is the text, or JSON byte for byte if JSON is set.
	Value string
	JSON  bool
	// Synthetic says that plain text was taken as an implicit finish.
	Synthetic bool
	// Context is the final context of a workflow, a JSON object; "" if that is empty, or what finished is no workflow.
	Context string
}

// Is reports whether the agent finished with key, both folded.
func (f Finish) Is(key string) bool { return f.Key == key || wording.Fold(f.Key) == wording.Fold(key) }

// Result is the finish of an agent whose value has a schema, or of a workflow whose context has one.
type Result[T any] struct {
	Finish
	// Output is the value, or the final context.
	Output T
}
