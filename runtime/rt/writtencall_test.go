package rt_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/rt"
	"github.com/agentc-dev/agentc/runtime/simulate"
)

// endsWith runs an agent whose model says one text and nothing else.
func endsWith(t *testing.T, text string) (runtime.Finish, error) {
	t.Helper()
	script, err := json.Marshal(map[string]any{"a": []map[string]string{{"say": text}}})
	if err != nil {
		t.Fatal(err)
	}
	spec := testAgent()
	spec.Repair = 0

	return spec.Run(simulate.NewWith(t, string(script), engine.Options{Partial: true}), testTool, "the task", rt.Place{})
}

// TestWrittenCalls: a text that is a call, in the formats of models, is no result.
func TestWrittenCalls(t *testing.T) {
	for _, text := range []string{
		`<tool_call>{"name":"start","arguments":{}}</tool_call>`,
		"\ufeff\n <tool_call>\nstart\n<arg_key>a</arg_key></tool_call>",
		`[TOOL_CALLS][{"name":"start","arguments":{}}]`,
		`[TOOL_CALLS]start[ARGS]{}`,
		`<|python_tag|>{"name":"start","parameters":{}}`,
		`<|python_tag|>start.call()`,
		`<function=start></function>`,
		`<function=start>{}</function>`,
		"```json\n{\"name\":\"finish\",\"arguments\":{\"key\":\"done\",\"value\":\"x\"}}\n```",
		"```xml\n<function=start>\n</function>\n```",
		`{"name":"functions.finish","arguments":"{}"}`,
		`{"type":"function","name":"start","parameters":{}}`,
		`{"id":"1","type":"function","function":{"name":"start","arguments":"{}"}}`,
		`{"tool_calls":[{"function":{"name":"start","arguments":"{}"}}]}`,
		`{"function":"read_skill","parameters":{"name":"web"}}`,
		`[{"name":"start","arguments":{}},{"name":"read_skill","arguments":{"name":"web"}}]`,
		`{"key":"done","value":{"a":1}}`,
		`<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.start<|message|>{}<|call|>`,
		`<|start|>assistant<|channel|>final<|message|>the text<|return|>`,
		"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>start",
		"<|tool_calls_section_begin|><|tool_call_begin|>functions.start:0",
		"I begin.\n\n<tool_call>\n{\"name\": \"start\", \"arguments\": {}}\n</tool_call>\n",
		"I begin.\n<tool_call>\n<function=start>\n</function>\n</tool_call>",
	} {
		fin, err := endsWith(t, text)
		var missing *runtime.MissingFinishError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), "--tool-call-parser") || !strings.Contains(err.Error(), "--jinja") {
			t.Errorf("%s: %+v, %v", text, fin, err)
		}
	}
}

// TestTextsAboutCalls: what is no call is a result, byte for byte.
func TestTextsAboutCalls(t *testing.T) {
	for _, text := range []string{
		"Qwen writes `<tool_call>` before a call.",
		"A call looks so:\n\n```\n<tool_call>{\"name\":\"start\",\"arguments\":{}}</tool_call>\n```\n\nThat is all.",
		"The mark is <tool_call> and its end is </tool_call>",
		"The form:\n<tool_call>\n{\"name\": \"somebody\", \"arguments\": {}}\n</tool_call>",
		"Mistral writes [TOOL_CALLS], Llama <|python_tag|>.",
		`{"name":"Anna","arguments":["for","against"]}`,
		`{"name":"start"}`,
		`{"name":"start","arguments":{},"cost":3}`,
		`{"key":"C major","value":3}`,
		`{"key":"done","value":3,"more":true}`,
		`{"key":"done"}`,
		`[]`, `[[]]`, `{}`, `{"name":"start","arguments":`, `"start"`, `start()`,
		"```go\nfunc start() {}\n```",
		"<p>start</p>",
	} {
		fin, err := endsWith(t, text)
		if err != nil || fin.Value != text || !fin.Synthetic {
			t.Errorf("%s: %+v, %v", text, fin, err)
		}
	}
}

// TestValueOfTheFormOfACall: what fits the output schema of an agent is its value.
func TestValueOfTheFormOfACall(t *testing.T) {
	const text = `{"name":"start","arguments":{}}`
	spec := testAgent()
	spec.Output = &rt.OutputSpec{Schema: `{"type":"object"}`, Check: func(json.RawMessage) error { return nil }}
	script := `{"a":[{"say":` + string(mustJSON(t, text)) + `}]}`
	fin, err := spec.Run(simulate.New(t, script), testTool, "the task", rt.Place{})
	if err != nil || fin.Value != text || !fin.JSON {
		t.Errorf("%+v, %v", fin, err)
	}
}

func mustJSON(t *testing.T, value any) []byte {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}

	return text
}

// TestMeantArguments: arguments that are one object, however wrapped, are read; others reach the check as they are.
func TestMeantArguments(t *testing.T) {
	for args, want := range map[string]string{
		`{"key":"done","value":"v"}`:                                   "v",
		` {"key":"done","value":"v"} `:                                 "v",
		`"{\"key\":\"done\",\"value\":\"v\"}"`:                         "v",
		`"\"{\\\"key\\\":\\\"done\\\",\\\"value\\\":\\\"v\\\"}\""`:     "v",
		"```json\n{\"key\":\"done\",\"value\":\"v\"}\n```":             "v",
		"\"```json\\n{\\\"value\\\":\\\"v\\\"}\\n```\"":                "v",
		`{}{"key":"done","value":"v"}`:                                 "v",
		"{ }\n{\"value\":\"v\"}":                                       "v",
		`{"value":"v"}{}`:                                              "v",
		`{"value":"v"}{"value":"v"}`:                                   "v",
		"\ufeff{\"value\":\"v\"}":                                      "v",
		"\u00a0{\"value\":\"v\"}\u00a0":                                "v",
		`{"value":"} {"}`:                                              "} {",
		`{"value":"a\u00a0"}`:                                          "a\u00a0",
		`{"value":"v"}{"value":"w"}`:                                   "",
		`{"value":"v"}, {"value":"v"}`:                                 "",
		`{"value":"v"`:                                                 "",
		`"value"`:                                                      "",
		`[{"value":"v"}]`:                                              "",
		"```json\n{\"value\":\"v\"}\n```\n```json\n{\"b\":\"v\"}\n```": "",
	} {
		spec := testAgent()
		spec.Repair = 0
		script := `{"a":[{"call":[{"name":"finish","args":` + string(mustJSON(t, args)) + `}]}]}`
		fin, err := spec.Run(simulate.New(t, script), testTool, "the task", rt.Place{})
		if fin.Value != want || (err == nil) != (want != "") {
			t.Errorf("%s: %+v, %v", args, fin, err)
		}
	}
}
