package core

import (
	"cmp"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Model asks the agent's model, and its fallbacks when it has failed for good. Calls that may succeed later are repeated, each repetition
// an event; an error that remains is that of the last call, or a *model.FallbackError with those of all models.
func (f *Effects) Model(request model.Request) (model.Reply, error) {
	if err := f.next(); err != nil {
		return model.Reply{}, err
	}
	f.asked = true
	if f.run.tape != nil {
		return f.tapedModel(request)
	}
	m, err := f.open(&request)
	if err != nil {
		return model.Reply{}, err
	}
	if err := f.beginModel(m, &request); err != nil {
		return model.Reply{}, err
	}
	reply, err := f.turn(m, request)

	return reply, f.ended(err)
}

// tapedModel is Model in a run that has a journal.
func (f *Effects) tapedModel(request model.Request) (model.Reply, error) {
	f.keepRequest(request)
	in := modelIntent(&request)
	var m *openModel
	if !f.run.tape.dry {
		var err error
		if m, err = f.open(&request); err != nil {
			return model.Reply{}, err
		}
	}
	in.skip = func(r *journal.Record) { f.skipTurns(m, request, r) }
	f.beginTurn()
	reply, was, err := perform(f, in, modelCodec, func() (model.Reply, error) {
		live := request
		if err := f.beginModel(m, &live); err != nil {
			return model.Reply{}, err
		}
		reply, err := f.turn(m, live)

		return reply, f.ended(err)
	})
	switch {
	case was == nil:
	case !f.run.tape.dry:
		f.recalledModel(&request, &reply, err, was)
	case f.run.recorder != nil:
		f.export(&request, reply, err, was.result)
	}

	return reply, err
}

// open finds the model that a request is for.
func (f *Effects) open(request *model.Request) (*openModel, error) {
	f.length = len(request.Messages)
	m, err := f.resolve(request.Model)
	if m != nil {
		request.Model, f.player, f.replay = m.choice, m.player, m.replay
	}

	return m, err
}

// turn asks the model, and then its fallbacks one after the other, until one answers or all have failed for good. It is one effect,
// whoever answers.
func (f *Effects) turn(m *openModel, request model.Request) (model.Reply, error) {
	f.beginTurn()
	reply, err := f.attempts(m, request)
	var tried []model.Failure
	for f.fallsBack(m, err) {
		tried = append(tried, model.Failure{Model: m.choice.Name, Err: err})
		f.noteFallback(request, m.next, err)
		if last := len(f.lost) - 1; last >= 0 {
			f.lost[last].Next = m.next.choice.Name
		}
		m = m.next
		request.Model = m.choice
		reply, err = f.attempts(m, request)
	}
	if err != nil {
		if cause := f.stopped(); cause != nil {
			f.showCutTurn(request, reply, cause)

			return model.Reply{}, cause
		}
		if tried != nil {
			tried = append(tried, model.Failure{Model: m.choice.Name, Err: err})
			err = &model.FallbackError{Agent: request.Agent, Tried: tried}
		}
		f.noteModel(request, reply, err)

		return model.Reply{}, err
	}
	if cause := f.run.stopped(); cause != nil && f.run.tape == nil {
		f.failed = f.failed.and(&reply)
		f.showCutTurn(request, reply, cause)

		return model.Reply{}, cause
	}
	f.noteModel(request, reply, nil)

	return reply, nil
}

// beginTurn forgets what the turn before has come to.
func (f *Effects) beginTurn() {
	f.tries, f.failed, f.lost, f.unpriced = 0, spending{}, nil, false
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
func (f *Effects) noteModel(request model.Request, reply model.Reply, err error) {
	if !f.Watched() {
		return
	}
	f.showsTurn(request, reply, err)
	f.Note(f.modelEvent(request, reply, err))
}

// modelEvent is the event of a turn.
func (f *Effects) modelEvent(request model.Request, reply model.Reply, err error) event.Event {
	all := f.failed
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
