package client

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/event"
)

// Status is where a run is.
type Status string

// The states of a run. Queued and Running are for runs that a process works on, the others are
// recorded.
const (
	Queued      Status = "queued"
	Running     Status = "running"
	Paused      Status = "paused"
	Done        Status = "done"
	Failed      Status = "failed"
	Cancelled   Status = "cancelled"
	Interrupted Status = "interrupted"
	Quarantined Status = "quarantined"
	Damaged     Status = "damaged"
)

// Run is a run as its journal has it. Its tags are what the OpenAPI description says of it: doc in words, enum the
// values that there are.
type Run struct {
	ID      string    `json:"run" doc:"the run's id"`
	Program string    `json:"program,omitempty" doc:"the program that was started"`
	Shape   string    `json:"shape,omitempty" doc:"the shape of the program that it was last run by, a hash over states, rows, patterns and tool schemas"`
	Agent   string    `json:"agent,omitempty" doc:"the agent that was started"`
	By      string    `json:"by,omitempty" doc:"who started it: the holder of the token"`
	Status  Status    `json:"status" enum:"queued,running,paused,done,failed,cancelled,interrupted,quarantined,damaged" doc:"where the run stands; queued waits until the server runs fewer, interrupted has no recorded end and this server does not work on it: its process died, or another one has it; quarantined was resumed after crashes too often without progress, and is resumed only by a request; damaged has a journal that cannot be read"`
	Begun   time.Time `json:"begun,omitzero" doc:"when it was started"`
	Changed time.Time `json:"changed,omitzero" doc:"when something was recorded last"`
	Ended   time.Time `json:"ended,omitzero" doc:"when it was done, failed, was cancelled or quarantined; without it the run has not ended"`
	Seq     int       `json:"seq" doc:"the number of its newest event; 0 before the first"`
	// DurationMS is in milliseconds.
	DurationMS int64 `json:"duration_ms" doc:"milliseconds from begun to ended, or to changed of a run that has not ended; the time in which it waited counts"`

	Input     string          `json:"input" doc:"the task"`
	Context   json.RawMessage `json:"context,omitempty" doc:"the initial context of a workflow"`
	State     json.RawMessage `json:"state,omitempty" doc:"the context of a workflow when the run ended, also of a run that failed or was cancelled"`
	Questions []Question      `json:"questions" doc:"what it waits for"`
	Answers   []Answer        `json:"answers" doc:"what people have answered, in the order of time"`
	Result    *Result         `json:"result,omitempty" doc:"what came of it, when it is done; of a run that failed in an end state of a workflow, the state is the key"`
	Problem   *Problem        `json:"problem,omitempty" doc:"why it failed, was cancelled or quarantined, does not go on, or cannot be read"`
	Tokens    Tokens          `json:"tokens" doc:"what its models have used"`
	Cost      *Cost           `json:"cost,omitempty" doc:"what they have cost, as far as that is known"`

	Stranded   bool        `json:"stranded,omitempty" doc:"whether it is paused or interrupted and needs another version of the program, because states, rows, steps or tools have changed: it is resumed by that version, or with force_shape"`
	Recoveries []time.Time `json:"recoveries,omitempty" doc:"when a run that is quarantined was resumed after its process had died, oldest first"`
	ForkedFrom string      `json:"forked_from,omitempty" doc:"the run that it is a copy of"`
	ForkedAt   string      `json:"forked_at,omitempty" doc:"the address up to which it is a copy"`
	// Cut is set only in lists.
	Cut bool `json:"cut,omitempty" doc:"in a list: of input, an answer or the result more than 500 characters are left out"`
}

// Question is something that a person has to answer.
type Question struct {
	ID      string    `json:"question" doc:"the question's id"`
	Address string    `json:"address" doc:"where in the run it was asked; two questions may have one id, but not one address"`
	Agent   string    `json:"agent,omitempty" doc:"the agent that asks, or that called what the question is about"`
	Since   time.Time `json:"since,omitzero" doc:"when it was asked first"`
	Due     time.Time `json:"due,omitzero" doc:"when its time is over, and the run goes on without an answer"`
	Timer   bool      `json:"timer,omitempty" doc:"true if no person is asked: the run waits for the time"`
	Prompt  string    `json:"prompt" doc:"the question in words"`
	Channel string    `json:"channel,omitempty" doc:"the way to ask by, such as email"`
	Choices []string  `json:"choices,omitempty" doc:"the answers to choose from"`
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

// Answer is what a person has answered.
type Answer struct {
	Question string    `json:"question" doc:"the question's id"`
	Address  string    `json:"address" doc:"where in the run it was asked"`
	Value    string    `json:"value" doc:"the answer, as text; JSON if the question has a schema"`
	By       string    `json:"by,omitempty" doc:"who answered, if that is known"`
	At       time.Time `json:"at" doc:"when"`
}

// Result is what came of a run.
type Result struct {
	Key   string `json:"key" doc:"the key that the agent finished with"`
	Value string `json:"value" doc:"the value, as text"`
	JSON  bool   `json:"json" doc:"whether the value is JSON"`
	// Context is encoded as it is.
	Context json.RawMessage `json:"context,omitempty" doc:"the final context of a workflow, an object"`
}

// Problem is what went wrong.
type Problem struct {
	Type    string   `json:"type" doc:"a name to compare with, such as AnsweredError"`
	Message string   `json:"message" doc:"a sentence for people"`
	Choices []string `json:"choices,omitempty" doc:"what would have been right: answers, agents, questions"`
}

// Tokens counts what models have used.
type Tokens struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	// Estimated is set if a provider did not report what it used.
	Estimated bool `json:"estimated,omitempty" doc:"whether some of the tokens are estimated from the bytes of texts, because a server reported none"`
}

// Cost is money that models have cost.
type Cost struct {
	USD float64 `json:"usd"`
	// Estimated is set if the tokens are estimates.
	Estimated bool `json:"estimated,omitempty" doc:"whether it is that of tokens that are estimated"`
	// ListPrices is the date of the list prices of which some of it is computed; "" if none is.
	ListPrices string `json:"list_prices,omitempty" doc:"the date of the list prices of which some of it is computed"`
	// Unpriced counts the calls of models without a price.
	Unpriced int `json:"unpriced,omitempty" doc:"how many calls of models are not in it, because their price is not known"`
}

// Runs is a part of the list of runs.
type Runs struct {
	Runs []Run  `json:"runs" doc:"by their ids, the last first: the newest, where ids were made up, as those begin with the time. Without context, state and the result's context; texts are cut: see cut"`
	Next string `json:"next,omitempty" doc:"the value of before for those that follow; without it there are none"`
}
