package openai_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// ask asks in both ways, in turn 3 of a conversation that has a call with the id old.
func ask(t *testing.T, answer wiretest.Answer) map[string]asked {
	t.Helper()
	r := hello()
	r.Turn = 3
	r.Messages = append(r.Messages, model.Message{Role: model.RoleAssistant, Calls: []model.ToolCall{{ID: "old", Name: "t"}}},
		model.Message{Role: model.RoleTool, CallID: "old", Text: "result"})

	return both(t, r, openai.Options{}, answer)
}

// message is a whole reply of a message.
func message(text string) wiretest.Answer {
	return wiretest.JSON(200, `{"choices":[{"message":`+text+`,"finish_reason":"stop"}]}`)
}

// sse answers with the bytes of a stream.
func sse(text string) wiretest.Answer { return wiretest.Body(200, "text/event-stream", text) }

// TestOddReplies: what servers do that is not the format, and yet can be understood, is understood.
func TestOddReplies(t *testing.T) {
	whole := chatwire.Whole(model.Reply{Text: "hi"})
	for _, c := range []struct {
		name   string
		answer wiretest.Answer
		text   string
	}{
		{"whole with the header of parts", sse(whole), "hi"},
		{"whole without a header", wiretest.Body(200, "", whole), "hi"},
		{"parts with another header", wiretest.JSON(200, "data: "+strings.Join(hi, "\n\ndata: ")+"\n\n"), "one two three"},
		{"white space first", wiretest.JSON(200, "\r\n\n "+whole), "hi"},
		{"a byte order mark", wiretest.JSON(200, "\ufeff"+whole), "hi"},
		{"a list of one", wiretest.JSON(200, "["+whole+"]"), "hi"},
		{"a message in a list", message(`{"content":[{"type":"text","text":"h"},{"text":"i"}]}`), "hi"},
		{"thoughts", message(`{"content":[{"type":"thinking","thinking":[{"text":"hm"}],"text":"no"},{"text":"hi"}]}`), "hi"},
		{
			"unknown fields",
			wiretest.JSON(200, `{"x":{"y":[1]},"choices":[{"message":{"content":"hi","reasoning_content":"hm","z":{}},"w":1,"finish_reason":"stop"}]}`),
			"hi",
		},
		{"not UTF-8", message("{\"content\":\"caf\xe9\"}"), "caf\ufffd"},
		{"half a surrogate", message(`{"content":"a\ud83d b"}`), "a\ufffd b"},
		{"a number", message(`{"content":42}`), "42"},
		{
			"odd usage",
			wiretest.JSON(200, `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":-5,"completion_tokens":"many"}}`),
			"hi",
		},
		{"no done", wiretest.Events(hi[:len(hi)-1]...), "one two three"},
		{"no done and no usage", wiretest.Events(hi[:len(hi)-2]...), "one two three"},
		{"breaks after the end", wiretest.Cut(wiretest.Events(hi...), bytesOf(hi[:len(hi)-2])), "one two three"},
		{"no line break at the end", sse("data: " + strings.Join(hi, "\n\ndata: ")), "one two three"},
		{
			"more after done", wiretest.Tail(wiretest.Events(hi...), "data: {\"error\":{\"message\":\"late\"}}\n\n"),
			"one two three",
		},
		{"silence after done", wiretest.Stall(wiretest.Events(hi...), bytesOf(hi)), "one two three"},
		{
			"line breaks of other systems",
			sse("\ufeff: hello\r\n\r\nevent: x\r\nid: 1\r\ndata:" + strings.Join(hi, "\r\n\r\ndata:") + "\r\n\r\n"),
			"one two three",
		},
		{"returns alone", sse("data: " + strings.Join(hi, "\r\rdata: ") + "\r\r"), "one two three"},
		{"an event over lines", wiretest.Events(strings.ReplaceAll(hi[1], ",", ",\n"), hi[len(hi)-3], "[DONE]"), "one "},
		{
			"a part without choices first",
			wiretest.Events(append([]string{`{"choices":[],"prompt_filter_results":[]}`}, hi...)...), "one two three",
		},
		{"drips in time", wiretest.Drip(wiretest.Events(hi...), 200, time.Millisecond), "one two three"},
	} {
		for way, got := range ask(t, c.answer) {
			if got.err != nil || got.reply.Text != c.text || len(got.reply.Calls) > 0 {
				t.Errorf("%s, %s: %+v, %v", c.name, way, got.reply, got.err)
			}
			if way == "parts" && got.deltas != c.text {
				t.Errorf("%s: told %q", c.name, got.deltas)
			}
			if u := got.reply.Usage; u.Input < 0 || u.Output < 0 {
				t.Errorf("%s, %s: %+v", c.name, way, u)
			}
		}
	}
}

// raw is a call as a server writes it, without what is empty.
func raw(index, id, name, args string) string {
	text := "{"
	if index != "" {
		text += `"index":` + index + ","
	}
	if id != "" {
		text += `"id":"` + id + `",`
	}
	text += `"type":"function","function":{`
	if name != "" {
		text += `"name":"` + name + `",`
	}

	return text + `"arguments":` + strconv.Quote(args) + "}}"
}

// calls is a whole reply with these calls.
func calls(raws ...string) wiretest.Answer {
	return message(`{"tool_calls":[` + strings.Join(raws, ",") + `]}`)
}

