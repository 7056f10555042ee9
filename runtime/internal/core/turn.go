package core

import (
	"cmp"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/stopreason"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// modelTurn is one turn of a model: an effect of one or more attempts, at one or more models. What it returns is in its journal with what
// its attempts have reached.
type modelTurn struct {
	fx *Effects
	// request is what is asked, said what was answered, recorded the intent.
	request  model.Request
	said     model.Reply
	recorded intent
	// first is the model that is asked first; nil in a run that is only looked at.
	first *openModel
	// length is how many messages the request had before the engine added its own.
	length int
	// tries is how often models were asked, failed what those attempts have spent that failed, and lost what they failed with.
	tries  int
	failed spending
	lost   []failure
	// unpriced says that it is not known what the turn has cost, or a part of it.
	unpriced bool
	// listed says that a part of the cost is computed from list prices.
	listed bool
}

// newTurn begins a turn. Those of a branch follow one another, and share their memory.
func (f *Effects) newTurn(request *model.Request) *modelTurn {
	if f.turn == nil {
		f.turn = &modelTurn{}
	}
	*f.turn = modelTurn{fx: f, request: *request, length: len(request.Messages)}

	return f.turn
}

// Model asks the agent's model, and its fallbacks when it has failed for good. Calls that may succeed later are repeated, each repetition
// an event; an error that remains is that of the last call, or a *FallbackError with those of all models.
func (f *Effects) Model(request model.Request) (model.Reply, error) {
	if err := f.beginEffect(); err != nil {
		return model.Reply{}, err
	}
	t := f.newTurn(&request)
	if f.run.journal == nil || !f.run.journal.readOnly {
		if err := t.openModel(&t.request); err != nil {
			return model.Reply{}, err
		}
	}
	t.fx.keepRequest(&t.request)
	if err := f.execute(t); err != nil {
		return model.Reply{}, err
	}

	return t.said, nil
}

func (t *modelTurn) intent() *intent {
	r := &t.request
	text := digestOf(r.Input)
	if n := len(r.Messages); n > 0 {
		// The messages before are those of the turn before, and what was answered to it, which is recorded.
		last := &r.Messages[n-1]
		text = text.number(n).add(string(last.Role)).add(last.Name).add(last.Text)
	}
	t.recorded = intent{kind: kindModel, what: r.Agent, shape: digestOf(kindModel, r.Agent).number(r.Turn), text: text, turn: t}

	return &t.recorded
}

func (t *modelTurn) finish(err error) error { return t.fx.ended(err) }

// runInEngine asks whatever answers for the model: attempt for attempt it is a script, a recording, the host or a provider.
func (t *modelTurn) runInEngine() (ok bool, err error) {
	t.said, err = t.ask(t.request)

	return true, err
}

func (*modelTurn) runOnHost() error { return nil } // an attempt asks the host

func (*modelTurn) runInProcess() error { return nil }

func (t *modelTurn) skipRecorded(r *journal.Record) { t.skipTurns(t.request, r) }

// extraFields are the fields beside the reply, or the error: what the attempts have been.
func (t *modelTurn) extraFields() []journal.Field {
	var fields []journal.Field
	if t.tries != 1 {
		fields = append(fields, journal.Field{Name: "attempts", Value: strconv.Itoa(t.tries)})
	}
	fields = append(fields, t.failed.fields(beforeFailed)...)

	if t.listed {
		fields = append(fields, journal.Field{Name: "list_prices", Value: model.ListPricesDay})
	}

	return append(fields, optionalFields("unpriced", truth(t.unpriced), "failures", t.failures())...)
}

func (t *modelTurn) resultFields() []journal.Field {
	r, calls := &t.said, ""
	if len(r.Calls) > 0 {
		list := make([]calling, len(r.Calls))
		for i, c := range r.Calls {
			list[i] = callingOf(c)
		}
		calls = textOf(list)
	}
	fields := optionalFields("text", r.Text, "calls", calls)
	fields = append(fields, spending{r.Usage, r.Cost}.fields("")...)

	return append(fields, optionalFields("stop", r.StopReason, "model", r.Model, "carry", r.Carry)...)
}

func (t *modelTurn) readResult(r *journal.Record) error {
	spent, err := spendingOf(r, "")
	t.said = model.Reply{
		Text: r.Value("text"), StopReason: r.Value("stop"), Model: r.Value("model"), Carry: r.Value("carry"),
		Usage: spent.usage, Cost: spent.cost,
	}
	text := r.Value("calls")
	if text == "" {
		return err
	}
	var list []calling
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		return err
	}
	for _, c := range list {
		t.said.Calls = append(t.said.Calls, c.call())
	}

	return err
}

