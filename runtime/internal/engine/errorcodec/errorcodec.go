package errorcodec

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// An error that an effect ended with is recorded with its text, its code and its fields, and with
// the errors that it wraps. The error that is read back has the same text and the same code, and
// errors.As finds the same types in it: the caller of errors.As brings the type, which is the
// recorded one if it has the code (see recordedError.As). So no list of types is needed, and errors
// of users come back like those of this module. A type can be renamed or moved as long as it keeps
// its code. Earlier versions recorded the names of Go types, too, which are ignored.

// sentinels are errors that are compared by identity, by their names in a journal.
var sentinels = map[string]error{
	"ErrNotImplemented": runtime.ErrNotImplemented, "ErrNotAvailable": runtime.ErrNotAvailable,
	"Canceled": context.Canceled, "DeadlineExceeded": context.DeadlineExceeded, "Goexit": usercode.ErrGoexit,
}

// Node is an error as it is recorded, with those that it wraps.
type Node struct {
	// Is names a sentinel, of which nothing else is recorded.
	Is string `json:"is,omitempty"`
	// Type is the code of the error; "" without one.
	Type string `json:"type,omitempty"`
	// Opaque reports whether the error has a code, and fields that cannot be recorded.
	Opaque bool `json:"opaque,omitempty"`
	// Ends reports whether the error ends the run, as its method EndsRun reports.
	Ends bool   `json:"ends,omitempty"`
	Text string `json:"text,omitempty"`
	// Raw is the text if it is not UTF-8.
	Raw []byte `json:"raw,omitempty"`
	// Error reports, in a field of type any, whether the value was an error.
	Error bool `json:"error,omitempty"`
	// Fields are the exported fields of an error that has a code.
	Fields map[string]json.RawMessage `json:"fields,omitempty"`
	// Wraps has the errors that the error wraps. Joins reports whether it can wrap several.
	Wraps []*Node `json:"wraps,omitempty"`
	Joins bool    `json:"joins,omitempty"`
}

// Encode writes an error. [Decode] reads one with the same text, for which errors.Is and
// errors.As find the same errors and types of package runtime.
func Encode(err error) []byte {
	data, problem := json.Marshal(NodeOf(err))
	if problem != nil {
		data, _ = json.Marshal(textNode(err.Error()))
	}

	return data
}

// Decode reads what Encode has written. Any other text becomes an error with that text.
func Decode(data []byte) error {
	var node *Node
	if json.Unmarshal(data, &node) == nil && node != nil {
		if err := node.Err(); err != nil {
			return err
		}
	}

	return errors.New(string(data))
}

// Redact returns an error without secrets, which redact takes out of a text. An error that has none
// stays as it is. Of any other it keeps what a journal would: the text, and what errors.Is and
// errors.As find of the errors and types of package runtime.
func Redact(err error, redact func(text string) string) error {
	text := err.Error()
	safe := redact(text)
	if safe == text {
		return err
	}
	var node *Node
	data, problem := json.Marshal(NodeOf(err))
	if problem == nil && json.Unmarshal([]byte(redact(string(data))), &node) == nil {
		cleaned := node.Err()
		if cleaned != nil && redact(cleaned.Error()) == cleaned.Error() {
			return cleaned
		}
	}

	return &namedError{&recordedError{node: textNode(safe)}, runtime.ErrorType(err)}
}

// ResultFields returns the fields of a result that is an error.
func ResultFields(err error) []journal.Field {
	data, problem := json.Marshal(NodeOf(err))
	if problem != nil {
		data = nil // the text is kept
	}

	return field.Optional("error_type", runtime.ErrorType(err), "error", err.Error(), "error_data", string(data))
}

// FromResult returns the error of a result; nil if the result is a value.
func FromResult(r *journal.Record) error {
	kind, failed := r.Get("error_type")
	if !failed {
		return nil
	}
	var node *Node
	if data := r.Value("error_data"); data != "" && json.Unmarshal([]byte(data), &node) == nil {
		if err := node.Err(); err != nil {
			return err
		}
	}

	return &namedError{&recordedError{node: textNode(r.Value("error"))}, kind}
}

