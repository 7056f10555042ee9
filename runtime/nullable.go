package runtime

import (
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
)

// Nullable is a value that may be null, for a property that may be absent as well: there, a nil pointer already means
// absent.
type Nullable[T any] struct {
	// Null reports whether the value is null; Value is not used then.
	Null  bool
	Value T
}

// MarshalJSON encodes null or the value.
func (n Nullable[T]) MarshalJSON() ([]byte, error) {
	if n.Null {
		return []byte("null"), nil
	}

	return jsontext.Marshal(n.Value)
}

// Pointer returns a pointer to a copy of v.
func Pointer[T any](v T) *T { return &v }
