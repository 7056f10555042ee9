package client

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
)

// reply is how an address has answered a call, as HTTP has it. The SDK keeps that to itself.
type reply struct {
	status atomic.Int32
	// session says that the call named a session.
	session atomic.Bool
}

type replyKey struct{}

// watched is a context for a call whose reply is noted.
func (r *reply) watched(ctx context.Context) context.Context {
	return context.WithValue(ctx, replyKey{}, r)
}

// noteReply notes the reply to a request, if it is that of a call.
func noteReply(resp *http.Response) {
	if r, ok := resp.Request.Context().Value(replyKey{}).(*reply); ok && resp.Request.Method == http.MethodPost {
		r.status.Store(int32(resp.StatusCode))
		r.session.Store(resp.Request.Header.Get("Mcp-Session-Id") != "")
	}
}

// forgotten reports whether the server does not know the session. 404 is what the protocol says; servers that were started again say 400.
func (r *reply) forgotten() bool {
	status := r.status.Load()

	return r.session.Load() && (status == http.StatusNotFound || status == http.StatusBadRequest)
}

// refused reports whether the call was not taken, so that it has done nothing.
func (r *reply) refused() bool {
	status := r.status.Load()

	return r.forgotten() || status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// failed reports whether the server has answered with an error.
func (r *reply) failed() bool { return r.status.Load() >= http.StatusBadRequest }

func (r *reply) String() string {
	status := int(r.status.Load())

	return fmt.Sprintf("status %d %s", status, http.StatusText(status))
}
