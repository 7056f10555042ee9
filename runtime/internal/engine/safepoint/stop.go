package safepoint

import (
	"context"
	"sync"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
)

// Stop ends one run. It is safe for concurrent use.
type Stop struct {
	ctx    context.Context
	cancel context.CancelCauseFunc

	mu sync.Mutex
	// cause is why the run is to end; nil until a caller has asked for it.
	cause error
	// busy counts the effects that are under way and must not be interrupted.
	busy int
}

// New returns the context in which the run has to be started, and what ends it.
func New(parent context.Context) (context.Context, *Stop) {
	ctx, cancel := context.WithCancelCause(parent)

	return ctx, &Stop{ctx: ctx, cancel: cancel}
}

// Request ends the run at its next safe point, with the cause. The first cause counts.
func (s *Stop) Request(cause error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cause == nil {
		s.cause = cause
	}
	s.settle()
}

// Now ends the run at once. It also has to be called when the run has ended.
func (s *Stop) Now(cause error) { s.cancel(cause) }

// Requested reports whether a caller has asked for the end.
func (s *Stop) Requested() bool {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.cause != nil
}

// settle cancels the run if it is to end and nothing is under way.
func (s *Stop) settle() {
	if s.cause != nil && s.busy == 0 {
		s.cancel(s.cause)
	}
}

// begin marks the beginning of an effect that must not be interrupted, and reports whether it may
// begin. When the run is to end it does not, and begin waits until the others are done: the engine
// then refuses the effect.
func (s *Stop) begin() bool {
	s.mu.Lock()
	begins := s.cause == nil
	if begins {
		s.busy++
	}
	s.mu.Unlock()
	if !begins {
		<-s.ctx.Done()
	}

	return begins
}

// pass is begin for an effect that may be interrupted.
func (s *Stop) pass() {
	if s.Requested() {
		<-s.ctx.Done()
	}
}

// end marks the end of an effect.
func (s *Stop) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.busy--
	s.settle()
}

// Guard returns p with agents that begin no effect when the run is to end.
func (s *Stop) Guard(p *compiled.Program) *compiled.Program { return p.Through(s.wrap) }
