package rt

import "github.com/agentc-dev/agentc/runtime/internal/text/nameindex"

// StateIndex finds the states of a machine by their names, in the same time in every machine.
// Generated code sets the two fields.
type StateIndex[S ~uint8 | ~uint16 | ~uint32] struct {
	Machine string
	Names   StateNames[S]

	index nameindex.Index
}

// Parse returns the state of the machine called text. A name that no state has is an
// *UnknownNameError.
func (x *StateIndex[S]) Parse(text string) (S, error) {
	// The first name is the one of no state.
	if number, ok := x.index.Find(x.Names, text); ok && number > 0 {
		return S(number), nil
	}

	return 0, &UnknownNameError{Machine: x.Machine, Kind: "state", Name: text}
}

// Unmarshal sets s to the state called text, as Parse does; to 0 for an empty text.
func (x *StateIndex[S]) Unmarshal(s *S, text []byte) (err error) {
	*s = 0
	if len(text) > 0 {
		*s, err = x.Parse(string(text))
	}

	return err
}
