package trace

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/interrupted"
	"github.com/agentc-dev/agentc/runtime/internal/unknown"
	"github.com/agentc-dev/agentc/runtime/journal"
)

// Question is something that a person has to answer, as every list of questions has it. The tags are those of its JSON: doc in words.
type Question struct {
	ID      string   `json:"question" doc:"the question's id"`
	Address string   `json:"address" doc:"where in the run it was asked; two questions may have one id, but not one address"`
	Agent   string   `json:"agent,omitempty" doc:"the agent that asks, or that called what the question is about"`
	Prompt  string   `json:"prompt" doc:"the question in words"`
	Channel string   `json:"channel,omitempty" doc:"the way to ask by, such as email"`
	Choices []string `json:"choices,omitempty" doc:"the answers to choose from"`
	// Schema is encoded as it is.
	Schema  json.RawMessage `json:"schema,omitempty" doc:"the JSON Schema of the answer, which is then JSON; without it any text will do"`
	Example string          `json:"example,omitempty" doc:"an answer of the form that the schema asks for"`
	// Effect is set of a question whether a call has happened that was interrupted.
	Effect *event.UnknownEffect `json:"effect,omitempty" doc:"the call that was interrupted, if the question is whether it has happened"`
}

// Name is how a question is named in an answer: its id or, if another of those that are open has the same, ID#ADDRESS.
func (q Question) Name(open []Question) string {
	for _, other := range open {
		if other.ID == q.ID && other.Address != q.Address {
			return q.ID + "#" + q.Address
		}
	}
	if strings.HasSuffix(q.ID, "#"+q.Address) { // or the id could be read as the name of a question without it
		return q.ID + "#" + q.Address
	}

	return q.ID
}

// interruption is what a journal says of a call that was interrupted.
type interruption struct {
	// effect is as a process has asked about it; nil if none has.
	effect *event.UnknownEffect
	// answer is what a person has answered; "" without one.
	answer string
}

// paused notes that a process has asked about a call that was interrupted.
func (b *builder) paused(r *journal.Record) {
	n := b.effects[r.Address]
	if n == nil || n.unknown == nil || r.Value("question") != unknown.Question(n.Name) {
		return
	}
	n.unknown.effect = event.Pause.Event(r.Value).Effect
	if n.unknown.effect == nil { // an older runtime has asked
		n.unknown.effect = n.interrupted(b.trace.Run)
	}
}

// interrupted is the call as a person is asked about it.
func (n *Node) interrupted(run string) *event.UnknownEffect {
	of := &event.UnknownEffect{
		Kind: string(n.Kind), Name: n.Name, Agent: n.caller, Args: json.RawMessage(n.Args), Address: n.Address,
		Key: runtime.CallInfo{Run: run, Address: n.Address}.IdempotencyKey(),
	}
	if n.Kind == Call {
		of.Kind = unknown.Function
	}

	return of
}

// reopen forgets the answers with which a run has failed: its process asks again.
func (b *builder) reopen() {
	if b.trace.Status != Failed && b.trace.Status != Cancelled {
		return
	}
	for _, n := range b.asked {
		if n.unknown != nil && n.unknown.answer == unknown.Fail {
			n.unknown.answer = ""
		}
	}
}

// doubt says of answers that were recorded without the program, and with which a process has left the run all the same, that they did not
// fit: the questions are open again.
func (b *builder) doubt() {
	for _, n := range b.asked {
		if n.unchecked && n.Open() {
			n.Text = fmt.Sprintf("The answer %q does not fit. %s", n.Value, n.Text)
			n.Value, n.By, n.unchecked = "", "", false
		}
	}
}

// questions are those that are open at the end of the records.
func (b *builder) questions() []Question {
	b.reopen()
	var open []Question
	for _, n := range b.asked {
		switch {
		case b.trace.Status == Done || !n.Open():
		case n.Kind == Ask && n.Value == "":
			n.Question = &Question{
				ID: n.Name, Address: n.Address, Agent: n.caller, Prompt: n.Text, Channel: n.Channel, Choices: n.Choices,
				Schema: json.RawMessage(n.Schema), Example: runtime.Question{Schema: n.Schema}.Example(),
			}
		case n.Kind != Ask && n.unknown != nil && n.unknown.answer == "":
			// It has to be asked about if a process has asked, or the last one has left the run; else one may still be at work on it.
			effect := n.unknown.effect
			if effect == nil && b.trace.Status != Open {
				effect = n.interrupted(b.trace.Run)
			}
			if effect != nil {
				q := interrupted.Question(effect)
				n.Question = &Question{
					ID: q.ID, Address: n.Address, Agent: q.Agent, Prompt: q.Prompt, Choices: q.Choices, Effect: effect,
				}
			}
		}
		if n.Question != nil {
			open = append(open, *n.Question)
		}
	}

	return open
}
