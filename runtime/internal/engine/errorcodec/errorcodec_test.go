package errorcodec_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/drive"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/engine/errorcodec"
	"github.com/agentc-dev/agentc/runtime/internal/engine/question"
	"github.com/agentc-dev/agentc/runtime/internal/engine/usercode"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// coded is an error that has a code.
type coded interface{ ErrorType() string }

// newOf returns a struct of an error type, or one to which a pointer type points, and the error
// when it is filled.
func newOf(t reflect.Type) (made reflect.Value, value func() reflect.Value) {
	if t.Kind() == reflect.Pointer {
		p := reflect.New(t.Elem())

		return p.Elem(), func() reflect.Value { return p }
	}
	made = reflect.New(t).Elem()

	return made, func() reflect.Value { return made }
}

// back is an error as it comes back from a journal.
func back(err error) error {
	return errorcodec.FromResult(&journal.Record{Fields: errorcodec.ResultFields(err)})
}

// everyError has an error of each type of package runtime.
var everyError = []error{
	runtime.BranchError{},
	&drive.AccessError{}, &runtime.AnswerError{}, &runtime.BadSettingError{}, &runtime.BudgetError{},
	&runtime.CancelledError{}, &compiled.ContextError{}, &compiled.InputError{}, &runtime.CycleLimitError{}, &core.DivergenceError{}, &core.FallbackError{}, &runtime.GroupError{},
	&runtime.GuardError{}, &runtime.GuardRejectedError{}, &runtime.InvalidTransitionError{}, &runtime.ItemLimitError{},
	&runtime.IterationLimitError{}, &model.CredentialError{}, &core.MissingEnvError{}, &runtime.MissingFinishError{},
	&runtime.MissingValueError{}, &rt.InvalidStateError{}, &rt.StateColumnError{},
	&core.MissingModelError{}, &core.MissingPriceError{}, &core.MissingProviderError{}, &model.Error{},
	&runtime.OutputError{}, &errs.OvertimeError{}, &runtime.PanicError{}, &runtime.EndStateError{}, &runtime.PausedError{}, &runtime.ScriptError{},
	&drive.SnapshotError{}, &drive.StaleError{}, &runtime.StepLimitError{}, &runtime.StuckError{},
	&runtime.TimeoutError{}, &compiled.UnknownAgentError{}, &rt.UnknownNameError{},
	&core.UnknownOutcomeError{}, &question.UnknownQuestionError{}, &runtime.ValueError{},
}

// TestEveryErrorIsTested: a type with a code that these packages add is one of everyError.
func TestEveryErrorIsTested(t *testing.T) {
	tested := map[string]bool{}
	for _, err := range everyError {
		tested[err.(coded).ErrorType()] = true
	}
	found := 0
	for _, files := range []string{"../../../*.go", "../../../model/*.go", "../../../generated/compiled/*.go", "../../../generated/drive/*.go", "../../../generated/rt/*.go",
		"../*/*.go", "../../text/errs/*.go"} {
		names, err := filepath.Glob(files)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			for _, code := range codesOf(t, name) {
				found++
				if !tested[code] {
					t.Errorf("%s: the error with code %s is not tested", name, code)
				}
			}
		}
	}
	if found != len(everyError) {
		t.Errorf("%d types were found, and %d are tested", found, len(everyError))
	}
}

// codesOf are the codes that the methods ErrorType of a file return.
func codesOf(t *testing.T, name string) (codes []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		method, ok := decl.(*ast.FuncDecl)
		if !ok || method.Recv == nil || method.Name.Name != "ErrorType" {
			continue
		}
		ast.Inspect(method.Body, func(node ast.Node) bool {
			if literal, ok := node.(*ast.BasicLit); ok {
				codes = append(codes, strings.Trim(literal.Value, `"`))
			}

			return true
		})
	}

	return codes
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
		v.Set(reflect.ValueOf(fmt.Errorf("because: %w", &model.Error{Status: 500, RetryAfter: time.Second})))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i))
			}
		}
	}
}

