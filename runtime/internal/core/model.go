package core

import (
	"cmp"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// modelTurn is one turn of a model: an effect of one or more attempts, at one or more models. What it returns is in its journal with what
// its attempts have come to.
type modelTurn struct {
	*Effects
	// first is the model that is asked first; nil where one thing answers for every agent.
	first *openModel
	// length is how many messages the request had before the engine added its own.
	length int
	// tries is how often models were asked, failed what those attempts have spent that failed, and lost what they failed with.
	tries  int
	failed spending
	lost   []failure
	// unpriced says that it is not known what the turn has cost, or a part of it.
	unpriced bool
}

// newTurn begins a turn. Those of a branch follow one another, and share their memory.
func (f *Effects) newTurn(request *model.Request) *modelTurn {
	if f.turn == nil {
		f.turn = &modelTurn{}
	}
	*f.turn = modelTurn{Effects: f, length: len(request.Messages)}

	return f.turn
}

// Model asks the agent's model, and its fallbacks when it has failed for good. Calls that may succeed later are repeated, each repetition
// an event; an error that remains is that of the last call, or a *model.FallbackError with those of all models.
func (f *Effects) Model(request model.Request) (model.Reply, error) {
	if err := f.next(); err != nil {
		return model.Reply{}, err
	}
	f.asked = true
	t := f.newTurn(&request)
	if f.run.tape == nil || !f.run.tape.dry {
		if err := t.open(&request); err != nil {
			return model.Reply{}, err
		}
	}
	if f.run.tape == nil {
		return t.live(request)
	}

	return t.taped(request)
}

// live is a turn that is carried out.
func (t *modelTurn) live(request model.Request) (model.Reply, error) {
	if err := t.beginModel(&request); err != nil {
		return model.Reply{}, err
	}
	reply, err := t.ask(request)

	return reply, t.ended(err)
}

// taped is a turn of a run that has a journal.
func (t *modelTurn) taped(request model.Request) (model.Reply, error) {
	t.keepRequest(request)
	in := modelIntent(&request)
	in.skip = func(r *journal.Record) { t.skipTurns(request, r) }
	in.more = t.fields
	reply, was, err := perform(t.Effects, in, modelCodec, func() (model.Reply, error) { return t.live(request) })
	switch {
	case was == nil:
	case !t.run.tape.dry:
		t.recalledModel(&request, &reply, err, was)
	case t.run.recorder != nil:
		t.export(&request, reply, err, was.result)
	}

	return reply, err
}

// fields are what the result of the turn has beside the reply, or the error.
func (t *modelTurn) fields() []journal.Field {
	var fields []journal.Field
	if t.tries != 1 {
		fields = append(fields, journal.Field{Name: "attempts", Value: strconv.Itoa(t.tries)})
	}
	fields = append(fields, t.failed.fields(beforeFailed)...)

	return append(fields, given("unpriced", truth(t.unpriced), "failures", t.failures())...)
}

// open finds the model that a request is for.
func (t *modelTurn) open(request *model.Request) (err error) {
	t.first, err = t.resolve(request.Model)
	if t.first != nil {
		request.Model, t.player, t.replay = t.first.choice, t.first.player, t.first.replay
	}

	return err
}

// ask asks the model, and then its fallbacks one after the other, until one answers or all have failed for good. It is one effect,
// whoever answers.
func (t *modelTurn) ask(request model.Request) (model.Reply, error) {
	m := t.first
	reply, err := t.attempts(m, request)
	var tried []model.Failure
	for t.fallsBack(m, err) {
		tried = append(tried, model.Failure{Model: m.choice.Name, Err: err})
		t.noteFallback(request, m.next, err)
		if last := len(t.lost) - 1; last >= 0 {
			t.lost[last].Next = m.next.choice.Name
		}
		m = m.next
		request.Model = m.choice
		reply, err = t.attempts(m, request)
	}
	if err != nil {
		if cause := t.stopped(); cause != nil {
			t.showCutTurn(request, reply, cause)

			return model.Reply{}, cause
		}
		if tried != nil {
			tried = append(tried, model.Failure{Model: m.choice.Name, Err: err})
			err = &model.FallbackError{Agent: request.Agent, Tried: tried}
		}
		t.noteModel(request, reply, err)

		return model.Reply{}, err
	}
	if cause := t.run.stopped(); cause != nil && t.run.tape == nil {
		t.failed = t.failed.and(&reply)
		t.showCutTurn(request, reply, cause)

		return model.Reply{}, cause
	}
	t.noteModel(request, reply, nil)

	return reply, nil
}

// resolve finds the model of a choice; nil where one thing answers for everybody.
func (f *Effects) resolve(choice *model.Choice) (*openModel, error) {
	if f.run.script != nil || f.run.engine.config.Model != nil {
		return nil, nil
	}
	if f.chosen == choice && choice != nil {
		return f.model, nil
	}
	if choice == nil {
		choice = &noChoice
	}

	m := f.models[*choice]
	if m == nil {
		var err error
		if m, err = f.run.model(choice); err != nil {
			return nil, err
		}
		if f.models == nil {
			f.models = map[model.Choice]*openModel{}
		}
		f.models[*choice] = m
	}
	f.chosen, f.model = choice, m

	return m, nil
}

// noChoice is an agent that says nothing about its model.
var noChoice model.Choice

// noteModel tells of a turn: what it took, attempts that have failed included, and who has answered or failed last.
func (t *modelTurn) noteModel(request model.Request, reply model.Reply, err error) {
	if !t.Watched() {
		return
	}
	t.showsTurn(request, reply, err)
	t.Note(t.modelEvent(request, reply, err))
}

// modelEvent is the event of a turn.
func (t *modelTurn) modelEvent(request model.Request, reply model.Reply, err error) event.Event {
	all := t.failed
	if err == nil {
		all = all.and(&reply) // of one that failed it is among what has
	}
	e := event.Event{
		Kind: event.Model, Agent: request.Agent, Name: reply.Model, Usage: all.usage, Cost: all.cost, Reason: reply.StopReason,
	}
	if request.Model != nil {
		e.Role, e.Name = request.Model.Role, cmp.Or(e.Name, request.Model.Name)
	}
	if err != nil {
		e.Problem = err.Error()
	}

	return e
}
