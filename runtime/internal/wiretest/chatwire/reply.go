package chatwire

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Reply answers with a reply, whole or in parts, as the request asks. A request that cannot be is refused as bad.
func Reply(reply model.Reply) wiretest.Answer {
	return Play(func(*Request) model.Reply { return reply })
}

// Play is Reply that decides by the request.
func Play(model func(*Request) model.Reply) wiretest.Answer {
	return func(w http.ResponseWriter, r *wiretest.Request) {
		request, err := Parse(r.Body)
		if err != nil {
			Refuse(400, "invalid_request_error", "", err.Error())(w, r)
			return
		}
		reply := model(request)
		if reply.Model == "" {
			reply.Model = request.Model
		}
		if request.Stream {
			wiretest.Events(Parts(reply)...)(w, r)
			return
		}
		wiretest.JSON(http.StatusOK, Whole(reply), "X-Request-Id", "req_whole")(w, r)
	}
}

// Refuse answers with an error as OpenAI writes it. headers are names and values in turn.
func Refuse(status int, kind, code, message string, headers ...string) wiretest.Answer {
	body := append([]byte(nil), `{"error":{"message":`...)
	body = jsontext.Append(body, message)
	body = jsontext.Append(append(body, `,"type":`...), kind)
	body = append(body, `,"param":null,"code":`...)
	if code == "" {
		body = append(body, "null"...)
	} else {
		body = jsontext.Append(body, code)
	}

	return wiretest.JSON(status, string(append(body, "}}"...)), headers...)
}

// Whole is a reply in one piece.
func Whole(reply model.Reply) string {
	b := head("chat.completion", reply)
	b = append(b, `,"choices":[{"index":0,"message":{"role":"assistant","content":`...)
	if reply.Text == "" {
		b = append(b, "null"...)
	} else {
		b = jsontext.Append(b, reply.Text)
	}
	if len(reply.Calls) > 0 {
		b = append(b, `,"tool_calls":[`...)
		for i, c := range reply.Calls {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendCall(append(b, '{'), c, c.Args), '}')
		}
		b = append(b, ']')
	}
	b = append(b, `,"refusal":null,"annotations":[]},"logprobs":null,"finish_reason":`...)
	b = append(jsontext.Append(b, stop(reply)), `}],"usage":`...)

	return string(append(appendUsage(b, reply.Usage), `,"service_tier":"default","system_fingerprint":"fp_1"}`...))
}

// Parts is a reply as the data of events, the last of them included: a few words each, and the arguments of calls in halves.
func Parts(reply model.Reply) []string {
	parts := []string{part(reply, `{"role":"assistant","content":""}`, "")}
	for _, word := range strings.SplitAfter(reply.Text, " ") {
		if word != "" {
			parts = append(parts, part(reply, string(append(jsontext.Append([]byte(`{"content":`), word), '}')), ""))
		}
	}
	for i, c := range reply.Calls {
		index := `{"tool_calls":[{"index":` + strconv.Itoa(i) + `,`
		half := len(c.Args) / 2
		for half > 0 && !utf8.RuneStart(c.Args[half]) {
			half--
		}
		parts = append(parts,
			part(reply, index+string(appendCall(nil, c, ""))+`}]}`, ""),
			part(reply, index+string(jsontext.Append([]byte(`"function":{"arguments":`), c.Args[:half]))+`}}]}`, ""),
			part(reply, index+string(jsontext.Append([]byte(`"function":{"arguments":`), c.Args[half:]))+`}}]}`, ""))
	}
	parts = append(parts, part(reply, "{}", stop(reply)))
	last := appendUsage(append(head("chat.completion.chunk", reply), `,"choices":[],"usage":`...), reply.Usage)

	return append(parts, string(append(last, '}')), "[DONE]")
}

func part(reply model.Reply, delta, finish string) string {
	b := append(head("chat.completion.chunk", reply), `,"choices":[{"index":0,"delta":`+delta+`,"logprobs":null,"finish_reason":`...)
	if finish == "" {
		b = append(b, "null"...)
	} else {
		b = jsontext.Append(b, finish)
	}

	return string(append(b, `}],"usage":null}`...))
}

func head(object string, reply model.Reply) []byte {
	b := append([]byte(`{"id":"chatcmpl-1","object":"`), object...)
	b = append(b, `","created":1700000000,"model":`...)

	return jsontext.Append(b, reply.Model)
}

func appendCall(b []byte, c model.ToolCall, args string) []byte {
	b = jsontext.Append(append(b, `"id":`...), c.ID)
	b = jsontext.Append(append(b, `,"type":"function","function":{"name":`...), c.Name)

	return append(jsontext.Append(append(b, `,"arguments":`...), args), '}')
}

func appendUsage(b []byte, u model.Usage) []byte {
	for i, field := range []string{`{"prompt_tokens":`, `,"completion_tokens":`, `,"total_tokens":`} {
		b = strconv.AppendInt(append(b, field...), int64([]int{u.Input, u.Output, u.Input + u.Output}[i]), 10)
	}

	return append(b, `,"prompt_tokens_details":{"cached_tokens":0}}`...)
}

func stop(reply model.Reply) string {
	switch {
	case reply.StopReason != "":
		return reply.StopReason
	case len(reply.Calls) > 0:
		return "tool_calls"
	}

	return "stop"
}
