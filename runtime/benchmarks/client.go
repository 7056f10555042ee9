package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/openai"
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
	// told says that somebody watches the model write.
	told bool
}

// measureClients measures a turn of a conversation over the network of this machine.
func (b *bench) measureClients(ctx context.Context) error {
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
			chunks: parts, told: true,
		},
		{
			name: "Anthropic, streamed", provider: "anthropic", open: anthropic.Open, kind: "text/event-stream",
			chunks: events, told: true,
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
func (b *bench) measureClient(ctx context.Context, w wireFormat, text string) error {
	pairs := 2000
	if b.small {
		pairs = 3
	}
	server := serve(w.kind, w.chunks)
	defer server.Close()

	ask, err := w.client(ctx, server.URL)
	if err != nil {
		return err
	}
	if got, err := ask(); err != nil || got != text {
		return fmt.Errorf("%q, %w", got, err)
	}
	bare, err := bareOf(ctx, server.URL, server.first.Load(), len(strings.Join(w.chunks, "")))
	if err != nil {
		return err
	}
	ours, theirs, err := inPairs(pairs, func() error { _, err := ask(); return err }, bare)
	if err != nil {
		return err
	}
	b.rows = append(b.rows,
		row{"client of " + w.name + " / bare http.Client", median(ours.passed) / median(theirs.passed), "x", goal{atMost, clientGoal}},
		row{"client of " + w.name + " / bare http.Client, processor time", ours.busy / theirs.busy, "x", goal{}})

	return nil
}

// turns are what those of one side took: the time that passed in each, and the processor time of all, the server's included.
type turns struct {
	passed []float64
	busy   float64
}

// inPairs lets two sides take turns, one after the other, so that what else the machine does is done to both. Which of them begins
// changes. The first tenth warms up and does not count.
func inPairs(pairs int, one, other func() error) (ours, theirs turns, err error) {
	sides := []struct {
		ask  func() error
		took *turns
	}{{one, &ours}, {other, &theirs}}
	warm := pairs / 10
	for pair := range warm + pairs {
		for i := range sides {
			side := sides[(pair+i)%len(sides)]
			watch := startWatch()
			if err := side.ask(); err != nil {
				return ours, theirs, err
			}
			if passed := time.Since(watch.start); pair >= warm {
				side.took.passed = append(side.took.passed, float64(passed))
				side.took.busy += watch.nanoseconds()
			}
		}
	}

	return ours, theirs, nil
}

// median is the middle one of times.
func median(times []float64) float64 { return slices.Sorted(slices.Values(times))[len(times)/2] }

// client opens the model of a server, and returns what asks it and gives back the text of its reply.
func (w wireFormat) client(ctx context.Context, url string) (ask func() (string, error), err error) {
	variables := func(name string) (string, bool) {
		if strings.HasSuffix(name, "_API_KEY") {
			return "sk-of-the-benchmarks", true
		}

		return "", false
	}
	p, err := w.open(model.Model{Name: w.provider + ":m", Provider: w.provider, ID: "m", BaseURL: url}, variables)
	if err != nil {
		return nil, err
	}
	request, turn := conversation(), 0
	next := func() model.Request {
		turn++
		request.Messages[len(request.Messages)-1].Text = lastResults[turn%len(lastResults)]

		return request
	}
	if !w.told {
		return func() (string, error) {
			reply, err := p.Chat(ctx, next())

			return reply.Text, err
		}, nil
	}

	return func() (string, error) {
		told := 0
		reply, err := p.(model.Streamer).Stream(ctx, next(), func(text string) { told += len(text) })
		if told != len(reply.Text) {
			err = errors.Join(err, fmt.Errorf("told %d of %d bytes", told, len(reply.Text)))
		}

		return reply.Text, err
	}, nil
}
