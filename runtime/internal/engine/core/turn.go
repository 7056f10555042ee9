package core

import (
	"cmp"
	"encoding/json"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/field"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// modelTurn is one turn of a model: an effect of one or more calls, of one or more models.
type modelTurn struct {
	fx *Effects
	// request is what the model is asked.
	request model.Request
	// ownMessages is how many messages the request had before the engine added its own.
	ownMessages int
	// first is the model that is called first; nil in a run that is only read.
	first *openModel
	// recorded is the intent, here so that it needs no memory of its own.
	recorded intent
	result   turnResult
}

// turnResult is what a turn has reached, and what its calls have used.
type turnResult struct {
	// reply is the reply to the last call, also if that has failed.
	reply model.Reply
	// calls counts the calls of models.
	calls int
	// failedSpending is what failed calls have used.
	failedSpending replay.Spending
	// failedCalls are the failed calls, in a run that has a journal.
	failedCalls []failedCall
	// unpriced reports whether a part of the cost is not known.
	unpriced bool
	// listed reports whether a part of the cost is computed from list prices.
	listed bool
}

// newTurn begins a turn. Turns of a branch follow one another, and share their memory.
func (f *Effects) newTurn(request *model.Request) *modelTurn {
	if f.turn == nil {
		f.turn = &modelTurn{}
	}
	*f.turn = modelTurn{fx: f, request: *request, ownMessages: len(request.Messages)}

	return f.turn
}

// Model calls the agent's model and, when that fails permanently, its fallbacks. Calls that may
// succeed later are repeated, and each repetition is an event. The error is the one of the last
// call, or a *FallbackError with those of all models.
func (f *Effects) Model(request model.Request) (model.Reply, error) {
	if err := f.beginEffect(); err != nil {
		return model.Reply{}, err
	}
	t := f.newTurn(&request)
	if f.run.journal == nil || !f.run.journal.readOnly {
		if err := t.chooseModel(); err != nil {
			return model.Reply{}, err
		}
	}
	if f.run.wanted != nil {
		f.run.wanted.offer(t)
	}
	if err := f.newExecution(t).execute(); err != nil {
		return model.Reply{}, err
	}

	return t.result.reply, nil
}

// chooseModel finds the model that the request is for.
func (t *modelTurn) chooseModel() error {
	first, err := t.fx.chosen.resolve(t.fx.run, t.request.Model)
	if err != nil {
		return err
	}
	t.first = first
	if first.choice != nil {
		t.request.Model = first.choice
	}

	return nil
}

// chosenModel is a choice of a model and the model that it means.
type chosenModel struct {
	choice *model.Choice
	model  *openModel
}

// resolve returns the model that a choice means. The newest choice is kept.
func (c *chosenModel) resolve(r *run, choice *model.Choice) (*openModel, error) {
	if r.every != nil {
		return r.every, nil
	}
	if choice == nil {
		choice = &noChoice
	}
	if c.choice == choice {
		return c.model, nil
	}
	m, err := r.resolveModel(choice)
	if err != nil {
		return nil, err
	}
	c.choice, c.model = choice, m

	return m, nil
}

// noChoice is the choice of an agent that does not name its model.
var noChoice model.Choice

func (t *modelTurn) intent() *intent {
	r := &t.request
	text := digestOf(r.Input)
	if n := len(r.Messages); n > 0 {
		// The earlier messages are the messages of the previous turn, and its reply, which is
		// recorded.
		last := &r.Messages[n-1]
		text = text.addNumber(n).add(string(last.Role)).add(last.Name).add(last.Text)
	}
	t.recorded = intent{kind: replay.KindModel, what: r.Agent, shape: digestOf(replay.KindModel, r.Agent).addNumber(r.Turn), text: text, turn: t}

	return &t.recorded
}

func (t *modelTurn) finish(err error) error { return t.fx.endEffect(err) }

func (*modelTurn) runOnHost() error { return nil } // callOnce asks the host

func (*modelTurn) runInProcess() error { return nil }

func (t *modelTurn) skipRecorded(r *journal.Record) { t.skipTurns(&t.request, r) }

// extraFields describe the calls of the turn. They are recorded beside the reply, or the error.
func (t *modelTurn) extraFields() []journal.Field {
	result := &t.result
	var fields []journal.Field
	if result.calls != 1 {
		fields = append(fields, journal.Field{Name: "attempts", Value: strconv.Itoa(result.calls)})
	}
	fields = append(fields, result.failedSpending.Fields(replay.PrefixFailed)...)
	if result.listed {
		fields = append(fields, journal.Field{Name: "list_prices", Value: model.ListPricesDay})
	}

	return append(fields, field.Optional("unpriced", field.Bool(result.unpriced), "failures", result.failures())...)
}

func (t *modelTurn) resultFields() []journal.Field { return replyFields(&t.result.reply) }

// replyFields are the fields of a reply in a journal.
func replyFields(r *model.Reply) []journal.Field {
	calls := ""
	if len(r.Calls) > 0 {
		list := make([]recordedCall, len(r.Calls))
		for i, c := range r.Calls {
			list[i] = recordCallOf(c)
		}
		calls = field.JSON(list)
	}
	fields := field.Optional("text", r.Text, "calls", calls)
	fields = append(fields, replay.Spending{Usage: r.Usage, Cost: r.Cost}.Fields("")...)

	return append(fields, field.Optional("stop", r.StopReason, "model", r.Model, "carry", r.Carry)...)
}

func (t *modelTurn) readResult(r *journal.Record) error {
	spent, err := replay.ReadSpending(r, "")
	t.result.reply = model.Reply{
		Text: r.Value("text"), StopReason: r.Value("stop"), Model: r.Value("model"), Carry: r.Value("carry"),
		Usage: spent.Usage, Cost: spent.Cost,
	}
	text := r.Value("calls")
	if text == "" {
		return err
	}
	var list []recordedCall
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return err
	}
	for _, c := range list {
		t.result.reply.Calls = append(t.result.reply.Calls, c.call())
	}

	return err
}

