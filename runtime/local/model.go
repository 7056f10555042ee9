package local

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// Model asks the agent's model. Calls that may succeed later are repeated, each repetition an event; an error that remains is
// the *runtime.ModelError of the last.
func (f *Effects) Model(request runtime.ModelRequest) (runtime.ModelReply, error) {
	if err := f.next(); err != nil {
		return runtime.ModelReply{}, err
	}
	f.asked = true
	if f.run.tape != nil {
		return f.tapedModel(request)
	}
	m, err := f.open(&request)
	if err != nil {
		return runtime.ModelReply{}, err
	}
	if err := f.beginModel(&request); err != nil {
		return runtime.ModelReply{}, err
	}
	reply, err := f.turn(m, request)

	return reply, f.ended(err)
}

// tapedModel is Model in a run that has a journal.
func (f *Effects) tapedModel(request runtime.ModelRequest) (runtime.ModelReply, error) {
	in := modelIntent(&request)
	var m *openModel
	if !f.run.tape.dry {
		var err error
		if m, err = f.open(&request); err != nil {
			return runtime.ModelReply{}, err
		}
	}
	in.skip = func(r *journal.Record) { f.skipTurns(m, request, r) }
	f.tries = 0
	reply, was, err := perform(f, in, modelCodec, func() (runtime.ModelReply, error) {
		live := request
		if err := f.beginModel(&live); err != nil {
			return runtime.ModelReply{}, err
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

// skipTurns lets a script, or a recording, go on behind the turns that it has played in an earlier process.
func (f *Effects) skipTurns(m *openModel, request runtime.ModelRequest, r *journal.Record) {
	if m != nil && m.replay != nil {
		f.skipReplies(m.replay, request, r)

		return
	}
	player := f.run.script
	if player == nil && m != nil {
		player = m.player
	}
	if player == nil {
		return
	}
	for i := range attemptsOf(r) {
		f.skipped(player, request, i)
	}
}

// attemptsOf is how often a model was asked before there was a result: not at all if a budget was spent.
func attemptsOf(r *journal.Record) int {
	attempts, ok := r.Get("attempts")
	if !ok {
		return 1
	}
	n, err := strconv.Atoi(attempts)
	if err != nil {
		return 1
	}

	return n
}

// open finds the model that a request is for.
func (f *Effects) open(request *runtime.ModelRequest) (*openModel, error) {
	f.length = len(request.Messages)
	m, err := f.resolve(request.Model)
	if m != nil {
		request.Model, f.player, f.replay = m.choice, m.player, m.replay
	}

	return m, err
}

// turn asks the model until it answers or has failed for good.
func (f *Effects) turn(m *openModel, request runtime.ModelRequest) (runtime.ModelReply, error) {
	reply, err := f.chat(m, request, 0)
	f.tries = 1
	for attempt := 1; err != nil; attempt++ {
		err = bearable(f.run.engine.config.Retry, f.run.clean(err))
		again := f.stopped() == nil && f.again(request, err, attempt)
		if cause := f.stopped(); cause != nil {
			return runtime.ModelReply{}, cause
		}
		if !again {
			f.noteModel(request, reply, err)

			return runtime.ModelReply{}, err
		}
		reply, err = f.chat(m, request, attempt)
		f.tries++
	}
	if cause := f.run.stopped(); cause != nil && f.run.tape == nil {
		return runtime.ModelReply{}, cause
	}

	f.charge(&request, &reply)
	f.noteModel(request, reply, nil)

	return reply, nil
}

// resolve finds the model of a choice; nil where one thing answers for everybody.
func (f *Effects) resolve(choice *runtime.ModelChoice) (*openModel, error) {
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
			f.models = map[runtime.ModelChoice]*openModel{}
		}
		f.models[*choice] = m
	}
	f.chosen, f.model = choice, m

	return m, nil
}

// noChoice is an agent that says nothing about its model.
var noChoice runtime.ModelChoice

// chat is one attempt, which is recorded.
func (f *Effects) chat(m *openModel, request runtime.ModelRequest, attempt int) (runtime.ModelReply, error) {
	reply, err := f.reply(m, request, attempt)
	f.take(m, request, reply, err)

	return reply, err
}

// reply is what answers an attempt. A provider that panics is a *runtime.PanicError.
func (f *Effects) reply(m *openModel, request runtime.ModelRequest, attempt int) (runtime.ModelReply, error) {
	switch {
	case f.run.script != nil:
		return f.played(f.run.script, request, attempt)
	case m == nil:
		return f.provide(f.run.engine.config.Model, request)
	case m.player != nil:
		return f.played(m.player, request, attempt)
	case m.replay != nil:
		return f.replayed(m.replay, request)
	}

	return f.provide(m.provider, request)
}

// provide lets a provider answer. Like a method of the user it cannot hold a cancelled run.
func (f *Effects) provide(p Provider, request runtime.ModelRequest) (runtime.ModelReply, error) {
	ctx := f.context()
	if ctx.Done() == nil && request.Timeout == 0 {
		return provideHere(ctx, p, request)
	}

	return provideWithin(ctx, p, request)
}

// provideWithin is provide where the run can be cancelled or the call has a limit.
func provideWithin(ctx context.Context, p Provider, request runtime.ModelRequest) (runtime.ModelReply, error) {
	return bounded(ctx, request.Timeout, modelOf(request), func(ctx context.Context) (runtime.ModelReply, error) {
		return p.Chat(ctx, request)
	})
}

// provideHere is provide where nobody can cancel, without what a function value costs.
func provideHere(ctx context.Context, p Provider, request runtime.ModelRequest) (reply runtime.ModelReply, err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &runtime.PanicError{Where: modelOf(request), Value: value, Stack: debug.Stack()}
		}
	}()

	return p.Chat(ctx, request)
}

