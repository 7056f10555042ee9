package openai_test

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// long is a request of a conversation that has gone on for a while.
func long() model.Request {
	r := hello()
	for i := range 20 {
		id := "call_" + strconv.Itoa(i)
		r.Messages = append(r.Messages,
			model.Message{Role: model.RoleAssistant, Calls: []model.ToolCall{{ID: id, Name: "search", Args: `{"query":"go"}`}}},
			model.Message{Role: model.RoleTool, CallID: id, Text: strings.Repeat("A line of a result. ", 20)})
	}
	r.Tools = []model.Tool{{Name: "search", Description: "Searches.", Schema: `{"type":"object"}`}}

	return r
}

// BenchmarkChat is a turn, beside the round trip of the same bytes by a bare http.Client.
func BenchmarkChat(b *testing.B) {
	reply := model.Reply{Text: strings.Repeat("A sentence of some words. ", 20)}
	for name, delta := range map[string]func(string){"whole": nil, "parts": func(string) {}} {
		text, kind := chatwire.Whole(reply), "application/json"
		if delta != nil {
			text, kind = "data: "+strings.Join(chatwire.Parts(reply), "\n\ndata: ")+"\n\n", "text/event-stream"
		}
		s := wiretest.Serve(b, wiretest.Body(200, kind, text))
		m := open(b, s, openai.Options{})
		r := long()
		if _, err := m.Stream(b.Context(), r, delta); err != nil {
			b.Fatal(err)
		}
		sent := s.Requests()[0].Body
		b.Run(name+"/client", func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Stream(b.Context(), r, delta); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/bare", func(b *testing.B) {
			for b.Loop() {
				response, err := http.Post(s.URL+"/v1/chat/completions", "application/json", bytes.NewReader(sent))
				if err != nil {
					b.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
			}
		})
	}
}
