package chatwire

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Reply answers with a reply, whole or in parts, as the request asks. A request that cannot be is
// refused as bad.
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
		reply.Model = cmp.Or(reply.Model, request.Model)
		if request.Stream {
			wiretest.Events(Parts(reply)...)(w, r)
			return
		}
		wiretest.JSON(http.StatusOK, Whole(reply), "X-Request-Id", "req_whole")(w, r)
	}
}

// Refuse answers with an error as OpenAI writes it. headers are names and values in turn.
func Refuse(status int, kind, code, message string, headers ...string) wiretest.Answer {
	body := `{"error":{"message":` + wiretest.Quoted(message) + `,"type":` + wiretest.Quoted(kind) +
		`,"param":null,"code":` + orNull(code) + "}}"

	return wiretest.JSON(status, body, headers...)
}

// orNull is a text as JSON; null for none.
func orNull(text string) string {
	if text == "" {
		return "null"
	}

	return wiretest.Quoted(text)
}

// Whole is a reply in one piece.
func Whole(reply model.Reply) string {
	var calls []string
	for _, c := range reply.Calls {
		calls = append(calls, "{"+callMembers(c, c.Args)+"}")
	}
	list := ""
	if calls != nil {
		list = `,"tool_calls":[` + strings.Join(calls, ",") + "]"
	}

	return objectHead("chat.completion", reply) + `,"choices":[{"index":0,"message":{"role":"assistant","content":` + orNull(reply.Text) + list +
		`,"refusal":null,"annotations":[]},"logprobs":null,"finish_reason":` + wiretest.Quoted(finishReason(reply)) +
		`}],"usage":` + usageJSON(reply.Usage) + `,"service_tier":"default","system_fingerprint":"fp_1"}`
}

// Parts is a reply as the data of events, the last of them included: a few words each, and the
// arguments of calls in halves.
func Parts(reply model.Reply) []string {
	parts := []string{chunkJSON(reply, `{"role":"assistant","content":""}`, "")}
	for _, word := range strings.SplitAfter(reply.Text, " ") {
		if word != "" {
			parts = append(parts, chunkJSON(reply, `{"content":`+wiretest.Quoted(word)+"}", ""))
		}
	}
	for i, c := range reply.Calls {
		index := `{"tool_calls":[{"index":` + strconv.Itoa(i) + `,`
		first, second := wiretest.Halves(c.Args)
		parts = append(parts,
			chunkJSON(reply, index+callMembers(c, "")+`}]}`, ""),
			chunkJSON(reply, index+`"function":{"arguments":`+wiretest.Quoted(first)+`}}]}`, ""),
			chunkJSON(reply, index+`"function":{"arguments":`+wiretest.Quoted(second)+`}}]}`, ""))
	}
	parts = append(parts, chunkJSON(reply, "{}", finishReason(reply)))

	return append(parts, objectHead("chat.completion.chunk", reply)+`,"choices":[],"usage":`+usageJSON(reply.Usage)+"}", "[DONE]")
}

func chunkJSON(reply model.Reply, delta, finish string) string {
	return objectHead("chat.completion.chunk", reply) + `,"choices":[{"index":0,"delta":` + delta + `,"logprobs":null,"finish_reason":` +
		orNull(finish) + `}],"usage":null}`
}

func objectHead(object string, reply model.Reply) string {
	return `{"id":"chatcmpl-1","object":"` + object + `","created":1700000000,"model":` + wiretest.Quoted(reply.Model)
}

func callMembers(c model.ToolCall, args string) string {
	return `"id":` + wiretest.Quoted(c.ID) + `,"type":"function","function":{"name":` + wiretest.Quoted(c.Name) +
		`,"arguments":` + wiretest.Quoted(args) + "}"
}

func usageJSON(u model.Usage) string {
	return fmt.Sprintf(`{"prompt_tokens":%d,"completion_tokens":%d,"total_tokens":%d,"prompt_tokens_details":{"cached_tokens":0}}`,
		u.Input, u.Output, u.Input+u.Output)
}

func finishReason(reply model.Reply) string {
	if len(reply.Calls) > 0 {
		return cmp.Or(reply.StopReason, "tool_calls")
	}

	return cmp.Or(reply.StopReason, "stop")
}
