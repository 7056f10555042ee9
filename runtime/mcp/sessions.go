package mcp

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of HTTP sessions where no option says otherwise.
const (
	defaultMaxSessions = 1024
	defaultInitTime    = 10 * time.Second
)

// sessions bounds the HTTP sessions of clients with versions of the protocol that have sessions. One that is begun and never says
// notifications/initialized ends soon, or when another needs its place; one that is in use keeps its place.
type sessions struct {
	sdk      *sdk.Server
	most     int
	initTime time.Duration

	mu sync.Mutex
	// ready are the ids of sessions that have said notifications/initialized; those that have ended go with the next admission.
	ready map[string]bool
	// pending counts the requests that begin a session and have not got one yet.
	pending int
}

func newSessions(most int, initTime time.Duration) *sessions {
	most, initTime = cmp.Or(most, defaultMaxSessions), cmp.Or(initTime, defaultInitTime)

	return &sessions{most: most, initTime: initTime, ready: map[string]bool{}}
}

// boundSessions bounds the sessions of a server.
func (s *sessions) boundSessions(server *sdk.Server) {
	s.sdk = server
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, r sdk.Request) (sdk.Result, error) {
			if begun, ok := ctx.Value(admission{}).(func()); ok && method == "initialize" {
				begun()
				s.endUnlessReady(r.GetSession().(*sdk.ServerSession))
			}

			return next(ctx, method, r)
		}
	})
}

// markInitialized is called when a session sends notifications/initialized.
func (s *sessions) markInitialized(_ context.Context, r *sdk.InitializedRequest) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id := r.Session.ID(); id != "" {
		s.ready[id] = true
	}
}

// endUnlessReady ends a session that is not in use when its time for that is over.
func (s *sessions) endUnlessReady(session *sdk.ServerSession) {
	time.AfterFunc(s.initTime, func() {
		s.mu.Lock()
		ready := s.ready[session.ID()]
		s.mu.Unlock()
		if !ready {
			_ = session.Close()
		}
	})
}

// admission is the key of the function that reports that a session has begun.
type admission struct{}

// boundHandler refuses requests that would begin a session too many.
func (s *sessions) boundHandler(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.Header.Get("Mcp-Session-Id") != "" {
			h.ServeHTTP(w, r)
			return
		}
		idle, admitted := s.admitSession()
		if idle != nil {
			_ = idle.Close()
		}
		if !admitted {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "too many sessions: end one that is not needed, or start the server with a larger --max-sessions",
				http.StatusServiceUnavailable)
			return
		}
		begun := sync.OnceFunc(func() {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.pending--
		})
		defer begun()
		h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), admission{}, begun)))
	})
}

// admitSession counts a session that is to begin; admitted is false if all places are in use. idle has to end for it, if it is not nil.
func (s *sessions) admitSession() (idle *sdk.ServerSession, admitted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	live := map[string]bool{}
	for session := range s.sdk.Sessions() {
		if id := session.ID(); id != "" {
			live[id] = true
			if idle == nil && !s.ready[id] { // the one that was begun first
				idle = session
			}
		}
	}
	maps.DeleteFunc(s.ready, func(id string, _ bool) bool { return !live[id] })
	if len(live)+s.pending < s.most {
		idle = nil
	} else if idle == nil {
		return nil, false
	}
	s.pending++

	return idle, true
}
