package trace

import (
	"encoding/json"
	"fmt"
	"sort"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventtext"
	"github.com/agentc-dev/agentc/runtime/internal/events/unknown"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// interruption is what a journal says of a call that was interrupted.
type interruption struct {
	// effect is as a process has asked about it; nil if none has.
	effect *event.UnknownEffect
	// since is when a process asked first; zero if none has.
	since time.Time
	// answer is what a person has answered; "" without one.
	answer string
	// taken reports whether a later process has taken the run, whose owner had renewed its lease
	// last at renewed; zero if that is not known.
	taken   bool
	renewed time.Time
}

// addPause notes that a process has asked about a call that was interrupted.
func (b *builder) addPause(r *journal.Record) {
	n := b.effects[r.Address]
	if n == nil || n.unknown == nil || r.Value("question") != unknown.Question(n.Name) {
		return
	}
	n.unknown.effect = event.Pause.Event(r.Value).Effect
	if n.unknown.since.IsZero() {
		n.unknown.since = r.Time
	}
	if n.unknown.effect == nil { // an older runtime has asked
		n.unknown.effect = n.unknownEffect(b.trace.Run)
	}
}

// unknownEffect is the call as a person is asked about it.
func (n *Node) unknownEffect(run string) *event.UnknownEffect {
	of := &event.UnknownEffect{
		Kind: string(n.Kind), Name: n.Name, Agent: n.caller, Args: json.RawMessage(n.Args), Address: n.Address,
		Key: runtime.CallInfo{Run: run, Address: n.Address}.IdempotencyKey(),
	}
	if n.Kind == Call {
		of.Kind = unknown.Function
	}
	if n.unknown != nil {
		of.Renewed = n.unknown.renewed
	}

	return of
}

// addTake notes of the calls that are under way when the process that has begun them renewed its lease last.
func (b *builder) addTake(r *journal.Record) {
	renewed, _ := time.Parse(time.RFC3339Nano, r.Value("renewed")) // without it, it is not known
	for _, n := range b.asked {
		if n.unknown != nil && n.Open() && !n.unknown.taken {
			n.unknown.taken, n.unknown.renewed = true, renewed
		}
	}
}

// reopenQuestions forgets the answers with which a run has failed: its process asks again.
func (b *builder) reopenQuestions() {
	if b.trace.Status != Failed && b.trace.Status != Cancelled {
		return
	}
	for _, n := range b.asked {
		if n.unknown != nil && n.unknown.answer == unknown.Fail {
			n.unknown.answer = ""
		}
	}
}

// dropUnusedAnswers says of answers that were recorded without the program, and with which a process has left the run all the same, that they did not
// fit: the questions are open again.
func (b *builder) dropUnusedAnswers() {
	for _, n := range b.asked {
		if n.unchecked && n.Open() {
			n.Text = fmt.Sprintf("The answer %q does not fit. %s", n.Value, n.Text)
			n.Value, n.By, n.answered, n.unchecked = "", "", time.Time{}, false
		}
	}
}

// openQuestions returns the questions that are open at the end of the records.
func (b *builder) openQuestions() []client.Question {
	b.reopenQuestions()
	var open []client.Question
	if b.trace.Status == Done || b.trace.WasCancelled() {
		return open
	}
	for _, n := range b.asked {
		switch {
		case !n.Open():
		case n.Kind == Ask && n.Value == "":
			n.Question = &client.Question{
				ID: n.Name, Address: n.Address, Agent: n.caller, Since: n.asked, Prompt: n.Text, Channel: n.Channel, Choices: n.Choices,
				Due: n.Due, Timer: n.IsTimer, Schema: json.RawMessage(n.Schema), Example: runtime.Question{Schema: n.Schema}.Example(),
			}
		case n.Kind != Ask && n.unknown != nil && n.unknown.answer == "":
			// It has to be asked about if a process has asked, or the last one has left the run; else one may still be at work on it.
			effect := n.unknown.effect
			if effect == nil && b.trace.Status != Open {
				effect = n.unknownEffect(b.trace.Run)
			}
			if effect != nil {
				q := eventtext.UnknownQuestion(effect)
				n.Question = &client.Question{
					ID: q.ID, Address: n.Address, Agent: q.Agent, Since: n.unknown.since, Prompt: q.Prompt, Choices: q.Choices, Effect: effect,
				}
			}
		}
		if n.Question != nil {
			open = append(open, *n.Question)
		}
	}

	return open
}

// answersBelow returns the answers below a node, in the order of time.
func (n *Node) answersBelow() []client.Answer {
	var all []client.Answer
	n.visitAll(func(n *Node) {
		if n.Kind == Ask && n.Value != "" && n.Problem == "" {
			all = append(all, client.Answer{Question: n.Name, Address: n.Address, Value: n.Value, By: n.By, At: n.answered})
		}
	})
	// Every program has the functions of package sort. Those of package slices it would have once more for this type.
	sort.SliceStable(all, func(i, j int) bool { return all[i].At.Before(all[j].At) })

	return all
}

// Due returns when the first of the open questions has no time left; zero if each of them waits as
// long as it takes.
func (t *Trace) Due() (due time.Time) {
	for _, q := range t.Questions {
		if due.IsZero() || !q.Due.IsZero() && q.Due.Before(due) {
			due = q.Due
		}
	}

	return due
}
