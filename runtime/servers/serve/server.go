package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"hash/maphash"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/agentc-dev/agentc/runtime/engine"
	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/cli/inputs"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/internal/servers/wire"
	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// Options configure a server.
type Options struct {
	Program *compiled.Program
	// Store is where runs are recorded; nil: the store of Engine, or else memory.
	Store journal.Store
	// Engine are the options of the engine of each run: providers, an observer, a clock. The server sets the store
	// and the run id.
	Engine engine.Options
	// MaxRuns is how many runs the server executes at the same time; 0: 64.
	MaxRuns int
	// MaxRecoveries is how often a run whose process died is resumed without progress before it is quarantined; 0: 5.
	MaxRecoveries int
	// RecoveryWait is the wait after a recovery without progress, which doubles each time, up to 5 minutes; 0: 2
	// seconds.
	RecoveryWait time.Duration
	// Rescan is how often Watch searches for interrupted runs, on average; 0: every 2 seconds.
	Rescan time.Duration
	// Caller returns what the caller may do who has a bearer token, if the token is valid, such as
	// [access.Tokens.Lookup]. nil: everyone who reaches the server may do everything.
	Caller access.Lookup
	// NoPage leaves out the page for browsers at /.
	NoPage bool
	// Log receives a line for the start, each retry, pause, failure and end of a run, with its id, and for the
	// recovery of interrupted runs. Of the texts of models, tools and people it receives errors only, without
	// secrets. nil: no log.
	Log *slog.Logger
}

// Server starts, executes and recovers runs. It is safe for concurrent use.
type Server struct {
	program *compiled.Program
	store   journal.Store
	config  core.Config
	named   access.Lookup
	log     *slog.Logger
	noPage  bool

	maxRecoveries        int
	recoveryWait, rescan time.Duration
	recovery             recovery
	readiness            readiness
	waiting              waiting
	metrics              *metrics

	// idle does what needs no run at work: it records answers, cancels, makes copies.
	idle *core.Engine
	// slots has a place for each run at work.
	slots chan struct{}
	// ctx is the context of all runs.
	ctx  context.Context
	stop context.CancelCauseFunc

	mu sync.Mutex
	// jobs are the runs that are worked on or wait for a place.
	jobs    map[string]*job
	closing bool
	working sync.WaitGroup

	histories *histories
	// room bounds the memory of runs that are being sent, streams has a place for each client that reads events.
	room    room
	streams chan struct{}

	// turns has one who changes a run wait for another who does, by a hash of the run's id.
	turns [64]sync.Mutex
	seed  maphash.Seed
}

// New returns a server. It executes nothing before it receives a request or [Server.Watch] or [Server.Recover] is
// called.
func New(o Options) *Server {
	s := &Server{
		program: o.Program, store: o.Store, config: core.ConfigOf(o.Program), named: o.Caller, log: o.Log, noPage: o.NoPage,
		jobs: map[string]*job{}, metrics: newMetrics(), seed: maphash.MakeSeed(),
		histories: newHistories(), streams: make(chan struct{}, mostStreams),
	}
	core.Configure(o.Engine, &s.config)
	if s.store == nil {
		s.store = s.config.Store
	}
	if s.store == nil {
		s.store = journal.Memory()
	}
	s.config.Store = s.store
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.maxRecoveries = cmp.Or(o.MaxRecoveries, maxRecoveries)
	s.recoveryWait = cmp.Or(o.RecoveryWait, defaultRecoveryWait)
	s.rescan = cmp.Or(o.Rescan, defaultRescan)
	s.slots = make(chan struct{}, cmp.Or(o.MaxRuns, inputs.MaxRuns))
	s.idle = core.New(s.config)
	s.ctx, s.stop = context.WithCancelCause(context.Background())

	return s
}

// lockRun waits until no other request changes the run. end unlocks it.
func (s *Server) lockRun(run string) (end func()) {
	mu := &s.turns[maphash.String(s.seed, run)%uint64(len(s.turns))]
	mu.Lock()

	return mu.Unlock
}

// jobOf returns the job of a run that is executed here, or queued; nil if there is none.
func (s *Server) jobOf(run string) *job {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.jobs[run]
}

// Close ends every run at its next safe point, so that it can be resumed later, and returns when all have ended. No
// new runs are started.
func (s *Server) Close() {
	s.mu.Lock()
	s.closing = true
	for _, j := range s.jobs {
		j.stop.Request(&shutdownError{})
	}
	s.mu.Unlock()
	s.working.Wait()
}

// CloseNow ends every run at once. Effects under way may have happened or not; the next server checks that, or asks.
func (s *Server) CloseNow() {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.stop(&shutdownError{})
	s.working.Wait()
}

var errClosing = &requestError{
	Status: http.StatusServiceUnavailable, Type: "ClosingError", Problem: "the server is closing, and starts nothing new",
}

func (s *Server) isClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.closing
}

func (s *Server) serveHealth(w http.ResponseWriter, _ *http.Request) error {
	if s.isClosing() {
		return writeJSON(w, http.StatusOK, wire.Health{Status: "closing"})
	}

	return writeJSON(w, http.StatusOK, wire.Health{Status: "ok"})
}

func (s *Server) listAgents(w http.ResponseWriter, r *http.Request) error {
	may, err := callerOf(r).Grant()
	if err != nil {
		return err
	}
	p := s.program
	all := wire.Agents{Program: p.Name, Entry: p.Entry, Shape: p.Shape, Text: p.TextHash(), Agents: []wire.Agent{}}
	for _, a := range p.Agents {
		if a.Run == nil || !may.HasAgent(a.Name) {
			continue
		}
		shown := wire.Agent{Name: a.Name, Description: a.Description, Pattern: a.Pattern, HasContext: a.Context != nil}
		if a.Context != nil && a.Context.Schema != "" {
			shown.ContextSchema = json.RawMessage(a.Context.Schema)
		}
		all.Agents = append(all.Agents, shown)
	}

	return writeJSON(w, http.StatusOK, all)
}
