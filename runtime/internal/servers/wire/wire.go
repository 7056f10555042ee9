// Package wire is what servers are asked for and reply besides the runs, which are in package
// client.
//
// The tags of its types are what the OpenAPI description says of them: doc in words, enum the values that there are.
package wire

import (
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime/servers/client"
)

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

// Caller is who makes a request, and what the caller may do.
type Caller struct {
	Name      string   `json:"name,omitempty" doc:"the name of the token; without it no token is needed"`
	Rights    []string `json:"rights" doc:"what the caller may do; each caller can also read the runs that it has started"`
	Agents    []string `json:"agents" doc:"the agents that the rights are for; none: all"`
	Questions []string `json:"questions" doc:"the ids of the questions that the caller may answer; none: all"`
	Machines  []string `json:"machines" doc:"the machines that the caller may signal; none: all"`
}

// Health is the reply of a server that runs.
type Health struct {
	Status string `json:"status" enum:"ok,closing" doc:"closing starts nothing new, and ends when its runs have stopped"`
}

// Ready is the reply to the question whether runs can start.
type Ready struct {
	Status  string           `json:"status" enum:"ready,not-ready,closing" doc:"not-ready lacks something, closing starts nothing new"`
	Missing []client.Problem `json:"missing" doc:"what runs need and do not have: a model, key, variable, tool, or a store that can be written to. Where tokens are needed, only a caller with one gets this list"`
	// Stranded has at most 100 ids.
	Stranded []string `json:"stranded,omitempty" doc:"runs, the first 100, that are paused or were interrupted and need another version of the program, because its states, rows, steps or tools have changed. They do not keep other runs from starting. Where tokens are needed, only a caller with the right read gets this list"`
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
