package core

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/agentc-dev/agentc/runtime/generated/compiled"
	"github.com/agentc-dev/agentc/runtime/internal/engine/addr"
	"github.com/agentc-dev/agentc/runtime/internal/engine/dialog"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/internal/stores/recording"
	"github.com/agentc-dev/agentc/runtime/internal/text/errs"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// checkConflict returns an error if several things are configured to answer instead of models.
func (c *Config) checkConflict() error {
	var fields []string
	for _, field := range []struct {
		name string
		set  bool
	}{{"Model", c.Model != nil}, {"Script", c.Script != ""}, {"Replay", c.Replay != nil}} {
		if field.set {
			fields = append(fields, field.name)
		}
	}
	if len(fields) < 2 {
		return nil
	}
	text := "only one thing answers instead of models, and these are set: " + strings.Join(fields, ", ")

	return &errs.Coded{Code: "ConflictError", Text: text}
}

// startRecording begins to record the run.
func (r *run) startRecording(to *recording.Recorder) (err error) {
	if to == nil {
		return nil
	}
	program, shape := "", ""
	if r.program != nil {
		program, shape = r.program.Name, r.program.Shape
	}
	r.recorder, err = to.Begin(program, shape, r.redactor)

	return err
}

// recordCall records a call of a model. A call that the end of the run, or of its time, has ended
// is not the model's.
func (t *modelTurn) recordCall(m *openModel, request *model.Request, reply model.Reply, err error) {
	if t.fx.run.recorder == nil || err != nil && t.fx.scope.Stopped() != nil {
		return
	}
	t.fx.run.priceReply(request, &reply)
	own := t.withoutRemark(request)
	if m.choice == nil {
		own.Model = t.fx.run.resolveChoice(own.Model)
	}
	t.fx.run.recorder.Record(t.fx.Address(), &own, reply, err)
}

// withoutRemark returns a request without what the engine has added to it: what a budget has left
// is never the same twice.
func (t *modelTurn) withoutRemark(request *model.Request) model.Request {
	own := *request
	own.Messages = own.Messages[:t.ownMessages]

	return own
}

// resolveChoice returns the model that a choice would mean, where none is opened; the choice itself
// if it means none.
func (r *run) resolveChoice(choice *model.Choice) *model.Choice {
	if choice == nil {
		choice = &noChoice
	}
	m, err := Resolve(r.program, choice, r.engine.config.Env)
	if err != nil {
		return choice
	}

	return m.Choice(m.Role)
}

// exportTurn records a turn of a journal. A journal of an older runtime does not have why calls
// have failed. There, a call that failed permanently has failed as often as it would again.
// Failures of a call that was repeated with success, or of a model that was replaced, are lost.
func (t *modelTurn) exportTurn(request *model.Request, reply model.Reply, err error, r *journal.Record) {
	request.Model = t.fx.run.resolveChoice(request.Model)
	if attemptsOf(r) == 0 {
		return // a budget was spent
	}
	if failed := readFailedCalls(r); failed != nil {
		t.exportFailures(request, failed)
		if err == nil {
			t.fx.run.recorder.Record(t.fx.Address(), request, reply, nil)
		}

		return
	}
	var all *FallbackError
	if !errors.As(err, &all) {
		t.exportFailing(request, reply, err)

		return
	}
	for _, tried := range all.Tried {
		choice := *request.Model
		choice.Name = tried.Model
		request.Model = &choice
		t.exportFailing(request, model.Reply{}, tried.Err)
	}
}

// exportFailing records a call as often as it is made until it fails permanently.
func (t *modelTurn) exportFailing(request *model.Request, reply model.Reply, err error) {
	for attempt := 1; ; attempt++ {
		t.fx.run.recorder.Record(t.fx.Address(), request, reply, err)
		if !canRetry(t.fx.run.engine.config.Retry, err, attempt) {
			return
		}
	}
}

// Export records the requests to models of a run and the replies, up to where the run is. It
// replays the program without carrying anything out, as [Engine.Questions] does.
//
// Errors: ErrNoStore, journal.ErrUnknownRun and others of package journal, WrongProgramError,
// ShapeError, *DivergenceError, *recording.ProgramError.
func (e *Engine) Export(ctx context.Context, p *compiled.Program, id string, to *recording.Recorder) error {
	return e.replayJournal(ctx, p, id, func(r *run) error { return r.startRecording(to) })
}

