package anthropic

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// How long is waited for what follows a reply that is complete: the last event, and the end of the stream, after
// which the connection can be used again.
const (
	waitForLast = 10 * time.Second
	waitForEnd  = 250 * time.Millisecond
	// mostTail bounds what is read of that, in bytes.
	mostTail = 64 << 10
)

// parts reads a reply that comes in parts.
func (r *reading) parts(in *bufio.Reader) (model.Reply, error) {
	var d draft
	err := r.collect(&d, in)
	if err == nil || d.ending.Reason != "" && interrupted(err) { // then all of it had come, and asking again would cost as much again
		r.showRest()

		return r.finish(&d)
	}
	reply := model.Reply{Usage: d.usage.tokens(), Model: r.model.endpoint.Name}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		err = remote.Cut(io.ErrUnexpectedEOF)
	}

	return reply, remote.Of(r.requestID, err)
}

// interrupted reports whether an error says nothing about the reply itself.
func interrupted(err error) bool {
	var refused *remote.Refusal
	var broken *remote.Broken

	return !errors.As(err, &refused) && !errors.As(err, &broken)
}

// collect adds all events up to the last. Its error is nil if the server said that it is the last.
func (r *reading) collect(d *draft, in *bufio.Reader) error {
	stream, decoder := remote.NewEvents(in), newDecoder()
	for {
		data, err := stream.Next()
		if err != nil {
			return err
		}
		if string(data) == remote.Done { // the last word of servers that speak OpenAI's chat completions, too
			return io.EOF
		}
		e, err := decoder.Next(data)
		if err != nil {
			return remote.Unreadable(err)
		}
		last, err := r.event(d, e)
		if err != nil {
			return err
		}
		if last {
			r.watch.Hurry(waitForEnd)
			_, _ = io.CopyN(io.Discard, in, mostTail)

			return nil
		}
	}
}

// begin adds a block, and shows the text that it begins with.
func (r *reading) begin(d *draft, index string, raw json.RawMessage) error {
	if err := d.begin(index, raw); err != nil {
		return remote.Unreadable(err)
	}
	if b := d.blocks[len(d.blocks)-1]; b.kind == textBlock {
		r.showPart(b.text.String())
	}

	return nil
}

// beginAll adds the blocks that a message begins with. Anthropic's begin with none.
func (r *reading) beginAll(d *draft, blocks []json.RawMessage) error {
	for i, raw := range blocks {
		if err := r.begin(d, strconv.Itoa(i), raw); err != nil {
			return err
		}
	}

	return nil
}

// event adds one event; those that no one knows, such as pings, add nothing. last says that there is none after it.
func (r *reading) event(d *draft, e *event) (last bool, err error) {
	switch e.Type {
	case "message_start":
		if e.Message != nil {
			d.begun, d.model, d.usage = true, e.Message.Model, d.usage.over(e.Message.Usage)

			return false, r.beginAll(d, e.Message.Content)
		}
	case "content_block_start":
		return false, r.begin(d, e.place(), e.Block)
	case "content_block_delta":
		text, err := d.add(e)
		if err != nil {
			return false, remote.Unreadable(err)
		}
		r.showPart(text)
	case "message_delta":
		d.usage = d.usage.over(e.Usage)
		d.end(e.Delta.ending)
		if d.ending.Reason != "" {
			r.watch.Hurry(waitForLast)
		}
	case "message_stop":
		return true, nil
	case "error":
		return false, remote.InReply(r.model.endpoint.Key, e.Error, r.requestID)
	}

	return false, nil
}
