package machinetest

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/internal/wording"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Texts of values for which any will do. A verdict that begins with done accepts.
const (
	someText  = "done"
	otherText = "not yet"
)

// Values are values that fit the output of agents, as JSON, by agent or agent/step. Where a step's text decides how its agent
// goes on there are several.
type Values map[string][]string

// answers returns the answers of an agent that make a difference: one for each key that it may finish with where it stands.
func (v Values) answers(request model.Request) []model.Reply {
	for _, tool := range request.Tools {
		if tool.Name == "finish" {
			return v.finishes(request.Agent, tool.Schema)
		}
	}

	texts := v[request.Agent]
	if len(texts) == 0 {
		texts = []string{someText, otherText}
	}
	if !strings.Contains(request.Agent, "/") {
		texts = texts[:1]
	}
	replies := make([]model.Reply, len(texts))
	for i, text := range texts {
		replies[i].Text = text
	}

	return replies
}

// finishSchema is what a react agent may finish with.
type finishSchema struct {
	Properties struct {
		Key struct {
			Enum        []string
			Description string
		}
		Value json.RawMessage
	}
	Required []string
}

// finishes returns a finish with each key that the schema allows, and with one that it does not know if it allows any.
func (v Values) finishes(agent, schema string) []model.Reply {
	var s finishSchema
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		return []model.Reply{{Text: someText}} // which asks for a repair, and gets one
	}
	keys := s.Properties.Key.Enum
	switch {
	case len(keys) > 0:
	case !slices.Contains(s.Required, "key"):
		keys = []string{"done"}
	default:
		keys = withAnother(knownKeys(s.Properties.Key.Description))
	}

	replies := make([]model.Reply, len(keys))
	for i, key := range keys {
		value := v.value(agent)
		if isList(s.Properties.Value, key) {
			value = `["an item"]`
		}
		args := `{"key":` + quoted(key) + `,"value":` + value + `}`
		replies[i] = model.Reply{Calls: []model.ToolCall{{ID: "1", Name: "finish", Args: args}}}
	}

	return replies
}

// knownKeys reads the keys that the description of an open place names.
func knownKeys(description string) []string {
	_, list, _ := strings.Cut(description, "Known keys: ")
	var keys []string
	for {
		quoted, err := strconv.QuotedPrefix(list)
		if err != nil {
			return keys
		}
		key, err := strconv.Unquote(quoted)
		if err != nil {
			return keys
		}
		keys = append(keys, key)
		list = strings.TrimPrefix(list[len(quoted):], ", ")
	}
}

// withAnother adds a key that is not among the known ones.
func withAnother(keys []string) []string {
	another := "another key"
	for slices.ContainsFunc(keys, func(key string) bool { return wording.Fold(key) == another }) {
		another += "!"
	}

	return append(keys, another)
}

// value returns a value of an agent, as JSON.
func (v Values) value(agent string) string {
	if values := v[agent]; len(values) > 0 {
		return values[0]
	}

	return quoted(someText)
}

func quoted(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""`
	}

	return string(quoted)
}

// isList reports whether finish takes a list with a key: with the one that the description names, or with every key if it
// names none.
func isList(schema json.RawMessage, key string) bool {
	var either struct {
		AnyOf []struct{ Description string }
	}
	if json.Unmarshal(schema, &either) != nil || len(either.AnyOf) == 0 {
		return false
	}
	with, named := strings.CutPrefix(either.AnyOf[0].Description, "With key ")
	if !named {
		return true
	}
	var only string
	err := json.NewDecoder(strings.NewReader(with)).Decode(&only)

	return err == nil && wording.Fold(only) == wording.Fold(key)
}
