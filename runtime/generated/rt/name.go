package rt

import "fmt"

// UnknownNameError means that a text is not the name of a state or a key of a machine. Generated
// Parse functions, UnmarshalText and Scan return it.
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

// StateNames are the names of the states of a machine, "" for 0.
type StateNames[S ~uint8 | ~uint16 | ~uint32] []string

// Marshal returns the name of s; an empty text for 0, the state of a machine that has ended. A
// number that no state has is an *InvalidStateError.
func (names StateNames[S]) Marshal(s S, machine string) ([]byte, error) {
	if uint64(s) >= uint64(len(names)) {
		return nil, &InvalidStateError{Machine: machine, Number: uint64(s)}
	}

	return []byte(names[s]), nil
}
