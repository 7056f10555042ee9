package rt_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/testing/simulate"
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
		"<|tool_calls_section_begin|><|tool_call_begin|>functions.start:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
		"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>start\n```json\n{\"why\": \"a long reason that is an argument and no prose\"}\n" +
			"```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
		`[TOOL_REQUEST]{"name":"start","arguments":{}}[END_TOOL_REQUEST]`,
		"[TOOL_REQUEST]\n{\"name\": \"finish\", \"arguments\": {\"value\": \"all of it\"}}\n[END_TOOL_REQUEST]\n",
		`[start()]`,
		`[start(), read_skill(name="web")]`,
		`start()`,
		"`start()`",
		"**start()**",
		"```tool_code\nstart()\n```",
		"```tool_code\nprint(default_api.start())\n```",
		"I begin.\n```tool_code\nstart()\n```\nI wait.",
		"```tool_call\n{\"name\": \"start\", \"arguments\": {}}\n```",
		"```python\nread_skill(name=\"web\")\n```",
		"<minimax:tool_call>\n<invoke name=\"start\">\n</invoke>\n</minimax:tool_call>",
		"<minimax:tool_call>\n<invoke name=\"read_skill\">\n<parameter name=\"name\">a name that is very long, longer than forty letters</parameter>\n" +
			"</invoke>\n</minimax:tool_call>",
		"<seed:tool_call>\n<function=start>\n</function>\n</seed:tool_call>",
		"<longcat_tool_call>{\"name\":\"start\",\"arguments\":{}}</longcat_tool_call>",
		"<|action_start|><|plugin|>\n{\"name\": \"start\", \"parameters\": {}}<|action_end|>",
		`functools[{"name":"start","arguments":{}}]`,
		`call:start{}`,
		"<|tool_call>call:start{}<tool_call|>",
		"<start_function_call>call:read_skill{name:<escape>web<escape>}<end_function_call>",
		`<tool_use>{"name":"start","input":{}}</tool_use>`,
		"<tool_use>\n<tool_name>start</tool_name>\n<input>{}</input>\n</tool_use>",
		"<tool_call name=\"start\">{}</tool_call>",
		`<tool name="start"/>`,
		`<start/>`, `<start></start>`, "<read_skill>\n<name>web</name>\n</read_skill>",
		`to=functions.start <|message|>{}`,
		`assistant to=functions.start json {}`,
		"Action: start",
		"Action: start\nAction Input: {}",
		"Thought: I begin.\nAction: read_skill\nAction Input: {\"name\": \"the name of a skill that is longer than forty letters\"}",
		`{"tool":"start","tool_input":{}}`,
		`{'name': 'start', 'arguments': {'x': None},}`,
		`{"tool":"read_skill","name":"web"}`,
		`{"action":"start","action_input":{}}`,
		`{"recipient_name":"functions.start","parameters":{}}`,
		`{"name":"start"}`,
		`{"name":"start","arguments":`,
		`{"name": "read_skill", "arguments": {"name": "web"`,
		`finish(key="done", value="hello")`,
		`finish(key="done", value="a long result, which is all that the agent was asked for (and it has brackets)")`,
		`finish {"key":"done","value":"x"}`,
		`finish({"key": "done", "value": "it's a \"quote\""})`,
		"finish(\n  key = 'done',\n  value = 'x'\n)",
		`finish(value="unclosed`,
		"Sure! start()",
		"I begin: start()",
		"I will call start()",
		"I'll call `start()`.",
		"Let me call start.start()\nstart()",
		"Next tool: start",
		"tool: \"start\"",
		"- name: start\n  tool: start",
		"read_skill", `"read_skill"`, "`read_skill`", "functions.start", "```tool_call\nstart\n```",
		`<finish>42</finish>`, "<finish>\na long result with more letters than forty, in one element\n</finish>\n", `<read_skill>web</read_skill>`,
		"```xml\n<finish>42</finish>\n```", `<finish key="done">42</finish>`,
		"<finish>\n<key>done</key>\n<value>42</value>\n</finish>", "<read_skill><name>web</name></read_skill>",
		`{"finish":{"value":"42"}}`, `{"finish":{"key":"done","value":"42"}}`, `{"read_skill":{"name":"web"}}`,
		"```json\n{\"finish\": {\"value\": \"42\"}}\n```",
		`await finish({value: "42"});`, `return finish(value="42")`, `return await finish({"value": "42"});`,
		`finish => {"value":"42"}`, `finish>{"value":"42"}`, `finish -> {"value": "42"}`, `read_skill={"name":"web"}`,
		"start[ARGS]{}",
		"start {}",
		"<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"start\">\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
		"I look that up for you now, and then I write a summary of all that I have read.\n[TOOL_REQUEST]{\"name\":\"start\",\"arguments\":{}}[END_TOOL_REQUEST]",
		"I look that up for you now, and then I write a summary of all that I have read.\n<minimax:tool_call>\n<invoke name=\"start\">\n</invoke>\n</minimax:tool_call>",
	} {
		fin, err := endsWith(t, text)
		var missing *runtime.MissingFinishError
		if !errors.As(err, &missing) || !strings.Contains(err.Error(), "--tool-call-parser") || !strings.Contains(err.Error(), "--jinja") {
			t.Errorf("%s: %+v, %v", text, fin, err)
		}
	}
}

