package rt

import (
	"fmt"
	"slices"
)

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

// ParseState returns the state called text: the names are those of the states, "" for 0. A name that no state has is an
// *UnknownNameError.
func ParseState[S ~uint8 | ~uint16 | ~uint32](machine string, names []string, text string) (S, error) {
	if i := slices.Index(names, text); i > 0 {
		return S(i), nil
	}

	return 0, &UnknownNameError{Machine: machine, Kind: "state", Name: text}
}

// UnmarshalState sets s to the state called text, which parse finds; to 0 for an empty text.
func UnmarshalState[S ~uint8 | ~uint16 | ~uint32](s *S, text []byte, parse func(string) (S, error)) error {
	if len(text) == 0 {
		*s = 0
		return nil
	}
	next, err := parse(string(text))
	*s = next

	return err
}

// Texts returns keys of a generated type as plain texts: the valid keys of a rejected one.
func Texts[K ~string](keys []K) []string {
	texts := make([]string, len(keys))
	for i, key := range keys {
		texts[i] = string(key)
	}

	return texts
}