// NodeOf returns an error as it is recorded.
func NodeOf(err error) *Node {
	for name, sentinel := range sentinels {
		if err == sentinel {
			return &Node{Is: name}
		}
	}
	if back, ok := err.(interface{ recorded() *Node }); ok && back.recorded() != nil {
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
		node.Wraps = append(node.Wraps, NodeOf(one))
	}
	if own, ok := err.(coded); ok {
		fields, problem := fieldsOf(err, wraps)
		node.Type, node.Fields, node.Opaque = own.ErrorType(), fields, problem != nil
	}

	return node
}

func textNode(text string) *Node {
	if utf8.ValidString(text) {
		return &Node{Text: text}
	}

	return &Node{Raw: []byte(text)}
}

func (n *Node) text() string { return n.Text + string(n.Raw) }

// errNoFields is the error of a type that is not a struct.
var errNoFields = errors.New("the error has no fields")

// fieldsOf returns the exported fields of an error that is a struct.
func fieldsOf(err error, wraps []error) (map[string]json.RawMessage, error) {
	v := reflect.Indirect(reflect.ValueOf(err))
	if v.Kind() != reflect.Struct {
		return nil, errNoFields
	}

	return errorFields{wraps}.of(v)
}

// Err returns the error that was recorded.
func (n *Node) Err() error {
	if err := sentinels[n.Is]; err != nil {
		return err
	}
	recorded := recordedError{node: n}
	for _, inner := range n.Wraps {
		recorded.wraps = append(recorded.wraps, inner.Err())
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
	node  *Node
	wraps []error
}

func (e *recordedError) Error() string { return e.node.text() }

// EndsRun reports whether the recorded error ends the run; see [runtime.EndsRun].
func (e *recordedError) EndsRun() bool { return e.node.Ends }

// recorded returns the node that the error was read from. It is recorded again without a change.
func (e *recordedError) recorded() *Node { return e.node }

// As sets target, for errors.As, if it points to an error type with the recorded code.
func (e *recordedError) As(target any) bool {
	to := reflect.ValueOf(target).Elem()
	made, value := newOf(to.Type())
	if e.node.Type == "" || e.node.Opaque || made.Kind() != reflect.Struct {
		return false
	}
	if !to.Type().Implements(codedType) {
		return false
	}
	if (errorFields{e.wraps}).set(made, e.node.Fields) != nil || codeOf(value()) != e.node.Type {
		return false
	}
	to.Set(value())

	return true
}

// codedType is the type of errors that have a code.
var codedType = reflect.TypeFor[coded]()

// codeOf returns the code of an error that was made from recorded fields; "" if it needs others for
// that.
func codeOf(made reflect.Value) string {
	code := ""
	_ = usercode.Catch("an error's code", func() error {
		code = made.Interface().(coded).ErrorType()

		return nil
	})

	return code
}

// newOf makes a struct of type t, or one to which a t points, and returns it with the t that it
// makes when it is filled.
func newOf(t reflect.Type) (made reflect.Value, value func() reflect.Value) {
	if t.Kind() == reflect.Pointer {
		p := reflect.New(t.Elem())

		return p.Elem(), func() reflect.Value { return p }
	}
	made = reflect.New(t).Elem()

	return made, func() reflect.Value { return made }
}

// wrappedError wraps one error, and joinedError any number.
type (
	wrappedError struct{ recordedError }
	joinedError  struct{ recordedError }
)

func (e *wrappedError) Unwrap() error { return e.wraps[0] }

// coded is an error that has a code.
type coded interface{ ErrorType() string }

// namedError is an error with a code.
type namedError struct {
	error
	kind string
}

// recorded returns the node that the error was read from; nil if it was not read with its code.
func (e *namedError) recorded() *Node {
	if back, ok := e.error.(interface{ recorded() *Node }); ok && back.recorded().Type == e.kind {
		return back.recorded()
	}

	return nil
}

// ErrorType is the code of the error; see [runtime.ErrorType].
func (e *namedError) ErrorType() string { return e.kind }

func (e *namedError) Unwrap() error { return e.error }

func (e *joinedError) Unwrap() []error { return e.wraps }
