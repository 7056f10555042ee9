package remote

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Format is how servers are asked, and how they answer. It is safe for concurrent use.
type Format interface {
	// Encode writes a request. without is what the request leaves out; stream asks for a reply in
	// parts.
	Encode(r *model.Request, without Lacking, stream bool) []byte
	// Send sends a request in the time of a watch. Errors: those of [Endpoint.Do].
	Send(w *Watch, body []byte, stream bool) (*http.Response, error)
	// Less returns what to leave out after a server has refused a request; now if nothing can be
	// left out that may be the reason.
	Less(refused *Refusal, r *model.Request, now Lacking, stream bool) Lacking
	// Draft begins a reply.
	Draft(r *Reading) Draft
}

// Draft is a reply as far as it has come. Its errors are *Refusal and *Broken.
type Draft interface {
	// Whole adds a reply that comes in one piece.
	Whole(text []byte) error
	// Part adds the data of an event; last reports whether it is the last one.
	Part(data []byte) (last bool, err error)
	// Complete reports whether all that counts has come.
	Complete() bool
	// Used are the tokens that were used, as far as the server has said.
	Used() model.Usage
	// Finish makes the reply of what has come.
	Finish() (model.Reply, error)
}

// Client is a model of an endpoint, which speaks a format. It implements model.Streamer, and is safe for concurrent use.
type Client struct {
	Endpoint Endpoint
	Format   Format
	// Name is what people call the format.
	Name string
	// InParts reports whether replies are asked for in parts whether they are watched or not, Plain
	// whether none is.
	InParts, Plain bool
	// Reliable reports whether a stream that was empty is the reply: some servers lose calls in
	// streams.
	Reliable bool
	// Inside reports whether the server's texts were seen to begin within thoughts.
	Inside atomic.Bool

	lacks lacks
}

// Chat answers one turn; it implements model.Provider. Errors: the cause of ctx when that is done, else *model.Error. With
// an error comes what the server said that it used.
func (c *Client) Chat(ctx context.Context, r model.Request) (model.Reply, error) {
	return c.Stream(ctx, r, nil)
}

// Interruptible implements runtime.Interruptible: all waiting is for the network, and ends with the
// context.
func (*Client) Interruptible() bool { return true }

// mostAttempts bounds how often a server is asked that minds one thing after the other. There are fewer things that can be left out.
const mostAttempts = 8

// Stream implements model.Streamer: if delta is not nil, it is called with the non-empty pieces of
// text that the model writes, but not with calls of tools and thoughts. It calls delta from this
// goroutine only. If Stream returns an error, the text of that attempt is void. A stream that
// brings nothing is an error that another attempt may cure, since the next one asks for the reply
// in one piece.
func (c *Client) Stream(ctx context.Context, r model.Request, delta func(text string)) (model.Reply, error) {
	without := c.lacks.of(r.Schema)
	for attempt := 1; ; attempt++ {
		stream := (delta != nil || c.InParts) && !c.Plain && !without.Has(Streams)
		reply, silent, err := c.ask(ctx, &r, without, stream, delta)
		if err == nil {
			c.lacks.note(without, r.Schema)

			return reply, c.Endpoint.Failure(ctx, r.Agent, c.judgeStream(&reply, silent, stream))
		}
		var refused *Refusal
		if errors.As(err, &refused) && !refused.isModelMistake() && attempt < mostAttempts {
			if less := c.Format.Less(refused, &r, without, stream); less != without {
				without = less
				continue
			}
		}

		return reply, c.Endpoint.Failure(ctx, r.Agent, err)
	}
}

// judgeStream decides whether replies are streamed from now on, after one that has come without an
// error: not after a stream that lacks what it should have, and again after a reply in one piece
// that lacks it, too. It returns the failure of a stream that brought nothing at all: to ask again
// at once would be a second attempt within one.
func (c *Client) judgeStream(reply *model.Reply, silent, stream bool) error {
	lostCalls := reply.StopReason == model.ReasonCalls && len(reply.Calls) == 0
	if c.Reliable || !silent && !lostCalls {
		return nil
	}
	c.lacks.setStreams(!stream)
	if !silent || !stream {
		return nil
	}

	return NewBroken(model.Server, "the stream has neither text nor calls: the next attempt asks for the reply in one piece")
}

// ask is one request and what came of it; [Client.Read] explains silent. Errors: *Refusal, *Broken, or what the network says.
func (c *Client) ask(
	ctx context.Context, r *model.Request, without Lacking, stream bool, delta func(string),
) (reply model.Reply, silent bool, err error) {
	w := WatchCall(ctx, c.Endpoint.Timeout)
	defer w.End()
	response, err := c.Format.Send(w, c.Format.Encode(r, without, stream), stream)
	if err != nil {
		return reply, false, err
	}
	defer response.Body.Close()
	reply, silent, err = c.Read(w, r, response, delta)
	if err != nil {
		err = w.Late(err)
	}

	return reply, silent, err
}

// Read reads the reply to a request; silent reports whether it has neither text nor calls nor
// thoughts, nor a reason for that.
func (c *Client) Read(
	w *Watch, r *model.Request, response *http.Response, delta func(string),
) (reply model.Reply, silent bool, err error) {
	reading := &Reading{
		Key: c.Endpoint.Key, client: c, request: r, watch: w, requestID: RequestID(c.Endpoint.Key, response.Header), delta: delta,
		veil: Veil{Key: c.Endpoint.Key}, thoughts: Thoughts{Inside: c.Inside.Load()},
	}
	reply, err = reading.read(response)
	var broken *Broken
	if errors.As(err, &broken) {
		broken.RequestID = reading.requestID
	}
	isEmpty := !reading.Thought && len(reply.Calls) == 0 && strings.TrimSpace(reply.Text) == ""
	isExplained := reply.StopReason == model.ReasonLength || reply.StopReason == model.ReasonPause
	silent = err == nil && isEmpty && !isExplained

	return reply, silent, err
}