// inParts is a reply with these calls, or parts of calls, each in a part of its own.
func inParts(raws ...string) wiretest.Answer {
	var data []string
	for _, r := range raws {
		data = append(data, `{"choices":[{"delta":{"tool_calls":[`+r+`]},"index":0}]}`)
	}

	return wiretest.Events(append(data, `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`, "[DONE]")...)
}

// TestOddCalls: calls are the ones that the model meant, with ids that differ, however the server numbers and divides them. Each is
// written id name args.
func TestOddCalls(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer wiretest.Answer
		want   []string
	}{
		{
			"arguments as JSON", message(`{"tool_calls":[{"id":"a","function":{"name":"t","arguments":{"x": 1}}}]}`),
			[]string{`a t {"x": 1}`},
		},
		{
			"no arguments",
			message(`{"tool_calls":[{"id":"a","function":{"name":"t"}},{"id":"b","function":{"name":"u","arguments":null}}]}`),
			[]string{"a t ", "b u "},
		},
		{"no function", message(`{"tool_calls":[{"id":"a"}]}`), []string{"a  "}},
		{"missing ids", calls(raw("", "", "t", "{}"), raw("", "", "u", "[")), []string{"call_3_0 t {}", "call_3_1 u ["}},
		{
			"one id for all", calls(raw("", "a", "t", "1"), raw("", "a", "t", "2"), raw("", "a", "t", "3")),
			[]string{"a t 1", "a_2 t 2", "a_3 t 3"},
		},
		{
			"an id that is made, too", calls(raw("", "a_2", "t", ""), raw("", "a", "t", ""), raw("", "a", "t", "")),
			[]string{"a_2 t ", "a t ", "a_3 t "},
		},
		{"an id of before", calls(raw("", "old", "t", "{}")), []string{"old_2 t {}"}},
		{"a number as id", message(`{"tool_calls":[{"id":7,"function":{"name":"t","arguments":"{}"}}]}`), []string{"7 t {}"}},
		{"an id without end", calls(raw("", strings.Repeat("x", 9999), "t", "{}")), []string{"call_3_0 t {}"}},

		{
			"arguments over parts", inParts(raw("0", "a", "t", ""), raw("0", "", "", `{"x":`), raw("0", "", "", "1}")),
			[]string{`a t {"x":1}`},
		},
		{
			"two calls in turn",
			inParts(raw("0", "a", "t", "{"), raw("1", "b", "u", "["), raw("0", "", "", "}")+","+raw("1", "", "", "]")),
			[]string{"a t {}", "b u []"},
		},
		{
			"one index, ids that differ",
			inParts(raw("0", "a", "t", "{"), raw("0", "", "", "}"), raw("0", "b", "t", "["), raw("0", "", "", "]")),
			[]string{"a t {}", "b t []"},
		},
		{
			"one index, no ids", inParts(raw("0", "", "t", `{"a":"}\""}`), raw("0", "", "t", "{}")),
			[]string{`call_3_0 t {"a":"}\""}`, "call_3_1 t {}"},
		},
		{
			"no index", inParts(raw("", "a", "t", "{"), raw("", "a", "", "}"), raw("", "b", "u", "["), raw("", "", "", "]")),
			[]string{"a t {}", "b u []"},
		},
		{
			"no index, in turn", inParts(raw("", "a", "t", "{"), raw("", "b", "u", "["), raw("", "a", "", "}")),
			[]string{"a t {}", "b u ["},
		},
		{
			"no index and no ids", inParts(raw("", "", "t", "{"), raw("", "", "", "}"), raw("", "", "t", "{}")),
			[]string{"call_3_0 t {}", "call_3_1 t {}"},
		},
		{
			"the name in every part", inParts(raw("0", "a", "t", "{"), raw("0", "a", "t", "}"), raw("0", "a", "t", "")),
			[]string{"a t {}"},
		},
		{
			"the name in every part, no ids", inParts(raw("0", "", "t", "{"), raw("0", "", "t", "}"), raw("0", "", "t", "")),
			[]string{"call_3_0 t {}"},
		},
		{"the id late", inParts(raw("0", "", "t", "{"), raw("0", "a", "", "}")), []string{"a t {}"}},
		{
			"one index, one that was not ended", inParts(raw("0", "a", "t", "{"), raw("0", "b", "u", "{}"), raw("0", "", "v", "[]")),
			[]string{"a t {", "b u {}", "call_3_2 v []"},
		},
		{"one id for two indexes", inParts(raw("0", "a", "t", "{}"), raw("1", "a", "t", "[]")), []string{"a t {}", "a_2 t []"}},
		{
			"a whole message in a part",
			wiretest.Events(`{"choices":[{"message":{"tool_calls":[`+raw("", "a", "t", "{}")+`]},"finish_reason":"stop"}]}`, "[DONE]"),
			[]string{"a t {}"},
		},
	} {
		for way, got := range ask(t, c.answer) {
			var written []string
			for _, call := range got.reply.Calls {
				written = append(written, call.ID+" "+call.Name+" "+call.Args)
			}
			if got.err != nil || strings.Join(written, "|") != strings.Join(c.want, "|") {
				t.Errorf("%s, %s: %v\ngot  %q\nwant %q", c.name, way, got.err, written, c.want)
			}
		}
	}
}