// openModel finds the model that a request is for.
func (t *modelTurn) openModel(request *model.Request) (err error) {
	t.first, err = t.fx.resolve(request.Model)
	if err == nil && t.first.choice != nil {
		request.Model = t.first.choice
	}

	return err
}

// ask asks the model, and then its fallbacks one after the other, until one answers or all have failed for good. It is one effect,
// whichever of them answers.
func (t *modelTurn) ask(request model.Request) (model.Reply, error) {
	m := t.first
	reply, err := t.attempts(m, request)
	var tried []FailedModel
	for t.fallsBack(m, err) {
		tried = append(tried, FailedModel{Model: m.choice.Name, Err: err})
		t.noteFallback(request, m.next, err)
		if last := len(t.lost) - 1; last >= 0 {
			t.lost[last].Next = m.next.choice.Name
		}
		m = m.next
		request.Model = m.choice
		reply, err = t.attempts(m, request)
	}
	if err != nil {
		if cause := t.fx.stopped(); cause != nil {
			t.showCutTurn(request, reply, cause)

			return model.Reply{}, cause
		}
		if tried != nil {
			tried = append(tried, FailedModel{Model: m.choice.Name, Err: err})
			err = &FallbackError{Agent: request.Agent, Tried: tried}
		}
		t.noteModel(request, reply, err)

		return model.Reply{}, err
	}
	if cause := t.fx.run.stopped(); cause != nil && t.fx.run.journal == nil {
		t.failed = t.failed.and(&reply)
		t.showCutTurn(request, reply, cause)

		return model.Reply{}, cause
	}
	t.noteModel(request, reply, nil)

	return reply, nil
}

// resolve finds the model of a choice.
func (f *Effects) resolve(choice *model.Choice) (*openModel, error) {
	if f.run.every != nil {
		return f.run.every, nil
	}
	if choice == nil {
		choice = &noChoice
	}
	if f.chosen == choice {
		return f.model, nil
	}
	m, err := f.run.model(choice)
	if err != nil {
		return nil, err
	}
	f.chosen, f.model = choice, m

	return m, nil
}

// noChoice is an agent that says nothing about its model.
var noChoice model.Choice

