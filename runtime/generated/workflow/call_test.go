package workflow_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// double is a function as generated code calls it: it doubles a number, and fails for anything
// else.
func double(ctx context.Context, argument json.RawMessage) (json.RawMessage, error) {
	return workflow.CallFunc(ctx, argument, workflow.Parse, func(_ context.Context, v workflow.Value) (workflow.Value, error) {
		if n, ok := v.AsInt(); ok {
			return workflow.Int(2 * n), nil
		}
		if v.IsNone() {
			return v, nil
		}

		return workflow.Value{}, errFault
	}, workflow.Value.MarshalJSON)
}

func TestCall(t *testing.T) {
	fx := &door{}
	r := start(t, fx, "{}")
	if v, err := r.Call("pkg.mod:double", workflow.Int(21), double); err != nil || v.JSON() != "42" {
		t.Errorf("got %s, %v", v, err)
	}
	if got := fx.called[0]; got.Name != "pkg.mod:double" || string(got.Args) != "21" {
		t.Errorf("called %s with %s", got.Name, got.Args)
	}
	if got := fx.called[0]; got.Check != nil || got.CheckArgs != nil {
		t.Error("any argument and any result fit, and there is a check")
	}
	errArgument := errors.New("the argument does not fit")
	checked := workflow.FuncSpec{
		Argument: func(json.RawMessage) error { return errArgument },
		Result:   func(json.RawMessage) error { return errFault },
	}
	if v, err := r.CallDeclared("double", workflow.Int(4), double, checked); err != nil || v.JSON() != "8" {
		t.Errorf("got %s, %v", v, err)
	}
	if got := fx.called[1]; got.Check == nil || !errors.Is(got.Check(nil), errFault) {
		t.Error("the call has no check of its result")
	}
	if got := fx.called[1]; got.CheckArgs == nil || !errors.Is(got.CheckArgs(nil), errArgument) {
		t.Error("the call has no check of its argument")
	}
	if _, err := r.Call("double", workflow.Text("x"), double); !errors.Is(err, errFault) {
		t.Errorf("got %v", err)
	}
	broken := func(context.Context, json.RawMessage) (json.RawMessage, error) { return json.RawMessage("{"), nil }
	if _, err := r.Call("broken", workflow.Value{}, broken); err == nil {
		t.Error("a function may answer what is not JSON")
	}
	if _, err := double(context.Background(), json.RawMessage("{")); err == nil {
		t.Error("an argument may be no JSON")
	}
}

func TestCallFuncWithContext(t *testing.T) {
	decode := func(text []byte) (n int, err error) { return n, json.Unmarshal(text, &n) }
	method := func(_ context.Context, in, field int) (string, error) { return fmt.Sprint(in, " ", field), nil }
	encode := func(text string) ([]byte, error) { return json.Marshal(text) }
	check := func(argument json.RawMessage) error { _, err := decode(argument); return err }

	for _, test := range []struct{ argument, want string }{
		{`{"input": 1, "context": 2}`, `"1 2"`},
		{`{"input": 1, "context": "x"}`, ""},
		{`{"input": "x", "context": 1}`, ""},
		{`{"context": 1}`, ""},
		{`[]`, ""},
	} {
		got, err := workflow.CallFuncWithContext(t.Context(), json.RawMessage(test.argument), decode, decode, method, encode)
		if string(got) != test.want || (err == nil) != (test.want != "") {
			t.Errorf("%s: got %s, %v; want %s", test.argument, got, err, test.want)
		}
		if err := workflow.CheckWithContext(check, check)(json.RawMessage(test.argument)); (err == nil) != (test.want != "") {
			t.Errorf("%s: the check reports %v", test.argument, err)
		}
	}
	if err := workflow.CheckWithContext(nil, check)(json.RawMessage(`{"input": "any", "context": 1}`)); err != nil {
		t.Errorf("any input fits, and the check reports %v", err)
	}
	if err := workflow.CheckWithContext(nil, check)(json.RawMessage(`{"input": 1, "context": "x"}`)); err == nil {
		t.Error("the check accepts other fields of the context")
	}
}

