package openai_test

import (
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// TestWholeBesideParts: a message that comes beside its parts, or again and again with more, is not
// added to what has come.
func TestWholeBesideParts(t *testing.T) {
	choice := func(inside string) string { return `{"choices":[{"index":0,` + inside + `}]}` }
	stop := choice(`"delta":{},"finish_reason":"stop"`)
	const a, b = `{"id":"a","function":{"name":"add","arguments":"{}"}}`, `{"id":"b","function":{"name":"look","arguments":"{}"}}`
	for name, c := range map[string]struct {
		data        []string
		text, calls string
	}{
		"beside": {[]string{
			choice(`"delta":{"content":"Hello"},"message":{"content":"Hello"}`),
			choice(`"delta":{"content":" you"},"message":{"content":"Hello you"}`),
			choice(`"delta":{"content":""},"message":{"content":"Hello you"},"finish_reason":"stop"`),
		}, "Hello you", ""},
		"at the end": {[]string{
			choice(`"delta":{"content":"Hello you"}`), choice(`"message":{"content":"Hello you"},"finish_reason":"stop"`),
		}, "Hello you", ""},
		"again and again": {[]string{
			choice(`"message":{"content":"Hello"}`), choice(`"message":{"content":"Hello you"}`), choice(`"message":{"content":"Hello you"}`), stop,
		}, "Hello you", ""},
		"pieces": {[]string{choice(`"message":{"content":"Hello"}`), choice(`"message":{"content":" you"}`), stop}, "Hello you", ""},
		"calls at the end": {[]string{
			choice(`"delta":{"content":"I look."}`), choice(`"message":{"content":"I look.","tool_calls":[` + a + `]},"finish_reason":"tool_calls"`),
		}, "I look.", "a add {}"},
		"calls beside": {[]string{
			choice(`"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"add","arguments":"{}"}}]}`),
			choice(`"message":{"content":"","tool_calls":[` + a + `]},"finish_reason":"tool_calls"`),
		}, "", "a add {}"},
		"calls again and again": {[]string{
			choice(`"message":{"tool_calls":[` + a + `]}`), choice(`"message":{"tool_calls":[` + a + "," + b + `]}`), stop,
		}, "", "a add {}|b look {}"},
		"calls in turn": {[]string{choice(`"message":{"tool_calls":[` + a + `]}`), choice(`"message":{"tool_calls":[` + b + `]}`), stop}, "", "a add {}|b look {}"},
		"a refusal": {[]string{
			choice(`"delta":{"content":"Hello"}`), choice(`"message":{"content":"Hello","refusal":""},"finish_reason":"stop"`),
		}, "Hello", ""},
	} {
		for way, got := range ask(t, wiretest.Events(append(c.data, "[DONE]")...)) {
			if got.err != nil || got.reply.Text != c.text || callsOf(&got.reply) != c.calls {
				t.Errorf("%s, %s: %+v, %v", name, way, got.reply, got.err)
			}
			if way == "parts" && got.deltas != c.text {
				t.Errorf("%s: told %q", name, got.deltas)
			}
		}
	}
}

// callsOf are the calls of a reply, each as id name args.
func callsOf(reply *model.Reply) string {
	var written []string
	for _, call := range reply.Calls {
		written = append(written, call.ID+" "+call.Name+" "+call.Args)
	}

	return strings.Join(written, "|")
}

// TestCallsInPieces: pieces of a call are one call, whatever ids they have and wherever its members
// are.
func TestCallsInPieces(t *testing.T) {
	r := hello()
	r.Tools = []model.Tool{{Name: "add"}, {Name: "look"}, {Name: "look_up"}}
	outside := func(name, args string) string {
		return `{"index":0,"id":"a","name":"` + name + `","arguments":` + wiretest.Quoted(args) + `}`
	}
	for name, c := range map[string]struct {
		answer wiretest.Answer
		want   string
	}{
		"an id for each piece": {
			inParts(raw("0", "x1", "add", ""), raw("0", "x2", "", `{"a"`), raw("0", "x3", "", ":1}"), raw("0", "x4", "", "")), `x1 add {"a":1}`,
		},
		"an id and the name for each piece": {
			inParts(raw("0", "x1", "add", ""), raw("0", "x2", "add", `{"a"`), raw("0", "x3", "add", ":1}")), `x1 add {"a":1}`,
		},
		"two calls with an id for each piece": {
			inParts(raw("0", "x1", "add", ""), raw("0", "x2", "", "{}"), raw("1", "y1", "look", "{"), raw("1", "y2", "", "}")), "x1 add {}|y1 look {}",
		},
		"two calls of one index":             {inParts(raw("0", "x", "add", "{}"), raw("0", "y", "add", "{}")), "x add {}|y add {}"},
		"two calls without arguments":        {inParts(raw("0", "x", "add", ""), raw("0", "y", "add", "")), "x add |y add "},
		"a name in pieces":                   {inParts(raw("0", "x", "a", ""), raw("0", "", "d", ""), raw("0", "", "d", ""), raw("0", "", "", "{}")), "x add {}"},
		"a name in pieces with ids":          {inParts(raw("0", "x", "ad", ""), raw("0", "y", "d", "{"), raw("0", "z", "", "}")), "x add {}"},
		"a name that grows":                  {inParts(raw("0", "x", "a", ""), raw("0", "x", "ad", ""), raw("0", "x", "add", "{}")), "x add {}"},
		"a name that is another's beginning": {inParts(raw("0", "x", "look", ""), raw("0", "x", "look", "{}")), "x look {}"},
		"a name that no tool has":            {inParts(raw("0", "x", "mul", ""), raw("0", "x", "mul", "{}")), "x mul {}"},
		"outside of the function":            {message(`{"tool_calls":[` + outside("add", `{"a":1}`) + `]}`), `a add {"a":1}`},
		"outside in pieces":                  {inParts(outside("add", `{"a"`), outside("", ":1}")), `a add {"a":1}`},
		"the legacy form":                    {message(`{"content":null,"function_call":{"name":"add","arguments":"{\"a\":1}"}}`), `call_0_0 add {"a":1}`},
		"the legacy form in pieces": {
			wiretest.Events(`{"choices":[{"delta":{"function_call":{"name":"add","arguments":""}}}]}`,
				`{"choices":[{"delta":{"function_call":{"arguments":"{\"a\""}}}]}`, `{"choices":[{"delta":{"function_call":{"arguments":":1}"}}}]}`,
				`{"choices":[{"delta":{},"finish_reason":"function_call"}]}`, "[DONE]"),
			`call_0_0 add {"a":1}`,
		},
		"both forms": {
			message(`{"function_call":{"name":"add","arguments":"{}"},"tool_calls":[{"id":"a","function":{"name":"add","arguments":"{}"}}]}`), "a add {}",
		},
	} {
		for way, got := range both(t, r, openai.Options{}, c.answer) {
			if got.err != nil || callsOf(&got.reply) != c.want || got.reply.StopReason != model.ReasonCalls {
				t.Errorf("%s, %s: %v\ngot  %s\nwant %s", name, way, got.err, callsOf(&got.reply), c.want)
			}
		}
	}
}
