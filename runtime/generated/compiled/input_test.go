package compiled_test

import (
	"context"
	"errors"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// told is an engine that keeps the input that it is given.
type told struct{ input string }

func (t *told) Run(_ context.Context, _ *compiled.Program, _, input string) (runtime.Finish, error) {
	t.input = input

	return runtime.Finish{Key: "done"}, nil
}

// TestInputsFit: an input is JSON that fits the schema, or the text itself where only that fits.
func TestInputsFit(t *testing.T) {
	whole := compiled.Agent{Name: "a", Input: &compiled.Input{Check: rt.Reader[int64](func(v *rt.JSON) int64 { return v.Int() }).Check}}
	text := compiled.Agent{Name: "a", Input: &compiled.Input{Check: rt.Reader[string](func(v *rt.JSON) string { return v.Text() }).Check}}
	for _, c := range []struct {
		agent compiled.Agent
		input string
		json  string
	}{
		{whole, "12", "12"},
		{whole, ` 12 `, ` 12 `},
		{whole, `"12"`, ""},
		{whole, "twelve", ""},
		{whole, "", ""},
		{text, `"quoted"`, `"quoted"`},
		{text, "a text", `"a text"`},
		{text, "12", `"12"`},
	} {
		got, err := c.agent.Input.Read(c.input)
		if string(got) != c.json || (err == nil) != (c.json != "") {
			t.Errorf("%q: read %q, %v", c.input, got, err)
		}
		wrong := c.agent.CheckInput(c.input)
		var value *runtime.ValueError
		isRefused := runtime.ErrorType(wrong) == "InputError" && errors.As(wrong, &value)
		if isRefused != (c.json == "") {
			t.Errorf("%q: the check says %v", c.input, wrong)
		}
	}
	if err := (&compiled.Agent{}).CheckInput("anything"); err != nil {
		t.Errorf("an agent without a schema refuses its input: %v", err)
	}
}

// TestGoGivesInputs: an engine is given the text of an input, and JSON of anything else.
func TestGoGivesInputs(t *testing.T) {
	type loan struct {
		Amount int `json:"amount"`
	}
	engine := &told{}
	if _, err := compiled.RunInput(t.Context(), engine, &compiled.Program{}, "a", loan{12}); err != nil || engine.input != `{"amount":12}` {
		t.Errorf("given %q, %v", engine.input, err)
	}
	if _, err := compiled.RunInput(t.Context(), engine, &compiled.Program{}, "a", "text"); err != nil || engine.input != "text" {
		t.Errorf("given %q, %v", engine.input, err)
	}
	_, err := compiled.RunInput(t.Context(), engine, &compiled.Program{}, "a", func() {})
	if runtime.ErrorType(err) != "InputError" {
		t.Errorf("what is no JSON gives %v", err)
	}
}
