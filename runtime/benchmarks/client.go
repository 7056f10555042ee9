package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/benchmarks/contest"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/local"
	"github.com/agentc-dev/agentc/runtime/openai"
)

// clientGoal is what a turn may take beside the exchange of the same bytes.
const clientGoal = 1.3

// The contestants of the section client.
const (
	ourClient  = "client"
	bareClient = "bare http.Client"
)

// wire is a format that models over the network are asked in, and how its server answers.
type wire struct {
	name, provider string
	open           local.Opener
	kind, answer   string
	// told says that somebody watches the model write.
	told bool
}

// measureClients measures a turn of a conversation over the network of this machine: a request with the results of twenty calls, and a
// reply of eighty words.
func (b *bench) measureClients(ctx context.Context) error {
	reply := runtime.ModelReply{Text: strings.Repeat("A sentence of words. ", 20), Model: "m", Usage: runtime.Usage{Input: 3000, Output: 80}}
	stream := "data: " + strings.Join(chatwire.Parts(reply), "\n\ndata: ") + "\n\n"
	for _, w := range []wire{
		{name: "chat completions", provider: "openai", open: openai.Open, kind: "application/json", answer: chatwire.Whole(reply)},
		{name: "chat completions, streamed", provider: "openai", open: openai.Open, kind: "text/event-stream", answer: stream, told: true},
		{
			name: "Anthropic, streamed", provider: "anthropic", open: anthropic.Open, kind: "text/event-stream",
			answer: anthropicwire.Stream(anthropicwire.Parts(reply)...), told: true,
		},
	} {
		b.progress.say("client of %s", w.name)
		if err := b.measureClient(ctx, w, reply.Text); err != nil {
			return fmt.Errorf("client of %s: %w", w.name, err)
		}
	}

	return nil
}

// measureClient lets a client, and an http.Client that sends the bytes which that has sent, ask the same server.
func (b *bench) measureClient(ctx context.Context, w wire, text string) error {
	turns, rounds := 50, 60
	if b.small {
		turns, rounds = 3, 2
	}
	var sent atomic.Pointer[http.Request]
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, in *http.Request) {
		body, _ := io.ReadAll(in.Body)
		if sent.Load() == nil {
			in.Body = io.NopCloser(bytes.NewReader(body))
			sent.Store(in)
		}
		out.Header().Set("Content-Type", w.kind)
		_, _ = io.WriteString(out, w.answer)
	}))
	defer server.Close()

	ask, err := w.client(ctx, server.URL)
	if err != nil {
		return err
	}
	if got, err := ask(); err != nil || got != text {
		return fmt.Errorf("%q, %w", got, err)
	}
	bare, err := bareOf(ctx, server.URL, sent.Load(), len(w.answer))
	if err != nil {
		return err
	}
	scores, err := inTurns(rounds, turns, []contest.Score{{Name: ourClient}, {Name: bareClient}}, []func() error{
		func() error { _, err := ask(); return err }, bare,
	})
	if err != nil {
		return err
	}
	b.rows = append(b.rows, row{
		"client of " + w.name + " / bare http.Client", best(scores, ourClient) / best(scores, bareClient), "x", goal{atMost, clientGoal},
	})

	return nil
}

// inTurns lets contestants take turns, and counts processor time where the system tells it: that of the server is the same for all, and
// other work of the machine, which is everywhere in the time that passes between two sides of a connection, is not in it. The first
// round warms up and does not count.
func inTurns(rounds, turns int, scores []contest.Score, contestants []func() error) ([]contest.Score, error) {
	for round := range rounds + 1 {
		for i := range contestants {
			at := (round + i) % len(contestants)
			watch := startWatch()
			for range turns {
				if err := contestants[at](); err != nil {
					return nil, err
				}
			}
			if round > 0 {
				scores[at].Step = append(scores[at].Step, watch.nanoseconds()/float64(turns))
			}
		}
	}

	return scores, nil
}

// client opens the model of a server, and returns what asks it and gives back the text of its reply.
func (w wire) client(ctx context.Context, url string) (ask func() (string, error), err error) {
	variables := func(name string) (string, bool) {
		if strings.HasSuffix(name, "_API_KEY") {
			return "sk-of-the-benchmarks", true
		}

		return "", false
	}
	p, err := w.open(local.Model{Name: w.provider + ":m", Provider: w.provider, ID: "m", BaseURL: url}, variables)
	if err != nil {
		return nil, err
	}
	request := conversation()
	if !w.told {
		return func() (string, error) {
			reply, err := p.Chat(ctx, request)

			return reply.Text, err
		}, nil
	}

	return func() (string, error) {
		told := 0
		reply, err := p.(local.Streamer).Stream(ctx, request, func(text string) { told += len(text) })
		if told != len(reply.Text) {
			err = errors.Join(err, fmt.Errorf("told %d of %d bytes", told, len(reply.Text)))
		}

		return reply.Text, err
	}, nil
}

// bareOf sends what a client has sent, headers included, and reads the reply without looking at it.
func bareOf(ctx context.Context, url string, sent *http.Request, length int) (func() error, error) {
	body, err := io.ReadAll(sent.Body)
	if err != nil {
		return nil, err
	}
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
	}, nil
}

// conversation is a request of one that has gone on for a while.
func conversation() runtime.ModelRequest {
	r := runtime.ModelRequest{
		Agent: "worker", System: strings.Repeat("Work with care. ", 40),
		Messages: []runtime.Message{{Role: runtime.RoleUser, Text: "Find it."}},
		Tools:    []runtime.ModelTool{{Name: "search", Description: "Searches.", Schema: `{"type":"object","properties":{}}`}},
	}
	for i := range 20 {
		id := "call_" + strconv.Itoa(i)
		r.Messages = append(r.Messages,
			runtime.Message{Role: runtime.RoleAssistant, Calls: []runtime.ModelCall{{ID: id, Name: "search", Args: `{"query":"go"}`}}},
			runtime.Message{Role: runtime.RoleTool, CallID: id, Text: strings.Repeat("A line of a result. ", 20)})
	}

	return r
}