func TestAgent(t *testing.T) {
	fx := &door{replies: []any{"Hello.", `{"text": "Hi", "n": 1.0}`, errFault}}
	r := start(t, fx, "{}")
	if v, err := r.Agent(&writer, workflow.List(workflow.Int(1), workflow.Of(true))); err != nil || v.JSON() != `"Hello."` {
		t.Errorf("got %s, %v", v, err)
	}
	if got := fx.requests[0].Messages[0].Text; got != "[1,true]" {
		t.Errorf("the model was told %q", got)
	}
	typed := writer
	typed.Output = &rt.OutputSpec{Schema: `{"type":"object"}`, Check: func(json.RawMessage) error { return nil }}
	if v, err := r.Agent(&typed, workflow.Text("go")); err != nil || v.JSON() != `{"text":"Hi","n":1}` {
		t.Errorf("got %s, %v", v, err)
	}
	_, err := r.Agent(&writer, workflow.Text("go"))
	if err = r.WrapError("polish", err); !errors.Is(err, errFault) || err.Error() != `workflow "flow", step "polish": a fault` {
		t.Errorf("got %v", err)
	}
}

func TestAsk(t *testing.T) {
	number := &rt.OutputSpec{Schema: `{"type":"integer"}`, Check: func(raw json.RawMessage) error {
		_, err := rt.Reader[int64]((*rt.JSON).Int).Decode(raw)

		return err
	}}
	text := &rt.OutputSpec{Schema: `{"type":"string"}`, Check: func(raw json.RawMessage) error {
		_, err := rt.Reader[string]((*rt.JSON).Text).Decode(raw)

		return err
	}}
	fx := &door{answers: []any{"yes", "five", "{", " 5 ", `"quoted"`, "plain 5", errFault}}
	r := start(t, fx, "{}")
	if !r.Answer().IsNone() {
		t.Errorf("an answer before the first: %s", r.Answer())
	}
	for _, c := range []struct {
		spec  *rt.OutputSpec
		want  string
		asked int
	}{{nil, `"yes"`, 1}, {number, "5", 3}, {text, `"quoted"`, 1}, {text, `"plain 5"`, 1}} {
		before := len(fx.asked)
		v, err := r.Ask("approve", "Is it good?", c.spec)
		if err != nil || v.JSON() != c.want || len(fx.asked)-before != c.asked {
			t.Errorf("asked %d times: %s, %v", len(fx.asked)-before, v, err)
		}
		if r.Answer().JSON() != c.want {
			t.Errorf("the newest answer is %s", r.Answer())
		}
	}
	want := runtime.Question{ID: "approve", Agent: "flow", Prompt: "Is it good?", Schema: number.Schema}
	q := fx.asked[1]
	if q.Check == nil || q.Check(" 5 ") != nil || q.Check("five") == nil {
		t.Error("the question does not say what fits")
	}
	q.Check = nil // functions cannot be compared
	if !reflect.DeepEqual(q, want) || fx.asked[0].Schema != "" || fx.asked[0].Check != nil {
		t.Errorf("asked %+v", q)
	}
	const again = "Is it good?\n\n" +
		`The last answer cannot be used: the value is not JSON at byte 0: found "f", expected a value`
	if got := fx.asked[2].Prompt; got != again {
		t.Errorf("asked again:\n%s\nexpected\n%s", got, again)
	}

	if _, err := r.Ask("approve", "?", nil); !errors.Is(err, errFault) {
		t.Errorf("got %v", err)
	}
	_, err := r.Ask("approve", "?", nil)
	var paused *runtime.PausedError
	if !errors.As(err, &paused) || paused.Question.ID != "approve" {
		t.Errorf("got %v", err)
	}
}