// TestMentionsOfTools: ordinary answers that mention a tool, also as an ordinary word, are results.
func TestMentionsOfTools(t *testing.T) {
	file, err := os.ReadFile("testdata/mentions.txt")
	if err != nil {
		t.Fatal(err)
	}
	texts := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n---\n")
	if len(texts) < 200 {
		t.Errorf("%d texts", len(texts))
	}
	spec := testAgent()
	spec.Repair = 0
	tool := *spec.Skills[0].Tools[0]
	names := []string{"search", "read", "write", "list", "open", "send", "get_weather", "send_mail"}
	for _, name := range names {
		tool.Name = name
		named := tool
		spec.Skills[0].Tools = append(spec.Skills[0].Tools, &named)
	}
	ends := func(text string) (runtime.Finish, error) {
		script := `{"a":[{"call":[{"name":"read_skill","args":{"name":"web"}}]},{"say":` + string(mustJSON(t, text)) + `}]}`

		return spec.Run(simulate.NewWith(t, script, engine.Options{Partial: true}), testTool, "the task", rt.Place{})
	}
	for _, text := range texts {
		fin, err := ends(text)
		if err != nil || fin.Value != text {
			t.Errorf("%s: %+v, %v", text, fin, err)
		}
	}
	for _, name := range names {
		fin, err := ends(name + `(path="a")`)
		if err == nil {
			t.Errorf("%s is offered: %+v", name, fin)
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
		`{"name":"start","arguments":{},"cost":3}`,
		`{"name":"start","cost":3}`,
		`{"key":"C major","value":3}`,
		`{"key":"done","value":3,"more":true}`,
		`{"key":"done"}`,
		`[]`, `[[]]`, `{}`,
		"[[[[[[[[", strings.Repeat("[", 100_000), strings.Repeat("{\"", 1000), strings.Repeat("<start/>", 10_000),
		"Restart", "restart()", "We start.", "start with a comparison of both", "Ready, set, start", "start() returns the task.", "Use start() first.",
		"Use `start()`.", "The task comes from `start()`", "I used `start()` for that.", "def start():", "- start\n- finish\n",
		"You can use it so:\n```python\ntask = start()\n```",
		"start", "Start", "Finish", "finish", `"start"`, "`start`", "**Finish**", "start.",
		"<start>here</start>", "The element <finish>42</finish> is in my file.", "<finish>42</finish> is an element.",
		`{"start":{"x":1}}`, `{"finish":{"colour":"matte"}}`, `{"finish":"matte"}`, `{"read_skill":"high"}`, `{"finish":{"value":1},"start":2}`,
		"We return finish(value=1)", "start => {x: 1}", "finish > start", "finish => { done() }",
		"def f():\n    return start()",
		"<p>start</p>", `<form name="start"></form>`,
		"```go\nfunc start() {}\n```",
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

// TestMeantArguments: arguments that are one object, however wrapped, are read; others reach the
// check as they are.
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
		"{\"key\":\"done\",\"value\":\"line1\nline2\"}":                "line1\nline2",
		`{"key":"done","value":"\d+"}`:                                 `\d+`,
		`{"key":"done","value":"it\'s",}`:                              "it's",
		`{'key': 'done', 'value': 'v'}`:                                "v",
		"```json\n{'key': 'done', 'value': 'v',}\n```":                 "v",
		"\"{\\\"value\\\":\\\"a\\nb\\\"}\"":                            "a\nb",
		`{"value":True}`:                                               "true",
		`{"value":"say "hi""}`:                                         "",
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