// replayJournal replays a program without carrying anything out. prepare gets the run before that.
func (e *Engine) replayJournal(ctx context.Context, p *compiled.Program, id string, prepare func(*run) error) error {
	j, err := e.readJournal(ctx, id)
	if err != nil {
		return err
	}
	h := replay.Read(j)
	p, info, err := checkProgram(h, p, id, false)
	if err != nil {
		return err
	}
	_, _, err = e.replayOnly(ctx, p, info, id, h, prepare)

	return err
}

// Request returns the request to a model at an address of a run, with secrets redacted and without
// what a budget has added to the last message. It replays the program, as Export does.
//
// Errors: those of Export, UnknownAddressError.
func (e *Engine) Request(ctx context.Context, p *compiled.Program, id, address string) (*model.Request, error) {
	var request *model.Request
	wanted := &wantedRequest{address: address, keep: func(_ string, r *model.Request) { request = r }}
	err := e.replayJournal(ctx, p, id, func(r *run) error {
		r.wanted = wanted

		return checkIsModel(r.journal.history, id, address)
	})
	if err == nil && request == nil {
		err = unknownAddress(id, address, "the program does not ask a model there any more")
	}

	return request, err
}

// Requests calls keep with each request to a model in a run, as Request returns it, in an order
// that parallel branches may change. Before an error, keep has got the earlier requests.
//
// Errors: those of Export.
func (e *Engine) Requests(ctx context.Context, p *compiled.Program, id string, keep func(address string, r *model.Request)) error {
	return e.replayJournal(ctx, p, id, func(r *run) error {
		r.wanted = &wantedRequest{keep: keep}

		return nil
	})
}

// checkIsModel returns an error if the effect at an address is not a request to a model.
func checkIsModel(h *replay.History, id, address string) error {
	prior := h.Effects[address]
	switch {
	case !prior.HasBegun():
		return unknownAddress(id, address, "the run has no such effect")
	case prior.Intent.Name != replay.KindModel:
		return unknownAddress(id, address, "the effect is not a request to a model, but: "+prior.Intent.Name)
	}

	return nil
}

// wantedRequest is the request that is looked for: the one at an address, or each if the address is
// "".
type wantedRequest struct {
	address string
	keep    func(address string, r *model.Request)

	mu sync.Mutex
	// newest are the newest messages of each sender.
	newest map[sender]sent
}

// sender is an agent in a branch of a run.
type sender struct {
	branch *addr.Position
	agent  string
}

// sent are the messages of a request, as they were sent and with secrets redacted.
type sent struct{ messages, redacted []model.Message }

// redactMessages returns the messages of a request with secrets redacted. Those of the previous
// request are not read again. They are appended to, so that the messages of a conversation share
// their memory. The caller has the lock.
func (w *wantedRequest) redactMessages(branch *addr.Position, r *model.Request, redact func(string) string) []model.Message {
	by := sender{branch, r.Agent}
	before := w.newest[by]
	known := dialog.Same(before.messages, r.Messages)
	all := before.redacted
	if known < len(before.messages) { // what was kept is not written again
		all = slices.Clone(all[:known])
	}
	for _, m := range r.Messages[known:] {
		m.Text = redact(m.Text)
		m.Calls = slices.Clone(m.Calls)
		for k := range m.Calls {
			m.Calls[k].Args = redact(m.Calls[k].Args)
		}
		all = append(all, m)
	}
	if w.newest == nil {
		w.newest = map[sender]sent{}
	}
	w.newest[by] = sent{r.Messages, all}

	return all
}

// offer keeps the request of a turn if it is wanted.
func (w *wantedRequest) offer(t *modelTurn) {
	r, address := t.fx.run, t.fx.Address()
	if w.address != "" && w.address != address {
		return
	}
	redact, request := r.redactor().Text, t.request
	request.Model = r.resolveChoice(request.Model)
	request.System = redact(request.System)
	w.mu.Lock()
	defer w.mu.Unlock()
	request.Messages = w.redactMessages(&t.fx.at, &t.request, redact)
	w.keep(address, &request)
}
