package core

import (
	"context"
	"sync"

	"github.com/agentc-dev/agentc/runtime/compiled"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Request is what a model was asked at an address of a run, with secrets redacted. What a budget had added to the last message is not
// in it. It plays the program through the run's journal, as Export does.
//
// Errors: those of Export, *UnknownAddressError.
func (e *Engine) Request(ctx context.Context, p *compiled.Program, id, address string) (*model.Request, error) {
	var request *model.Request
	wanted := &wantedRequest{address: address, keep: func(_ string, r *model.Request) { request = r }}
	err := e.play(ctx, p, id, func(r *run, h *history) error {
		r.wanted = wanted

		return h.isModel(id, address)
	})
	if err == nil && request == nil {
		err = &UnknownAddressError{Run: id, Address: address, Problem: "the program does not ask a model there any more"}
	}

	return request, err
}

// Requests calls keep with what models were asked in a run, as Request returns it, in an order that branches side by side may change.
// What was asked before an error has been kept.
//
// Errors: those of Export.
func (e *Engine) Requests(ctx context.Context, p *compiled.Program, id string, keep func(address string, r *model.Request)) error {
	return e.play(ctx, p, id, func(r *run, _ *history) error {
		r.wanted = &wantedRequest{keep: keep}

		return nil
	})
}

// isModel says that an effect at an address is no request to a model.
func (h *history) isModel(id, address string) error {
	was := h.places[address]
	switch {
	case !was.began():
		return &UnknownAddressError{Run: id, Address: address, Problem: "the run has no such effect"}
	case was.intent.Name != kindModel:
		return &UnknownAddressError{Run: id, Address: address, Problem: "the effect is no request to a model, but: " + was.intent.Name}
	}

	return nil
}

// wantedRequest is the request to a model that is looked for: that of an address, or each if it is "".
type wantedRequest struct {
	address string
	mu      sync.Mutex
	keep    func(address string, r *model.Request)
}

// keepRequest keeps the request of an effect if it is wanted.
func (f *Effects) keepRequest(request model.Request) {
	wanted := f.run.wanted
	if wanted == nil || wanted.address != "" && wanted.address != f.Address() {
		return
	}
	redacted := f.run.redactor().Text
	request.Model = f.run.meant(request.Model)
	request.System = redacted(request.System)
	messages := request.Messages
	request.Messages = make([]model.Message, len(messages))
	for i, m := range messages {
		m.Text = redacted(m.Text)
		calls := m.Calls
		m.Calls = make([]model.ToolCall, len(calls))
		for k, call := range calls {
			call.Args = redacted(call.Args)
			m.Calls[k] = call
		}
		request.Messages[i] = m
	}
	wanted.mu.Lock()
	defer wanted.mu.Unlock()
	wanted.keep(f.Address(), &request)
}
