// Package wire is what runs look like to those who start, list and answer them over HTTP and MCP.
//
// The tags of its types are what the OpenAPI description says of them: doc in words, enum the values that there are.
package wire

import (
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/trace"
)

// Start is what a run is started with.
type Start struct {
	Agent   string          `json:"agent,omitempty" doc:"the agent or workflow to run; without it the program's entry point"`
	Input   string          `json:"input" doc:"the task"`
	Context json.RawMessage `json:"context,omitempty" doc:"the initial context of a workflow, an object"`
	Run     string          `json:"run,omitempty" doc:"the id that the run is to have: 1 to 64 letters, digits, - and _, with no - at the beginning, and no name of a device of Windows such as con; without it one is made up. A request that is repeated with the same id starts nothing twice"`
}

// Status is where a run is.
type Status string

// The states of a run. Queued and Running are those of runs that this server works on, the others are recorded.
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

// Summary is a run in a list.
type Summary struct {
	ID      string    `json:"run" doc:"the run's id"`
	Agent   string    `json:"agent,omitempty" doc:"the agent that was started"`
	By      string    `json:"by,omitempty" doc:"who started it: the holder of the token"`
	Status  Status    `json:"status" enum:"queued,running,paused,done,failed,cancelled,interrupted,quarantined,damaged" doc:"where the run stands; queued waits until the server runs fewer, interrupted has no recorded end and this server does not work on it: its process died, or another one has it; quarantined was resumed after crashes too often without progress, and is resumed only by a request; damaged has a journal that cannot be read"`
	Begun   time.Time `json:"begun,omitzero" doc:"when it was started"`
	Changed time.Time `json:"changed,omitzero" doc:"when something was recorded last"`
	Problem *Problem  `json:"problem,omitempty" doc:"why it failed, was cancelled or quarantined, does not go on, or cannot be read"`

	Recoveries []time.Time `json:"recoveries,omitempty" doc:"when a run that is quarantined was resumed after its process had died, oldest first"`
}

// Run is a run with all that its journal says of it as a whole.
type Run struct {
	Summary
	Input      string          `json:"input" doc:"the task"`
	Context    json.RawMessage `json:"context,omitempty" doc:"the initial context of a workflow"`
	State      json.RawMessage `json:"state,omitempty" doc:"the context of a workflow when the run ended, also of a run that failed or was cancelled"`
	Questions  []Question      `json:"questions" doc:"what it waits for"`
	Result     *Result         `json:"result,omitempty" doc:"what came of it, when it is done"`
	Tokens     Tokens          `json:"tokens" doc:"what its models have used"`
	Cost       *Cost           `json:"cost,omitempty" doc:"what they have cost, as far as that is known"`
	ForkedFrom string          `json:"forked_from,omitempty" doc:"the run that it is a copy of"`
	ForkedAt   string          `json:"forked_at,omitempty" doc:"the address up to which it is a copy"`
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
}

// SpentOf is what a run has used, by the sums of its journal. The cost is nil if it is not known.
func SpentOf(t trace.Totals) (Tokens, *Cost) {
	tokens := Tokens{Input: t.In, Output: t.Out, Estimated: t.Estimated}
	if t.Cost == 0 {
		return tokens, nil
	}

	return tokens, &Cost{USD: float64(t.Cost) / 1e6, Estimated: t.Estimated}
}

// Result is what came of a run.
type Result struct {
	Key   string `json:"key" doc:"the key that the agent finished with"`
	Value string `json:"value" doc:"the value, as text"`
	JSON  bool   `json:"json" doc:"whether the value is JSON"`
	// Context is encoded as it is.
	Context json.RawMessage `json:"context,omitempty" doc:"the final context of a workflow, an object"`
}

// Question is something that a person has to answer.
type Question = trace.Question

// Runs is a part of the list of runs.
type Runs struct {
	Runs []Summary `json:"runs" doc:"by their ids, the last first: the newest, where ids were made up, as those begin with the time"`
	Next string    `json:"next,omitempty" doc:"the value of before for those that follow; without it there are none"`
}

