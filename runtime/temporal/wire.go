package temporal

import (
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/engine/core"
	"github.com/agentc-dev/agentc/runtime/model"
)

// What is in histories. An empty field is left out, so that a history has only what differs.

// input is the input of a workflow.
type input struct {
	// input is the input of the agent, and Context the initial context of a workflow of StateMachine YAML; nil
	// without one.
	Input   string          `json:"input,omitempty"`
	Context json.RawMessage `json:"context,omitempty"`
	// Script, as JSON, answers instead of models, and Partial allows turns of it to be unused.
	Script  string `json:"script,omitempty"`
	Partial bool   `json:"partial,omitempty"`
	// Attributes reports that the run has search attributes.
	Attributes bool `json:"attributes,omitempty"`
	// Longest is the largest number of events in a history before the run continues in a new one; 0: when Temporal
	// suggests it.
	Longest int `json:"longest,omitempty"`
	// Journal is what earlier executions of the run have recorded, and Settings the settings of their workers.
	Journal  []byte            `json:"journal,omitempty"`
	Settings map[string]string `json:"settings,omitempty"`
	// Answered are the last questions that were answered in earlier executions, to recognize repeated answers.
	Answered []answered `json:"answered,omitempty"`
}

// answered is a question that was answered.
type answered struct {
	Question string `json:"question"`
	Address  string `json:"address"`
	Value    string `json:"value,omitempty"`
	By       string `json:"by,omitempty"`
}

// output is the output of a workflow: the agent's finish, with names for JSON.
type output struct {
	Key       string `json:"key,omitempty"`
	Value     string `json:"value,omitempty"`
	JSON      bool   `json:"json,omitempty"`
	Synthetic bool   `json:"synthetic,omitempty"`
	Context   string `json:"context,omitempty"`
}

// place is where an effect is.
type place struct {
	Run     string `json:"run"`
	Address string `json:"address"`
}

func placeOf(at runtime.CallInfo) place { return place{at.Run, at.Address} }

func (p place) callInfo() runtime.CallInfo { return runtime.CallInfo{Run: p.Run, Address: p.Address} }

// turn asks for one turn of a model: what is new in the conversation since After, the reference of what was asked before.
type turn struct {
	place
	Agent string        `json:"agent"`
	Turn  int           `json:"turn,omitempty"`
	Model *model.Choice `json:"model,omitempty"`
	After string        `json:"after,omitempty"`
	// Head is nil if After has the same.
	Head     *head           `json:"head,omitempty"`
	Messages []model.Message `json:"messages,omitempty"`
	Timeout  time.Duration   `json:"timeout,omitempty"`
}

// head is what is around the messages of a conversation.
type head struct {
	// input is what the agent was given.
	Input  string       `json:"input,omitempty"`
	System string       `json:"system,omitempty"`
	Tools  []model.Tool `json:"tools,omitempty"`
	Schema string       `json:"schema,omitempty"`
}

// turned is a turn of a model, and the references of the conversation with which it was asked, and of that with its reply.
type turned struct {
	Reply   model.Reply `json:"reply"`
	Asked   string      `json:"asked"`
	Replied string      `json:"replied,omitempty"`
	// Retried are the attempts that failed before.
	Retried []core.Retried `json:"retried,omitempty"`
}

// use is a call of a tool.
type use struct {
	place
	Agent string          `json:"agent"`
	ID    string          `json:"id,omitempty"`
	Tool  string          `json:"tool"`
	Args  json.RawMessage `json:"args"`
	Vars  []string        `json:"vars,omitempty"`
	Nth   int             `json:"nth,omitempty"`
}

// apply is a call of a function.
type apply struct {
	place
	Name    string          `json:"name"`
	Args    json.RawMessage `json:"args"`
	Timeout time.Duration   `json:"timeout,omitempty"`
}

// judge is a question to a guard.
type judge struct {
	place
	Name  string                              `json:"name"`
	Input runtime.GuardInput[json.RawMessage] `json:"input"`
}

// Question is an open question, as the query of that name lists them.
type Question struct {
	ID      string   `json:"id"`
	Address string   `json:"address"`
	Agent   string   `json:"agent,omitempty"`
	Prompt  string   `json:"prompt,omitempty"`
	Channel string   `json:"channel,omitempty"`
	Choices []string `json:"choices,omitempty"`
	Schema  string   `json:"schema,omitempty"`
	// Effect is set if the question is whether an interrupted call took place.
	Effect *event.UnknownEffect `json:"effect,omitempty"`
}

// answer is the argument of the update of that name; see [Client.Answer].
type answer struct {
	Question string `json:"question"`
	Value    string `json:"value"`
	By       string `json:"by,omitempty"`
}

// The names of a run's update, query and signal.
const (
	// answerUpdate answers a question; its argument is an answer.
	answerUpdate = "answer"
	// questionsQuery lists the open questions, as []Question.
	questionsQuery = "questions"
	// signalName is the workflow signal with which a [signals.Signal] is sent to the machines of a run.
	signalName = "signal"
)

// The activities.
const (
	checkActivity = "agentc.check"
	modelActivity = "agentc.model"
	toolActivity  = "agentc.tool"
	callActivity  = "agentc.call"
	guardActivity = "agentc.guard"
)
