package client

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
)

// reply is how an address has answered a call, as HTTP has it. The SDK keeps that to itself.
type reply struct {
	status atomic.Int32
	// session reports whether the call named a session.
	session atomic.Bool
}

type replyKey struct{}

// withReply returns a context for a call whose reply is recorded.
func (r *reply) withReply(ctx context.Context) context.Context {
	return context.WithValue(ctx, replyKey{}, r)
}

// noteReply notes the reply to a request, if the request is a call.
func noteReply(resp *http.Response) {
	if r, ok := resp.Request.Context().Value(replyKey{}).(*reply); ok && resp.Request.Method == http.MethodPost {
		r.status.Store(int32(resp.StatusCode))
		r.session.Store(resp.Request.Header.Get("Mcp-Session-Id") != "")
	}
}

// refuseUnknown gives an empty reply to server/discover the status of a refusal. Servers that take each method that they do not know for a
// notification answer so, and are to be greeted with initialize.
func refuseUnknown(resp *http.Response) {
	isEmpty := resp.StatusCode == http.StatusAccepted || resp.StatusCode == http.StatusNoContent || resp.ContentLength == 0
	if isEmpty && resp.StatusCode < http.StatusMultipleChoices && methodOf(resp.Request) == "server/discover" {
		resp.StatusCode = http.StatusNotFound
		resp.Status = "404 " + http.StatusText(resp.StatusCode)
	}
}

// methodOf returns the method that a request of the protocol calls; "" if it calls none.
func methodOf(r *http.Request) string {
	if r.GetBody == nil {
		return ""
	}
	body, err := r.GetBody()
	if err != nil {
		return ""
	}
	defer body.Close()
	var called struct{ Method string }
	if json.NewDecoder(body).Decode(&called) != nil {
		return ""
	}

	return called.Method
}

// isSessionUnknown reports whether the server does not know the session. 404 is what the protocol says; servers that were started again say 400.
func (r *reply) isSessionUnknown() bool {
	status := r.status.Load()

	return r.session.Load() && (status == http.StatusNotFound || status == http.StatusBadRequest)
}

// isRefused reports whether the call was refused, so that it has had no effect.
func (r *reply) isRefused() bool {
	status := r.status.Load()

	return r.isSessionUnknown() || status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// isError reports whether the server has answered with an error.
func (r *reply) isError() bool { return r.status.Load() >= http.StatusBadRequest }

func (r *reply) String() string {
	status := int(r.status.Load())

	return fmt.Sprintf("status %d %s", status, http.StatusText(status))
}
