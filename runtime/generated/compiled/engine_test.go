package compiled_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// answers is an engine whose runs end with a finish, or with an error.
type answers struct {
	fin runtime.Finish
	err error
}

func (a answers) Run(context.Context, *compiled.Program, string, string) (runtime.Finish, error) {
	return a.fin, a.err
}

// TestResultsAreTyped: what an agent finishes with is read as its schema says, JSON and text alike.
func TestResultsAreTyped(t *testing.T) {
	text := func(v *rt.JSON) string { return v.Text() }
	broken := errors.New("broken")
	for _, c := range []struct {
		engine answers
		want   string
		err    func(error) bool
	}{
		{answers{fin: runtime.Finish{Key: "k", Value: `a "word"`}}, `a "word"`, func(err error) bool { return err == nil }},
		{answers{fin: runtime.Finish{Key: "k", Value: "7", JSON: true}}, "", func(err error) bool {
			return errors.As(err, new(*runtime.ValueError))
		}},
		{answers{err: broken}, "", func(err error) bool { return err == broken }},
	} {
		var got runtime.Result[string]
		got, err := compiled.Run(t.Context(), c.engine, &compiled.Program{}, "a", "task", text)
		if got.Output != c.want || got.Key != c.engine.fin.Key || !c.err(err) {
			t.Errorf("%+v: %+v, %v", c.engine, got, err)
		}
	}
}

// grade is a type of final keys as generated code declares one.
type grade string

// TestFinalKeysAreTyped: the key with which an agent finishes is the constant that it means, and any other text is kept.
func TestFinalKeysAreTyped(t *testing.T) {
	keys := []grade{"pass", "Fail"}
	read := func(v *rt.JSON) string { return v.Text() }
	broken := errors.New("broken")
	for _, c := range []struct {
		engine answers
		want   grade
	}{
		{answers{fin: runtime.Finish{Key: "pass", Value: "fine"}}, "pass"},
		{answers{fin: runtime.Finish{Key: " FAIL ", Value: "bad"}}, "Fail"},
		{answers{fin: runtime.Finish{Key: "other", Value: "?"}}, "other"},
		{answers{err: broken}, ""},
	} {
		var got runtime.Keyed[grade, string]
		got, err := compiled.RunKeyedText(t.Context(), c.engine, &compiled.Program{}, "a", "task", keys)
		if got.Key != c.want || got.Finish != c.engine.fin || got.Output != c.engine.fin.Value || err != c.engine.err {
			t.Errorf("%+v: %+v, %v", c.engine, got, err)
		}
		if !got.Is(c.want) || got.Is("Fail") != got.Is(" fail") || got.Is("none") {
			t.Errorf("%+v is not %q", got, c.want)
		}
		got, err = compiled.RunKeyed(t.Context(), c.engine, &compiled.Program{}, "a", "task", keys, read)
		if got.Key != c.want || got.Finish != c.engine.fin || got.Output != c.engine.fin.Value || err != c.engine.err {
			t.Errorf("%+v with a schema: %+v, %v", c.engine, got, err)
		}
	}
}

// TestContextsAreTyped: a workflow starts with the context that it is given, and its final one is read.
func TestContextsAreTyped(t *testing.T) {
	type count struct {
		N int64 `json:"n"`
	}
	read := func(v *rt.JSON) (out count) {
		for _, f := range v.Members() {
			out.N = f.Int()
		}

		return out
	}
	var given string
	check := func(context json.RawMessage) error {
		given = string(context)

		return nil
	}
	p := &compiled.Program{Agents: []compiled.Agent{{Name: "w", Context: &compiled.Context{Check: check}}, {Name: "agent"}}}
	for final, want := range map[string]int64{`{"n":2}`: 2, "": 0} {
		out, err := compiled.RunFrom(t.Context(), answers{fin: runtime.Finish{Context: final}}, p, "w", "task", count{1}, read)
		if err != nil || out.Output.N != want || given != `{"n":1}` {
			t.Errorf("%s after %s: %+v, %v", final, given, out, err)
		}
	}
	value := func(v *rt.JSON) string { return v.Text() }
	fin := runtime.Finish{Value: `"fine"`, JSON: true, Context: `{"n":2}`}
	typed, err := compiled.RunOutputFrom(t.Context(), answers{fin: fin}, p, "w", "task", count{3}, value)
	if err != nil || typed.Output != "fine" || typed.Context != fin.Context || given != `{"n":3}` {
		t.Errorf("a typed output after %s: %+v, %v", given, typed, err)
	}
	fault := errors.New("down")
	for atFailure, want := range map[string]int64{`{"n":2}`: 2, "": 1} {
		out, err := compiled.RunFrom(t.Context(), answers{runtime.Finish{Context: atFailure}, fault}, p, "w", "task", count{1}, read)
		if !errors.Is(err, fault) || out.Output.N != want || out.Context != atFailure {
			t.Errorf("%s at a failure: %+v, %v", atFailure, out, err)
		}
	}
	if _, err := compiled.RunFrom(t.Context(), answers{}, p, "agent", "task", count{}, read); !errors.As(err, new(*compiled.ContextError)) {
		t.Errorf("an agent without context: %v", err)
	}
	if _, err := compiled.RunOutputFrom(t.Context(), answers{}, p, "agent", "task", count{}, value); !errors.As(err, new(*compiled.ContextError)) {
		t.Errorf("an agent without context and with a typed output: %v", err)
	}
	if _, err := compiled.RunOutput(t.Context(), answers{}, p, "w", func() {}, value); !errors.As(err, new(*compiled.InputError)) {
		t.Errorf("an input that is no JSON: %v", err)
	}
}
