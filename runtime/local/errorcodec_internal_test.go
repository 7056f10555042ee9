package local

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// back is an error as it comes back from a journal.
func back(err error) error { return errorOf(&journal.Record{Fields: errorFields(err)}) }

// TestEveryErrorIsKnown: a type that package runtime adds comes back from a journal, too.
func TestEveryErrorIsKnown(t *testing.T) {
	names, err := filepath.Glob("../*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, name := range names {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok && spec.Name.IsExported() && strings.HasSuffix(spec.Name.Name, "Error") {
				found++
				if knownErrors[spec.Name.Name] == nil {
					t.Errorf("%s: %s is not known", name, spec.Name.Name)
				}
			}

			return true
		})
	}
	if found != len(knownErrors) {
		t.Errorf("%d types were found, and %d are known", found, len(knownErrors))
	}
}

// fill gives every field of a struct a value.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("text of it")
	case reflect.Int, reflect.Int64:
		v.SetInt(77)
	case reflect.Uint64:
		v.SetUint(78)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(fmt.Errorf("because: %w", &runtime.ModelError{Status: 500, RetryAfter: time.Second})))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// TestErrorsComeBack: an error of each type comes back with the same text and fields, and what it wraps.
func TestErrorsComeBack(t *testing.T) {
	for name, known := range knownErrors {
		pointed := known.Kind() == reflect.Pointer
		value := reflect.New(known)
		if pointed {
			value.Elem().Set(reflect.New(known.Elem()))
			fill(value.Elem().Elem())
		} else {
			fill(value.Elem())
		}
		err := value.Elem().Interface().(error)
		got := back(err)
		if reflect.TypeOf(got) != known || got.Error() != err.Error() || runtime.ErrorType(got) != runtime.ErrorType(err) {
			t.Errorf("%s: got %T %v\nwant %v", name, got, got, err)
		}
		var inner, gotInner *runtime.ModelError
		if errors.As(err, &inner) != errors.As(got, &gotInner) || inner != nil && inner != err && *inner != *gotInner {
			t.Errorf("%s: it wraps %v, not %v", name, gotInner, inner)
		}
		if runtime.EndsRun(err) != runtime.EndsRun(got) {
			t.Errorf("%s: it ends the run no more, or only now", name)
		}
		if name == "GuardError" || name == "ModelError" || name == "GroupError" {
			continue // below their texts are errors whose types cannot be compared
		}
		if !errors.As(err, &inner) && !reflect.DeepEqual(got, err) {
			t.Errorf("%s: got %#v\nwant %#v", name, got, err)
		}
	}
}

type strange struct{ about string }

func (s strange) Error() string { return "strange: " + s.about }

func (s strange) ErrorType() string { return "StrangeError" }

func TestOtherErrorsComeBack(t *testing.T) {
	limit := &runtime.BudgetError{Where: "agent \"a\"", Limit: runtime.LimitTokens, Max: 5, Spent: 7}
	for _, err := range []error{
		errors.New("plain"), errors.New(""), strange{"it"}, fmt.Errorf("function \"f\": %w", strange{"it"}),
		fmt.Errorf("tool \"t\": %w", runtime.ErrNotImplemented), fmt.Errorf("a: %w", fmt.Errorf("b: %w", runtime.ErrNotAvailable)),
		errors.Join(errors.New("one"), limit, nil), fmt.Errorf("%w and %w", limit, context.Canceled),
		&runtime.PanicError{Where: "tool t", Value: "boom", Stack: []byte("stack")}, &runtime.PanicError{Where: "tool t", Value: 5},
		&runtime.PanicError{Where: "tool t", Value: runtime.ErrNotImplemented}, context.DeadlineExceeded,
		&runtime.GuardError{Guard: "g", Err: &runtime.PanicError{Where: "g", Value: errGoexit}}, errors.New("no \xff UTF-8"),
	} {
		got := back(err)
		if got == nil || got.Error() != err.Error() || runtime.ErrorType(got) != runtime.ErrorType(err) || runtime.EndsRun(got) != runtime.EndsRun(err) {
			t.Errorf("got %v (%s)\nwant %v (%s)", got, runtime.ErrorType(got), err, runtime.ErrorType(err))
		}
		for _, sentinel := range []error{runtime.ErrNotImplemented, runtime.ErrNotAvailable, context.Canceled, context.DeadlineExceeded, errGoexit} {
			if errors.Is(got, sentinel) != errors.Is(err, sentinel) {
				t.Errorf("%v: it is %v no more, or only now", err, sentinel)
			}
		}
		var was, is *runtime.BudgetError
		if errors.As(err, &was) && (!errors.As(got, &is) || *is != *was) {
			t.Errorf("%v: its budget is %v", err, is)
		}
		again := back(got)
		if again.Error() != err.Error() || runtime.ErrorType(again) != runtime.ErrorType(err) {
			t.Errorf("recorded twice: %v", again)
		}
	}
}
