package panel

import (
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// view is what is known of a run while it is under way: where its machines are, who works, and what it has cost.
type view struct {
	// agent is what was started, began when this process began to work on it.
	agent string
	began time.Time
	// where are the machines that are running outside of branches, outermost first, each with its
	// state; visits counts how often a state was entered.
	where  []place
	visits map[place]int
	// tasks are the effects that are under way, by lane.
	tasks map[string]*task
	// questions wait for an answer that cannot be given here.
	questions []*event.Event
	// warning is the budget that is nearly used up.
	warning string
	sums    sums
}

type place struct {
	machine, state string
}

// sums are what a run has cost so far.
type sums struct {
	calls, tokens int
	cost          int64
	// unpriced reports whether a turn has had a cost that is not known.
	unpriced bool
}

// addTurn adds a turn of a model.
func (s *sums) addTurn(e *event.Event) {
	used := e.Usage.Input + e.Usage.Output
	s.calls++
	s.tokens += used
	s.cost += e.Cost
	s.unpriced = s.unpriced || used > 0 && e.Cost == 0
}

// formatCost is what is known of the cost.
func (s *sums) formatCost() string {
	switch {
	case s.unpriced && s.cost > 0:
		return wording.Money(s.cost) + " and what has no known price"
	case s.unpriced:
		return "cost unknown"
	}

	return wording.Money(s.cost)
}

func newView(agent string, began time.Time) view {
	return view{agent: agent, began: began, visits: map[place]int{}, tasks: map[string]*task{}}
}

// task is an effect that is under way.
type task struct {
	path lane
	// who does it, and what it is: a model that is asked, a tool, a function.
	who, what string
	since     time.Time
	// said is the end of what a model has written so far.
	said string
	// problem is why the last attempt failed, attempt its number, and until when the next one waits.
	problem string
	attempt int
	until   time.Time
}

// enough is how much of what a model writes is kept to be shown.
const enough = 1 << 11

func (t *task) appendReply(text string) {
	t.said += text
	if len(t.said) > 2*enough {
		t.said = strings.ToValidUTF8(t.said[len(t.said)-enough:], "")
	}
}

// noteRetry notes that an attempt has failed, and that the next one comes, perhaps of another model.
func (t *task) noteRetry(e *event.Event, now time.Time) {
	t.said, t.problem, t.attempt, t.until = "", e.Problem, e.Count, now.Add(e.Wait)
	if e.Name != "" {
		t.what, t.attempt, t.since = "model "+e.Name+" instead", 0, now
	}
}

// observers are the functions that read events, for the kinds whose row says so.
var observers = eventkind.Functions[event.Kind, func(v *view, e *event.Event, now time.Time)]{
	{Kind: event.Run, Call: func(v *view, e *event.Event, _ time.Time) { v.agent = e.Agent }},
	{Kind: event.Model, Call: func(v *view, e *event.Event, _ time.Time) { v.sums.addTurn(e) }},
	{Kind: event.Delta, Call: (*view).observeDelta},
	{Kind: event.Retry, Call: (*view).observeRetry},
	{Kind: event.Pause, Call: func(v *view, e *event.Event, _ time.Time) { v.questions = append(v.questions, e) }},
	{Kind: event.Answer, Call: (*view).observeAnswer},
}

// observe notes what an event says about the whole run, or about an effect.
func (v *view) observe(e *event.Event, now time.Time) {
	kind := eventkind.Of(string(e.Kind))
	switch {
	case kind == nil:
	case kind.Panel == eventkind.Custom:
		observers.Of(e.Kind)(v, e, now)
	case kind.Panel == eventkind.Generic:
		v.warning = eventtext.Line(kind.Line, e)
	}
}

func (v *view) observeDelta(e *event.Event, _ time.Time) {
	if t := v.tasks[laneOf(e.Address).mapKey()]; t != nil {
		t.appendReply(e.Text)
	}
}

func (v *view) observeRetry(e *event.Event, now time.Time) {
	if t := v.tasks[laneOf(e.Address).mapKey()]; t != nil {
		t.noteRetry(e, now)
	}
}

func (v *view) observeAnswer(e *event.Event, _ time.Time) {
	isAnswered := func(q *event.Event) bool { return q.Name == e.Name && q.Address == e.Address }
	v.questions = slices.DeleteFunc(v.questions, isAnswered)
}

// enterState notes that a machine outside of branches is in a state: machines inside of the state before are over.
func (v *view) enterState(e event.Event) {
	running := slices.IndexFunc(v.where, func(w place) bool { return w.machine == e.Machine })
	if running < 0 {
		for p := range v.visits { // it begins again
			if p.machine == e.Machine {
				delete(v.visits, p)
			}
		}
		running = len(v.where)
	}
	at := place{e.Machine, e.State}
	v.where = append(v.where[:running], at)
	v.visits[at] = max(e.Visit, v.visits[at]+1)
}

// beginEffect notes that an effect is under way, end that it is over.
func (v *view) beginEffect(path lane, who, what string, now time.Time) {
	v.tasks[path.mapKey()] = &task{path: path, who: who, what: what, since: now}
}

func (v *view) endEffect(path lane) { delete(v.tasks, path.mapKey()) }

// atWork are the tasks in the order of their branches.
func (v *view) atWork() []*task {
	tasks := make([]*task, 0, len(v.tasks))
	for _, t := range v.tasks {
		tasks = append(tasks, t)
	}
	sort.Slice(tasks, func(i, j int) bool { return slices.Compare(tasks[i].path, tasks[j].path) < 0 })

	return tasks
}

// lane is the numbers of the branches in which something happens, outermost first: no two branches that run at once have the same.
type lane []int

// mapKey is the lane as the key of a map.
func (l lane) mapKey() string {
	var b strings.Builder
	for _, n := range l {
		b.WriteString("." + strconv.Itoa(n))
	}

	return b.String()
}

// laneOf is the lane in which an address is: ordinals of effects and numbers of branches take turns.
func laneOf(address string) lane {
	var l lane
	for i, part := range strings.Split(address, ".") {
		if i%2 == 1 {
			n, _ := strconv.Atoi(part) // addresses are the engine's
			l = append(l, n)
		}
	}

	return l
}