// TestErrorsComeBack: an error of each type comes back with the same text and fields, and what it
// wraps.
func TestErrorsComeBack(t *testing.T) {
	for _, empty := range everyError {
		name, kind := empty.(coded).ErrorType(), reflect.TypeOf(empty)
		made, value := newOf(kind)
		fill(made)
		err := value().Interface().(error)
		recorded := back(err)
		typed := reflect.New(kind)
		if !errors.As(recorded, typed.Interface()) {
			t.Fatalf("%s: errors.As does not find it in %T %v", name, recorded, recorded)
		}
		got := typed.Elem().Interface().(error)
		if got.Error() != err.Error() || recorded.Error() != err.Error() || runtime.ErrorType(recorded) != name {
			t.Errorf("%s: got %v, recorded as %v\nwant %v", name, got, recorded, err)
		}
		var inner, gotInner *model.Error
		if errors.As(err, &inner) != errors.As(recorded, &gotInner) || inner != nil && inner != err && *inner != *gotInner {
			t.Errorf("%s: it wraps %v, not %v", name, gotInner, inner)
		}
		if runtime.EndsRun(err) != runtime.EndsRun(recorded) {
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

// TestErrorsOfEarlierVersions: errors as earlier versions have recorded them, with the names of
// their Go types, are found by errors.As.
func TestErrorsOfEarlierVersions(t *testing.T) {
	content, err := os.ReadFile("testdata/earliererrors.json")
	if err != nil {
		t.Fatal(err)
	}
	var earlier map[string]json.RawMessage
	if err := json.Unmarshal(content, &earlier); err != nil {
		t.Fatal(err)
	}
	for _, empty := range append(slices.Clone(everyError), &outside{}) {
		code, kind := empty.(coded).ErrorType(), reflect.TypeOf(empty)
		made, value := newOf(kind)
		fill(made)
		want := value().Interface().(error)
		recorded := errorcodec.Decode(earlier[code])
		found := reflect.New(kind)
		if !errors.As(recorded, found.Interface()) {
			t.Errorf("%s: errors.As does not find it in %v", code, recorded)
			continue
		}
		if got := found.Elem().Interface().(error); got.Error() != want.Error() || recorded.Error() != want.Error() {
			t.Errorf("%s: got %v, recorded as %v\nwant %v", code, got, recorded, want)
		}
	}
}

// renamed is an error type that had another name when it was recorded, and fragile one that cannot
// be made without its field.
type (
	renamed struct{ Where string }
	fragile struct{ cause *outside }
)

func (r *renamed) Error() string { return "renamed at " + r.Where }

func (*renamed) ErrorType() string { return "BadSettingError" }

func (f *fragile) Error() string { return f.cause.Who }

func (f *fragile) ErrorType() string { return f.cause.Who }

// TestErrorsAreFoundByCode: the name of an error's type does not matter, nor a type whose code
// cannot be determined.
func TestErrorsAreFoundByCode(t *testing.T) {
	recorded := back(&runtime.BadSettingError{Name: "n", Value: "v"})
	var other *renamed
	if !errors.As(recorded, &other) {
		t.Error("a type with the same code is not found")
	}
	var wrongCode *runtime.BudgetError
	var noCode *fragile
	var notCoded interface{ Timeout() bool }
	if errors.As(recorded, &wrongCode) || errors.As(recorded, &noCode) || errors.As(recorded, &notCoded) {
		t.Errorf("found %v, %v, %v", wrongCode, noCode, notCoded)
	}
	if text := string(errorcodec.Encode(&runtime.BadSettingError{})); strings.Contains(text, "runtime") {
		t.Errorf("the name of a Go type is recorded: %s", text)
	}
}

type strange struct{ about string }

func (s strange) Error() string { return "strange: " + s.about }

func (s strange) ErrorType() string { return "StrangeError" }

// outside is an error of a user of this module.
type outside struct {
	Who  string
	Code int
	Err  error
}

func (o *outside) Error() string { return fmt.Sprintf("%s %d: %v", o.Who, o.Code, o.Err) }

func (o *outside) Unwrap() error { return o.Err }

func (o *outside) ErrorType() string { return "OutsideError" }

// TestErrorOfUserComesBack: errors.As finds an error of a user in one that a journal kept, with its
// fields and what it wraps.
func TestErrorOfUserComesBack(t *testing.T) {
	limit := &runtime.BudgetError{Where: "agent \"a\"", Limit: wording.LimitTokens, Max: 5, Spent: 7}
	var got *outside
	if err := back(fmt.Errorf("tool: %w", &outside{Who: "acme", Code: 7, Err: limit})); !errors.As(err, &got) {
		t.Fatalf("%v is none", err)
	}
	var inner *runtime.BudgetError
	if got.Who != "acme" || got.Code != 7 || !errors.As(got, &inner) || *inner != *limit {
		t.Errorf("got %#v, which wraps %v", got, got.Err)
	}
}

// TestNestedErrorsAreRecordedOnce: the size of what is recorded grows with the number of errors,
// not with the ways to them.
func TestNestedErrorsAreRecordedOnce(t *testing.T) {
	var err error = &model.Error{Message: "MARK"}
	for range 12 {
		err = &runtime.GroupError{Agent: "a", Failed: []runtime.BranchError{{Name: "b", Err: &runtime.GuardError{Guard: "g", Err: err}}}}
	}
	if data := errorcodec.Encode(err); len(data) > 100_000 || !strings.Contains(string(data), "GroupError") {
		t.Errorf("%d bytes are recorded of %d wrapped errors", len(data), 12*3)
	}
}

func TestOtherErrorsComeBack(t *testing.T) {
	limit := &runtime.BudgetError{Where: "agent \"a\"", Limit: wording.LimitTokens, Max: 5, Spent: 7}
	for _, err := range []error{
		errors.New("plain"), errors.New(""), strange{"it"}, fmt.Errorf("function \"f\": %w", strange{"it"}),
		fmt.Errorf("tool \"t\": %w", runtime.ErrNotImplemented), fmt.Errorf("a: %w", fmt.Errorf("b: %w", runtime.ErrNotAvailable)),
		errors.Join(errors.New("one"), limit, nil), fmt.Errorf("%w and %w", limit, context.Canceled),
		&runtime.PanicError{Where: "tool t", Value: "boom", Stack: []byte("stack")}, &runtime.PanicError{Where: "tool t", Value: 5},
		&runtime.PanicError{Where: "tool t", Value: runtime.ErrNotImplemented}, context.DeadlineExceeded,
		&runtime.GuardError{Guard: "g", Err: &runtime.PanicError{Where: "g", Value: usercode.ErrGoexit}}, errors.New("no \xff UTF-8"),
		&outside{Who: "acme", Code: 7, Err: limit},
	} {
		got := back(err)
		if got == nil || got.Error() != err.Error() || runtime.ErrorType(got) != runtime.ErrorType(err) || runtime.EndsRun(got) != runtime.EndsRun(err) {
			t.Errorf("got %v (%s)\nwant %v (%s)", got, runtime.ErrorType(got), err, runtime.ErrorType(err))
		}
		for _, sentinel := range []error{runtime.ErrNotImplemented, runtime.ErrNotAvailable, context.Canceled, context.DeadlineExceeded, usercode.ErrGoexit} {
			if errors.Is(got, sentinel) != errors.Is(err, sentinel) {
				t.Errorf("%v: it is %v no more, or only now", err, sentinel)
			}
		}
		var was, is *runtime.BudgetError
		if errors.As(err, &was) && (!errors.As(got, &is) || *is != *was) {
			t.Errorf("%v: its budget is %v", err, is)
		}
		again := back(got)
		if errors.As(err, &was) && !errors.As(again, &is) {
			t.Errorf("recorded twice, %v is no BudgetError", err)
		}
		if again.Error() != err.Error() || runtime.ErrorType(again) != runtime.ErrorType(err) {
			t.Errorf("recorded twice: %v", again)
		}
	}
}
