package rt

import "fmt"

// UnknownNameError means that a text is not the name of a state or a key of a machine. Generated Parse functions and
// UnmarshalText return it.
type UnknownNameError struct {
	Machine string
	// Kind is "state" or "key".
	Kind string
	// Name is the text.
	Name string
}

func (e *UnknownNameError) Error() string {
	return fmt.Sprintf("machine %s has no %s called %q", e.Machine, e.Kind, e.Name)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*UnknownNameError) ErrorType() string { return "UnknownNameError" }

// Texts returns keys of a generated type as plain texts: the valid keys of a rejected one.
func Texts[K ~string](keys []K) []string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = string(key)
	}

	return texts
}
