package serve

import (
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
)

const (
	// readyAge is how old what was found out about readiness may be: looking may start processes of tools.
	readyAge = 5 * time.Second
	// readyTime is how long it may take.
	readyTime = 20 * time.Second
)

// readiness is what was found out last about what runs need.
type readiness struct {
	mu      sync.Mutex
	checked time.Time
	missing []client.Problem
}

// Missing returns the errors that would keep a run from starting, as the engine checks for them: missing models,
// keys, variables and tools, or a store that cannot be written to. The result may be some seconds old.
func (s *Server) Missing() []client.Problem {
	r := &s.readiness
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.checked.IsZero() && time.Since(r.checked) < readyAge {
		return r.missing
	}
	ctx, cancel := context.WithTimeout(s.ctx, readyTime) // of the server: a client that goes away is not why something is missing
	defer cancel()
	problems := core.Problems(s.idle.CheckAll(ctx, s.program))
	if err := s.store.Writable(ctx); err != nil {
		problems = append(problems, err)
	}
	r.missing = []client.Problem{}
	for _, err := range problems {
		r.missing = append(r.missing, *problemOf(err))
	}
	r.checked = time.Now()

	return r.missing
}

// serveReady answers whether runs can start. Probes have no credentials, and need only the status.
func (s *Server) serveReady(w http.ResponseWriter, r *http.Request) error {
	if s.isClosing() {
		return writeJSON(w, http.StatusServiceUnavailable, wire.Ready{Status: "closing", Missing: []client.Problem{}})
	}
	reply, status := wire.Ready{Status: "ready", Missing: s.Missing()}, http.StatusOK
	if len(reply.Missing) > 0 {
		reply.Status, status = "not-ready", http.StatusServiceUnavailable
	}
	who, err := s.authenticate(r)
	if err != nil {
		reply.Missing = []client.Problem{}
		return writeJSON(w, status, reply)
	}
	if who.CanSee(access.Target{}) {
		stranded, _ := s.strandedRuns(r.Context()) // a store that cannot be listed is a problem of its own
		reply.Stranded = stranded[:min(len(stranded), mostReported)]
	}

	return writeJSON(w, status, reply)
}
