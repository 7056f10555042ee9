package core

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// An error that an effect ended with is recorded with its text, its code and its fields, and what it wraps. The one that is read back
// has the same text and the same code, and errors.As finds in it what it found before: of which type an error was is recorded by
// name, and the caller of errors.As brings the type itself (see recordedError.As), so that no list of types is kept here, and errors
// of users come back as well as those of this module.

// sentinels are errors that are known by being themselves.
var sentinels = map[string]error{
	"ErrNotImplemented": runtime.ErrNotImplemented, "ErrNotAvailable": runtime.ErrNotAvailable,
	"Canceled": context.Canceled, "DeadlineExceeded": context.DeadlineExceeded, "Goexit": errGoexit,
}

// errorNode is an error as it is recorded, with those that it wraps.
type errorNode struct {
	// Is names a sentinel, and nothing else is needed of one.
	Is string `json:"is,omitempty"`
	// As is the Go type of an error that has a code, Type that code.
	As   string `json:"as,omitempty"`
	Type string `json:"type,omitempty"`
	// Ends reports that the error says, by a method EndsRun, that it ends the run.
	Ends bool   `json:"ends,omitempty"`
	Text string `json:"text,omitempty"`
	// Raw is the text where JSON cannot hold it.
	Raw []byte `json:"raw,omitempty"`
	// Error says, where anything may be, that it was an error.
	Error bool `json:"error,omitempty"`
	// Fields are the exported fields of an error that has a code.
	Fields map[string]json.RawMessage `json:"fields,omitempty"`
	// Wraps is what the error wraps; Joins reports that it wraps any number.
	Wraps []*errorNode `json:"wraps,omitempty"`
	Joins bool         `json:"joins,omitempty"`
}

// errorResult are the fields of a result that is an error.
func errorResult(err error) []journal.Field {
	data, problem := json.Marshal(nodeOf(err))
	if problem != nil {
		data = nil // the text is kept
	}

	return optionalFields("error_type", runtime.ErrorType(err), "error", err.Error(), "error_data", string(data))
}

// errorOf is the error of a result; nil if it is none.
func errorOf(r *journal.Record) error {
	kind, failed := r.Get("error_type")
	if !failed {
		return nil
	}
	var node *errorNode
	if data := r.Value("error_data"); data != "" && json.Unmarshal([]byte(data), &node) == nil {
		if err := node.error(); err != nil {
			return err
		}
	}

	return &namedError{&recordedError{node: textNode(r.Value("error"))}, kind}
}

func nodeOf(err error) *errorNode {
	for name, sentinel := range sentinels {
		if err == sentinel {
			return &errorNode{Is: name}
		}
	}
	if back, ok := err.(interface{ recorded() *errorNode }); ok && back.recorded() != nil {
		return back.recorded()
	}
	node := textNode(err.Error())
	var ends interface{ EndsRun() bool }
	node.Ends = errors.As(err, &ends) && ends.EndsRun()
	var wraps []error
	switch err := err.(type) {
	case interface{ Unwrap() []error }:
		node.Joins = true
		wraps = slices.DeleteFunc(slices.Clone(err.Unwrap()), func(one error) bool { return one == nil })
	case interface{ Unwrap() error }:
		if inner := err.Unwrap(); inner != nil {
			wraps = []error{inner}
		}
	}
	for _, one := range wraps {
		node.Wraps = append(node.Wraps, nodeOf(one))
	}
	if own, ok := err.(coded); ok {
		node.Type = own.ErrorType()
		node.As, node.Fields = typeAndFields(err, wraps)
	}

	return node
}

func textNode(text string) *errorNode {
	if utf8.ValidString(text) {
		return &errorNode{Text: text}
	}

	return &errorNode{Raw: []byte(text)}
}

func (n *errorNode) text() string { return n.Text + string(n.Raw) }

// typeAndFields are the Go type of an error that is a struct, and its exported fields; nothing of one whose fields cannot be written.
func typeAndFields(err error, wraps []error) (string, map[string]json.RawMessage) {
	v := reflect.Indirect(reflect.ValueOf(err))
	if v.Kind() != reflect.Struct {
		return "", nil
	}
	fields, problem := errorFields{wraps}.of(v)
	if problem != nil {
		return "", nil
	}

	return reflect.TypeOf(err).String(), fields
}

func (n *errorNode) error() error {
	if err := sentinels[n.Is]; err != nil {
		return err
	}
	recorded := recordedError{node: n}
	for _, inner := range n.Wraps {
		recorded.wraps = append(recorded.wraps, inner.error())
	}
	var err error = &recorded
	switch {
	case n.Joins:
		err = &joinedError{recorded}
	case len(recorded.wraps) == 1:
		err = &wrappedError{recorded}
	}
	if n.Type != "" {
		return &namedError{err, n.Type}
	}

	return err
}

// recordedError is an error that was recorded.
type recordedError struct {
	node  *errorNode
	wraps []error
}

func (e *recordedError) Error() string { return e.node.text() }

// EndsRun reports what the error itself has said; see [runtime.EndsRun].
func (e *recordedError) EndsRun() bool { return e.node.Ends }

// recorded is the node that the error was read from, which is recorded again as it is.
func (e *recordedError) recorded() *errorNode { return e.node }

// As fills target, for errors.As, if it points to the type that the error had.
func (e *recordedError) As(target any) bool {
	to := reflect.ValueOf(target).Elem()
	if e.node.As == "" || to.Type().String() != e.node.As {
		return false
	}
	made, value := newOf(to.Type())
	if (errorFields{e.wraps}).set(made, e.node.Fields) != nil {
		return false
	}
	to.Set(value())

	return true
}

// newOf makes a struct of type t, or one to which a t points, and returns it with the t that it makes when it is filled.
func newOf(t reflect.Type) (made reflect.Value, value func() reflect.Value) {
	if t.Kind() == reflect.Pointer {
		p := reflect.New(t.Elem())

		return p.Elem(), func() reflect.Value { return p }
	}
	made = reflect.New(t).Elem()

	return made, func() reflect.Value { return made }
}

// wrappedError is one that wraps another, joinedError one that wraps any number.
type (
	wrappedError struct{ recordedError }
	joinedError  struct{ recordedError }
)

func (e *wrappedError) Unwrap() error { return e.wraps[0] }

// coded is an error that has a code.
type coded interface{ ErrorType() string }

// namedError is one with a code.
type namedError struct {
	error
	kind string
}

// recorded is the node that the error was read from; nil if it was not read with its code.
func (e *namedError) recorded() *errorNode {
	if back, ok := e.error.(interface{ recorded() *errorNode }); ok && back.recorded().Type == e.kind {
		return back.recorded()
	}

	return nil
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (e *namedError) ErrorType() string { return e.kind }

func (e *namedError) Unwrap() error { return e.error }

func (e *joinedError) Unwrap() []error { return e.wraps }