func modelOf(request runtime.ModelRequest) string { return "the model of agent " + request.Agent }

// again reports whether a failed call is repeated, after it has waited. attempt counts the attempts so far.
func (f *Effects) again(request runtime.ModelRequest, err error, attempt int) bool {
	var failed *runtime.ModelError
	retry := f.run.engine.config.Retry
	if !errors.As(err, &failed) || !failed.Retryable() || attempt >= retry.Attempts || failed.RetryAfter > retry.Longest {
		return false
	}

	wait := max(backoff(retry, attempt), failed.RetryAfter)
	if f.run.script != nil || f.player != nil || f.replay != nil {
		wait = failed.RetryAfter // nothing random in a run that is scripted or played
	}
	if f.Watched() {
		f.Note(runtime.Event{
			Kind: runtime.EventRetry, Agent: request.Agent, Count: attempt, Problem: err.Error(), Wait: wait,
		})
	}
	if f.player == nil && f.replay == nil {
		f.run.engine.config.Clock.Sleep(f.context(), wait)
	}

	return true
}

// bearable is the error of a call that failed; *runtime.LongWaitError if it could be made again only after too long a wait.
func bearable(retry Retry, err error) error {
	var failed *runtime.ModelError
	if !errors.As(err, &failed) || !failed.Retryable() || failed.RetryAfter <= retry.Longest {
		return err
	}

	return &runtime.LongWaitError{Wait: failed.RetryAfter, Longest: retry.Longest, Err: err}
}

// backoff doubles from retry.First to retry.Most, less up to a half by chance, so that clients do not come back together.
func backoff(retry Retry, attempt int) time.Duration {
	wait := retry.First
	for range attempt - 1 {
		if wait >= retry.Most {
			break
		}
		wait *= 2
	}
	wait = min(wait, retry.Most)

	return wait - time.Duration(rand.Int64N(int64(wait)/2+1))
}

func (f *Effects) noteModel(request runtime.ModelRequest, reply runtime.ModelReply, err error) {
	if !f.Watched() {
		return
	}
	f.showsTurn(request, reply, err)
	e := runtime.Event{
		Kind: runtime.EventModel, Agent: request.Agent, Name: reply.Model, Usage: reply.Usage, Reason: reply.StopReason,
	}
	if request.Model != nil {
		e.Role = request.Model.Role
		if e.Name == "" {
			e.Name = request.Model.Name
		}
	}
	if err != nil {
		e.Problem = err.Error()
	}
	f.Note(e)
}