func TestResult(t *testing.T) {
	for _, c := range []struct {
		fin  runtime.Finish
		want string
	}{
		{runtime.Finish{Value: `{"a": 1}`}, `"{\"a\": 1}"`},
		{runtime.Finish{Value: `{"a": 1}`, JSON: true}, `{"a":1}`},
		{runtime.Finish{}, `""`},
	} {
		if v, err := new(workflow.Run).ResultOf(c.fin, nil); err != nil || v.JSON() != c.want {
			t.Errorf("%+v: got %s, %v", c.fin, v.JSON(), err)
		}
	}
	if _, err := new(workflow.Run).ResultOf(runtime.Finish{}, errFault); !errors.Is(err, errFault) {
		t.Errorf("got %v", err)
	}
}

func TestFinishes(t *testing.T) {
	for _, c := range []struct {
		value tree
		want  runtime.Finish
	}{
		{"text", runtime.Finish{Key: "done", Value: "text"}},
		{nil, runtime.Finish{Key: "done"}},
		{object{{"b", int64(1)}, {"a", nil}}, runtime.Finish{Key: "done", Value: `{"b":1,"a":null}`, JSON: true}},
		{true, runtime.Finish{Key: "done", Value: "true", JSON: true}},
	} {
		fx := &door{}
		r := start(t, fx, "{}")
		fin, err := r.Finish(valueOf(c.value), nil)
		if err != nil || fin != c.want {
			t.Errorf("got %+v, %v", fin, err)
		}
		told := event.Event{Kind: event.Finish, Agent: "flow", Key: "done", Value: fin.Value, JSON: fin.JSON}
		if len(fx.notes) != 1 || !reflect.DeepEqual(fx.notes[0], told) {
			t.Errorf("told %+v", fx.notes)
		}
	}
}

func TestBranchKey(t *testing.T) {
	for want, x := range map[string]tree{
		"true": true, "false": false, "": nil, "a": "a", "True": "True", "1": 1.0, "[1]": []any{int64(1)},
	} {
		if got := valueOf(x).BranchKey(); got != want {
			t.Errorf("%#v: got %q", x, got)
		}
	}
}

func TestDecode(t *testing.T) {
	got, err := workflow.Decode(workflow.Of(7), (*rt.JSON).Int)
	if err != nil || got.Data != 7 || got.Value.JSON() != "7" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = workflow.Decode(workflow.Text("7"), (*rt.JSON).Int)
	if bad := (*runtime.ValueError)(nil); !errors.As(err, &bad) {
		t.Errorf("got %v", err)
	}
}

func TestTool(t *testing.T) {
	fx := &tools{door: &door{}, result: runtime.ToolResult{Text: "page"}}
	r := start(t, fx, "{}")
	args := workflow.Object(workflow.Member{Name: "url", Value: workflow.Text("https://example.com")})
	if v, err := r.Tool("http_get", args); err != nil || v.JSON() != `"page"` || fx.called != 1 {
		t.Errorf("got %s, %v", v, err)
	}
	fx.result = runtime.ToolResult{Text: `{"a": 1}`, JSON: true}
	if v, err := r.Tool("http_get", args); err != nil || v.JSON() != `{"a":1}` {
		t.Errorf("got %s, %v", v, err)
	}
	fx.result = runtime.ToolResult{Problem: "status 404"}
	if _, err := r.Tool("http_get", args); err == nil || err.Error() != "status 404" {
		t.Errorf("got %v", err)
	}
	if _, err := r.Tool("http_get", workflow.Object()); err == nil || fx.called != 3 {
		t.Errorf("arguments that do not fit: %v, %d calls", err, fx.called)
	}
	fx.err = runtime.ErrNotAvailable
	if _, err := r.Tool("http_get", args); !errors.Is(err, runtime.ErrNotAvailable) {
		t.Errorf("got %v", err)
	}
}

// tools is a door that runs tools.
type tools struct {
	*door
	result runtime.ToolResult
	err    error
	called int
}

func (x *tools) Tool(runtime.ToolCall) (runtime.ToolResult, error) {
	x.called++

	return x.result, x.err
}