// Reply is an answer to a question.
type Reply struct {
	Question string      `json:"question" doc:"the question's id"`
	Address  string      `json:"address,omitempty" doc:"the question's address: where two open questions have one id, and to be sure that it is the question that was read"`
	Value    AnswerValue `json:"value" doc:"the answer: a string, or any JSON if the question has a schema; of a question with an effect again, skip, fail, or {\"done\": RESULT} if the call has happened"`
	By       string      `json:"by,omitempty" doc:"who answers; where tokens are needed, it is the name of the token's holder"`
	Resume   *bool       `json:"resume,omitempty" doc:"false only records the answer; without it the run goes on"`
}

// AnswerValue is an answer as text. In JSON it is a string, or any other value, which then is the text of its JSON.
type AnswerValue string

// UnmarshalJSON implements json.Unmarshaler.
func (v *AnswerValue) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		text = string(data)
	}
	*v = AnswerValue(text)

	return nil
}

// Resume is how a run is continued.
type Resume struct {
	ForceShape bool `json:"force_shape,omitempty" doc:"go on although the program has another shape than the one that the run was begun with"`
}

// Signal is something that happens to a run beside the keys of its machines.
type Signal struct {
	Kind  string `json:"kind" doc:"user-message, tool-result, timer, stop, or a name of the project's own"`
	Value string `json:"value,omitempty" doc:"what goes with it"`
}

// Taken is the reply to a signal that a machine has a rule for.
type Taken struct {
	Taken bool `json:"taken" enum:"true"`
}

// Fork is where a copy of a run begins to be another.
type Fork struct {
	At      string          `json:"at,omitempty" doc:"the address of the effect that has another reply"`
	Changed bool            `json:"changed,omitempty" doc:"instead of at: the first effects that the program carries out differently, as after an edit"`
	Reply   json.RawMessage `json:"reply,omitempty" doc:"the reply; without it the effect is carried out again"`
	Resume  *bool           `json:"resume,omitempty" doc:"false only makes the copy; without it the copy goes on"`
}

// Agents are the agents and workflows that can be started.
type Agents struct {
	Program string  `json:"program"`
	Entry   string  `json:"entry,omitempty" doc:"the one that is started where none is named"`
	Shape   string  `json:"shape" doc:"a hash over states, rows, patterns and tool schemas: runs go on under the same shape"`
	Text    string  `json:"text" doc:"a hash over prompts and descriptions"`
	Agents  []Agent `json:"agents"`
}

// Agent is an agent or workflow that can be started.
type Agent struct {
	Name          string          `json:"name"`
	Description   string          `json:"description"`
	Pattern       string          `json:"pattern"`
	HasContext    bool            `json:"has_context" doc:"whether it takes an initial context"`
	ContextSchema json.RawMessage `json:"context_schema,omitempty" doc:"the JSON Schema of that context; without it any object is valid"`
}

// Health says that the server answers.
type Health struct {
	Status string `json:"status" enum:"ok,closing" doc:"closing starts nothing new, and ends when its runs have stopped"`
}

// Ready says whether runs can start.
type Ready struct {
	Status  string    `json:"status" enum:"ready,not-ready,closing" doc:"not-ready lacks something, closing starts nothing new"`
	Missing []Problem `json:"missing" doc:"what runs need and do not have: a model, key, variable, tool, or a store that can be written to. Where tokens are needed, only a caller with one gets this list"`
}

// Problem is what went wrong.
type Problem struct {
	Type    string   `json:"type" doc:"a name to compare with, such as AnsweredError"`
	Message string   `json:"message" doc:"a sentence for people"`
	Choices []string `json:"choices,omitempty" doc:"what would have been right: answers, agents, questions"`
}

// Event is a line of a stream. What else it holds depends on its kind.
type Event struct {
	Kind    string    `json:"event" doc:"the kind; the page of the runtime has the fields of each"`
	Run     string    `json:"run"`
	Seq     int       `json:"seq,omitempty" doc:"counts the events of a run from 1; a delta has none of its own"`
	Address string    `json:"address,omitempty" doc:"the newest effect"`
	Time    time.Time `json:"time"`
	Agent   string    `json:"agent,omitempty"`
	_       struct{}  `open:"true"`
}

// Document is any JSON object.
type Document struct {
	_ struct{} `open:"true"`
}
