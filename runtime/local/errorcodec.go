package local

import (
	"context"
	"encoding/json"
	"reflect"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// An error that an effect ended with is recorded so that the one that is read back has the same text, and says the same to errors.Is
// and errors.As about the errors and types of package runtime: orchestrating code decides by these alone. Of an error of another kind
// the text is kept, and what it wraps.

// knownErrors are the types that come back as they were.
var knownErrors = typesOf(
	runtime.AccessError{}, runtime.AnswerError{}, runtime.AnsweredError{}, runtime.BadSettingError{}, runtime.BudgetError{},
	runtime.CancelledError{}, runtime.ContextError{}, runtime.CycleLimitError{}, runtime.DivergenceError{}, runtime.FallbackError{}, runtime.GroupError{},
	runtime.GuardError{}, runtime.GuardRejectedError{}, runtime.InvalidTransitionError{}, runtime.ItemLimitError{},
	runtime.IterationLimitError{}, runtime.KeyError{}, runtime.LongWaitError{}, runtime.MissingEnvError{}, runtime.MissingFinishError{},
	runtime.MissingModelError{}, runtime.MissingPriceError{}, runtime.MissingProviderError{}, runtime.ModelError{},
	runtime.OutputError{}, runtime.PanicError{}, runtime.PausedError{}, runtime.RunEndedError{}, runtime.ScriptError{},
	runtime.ShapeError{}, runtime.SizeError{}, runtime.SnapshotError{}, runtime.StaleError{}, runtime.StalledError{}, runtime.StepLimitError{}, runtime.StuckError{},
	runtime.TimeoutError{}, runtime.UnknownAddressError{}, runtime.UnknownAgentError{}, runtime.UnknownNameError{},
	runtime.UnknownOutcomeError{}, runtime.UnknownQuestionError{}, runtime.ValueError{}, runtime.WrongProgramError{},
)

// sentinels are errors that are known by being themselves.
var sentinels = map[string]error{
	"ErrNotImplemented": runtime.ErrNotImplemented, "ErrNotAvailable": runtime.ErrNotAvailable,
	"Canceled": context.Canceled, "DeadlineExceeded": context.DeadlineExceeded, "Goexit": errGoexit,
}

func typesOf(errs ...any) map[string]reflect.Type {
	types := map[string]reflect.Type{"BranchError": reflect.TypeFor[runtime.BranchError]()}
	for _, err := range errs {
		types[reflect.TypeOf(err).Name()] = reflect.PointerTo(reflect.TypeOf(err))
	}

	return types
}

// errorNode is an error as it is recorded, with those that it wraps.
type errorNode struct {
	// Is names a sentinel, As a type of knownErrors; else there is the text, and what the error itself says that events call it.
	Is   string `json:"is,omitempty"`
	As   string `json:"as,omitempty"`
	Text string `json:"text,omitempty"`
	Type string `json:"type,omitempty"`
	// Raw is the text where JSON cannot hold it.
	Raw []byte `json:"raw,omitempty"`
	// Error says, where anything may stand, that it was an error.
	Error bool `json:"error,omitempty"`
	// Fields are those of a known type.
	Fields map[string]json.RawMessage `json:"fields,omitempty"`
	// Wraps is what an error of another type wraps; Joins says that it wraps any number.
	Wraps []*errorNode `json:"wraps,omitempty"`
	Joins bool         `json:"joins,omitempty"`
}

// errorFields are the fields of a result that is an error.
func errorFields(err error) []journal.Field {
	data, problem := json.Marshal(nodeOf(err))
	if problem != nil {
		data = nil // the text is kept
	}

	return given("error_type", runtime.ErrorType(err), "error", err.Error(), "error_data", string(data))
}

// errorOf is the error of a result; nil if it is none.
func errorOf(r *journal.Record) error {
	kind, failed := r.Get("error_type")
	if !failed {
		return nil
	}
	var node *errorNode
	if data := field(r, "error_data"); data != "" && json.Unmarshal([]byte(data), &node) == nil {
		if err := node.error(); err != nil {
			return err
		}
	}

	return &namedError{&recordedError{text: field(r, "error")}, kind}
}

func nodeOf(err error) *errorNode {
	for name, sentinel := range sentinels {
		if err == sentinel {
			return &errorNode{Is: name}
		}
	}
	at := reflect.TypeOf(err)
	if name := typeName(at); knownErrors[name] == at {
		value := reflect.Indirect(reflect.ValueOf(err))
		if !value.IsValid() {
			return &errorNode{Text: "<nil>"}
		}
		if fields, problem := fieldsOf(value); problem == nil {
			return &errorNode{As: name, Fields: fields}
		}
	}

	node := textNode(err.Error())
	if own, named := err.(interface{ ErrorType() string }); named {
		node.Type = own.ErrorType()
	}
	switch err := err.(type) {
	case interface{ Unwrap() []error }:
		node.Joins = true
		for _, one := range err.Unwrap() {
			if one != nil {
				node.Wraps = append(node.Wraps, nodeOf(one))
			}
		}
	case interface{ Unwrap() error }:
		if inner := err.Unwrap(); inner != nil {
			node.Wraps = []*errorNode{nodeOf(inner)}
		}
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

func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}

	return t.Name()
}

func (n *errorNode) error() error {
	if err := sentinels[n.Is]; err != nil {
		return err
	}
	if known := knownErrors[n.As]; known != nil {
		if err := n.known(known); err != nil {
			return err
		}
	}
	err := n.unknown()
	if n.Type != "" {
		return &namedError{err, n.Type}
	}

	return err
}

// unknown is an error of another type.
func (n *errorNode) unknown() error {
	recorded := recordedError{text: n.text()}
	for _, inner := range n.Wraps {
		recorded.wraps = append(recorded.wraps, inner.error())
	}
	switch {
	case n.Joins:
		return &joinedError{recorded}
	case len(recorded.wraps) == 1:
		return &wrappedError{recorded}
	}

	return &recorded
}

// known is an error of a known type; nil if it cannot be read.
func (n *errorNode) known(t reflect.Type) error {
	pointed := t.Kind() == reflect.Pointer
	if pointed {
		t = t.Elem()
	}
	value := reflect.New(t)
	if setFields(value.Elem(), n.Fields) != nil {
		return nil
	}
	if !pointed {
		value = value.Elem()
	}
	err, _ := value.Interface().(error)

	return err
}

// recordedError is an error that was recorded, of a type that is not known here.
type recordedError struct {
	text  string
	wraps []error
}

func (e *recordedError) Error() string { return e.text }

// wrappedError is one that wraps another, joinedError one that wraps any number.
type (
	wrappedError struct{ recordedError }
	joinedError  struct{ recordedError }
)

func (e *wrappedError) Unwrap() error { return e.wraps[0] }

// namedError is one that says itself what events call it.
type namedError struct {
	error
	kind string
}

// ErrorType is what events call it.
func (e *namedError) ErrorType() string { return e.kind }

func (e *namedError) Unwrap() error { return e.error }

func (e *joinedError) Unwrap() []error { return e.wraps }
