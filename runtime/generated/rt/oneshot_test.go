package rt_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
)

func TestOneshot(t *testing.T) {
	number := &rt.OutputSpec{Schema: `{"type":"number"}`, Check: checkNumber}
	variants := &rt.OutputSpec{Schema: `{"enum":["variant 1","variant 2","3"]}`, Check: checkVariant}
	for _, c := range []struct {
		name, turns string
		output      *rt.OutputSpec
		want        runtime.Finish
		err         string
	}{
		{name: "text", turns: `[{"say":" as it stands\n"}]`, want: runtime.Finish{Key: "done", Value: " as it stands\n"}},
		{name: "finish is said", turns: `[{"finish":{"key":"done","value":"x"}}]`, want: runtime.Finish{Key: "done", Value: "x"}},
		{name: "finish with JSON is said", turns: `[{"finish":{"value":{"a":[1]}}}]`, want: runtime.Finish{Key: "done", Value: `{"a":[1]}`}},
		{
			name: "finish with another key", turns: `[{"finish":{"key":"retry","value":"x"}}]`,
			err: `script, "one", turn 1: agent "one" is oneshot and always finishes with key done, not with "retry"`,
		},
		{name: "empty, then text", turns: `[{"say":""},{"say":"x"}]`, want: runtime.Finish{Key: "done", Value: "x"}},
		{name: "empty", turns: `[{"say":""},{"say":"\t"}]`, err: `agent "one": the output does not fit: the reply is empty`},
		{
			name: "calls", turns: `[{"call":{"name":"look"}},{"say":"x","call":{"name":"look"}}]`,
			err: `agent "one": the output does not fit: the reply calls look, but there are no tools`,
		},
		{name: "fits", turns: `[{"say":"4.50"}]`, output: number, want: runtime.Finish{Key: "done", Value: "4.50", JSON: true}},
		{name: "fenced", turns: `[{"say":"` + "```" + `\n4\n` + "```" + `\n"}]`, output: number, want: runtime.Finish{Key: "done", Value: "4", JSON: true}},
		{name: "mended", turns: `[{"say":"four"},{"say":"4"}]`, output: number, want: runtime.Finish{Key: "done", Value: "4", JSON: true}},
		{
			name: "a choice", turns: `[{"say":"variant 2"}]`, output: variants,
			want: runtime.Finish{Key: "done", Value: "variant 2"},
		},
		{
			name: "a choice in quotes", turns: `[{"say":"\"variant 2\""}]`, output: variants,
			want: runtime.Finish{Key: "done", Value: "variant 2"},
		},
		{
			name: "a choice among white space", turns: `[{"say":" variant 2\n"}]`, output: variants,
			want: runtime.Finish{Key: "done", Value: "variant 2"},
		},
		{
			name: "a choice that looks like JSON", turns: `[{"say":" 3\n"}]`, output: variants,
			want: runtime.Finish{Key: "done", Value: "3"},
		},
		{
			name: "a fenced choice", turns: `[{"say":"` + "```" + `text\nvariant 2\n` + "```" + `"}]`, output: variants,
			want: runtime.Finish{Key: "done", Value: "variant 2"},
		},
		{
			name: "no choice", turns: `[{"say":"` + "```" + `the best\nvariant 2\n` + "```" + `"},{"say":"variant 4"}]`, output: variants,
			err: `agent "one": the output does not fit: the answer is not JSON`,
		},
		{
			name: "spent", turns: `[{"say":"\"four\""},{"say":"[4]"}]`, output: number,
			err: `agent "one": the output does not fit: found [4], expected a number`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := &rt.OneshotSpec{Agent: "one", Prompt: "Say.", Repair: 1, Output: c.output}
			fin, err := play(t, `{"one":`+c.turns+`}`, spec)
			if fin != c.want {
				t.Errorf("got %+v", fin)
			}
			if got := message(err); got != c.err {
				t.Errorf("got error %s", got)
			}
		})
	}
}

// checkVariant allows three texts.
func checkVariant(value json.RawMessage) error {
	if slices.Contains([]string{`"variant 1"`, `"variant 2"`, `"3"`}, string(value)) {
		return nil
	}

	return &runtime.ValueError{Problem: "found " + string(value) + ", expected a variant"}
}

// play lets a oneshot agent answer from a script.
func play(t *testing.T, script string, spec *rt.OneshotSpec) (runtime.Finish, error) {
	t.Helper()

	return spec.Run(simulate.New(t, script), "the task")
}

func message(err error) string {
	if err == nil {
		return ""
	}

	return err.Error()
}

// TestOneshotTellsWhatWasWrong: the second request holds the answer and the problem, and the first
// is not written again.
func TestOneshotTellsWhatWasWrong(t *testing.T) {
	var requests []model.Request
	fx := answering(func(r model.Request) (model.Reply, error) {
		requests = append(requests, r)

		return model.Reply{Text: "four"}, nil
	})
	spec := &rt.OneshotSpec{Agent: "one", Repair: 2, Output: &rt.OutputSpec{Schema: `{"type":"number"}`, Check: checkNumber}}
	_, err := spec.Run(fx, "the task")
	var out *runtime.OutputError
	if !errors.As(err, &out) || out.Agent != "one" {
		t.Fatalf("got %v", err)
	}
	for i, r := range requests {
		if r.Turn != i || r.Schema != `{"type":"number"}` || r.Input != "the task" || len(r.Messages) != 1+2*i {
			t.Errorf("request %d: %+v", i, r)
		}
	}
	last := requests[2].Messages[4].Text
	if !strings.Contains(last, "not JSON") || !strings.Contains(last, `{"type":"number"}`) {
		t.Errorf("told %q", last)
	}
}

// answering is a door whose model is a function, and behind which there is nothing else.
func answering(model func(model.Request) (model.Reply, error)) runtime.Effects {
	return &answers{model: model}
}

type answers struct {
	base
	model func(model.Request) (model.Reply, error)
}

func (a *answers) Model(r model.Request) (model.Reply, error) { return a.model(r) }

func (a *answers) Note(event.Event) {}

// TestRepairedOutput: JSON with small mistakes is the value that it means, and fits the schema or
// not.
func TestRepairedOutput(t *testing.T) {
	for text, want := range map[string]string{
		"{\"a\":\"x\ny\"}":               `{"a":"x\ny"}`,
		"```json\n{'a': None,}\n```":     `{"a": null}`,
		`{"a":1}`:                        `{"a":1}`,
		`{'b': 1}`:                       "",
		`{'a': 'it's'}`:                  "",
		"Here it is: {'a': 'it is so'}.": "",
	} {
		spec := &rt.OneshotSpec{Agent: "a", Prompt: "p", Output: &rt.OutputSpec{Schema: "{}", Check: func(value json.RawMessage) error {
			var got map[string]any
			if json.Unmarshal(value, &got) != nil || len(got) != 1 {
				return &runtime.ValueError{Problem: "is no object"}
			}
			if _, ok := got["a"]; !ok {
				return &runtime.ValueError{Problem: "has no a"}
			}

			return nil
		}}}
		fin, err := spec.Run(simulate.New(t, `{"a":[{"say":`+string(mustJSON(t, text))+`}]}`), "go")
		if fin.Value != want || (err == nil) != (want != "") {
			t.Errorf("%q: %+v, %v", text, fin, err)
		}
	}
}
