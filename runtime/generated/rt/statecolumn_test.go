package rt_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// lampState is a type of states as generated code declares one.
type lampState uint8

var (
	lampStateNames = rt.StateNames[lampState]{1: "off", 2: "on"}
	lampStateIndex = rt.StateIndex[lampState]{Machine: "lamp", Names: lampStateNames}
)

func (s lampState) MarshalText() ([]byte, error) { return lampStateNames.Marshal(s, "lamp") }
func (s *lampState) UnmarshalText(text []byte) error {
	return lampStateIndex.Unmarshal(s, text)
}

// TestInvalidStatesAreNotWritten: a number that no state has is an error as text, as JSON and in a
// database.
func TestInvalidStatesAreNotWritten(t *testing.T) {
	for _, number := range []lampState{3, 99, 255} {
		_, asText := number.MarshalText()
		_, asJSON := json.Marshal(map[string]lampState{"lamp": number})
		_, asKey := json.Marshal(map[lampState]int{number: 1})
		_, asColumn := lampStateNames.Value(number, "lamp")
		_, asNullable := lampStateNames.ValueOrNull(number, "lamp")
		for kind, err := range map[string]error{
			"text": asText, "JSON": asJSON, "column": asColumn, "nullable column": asNullable,
		} {
			var invalid *rt.InvalidStateError
			if !errors.As(err, &invalid) || invalid.Machine != "lamp" || invalid.Number != uint64(number) {
				t.Errorf("%s of %d: %v", kind, number, err)
			}
		}
		if asKey == nil {
			t.Errorf("%d is a key of JSON", number)
		}
	}
	text, err := json.Marshal([]lampState{0, 1, 2})
	if err != nil || string(text) != `["","off","on"]` {
		t.Errorf("%s, %v", text, err)
	}
}

// TestColumnsOfStates: a state is stored by its name and read again. 0 is NULL for a machine that
// can end outside of its states.
func TestColumnsOfStates(t *testing.T) {
	for state, want := range []any{nil, "off", "on"} {
		column, err := lampStateNames.ValueOrNull(lampState(state), "lamp")
		if err != nil || column != want {
			t.Errorf("%d is stored as %v, %v, want %v", state, column, err, want)
		}
		read := lampState(77)
		err = lampStateIndex.ScanOrNull(&read, column)
		if err != nil || read != lampState(state) {
			t.Errorf("%v is read as %d, %v, want %d", column, read, err, state)
		}
	}
	_, err := lampStateNames.Value(0, "lamp")
	if !errors.As(err, new(*rt.InvalidStateError)) || !strings.Contains(err.Error(), "is not set") {
		t.Errorf("0 of a machine that is always in a state: %v", err)
	}
	var read lampState
	if err = lampStateIndex.Scan(&read, []byte("on")); err != nil || read != 2 {
		t.Errorf("bytes are read as %d, %v", read, err)
	}
}

// TestColumnsThatAreRefused: what is no name of a state changes nothing, and its error names what
// was found.
func TestColumnsThatAreRefused(t *testing.T) {
	for _, c := range []struct {
		column any
		part   string
		want   rt.StateColumnError
	}{
		{nil, "is NULL", rt.StateColumnError{Machine: "lamp"}},
		{
			int64(2), "the number 2, and which state had that number depends on the version",
			rt.StateColumnError{Machine: "lamp", Type: "int64", Number: "2"},
		},
		{"2", "the number 2, and which state", rt.StateColumnError{Machine: "lamp", Type: "string", Number: "2"}},
		{2.5, "the number 2.5", rt.StateColumnError{Machine: "lamp", Type: "float64", Number: "2.5"}},
		{struct{}{}, "is a struct {}, and not the name", rt.StateColumnError{Machine: "lamp", Type: "struct {}"}},
		{"out", `has no state called "out"`, rt.StateColumnError{}},
		{"", `has no state called ""`, rt.StateColumnError{}},
	} {
		read := lampState(1)
		err := lampStateIndex.Scan(&read, c.column)
		if err == nil || !strings.Contains(err.Error(), c.part) || read != 1 {
			t.Errorf("%v: %d, %v, want %q", c.column, read, err, c.part)
		}
		var column *rt.StateColumnError
		if _, isText := c.column.(string); !isText && (!errors.As(err, &column) || *column != c.want) {
			t.Errorf("%v: %#v", c.column, err)
		}
	}
}
