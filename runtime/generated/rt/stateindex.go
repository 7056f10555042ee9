package rt

import "sync"

// StateIndex finds the states of a machine by their names, in the same time in every machine.
// Generated code sets the two fields.
type StateIndex[S ~uint8 | ~uint16 | ~uint32] struct {
	Machine string
	Names   StateNames[S]

	once   sync.Once
	byName map[string]S
}

// Parse returns the state of the machine called text. A name that no state has is an
// *UnknownNameError.
func (x *StateIndex[S]) Parse(text string) (S, error) {
	x.once.Do(x.build)
	if s, ok := x.byName[text]; ok {
		return s, nil
	}

	return 0, &UnknownNameError{Machine: x.Machine, Kind: "state", Name: text}
}

func (x *StateIndex[S]) build() {
	x.byName = make(map[string]S, len(x.Names))
	for i, name := range x.Names {
		if i > 0 {
			x.byName[name] = S(i)
		}
	}
}

// Unmarshal sets s to the state called text, as Parse does; to 0 for an empty text.
func (x *StateIndex[S]) Unmarshal(s *S, text []byte) (err error) {
	if *s = 0; len(text) > 0 {
		*s, err = x.Parse(string(text))
	}

	return err
}
