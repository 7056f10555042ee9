package httpclient

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

// Options are where the server is, and who asks.
type Options struct {
	// URL is where the server is, such as http://127.0.0.1:8080 or, for a handler that is mounted below a path,
	// https://example.com/agents.
	URL string
	// Token is sent as a bearer token; "": none.
	Token string
	// HTTP does the requests; nil: http.DefaultClient. A time limit of it would end Watch, too.
	HTTP *http.Client
}

// Client is a [client.Client] over HTTP.
type Client struct {
	base, token string
	http        *http.Client
}

var _ client.Client = (*Client)(nil)

// New returns a client. It asks the server nothing yet.
func New(o Options) *Client {
	return &Client{base: strings.TrimRight(o.URL, "/"), token: o.Token, http: cmp.Or(o.HTTP, http.DefaultClient)}
}

// Error is a request that the server has refused, or could not do.
type Error struct {
	// Status is the HTTP status.
	Status int
	// Problem is what the server says. Its type is "error" where what answers is no server of runs.
	Problem client.Problem
}

func (e *Error) Error() string { return e.Problem.Message }

// ErrorType is the code of the server's error; see [runtime.ErrorType].
func (e *Error) ErrorType() string { return e.Problem.Type }

// Start implements [client.Client].
func (c *Client) Start(ctx context.Context, in client.Start) (*client.Run, error) {
	return do[client.Run](ctx, c, http.MethodPost, "/runs", in)
}

// List implements [client.Client].
func (c *Client) List(ctx context.Context, in client.List) (*client.Runs, error) {
	query := url.Values{}
	set := func(name, value string) {
		if value != "" {
			query.Set(name, value)
		}
	}
	set("status", string(in.Status))
	set("agent", in.Agent)
	set("search", in.Search)
	set("before", in.Before)
	if !in.Since.IsZero() {
		set("since", in.Since.Format(time.RFC3339Nano))
	}
	if in.Limit != 0 {
		set("limit", strconv.Itoa(in.Limit))
	}

	return do[client.Runs](ctx, c, http.MethodGet, "/runs?"+query.Encode(), nil)
}

// Get implements [client.Client].
func (c *Client) Get(ctx context.Context, run string) (*client.Run, error) {
	return do[client.Run](ctx, c, http.MethodGet, pathOf(run), nil)
}

// Answer implements [client.Client].
func (c *Client) Answer(ctx context.Context, in client.Reply) (*client.Run, error) {
	return do[client.Run](ctx, c, http.MethodPost, pathOf(in.Run)+"/answers", in)
}

// Cancel implements [client.Client].
func (c *Client) Cancel(ctx context.Context, run string) (*client.Run, error) {
	return do[client.Run](ctx, c, http.MethodPost, pathOf(run)+"/cancel", nil)
}

// Watch implements [client.Client].
func (c *Client) Watch(ctx context.Context, in client.Watch) iter.Seq2[event.Event, error] {
	return func(yield func(event.Event, error) bool) {
		path := pathOf(in.Run) + "/events?from=" + strconv.Itoa(max(in.From, 1))
		response, err := c.send(ctx, http.MethodGet, path, nil)
		if err != nil {
			yield(event.Event{}, err)
			return
		}
		defer response.Body.Close()
		lines := json.NewDecoder(response.Body)
		for {
			var e event.Event
			err := lines.Decode(&e)
			switch {
			case errors.Is(err, io.EOF):
				return
			case ctx.Err() != nil:
				yield(event.Event{}, context.Cause(ctx))
				return
			case err != nil:
				yield(event.Event{}, fmt.Errorf("the events of run %s end in the middle: %w", in.Run, err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func pathOf(run string) string { return "/runs/" + url.PathEscape(run) }

// do makes a request, and reads what it is answered with.
func do[T any](ctx context.Context, c *Client, method, path string, in any) (*T, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	response, err := c.send(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	out := new(T)
	if err := json.NewDecoder(response.Body).Decode(out); err != nil {
		return nil, fmt.Errorf("the reply of %s %s cannot be read: %w", method, c.base+path, err)
	}

	return out, nil
}

// send makes a request, and returns its reply if it is no error.
func (c *Client) send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	if from := runtime.TraceparentFrom(ctx); from != "" {
		request.Header.Set("Traceparent", from)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < http.StatusBadRequest {
		return response, nil
	}
	defer response.Body.Close()

	return nil, errorOf(response)
}

// mostProblem is how many bytes of an error are read.
const mostProblem = 1 << 20

// errorOf is the error that a server answers with, or a proxy before it.
func errorOf(response *http.Response) error {
	e := &Error{Status: response.StatusCode}
	err := json.NewDecoder(io.LimitReader(response.Body, mostProblem)).Decode(&e.Problem)
	if err != nil || e.Problem.Message == "" {
		e.Problem = client.Problem{Type: "error", Message: "the server answers " + response.Status}
	}

	return e
}
