package rt

import (
	"fmt"
	"strconv"
)

// InvalidStateError means that a value of a type of states is not a state of the machine: no
// constant has its number. Generated MarshalText and Value return it.
type InvalidStateError struct {
	Machine string
	// Number is the value. 0 is the state of a machine that has ended, and invalid in a column of a
	// machine that always is in a state.
	Number uint64
}

func (e *InvalidStateError) Error() string {
	if e.Number == 0 {
		return fmt.Sprintf("a state of machine %s is not set: its value is 0, which is not a state of the machine", e.Machine)
	}

	return fmt.Sprintf("machine %s has no state number %d", e.Machine, e.Number)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*InvalidStateError) ErrorType() string { return "InvalidStateError" }

// StateColumnError means that a value of a database is not the name of a state. Generated Scan
// methods return it.
type StateColumnError struct {
	Machine string
	// Type is the Go type of the value, such as int64. It is empty for NULL.
	Type string
	// Number is the text of the value if it is a number or a bool. It is empty for other types.
	Number string
}

// newStateColumnError returns the error for a value of a column that is not text.
func newStateColumnError(machine string, column any) *StateColumnError {
	switch column.(type) {
	case nil:
		return &StateColumnError{Machine: machine}
	case int64, uint64, int32, int, float64, bool:
		return &StateColumnError{Machine: machine, Type: fmt.Sprintf("%T", column), Number: fmt.Sprint(column)}
	}

	return &StateColumnError{Machine: machine, Type: fmt.Sprintf("%T", column)}
}

func (e *StateColumnError) Error() string {
	switch {
	case e.Type == "":
		return fmt.Sprintf("the state of machine %s in the database is NULL, and the machine always is in a state", e.Machine)
	case e.Number != "":
		return fmt.Sprintf("the state of machine %s in the database is the number %s, and which state had that number depends on "+
			"the version that wrote it; replace the numbers by the names that the states had in that version, as in "+
			"UPDATE orders SET state = CASE state WHEN 1 THEN 'new' WHEN 2 THEN 'paid' END", e.Machine, e.Number)
	}

	return fmt.Sprintf("the state of machine %s in the database is a %s, and not the name of a state", e.Machine, e.Type)
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (*StateColumnError) ErrorType() string { return "StateColumnError" }

// Value returns the name of s as database/sql stores it. A value that is not a state, 0 too, is an
// *InvalidStateError.
func (names StateNames[S]) Value(s S, machine string) (any, error) {
	if s == 0 {
		return nil, &InvalidStateError{Machine: machine}
	}

	return names.ValueOrNull(s, machine)
}

// ValueOrNull is Value for a machine that can end outside of its states: 0 is NULL.
func (names StateNames[S]) ValueOrNull(s S, machine string) (any, error) {
	if s == 0 {
		return nil, nil
	}
	text, err := names.Marshal(s, machine)
	if err != nil {
		return nil, err
	}

	return string(text), nil
}

// Scan sets s to the state whose name a column has. A name that no state has is an
// *UnknownNameError. A number, NULL and anything else that is no text is a *StateColumnError. So is
// the text of a number: a database that keeps a number in a column of type TEXT makes a text of it.
// After an error s is what it was.
func (x *StateIndex[S]) Scan(s *S, column any) error {
	var text string
	switch column := column.(type) {
	case string:
		text = column
	case []byte:
		text = string(column)
	default:
		return newStateColumnError(x.Machine, column)
	}
	state, err := x.Parse(text)
	if err != nil && isNumber(text) {
		return &StateColumnError{Machine: x.Machine, Type: "string", Number: text}
	}
	if err != nil {
		return err
	}
	*s = state

	return nil
}

// isNumber reports whether a text is a decimal number.
func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)

	return err == nil
}

// ScanOrNull is Scan for a machine that can end outside of its states: NULL is 0.
func (x *StateIndex[S]) ScanOrNull(s *S, column any) error {
	if column == nil {
		*s = 0
		return nil
	}

	return x.Scan(s, column)
}
