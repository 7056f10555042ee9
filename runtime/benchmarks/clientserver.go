package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime/model"
)

// modelServer is one that models are asked of, without a model.
type modelServer struct {
	*httptest.Server
	// first is the first request, with its body.
	first atomic.Pointer[http.Request]
}

// serve answers every request with the same chunks, each sent when it is written, and without a pause between them: a real server
// takes its time, in which any client would catch up.
func serve(kind string, chunks []string) *modelServer {
	s := &modelServer{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, _ := io.ReadAll(in.Body)
		if s.first.Load() == nil {
			in.Body = io.NopCloser(bytes.NewReader(body))
			s.first.Store(in)
		}
		out.Header().Set("Content-Type", kind)
		for _, chunk := range chunks {
			_, _ = io.WriteString(out, chunk)
			if len(chunks) > 1 {
				_ = http.NewResponseController(out).Flush()
			}
		}
	}))

	return s
}

// bareOf sends what a client has sent, headers included, and reads the reply without looking at it.
func bareOf(ctx context.Context, url string, sent *http.Request, length int) func() error {
	body := must(io.ReadAll(sent.Body))
	client := &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	headers := sent.Header.Clone()
	headers.Del("Accept-Encoding") // the transport's own
	headers.Del("Content-Length")

	return func() error {
		request, err := http.NewRequestWithContext(ctx, sent.Method, url+sent.URL.Path, bytes.NewReader(body))
		if err != nil {
			return err
		}
		request.Header = headers
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		if n, err := io.Copy(io.Discard, response.Body); err != nil || n != int64(length) {
			return fmt.Errorf("%d bytes of a reply: %w", n, err)
		}

		return nil
	}
}

// conversation is a request of one that has gone on for a while: twenty-one messages, ten of them results of some 1,200 bytes, and
// five tools.
func conversation() model.Request {
	r := model.Request{
		Agent: "worker", System: strings.Repeat("Work with care. ", 40),
		Messages: []model.Message{{Role: model.RoleUser, Text: "Find out who wrote it, when, and what for."}},
	}
	for _, name := range []string{"search", "read", "write", "list", "finish"} {
		r.Tools = append(r.Tools, model.Tool{
			Name: name, Description: "Does what its name says with what it is given, and tells what came of it. It may take a while.",
			Schema: `{"type":"object","properties":{"query":{"type":"string","description":"What is asked for."},` +
				`"limit":{"type":"integer","description":"How many are enough."}},"required":["query"],"additionalProperties":false}`,
		})
	}
	for i := range 10 {
		id := "call_" + strconv.Itoa(i)
		r.Messages = append(r.Messages,
			model.Message{
				Role: model.RoleAssistant, Text: "Next I look for more of it.",
				Calls: []model.ToolCall{{ID: id, Name: "search", Args: `{"query":"who wrote it","limit":10}`}},
			},
			model.Message{Role: model.RoleTool, CallID: id, Text: strings.Repeat("A \"line\" of a result, as long as most.\n", 30)})
	}

	return r
}

// lastResults are those of the last call, in turn: it is another in every turn, since what was sent before is written faster.
var lastResults = []string{
	strings.Repeat("The \"line\" is one of ten, or a few more.\n", 30), strings.Repeat("This \"line\" is of another search result.\n", 30),
}
