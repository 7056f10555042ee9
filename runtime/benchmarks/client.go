package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// clientGoal is what a turn may take beside the exchange of the same bytes.
const clientGoal = 1.3

// wireFormat is a format that models over the network are asked in, and how its server answers.
type wireFormat struct {
	name, provider string
	open           model.Opener
	kind           string
	// chunks are what the server sends, each when it is written.
	chunks []string
	// watched reports whether the reply is streamed to an observer.
	watched bool
}

// measureClients measures a turn of a conversation over the network of this machine.
func (b *bench) measureClients() {
	reply := model.Reply{
		Text: strings.Repeat("The answer has a few hundred words, all in one line. ", 30), Model: "m",
		Usage: model.Usage{Input: 3000, Output: 300},
	}
	var parts, events []string
	for _, data := range chatwire.Parts(reply) {
		parts = append(parts, "data: "+data+"\n\n")
	}
	for _, data := range anthropicwire.Parts(reply) {
		events = append(events, anthropicwire.Stream(data))
	}
	for _, w := range []wireFormat{
		{
			name: "chat completions", provider: "openai", open: openai.Open, kind: "application/json",
			chunks: []string{chatwire.Whole(reply)},
		},
		{
			name: "chat completions, streamed", provider: "openai", open: openai.Open, kind: "text/event-stream",
			chunks: parts, watched: true,
		},
		{
			name: "Anthropic, streamed", provider: "anthropic", open: anthropic.Open, kind: "text/event-stream",
			chunks: events, watched: true,
		},
	} {
		b.progress.say("client of %s", w.name)
		b.measureClient(w, reply.Text)
	}
}

// measureClient lets a client, and an http.Client that sends the bytes which that has sent, ask the same server.
func (b *bench) measureClient(w wireFormat, text string) {
	pairs := b.size(2000, 3)
	server := serve(w.kind, w.chunks)
	defer server.Close()

	ask := w.client(b.ctx, server.URL)
	if got, err := ask(); err != nil || got != text {
		check(fmt.Errorf("%q, %w", got, err))
	}
	bare := bareOf(b.ctx, server.URL, server.first.Load(), len(strings.Join(w.chunks, "")))
	turn := func() error {
		_, err := ask()
		return err
	}
	passed, busy := inTurns(pairs/10, pairs, side{"client", timed(turn)}, side{"bare", timed(bare)})
	title := "client of " + w.name + " / bare http.Client"
	b.add(title, median(passed[0].Step)/median(passed[1].Step), "x", goal{atMost, clientGoal})
	b.add(title+", processor time", sum(busy[0].Step)/sum(busy[1].Step), "x", goal{})
}

// client opens the model of a server, and returns what asks it and gives back the text of its reply.
func (w wireFormat) client(ctx context.Context, url string) (ask func() (string, error)) {
	variables := func(name string) (string, bool) {
		if strings.HasSuffix(name, "_API_KEY") {
			return "sk-of-the-benchmarks", true
		}

		return "", false
	}
	p := must(w.open(model.Model{Name: w.provider + ":m", Provider: w.provider, ID: "m", BaseURL: url}, variables))
	request, turn := conversation(), 0
	next := func() model.Request {
		turn++
		request.Messages[len(request.Messages)-1].Text = lastResults[turn%len(lastResults)]

		return request
	}
	if !w.watched {
		return func() (string, error) {
			reply, err := p.Chat(ctx, next())

			return reply.Text, err
		}
	}

	return func() (string, error) {
		watched := 0
		reply, err := p.(model.Streamer).Stream(ctx, next(), func(text string) { watched += len(text) })
		if watched != len(reply.Text) {
			err = errors.Join(err, fmt.Errorf("%d of %d bytes were reported", watched, len(reply.Text)))
		}

		return reply.Text, err
	}
}
