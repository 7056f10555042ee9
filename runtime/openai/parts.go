package openai

import (
	"bufio"
	"errors"
	"io"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// How long is waited for what follows a reply that is complete: the tokens that it used, and the end of the stream,
// after which the connection can be used again.
const (
	waitForUsage = 10 * time.Second
	waitForEnd   = 250 * time.Millisecond
)

// maxTail bounds what is read of that, in bytes.
const maxTail = 64 << 10

// parts reads a reply that comes in parts.
func (r *reading) parts(in *bufio.Reader) (model.Reply, error) {
	var d draft
	err := r.collect(&d, in)
	if err == nil || d.finish != "" && complete(err) { // then all of it had come, and asking again would cost as much again
		r.show(r.veil.Part(r.thoughts.Rest()))
		r.show(r.veil.Rest())

		return r.finish(&d)
	}
	reply := model.Reply{Usage: d.usage.tokens(), Model: r.model.endpoint.Name}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return reply, remote.Of(r.requestID, remote.Cut(io.ErrUnexpectedEOF))
	}

	return reply, err
}

// complete reports whether an error after the last part of a reply says nothing about the reply.
func complete(err error) bool {
	var refused *remote.Refusal
	var wrong *remote.Broken

	return !errors.As(err, &refused) && !errors.As(err, &wrong)
}

// collect adds all parts. Its error is nil if the server said that the stream is done.
func (r *reading) collect(d *draft, in *bufio.Reader) error {
	stream, decoder := remote.NewEvents(in), newDecoder()
	for {
		data, err := stream.Next()
		if err != nil {
			return err
		}
		if string(data) == remote.Done {
			r.drain(in)

			return nil
		}
		c, err := decoder.Next(data)
		switch {
		case err != nil:
			return remote.Of(r.requestID, remote.Unreadable(err))
		case c.failed():
			return remote.InReply(r.model.endpoint.Key, c.Error, r.requestID)
		}
		if err := r.part(d, c); err != nil {
			return err
		}
	}
}

// part adds one part.
func (r *reading) part(d *draft, c *completion) error {
	if c.Model != "" {
		d.model = c.Model
	}
	if c.Usage != nil {
		d.usage = c.Usage
	}
	choice := c.reply()
	if choice == nil {
		return nil
	}
	d.begun = true
	m := &choice.Delta
	if m.Content == "" && len(m.Calls) == 0 && m.Refusal == "" && !m.Thoughts && !m.Reasoning {
		m = &choice.Message // a whole message in one part
	}
	if err := d.add(m, m == &choice.Message); err != nil {
		return err
	}
	if m.Content != "" {
		r.show(r.veil.Part(r.thoughts.Part(string(m.Content))))
	}
	if choice.Finish != "" {
		d.finish = choice.Finish
		r.watch.Hurry(waitForUsage)
	}

	return nil
}

// show reports what may be seen.
func (r *reading) show(text string) {
	if r.delta != nil && text != "" {
		r.delta(text)
	}
}

// drain reads to the end of the stream, which is nearly always there already.
func (r *reading) drain(in *bufio.Reader) {
	r.watch.Hurry(waitForEnd)
	_, _ = io.CopyN(io.Discard, in, maxTail)
}