// noteModel reports a turn: what it took, attempts that have failed included, and who has answered or failed last.
func (t *modelTurn) noteModel(request model.Request, reply model.Reply, err error) {
	if t.fx.Watched() {
		t.fx.note(t.modelEvent(request, reply, err), eventExtras{turn: t.shown(request, reply, err)})
	}
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

// attempts asks one model until it answers or has failed for good. What came with a failure of what was used is spent all the same.
func (t *modelTurn) attempts(m *openModel, request model.Request) (model.Reply, error) {
	for attempt := 0; ; attempt++ {
		reply, err := t.chat(m, request, attempt)
		t.tries++
		if err == nil {
			t.charge(&request, &reply)

			return reply, nil
		}
		if reply.Usage != (model.Usage{}) || reply.Cost != 0 {
			t.charge(&request, &reply)
			t.failed = t.failed.and(&reply)
		}
		err = t.fx.run.clean(err)
		t.lose(&request, &reply, err)
		err = wrapLongWait(t.fx.run.engine.config.Retry, err)
		if t.fx.stopped() != nil || !t.again(request, err, attempt+1) || t.fx.stopped() != nil {
			return reply, err
		}
	}
}

// again reports whether a failed call is repeated, after it has waited. attempt counts the attempts so far.
func (t *modelTurn) again(request model.Request, err error, attempt int) bool {
	retry := t.fx.run.engine.config.Retry
	isPlayed := t.first.isPlayed()
	if t.fx.host != nil && !isPlayed {
		return false // it has been
	}
	failed := retryableError(retry, err, attempt)
	if failed == nil {
		return false
	}

	wait := max(backoff(retry, attempt), failed.RetryAfter)
	if isPlayed {
		wait = failed.RetryAfter // nothing random in a run that is scripted or played
	}
	t.noteRetry(request, attempt, wait, err.Error(), err)
	if !isPlayed || t.fx.run.script != nil {
		t.fx.sleep(wait)
	}

	return true
}

// noteRetry reports an attempt that has failed, and how long the next one waits. err is nil if only its text is known.
func (t *modelTurn) noteRetry(request model.Request, attempt int, wait time.Duration, problem string, err error) {
	if t.fx.Watched() {
		t.fx.note(event.Event{Kind: event.Retry, Agent: request.Agent, Count: attempt, Problem: problem, Wait: wait}, eventExtras{err: err})
	}
}

// retryableError returns the failure after which a call is made again; nil if it is not. attempt counts
// the attempts so far.
func retryableError(r model.Retry, err error, attempt int) *model.Error {
	var failed *model.Error
	if !errors.As(err, &failed) || !failed.Retryable() || failed.RetryAfter > r.Longest {
		return nil
	}
	most := r.Attempts
	if failed.Attempts > 0 {
		most = min(most, failed.Attempts)
	}
	if attempt >= most {
		return nil
	}

	return failed
}

// wrapLongWait is the error of a call that failed; LongWaitError if it could be made again only after too long a wait.
func wrapLongWait(retry model.Retry, err error) error {
	var failed *model.Error
	if !errors.As(err, &failed) || !failed.Retryable() || failed.RetryAfter <= retry.Longest {
		return err
	}

	return longWait(failed.RetryAfter, retry.Longest, err)
}

// backoff doubles from retry.First to retry.Most, less up to a half by chance, so that clients do not come back together.
func backoff(retry model.Retry, attempt int) time.Duration {
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

// fallsBack reports whether another model is asked because this one has failed with err for good.
// What a model refuses to answer is not put to another: that would be a way around its refusal. Nor
// is what it wrote and its server could not read: it is asked again. Neither is a turn that has
// ended for a reason that no model can fix: the step's own time is up, the run is over, code has
// panicked.
func (t *modelTurn) fallsBack(m *openModel, err error) bool {
	if err == nil || m.next == nil || t.fx.stopped() != nil {
		return false
	}
	var failed *model.Error

	return errors.As(err, &failed) && failed.Class != model.Refused && failed.StopReason != stopreason.Unreadable
}

// noteFallback reports that another model is asked now.
func (t *modelTurn) noteFallback(request model.Request, next *openModel, err error) {
	if t.fx.Watched() {
		t.fx.note(event.Event{
			Kind: event.Retry, Agent: request.Agent, Count: t.tries, Problem: err.Error(), Name: next.choice.Name,
		}, eventExtras{err: err})
	}
}

// failure is an attempt of a turn that has failed, as it is recorded: so that an export has it, too, and a run that is played from that
// takes the same way.
type failure struct {
	// Model is what was asked, Next what was asked instead; "" where that was the same again, or nothing.
	Model string       `json:"model,omitempty"`
	Next  string       `json:"next,omitempty"`
	Error *errorNode   `json:"error"`
	Usage *model.Usage `json:"usage,omitempty"`
	Cost  int64        `json:"cost,omitempty"`
}

// lose keeps an attempt that has failed, and what it has spent all the same.
func (t *modelTurn) lose(request *model.Request, reply *model.Reply, err error) {
	if t.fx.run.journal == nil {
		return
	}
	lost := failure{Error: nodeOf(err), Cost: reply.Cost}
	if request.Model != nil {
		lost.Model = request.Model.Name
	}
	if usage := reply.Usage; usage != (model.Usage{}) {
		lost.Usage = &usage
	}
	t.lost = append(t.lost, lost)
}

// failures are the attempts of a turn that have failed, as a field of its result. One alone that has failed for good is the result, but for
// what it has spent.
func (t *modelTurn) failures() string {
	if len(t.lost) == 0 || t.tries == 1 && t.failed == (spending{}) {
		return ""
	}
	text, err := json.Marshal(t.lost)
	if err != nil {
		return "" // of what went wrong the count is left
	}

	return string(text)
}

// failuresOf are the attempts of a turn that have failed; none where the result does not say.
func failuresOf(r *journal.Record) []failure {
	var lost []failure
	if err := json.Unmarshal([]byte(r.Value("failures")), &lost); err != nil {
		return nil
	}
	for i := range lost {
		if lost[i].Error == nil || lost[i].Error.error() == nil {
			return nil
		}
	}

	return lost
}

// exportFailures records the attempts of a turn that have failed, and says which model was asked after them.
func (t *modelTurn) exportFailures(request *model.Request, lost []failure) {
	for _, attempt := range lost {
		request.Model = named(request.Model, attempt.Model)
		reply := model.Reply{Cost: attempt.Cost}
		if attempt.Usage != nil {
			reply.Usage = *attempt.Usage
		}
		t.fx.run.recorder.Record(t.fx.Address(), request, reply, attempt.Error.error())
		request.Model = named(request.Model, attempt.Next)
	}
}

// named is a choice with another name; itself without one.
func named(choice *model.Choice, name string) *model.Choice {
	if name == "" {
		return choice
	}
	other := *choice
	other.Name = name

	return &other
}

// spending is what calls of models have taken.
type spending struct {
	usage model.Usage
	cost  int64
}

// and is what was taken together with a reply.
func (s spending) and(reply *model.Reply) spending {
	u := reply.Usage

	return spending{
		usage: model.Usage{
			Input: s.usage.Input + u.Input, Output: s.usage.Output + u.Output,
			Cached: s.usage.Cached + u.Cached, Stored: s.usage.Stored + u.Stored,
			Estimated: s.usage.Estimated || u.Estimated,
		},
		cost: add(s.cost, reply.Cost),
	}
}

// fields are those of a result. before begins the names of the tokens and the cost.
func (s spending) fields(before string) []journal.Field {
	return optionalFields(before+"tokens_in", count(int64(s.usage.Input)), before+"tokens_out", count(int64(s.usage.Output)),
		before+"tokens_cached", count(int64(s.usage.Cached)), before+"tokens_stored", count(int64(s.usage.Stored)),
		before+"tokens_estimated", truth(s.usage.Estimated), before+"cost", count(s.cost))
}

// spendingOf reads what fields has written.
func spendingOf(r *journal.Record, before string) (s spending, err error) {
	for _, part := range []struct {
		name string
		into *int
	}{
		{"tokens_in", &s.usage.Input}, {"tokens_out", &s.usage.Output},
		{"tokens_cached", &s.usage.Cached}, {"tokens_stored", &s.usage.Stored},
	} {
		n, problem := numberOf(r.Value(before + part.name))
		*part.into, err = int(n), joinErrors(err, problem)
	}
	s.usage.Estimated = r.Value(before+"tokens_estimated") == "true"
	cost, problem := numberOf(r.Value(before + "cost"))
	s.cost = cost

	return s, joinErrors(err, problem)
}

// beforeFailed begins the names of what failed attempts of a turn have spent.
const beforeFailed = "failed_"
