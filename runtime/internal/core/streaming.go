package core

import (
	"context"
	"sync"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/model"
)

// streaming is a provider in one call that somebody watches: what the model writes is told while it is written. What comes when the call
// is over, or the run has been cancelled, is nobody's: a provider that goes on by itself must not speak in between what follows.
type streaming struct {
	streamer       model.Streamer
	run            *run
	agent, address string

	mu   sync.Mutex
	over bool
}

func (f *Effects) streaming(s model.Streamer, agent string) *streaming {
	return &streaming{streamer: s, run: f.run, agent: agent, address: f.Address()}
}

// Chat implements Provider.
func (s *streaming) Chat(ctx context.Context, request model.Request) (model.Reply, error) {
	return s.streamer.Stream(ctx, request, func(text string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if text != "" && !s.over && ctx.Err() == nil {
			s.run.whisper(s.agent, s.address, text)
		}
	})
}

// end is called when the call is over.
func (s *streaming) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
}

// whisper tells the observer a piece of what a model writes. It has no number, and no journal has it.
func (r *run) whisper(agent, address, text string) {
	e := event.Event{
		Kind: event.Delta, Run: r.id, Address: address, Time: r.engine.config.Clock.Now(), Agent: agent, Text: text,
	}
	r.watch.Lock()
	defer r.watch.Unlock()
	r.tell(e)
}