// noteTurn reports a turn: what its calls have used, and which model has answered or has failed
// last.
func (t *modelTurn) noteTurn(request *model.Request, result *turnResult, err error) {
	if !t.fx.Watched() {
		return
	}
	var e event.Event
	describeTurn(&e, request, result, err)
	t.fx.note(&e, Detail{Turn: t.turnExtras(request, result, err)})
}

// describeTurn sets the fields of the event of a turn.
func describeTurn(e *event.Event, request *model.Request, result *turnResult, err error) {
	reply, all := &result.reply, result.failedSpending
	if err == nil {
		all = all.Plus(reply) // a failed reply is part of it already
	}
	e.Kind, e.Agent, e.Name, e.Reason = event.Model, request.Agent, reply.Model, reply.StopReason
	e.Usage, e.Cost = all.Usage, all.Cost
	if request.Model != nil {
		e.Role, e.Name = request.Model.Role, cmp.Or(e.Name, request.Model.Name)
	}
	if err != nil {
		e.Problem = err.Error()
	}
}

// noteRetry reports a failed call and how long the next one waits. err is nil if only its text is
// known.
func (t *modelTurn) noteRetry(request *model.Request, attempt int, wait time.Duration, problem string, err error) {
	if t.fx.Watched() {
		t.fx.note(&event.Event{
			Kind: event.Retry, Agent: request.Agent, Count: attempt, Problem: problem, Wait: wait,
		}, Detail{Err: err})
	}
}

// noteFallback reports that the next model is called.
func (t *modelTurn) noteFallback(request *model.Request, calls int, next *openModel, err error) {
	if t.fx.Watched() {
		t.fx.note(&event.Event{
			Kind: event.Retry, Agent: request.Agent, Count: calls, Problem: err.Error(), Name: next.choice.Name,
		}, Detail{Err: err})
	}
}
