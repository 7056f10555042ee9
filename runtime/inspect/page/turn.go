package page

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/engine/dialog"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Turn is a request to a model as JSON.
type Turn struct {
	Run     string `json:"run,omitempty"`
	Address string `json:"address"`
	Agent   string `json:"agent"`
	// Like is the address of an earlier turn of the agent, of which this one repeats the first Same messages; System,
	// Tools and Schema are left out if they are the same, too. "" if the turn is complete.
	Like  string `json:"like,omitempty"`
	Same  int    `json:"same,omitempty"`
	Model string `json:"model,omitempty"`
	model.NamedSettings
	System   string    `json:"system,omitempty"`
	Messages []message `json:"messages"`
	Tools    []tool    `json:"tools,omitempty"`
	Schema   any       `json:"schema,omitempty"`
}

// message is one of the messages of a request.
type message struct {
	Role   string `json:"role"`
	Text   string `json:"text,omitempty"`
	Calls  []call `json:"calls,omitempty"`
	Call   string `json:"call,omitempty"`
	Name   string `json:"name,omitempty"`
	Failed bool   `json:"failed,omitempty"`
}

type call struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Args any    `json:"args,omitempty"`
}

type tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Schema      any    `json:"schema,omitempty"`
}

// turnOf returns a request of a run, complete.
func turnOf(run, address string, r *model.Request) Turn {
	t := Turn{
		Run: run, Address: address, Agent: r.Agent, System: r.System, Messages: []message{}, Schema: jsonOrText(r.Schema),
	}
	if r.Model != nil {
		t.Model, t.NamedSettings = r.Model.Name, model.NamedSettings(r.Model.Settings)
	}
	for _, m := range r.Messages {
		sent := message{Role: m.Role, Text: m.Text, Call: m.CallID, Name: m.Name, Failed: m.Failed}
		for _, c := range m.Calls {
			sent.Calls = append(sent.Calls, call{c.ID, c.Name, jsonOrText(c.Args)})
		}
		t.Messages = append(t.Messages, sent)
	}
	for _, offered := range r.Tools {
		t.Tools = append(t.Tools, tool{offered.Name, offered.Description, jsonOrText(offered.Schema)})
	}

	return t
}

// jsonOrText is a text as the JSON that it is, or as text if it is none; nil for "".
func jsonOrText(text string) any {
	switch {
	case text == "":
		return nil
	case json.Valid([]byte(text)):
		return json.RawMessage(text)
	}

	return text
}

type lastTurn struct {
	address string
	request *model.Request
}

// AddTurn adds a request to Turns, after those that were made before it. A request that repeats an earlier one contains
// only what is new.
func (r *Run) AddTurn(address string, request *model.Request) {
	branch := address[:max(strings.LastIndexByte(address, '.'), 0)]
	before, repeats := r.last[branch+" "+request.Agent]
	if r.last == nil {
		r.last = map[string]lastTurn{}
	}
	r.last[branch+" "+request.Agent] = lastTurn{address, request}
	if !repeats || !slices.Equal(before.request.Tools, request.Tools) || before.request.System != request.System ||
		before.request.Schema != request.Schema {
		r.Turns = append(r.Turns, turnOf(r.ID, address, request))
		return
	}
	same := dialog.Same(before.request.Messages, request.Messages)
	rest := *request
	rest.System, rest.Tools, rest.Schema, rest.Messages = "", nil, "", request.Messages[same:]
	turn := turnOf(r.ID, address, &rest)
	turn.Like, turn.Same = before.address, same
	r.Turns = append(r.Turns, turn)
}
