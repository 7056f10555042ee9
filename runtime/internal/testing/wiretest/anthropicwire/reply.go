package anthropicwire

import (
	"cmp"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Reply answers with a reply, whole or in parts, as the request asks. A request that cannot be is
// refused as bad. The reply's StopReason is in Anthropic's words, and its Carry, if it has one, the
// block that comes first, as JSON.
func Reply(reply model.Reply) wiretest.Answer {
	return Play(func(*Request) model.Reply { return reply })
}

// Play is Reply that decides by the request.
func Play(model func(*Request) model.Reply) wiretest.Answer {
	return func(w http.ResponseWriter, r *wiretest.Request) {
		request, err := Parse(r.Body)
		if err != nil {
			Refuse(400, "invalid_request_error", err.Error())(w, r)
			return
		}
		reply := model(request)
		reply.Model = cmp.Or(reply.Model, request.Model)
		if request.Stream {
			Events(Parts(reply)...)(w, r)
			return
		}
		wiretest.JSON(http.StatusOK, Whole(reply), "Request-Id", "req_whole")(w, r)
	}
}

// Refuse answers with an error as Anthropic writes it. headers are names and values in turn.
func Refuse(status int, kind, message string, headers ...string) wiretest.Answer {
	return wiretest.JSON(status, Failure(kind, message), headers...)
}

// Failure is an error as it is in a response, or in an event.
func Failure(kind, message string) string {
	return `{"type":"error","error":{"type":` + wiretest.Quoted(kind) + `,"message":` + wiretest.Quoted(message) + `},"request_id":"req_011"}`
}

// Events answers with events that have this data, each sent when it is written, with its type as
// its name.
func Events(data ...string) wiretest.Answer {
	return func(w http.ResponseWriter, _ *wiretest.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		w.WriteHeader(http.StatusOK)
		for _, d := range data {
			_, _ = io.WriteString(w, Stream(d))
			_ = http.NewResponseController(w).Flush()
		}
	}
}

// Stream is the text of events.
func Stream(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		_, name, _ := strings.Cut(d, `"type":"`)
		name, _, _ = strings.Cut(name, `"`)
		b.WriteString("event: " + name + "\ndata: " + d + "\n\n")
	}

	return b.String()
}

// Whole is a reply in one piece.
func Whole(reply model.Reply) string {
	blocks := carriedBlocks(reply)
	if reply.Text != "" {
		blocks = append(blocks, `{"type":"text","text":`+wiretest.Quoted(reply.Text)+`,"citations":null}`)
	}
	for _, c := range reply.Calls {
		blocks = append(blocks, callJSON(c, c.Args))
	}

	return messageJSON(reply, strings.Join(blocks, ","), wiretest.Quoted(stopReason(reply)), reply.Usage)
}

// Parts is a reply as the data of events: a few words each, and the arguments of calls in halves.
func Parts(reply model.Reply) []string {
	first := reply.Usage
	first.Output = min(1, first.Output)
	parts := []string{`{"type":"message_start","message":` + messageJSON(reply, "", "null", first) + `}`, `{"type":"ping"}`}
	index := 0
	block := func(start string, deltas ...string) {
		at := `,"index":` + strconv.Itoa(index)
		parts = append(parts, `{"type":"content_block_start"`+at+`,"content_block":`+start+`}`)
		for _, d := range deltas {
			parts = append(parts, `{"type":"content_block_delta"`+at+`,"delta":`+d+`}`)
		}
		parts = append(parts, `{"type":"content_block_stop"`+at+` }`)
		index++
	}
	for _, b := range carriedBlocks(reply) {
		block(b)
	}
	if reply.Text != "" {
		var deltas []string
		for _, word := range strings.SplitAfter(reply.Text, " ") {
			deltas = append(deltas, `{"type":"text_delta","text":`+wiretest.Quoted(word)+`}`)
		}
		block(`{"type":"text","text":""}`, deltas...)
	}
	for _, c := range reply.Calls {
		first, second := wiretest.Halves(c.Args)
		block(callJSON(c, "{}"), `{"type":"input_json_delta","partial_json":""}`,
			`{"type":"input_json_delta","partial_json":`+wiretest.Quoted(first)+`}`,
			`{"type":"input_json_delta","partial_json":`+wiretest.Quoted(second)+`}`)
	}

	return append(parts, `{"type":"message_delta","delta":{"stop_reason":`+wiretest.Quoted(stopReason(reply))+
		`,"stop_sequence":null},"usage":{"output_tokens":`+strconv.Itoa(reply.Usage.Output)+`}}`, `{"type":"message_stop"}`)
}

// messageJSON returns a message with these blocks.
func messageJSON(reply model.Reply, blocks, reason string, u model.Usage) string {
	return `{"id":"msg_01","type":"message","role":"assistant","model":` + wiretest.Quoted(reply.Model) + `,"content":[` + blocks +
		`],"stop_reason":` + reason + `,"stop_sequence":null,"usage":{"input_tokens":` + strconv.Itoa(u.Input-u.Cached-u.Stored) +
		`,"cache_creation_input_tokens":` + strconv.Itoa(u.Stored) + `,"cache_read_input_tokens":` + strconv.Itoa(u.Cached) +
		`,"output_tokens":` + strconv.Itoa(u.Output) + `,"service_tier":"standard"}}`
}

// carriedBlocks returns the block that comes first, if there is one.
func carriedBlocks(reply model.Reply) []string {
	if reply.Carry == "" {
		return nil
	}

	return []string{reply.Carry}
}

func callJSON(c model.ToolCall, input string) string {
	return `{"type":"tool_use","id":` + wiretest.Quoted(c.ID) + `,"name":` + wiretest.Quoted(c.Name) + `,"input":` + input + `}`
}

func stopReason(reply model.Reply) string {
	if len(reply.Calls) > 0 {
		return cmp.Or(reply.StopReason, "tool_use")
	}

	return cmp.Or(reply.StopReason, "end_turn")
}
