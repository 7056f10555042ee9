package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/gen/internal/words"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
	"github.com/agentc-dev/agentc/runtime/generated/workflow"
)

// Turn is an answer of a model, a person, a function, a tool or a guard.
type Turn struct {
	// Key is the key of a finish. It is empty in a oneshot.
	Key string
	// Value is the JSON of the value of a finish, or of a result.
	Value string
	// Say is the text of a oneshot or a person.
	Say string
	// Calls are the preceding tool calls, as JSON; empty without calls.
	Calls string
	// Fails is set if the call fails.
	Fails bool
	// Signal arrives while the model answers; empty without one.
	Signal string

	// acceptsAnyKey is set if nothing reads the key.
	acceptsAnyKey bool
}

// buildConversation makes n a conversation of one turn. It has an outcome for each key that
// conditions compare with its result and, if they test its value, for a value that starts with done
// and one that does not.
func (b *builder) buildConversation(n *node, a *ir.Agent, step *ir.Step, about *resultQuestion) {
	react, isReact := step.Node.(*ir.React)
	keys := []string{ir.DoneKey} // the key of a oneshot
	if isReact {
		keys = possibleKeys(n.place, about.keys...)
		if len(react.Keys) > 0 {
			keys = ir.Values(react.Keys)
		}
	}
	var endings []finishTurn
	for _, key := range keys {
		list := step.List() != nil && (!isReact || react.List.Key == "" || equalKeys(react.List.Key, key))
		values, err := possibleValues(step, n.label, list, about.isJudged)
		if err != nil {
			n.problem = err.Error()
		}
		for _, text := range values {
			o := outcome{key: key, value: parseValue(text), startsWithDone: startsWithDone(text)}
			if list {
				o.items = o.value.Len()
			}
			turn := replyTurn(step, n.place, key, o.value)
			endings = append(endings, finishTurn{item{kind: kindReply, name: n.label, turn: turn}, o})
		}
	}
	if isReact && react.Gate != nil {
		n.problem = "nothing that its gate allows is known to lead to finish"
		b.buildGate(n, a, react, endings)
		return
	}
	for _, end := range endings {
		n.addFinish(&edge{items: []item{end.reply}}, end.outcome)
	}
}

// replyTurn returns the turn in which a conversation at a place finishes with a key and a value.
func replyTurn(step *ir.Step, at ir.Place, key string, v workflow.Value) Turn {
	react, isReact := step.Node.(*ir.React)
	switch {
	case isReact:
		return Turn{Key: key, Value: v.JSON(), acceptsAnyKey: at.Kind == ir.PlaceFree && len(react.Keys) == 0}
	case step.Output() == nil:
		return sayTurn(v)
	}

	return Turn{Say: v.JSON()}
}

// startsWithDone reports whether a value is a text that starts with the word done, as the runtime
// tests it.
func startsWithDone(text string) bool {
	said, isText := parseValue(text).AsText()

	return isText && rt.SaysDone(said)
}

func parseValue(text string) workflow.Value {
	v, err := workflow.Parse([]byte(text))
	if err != nil {
		return workflow.Text(text)
	}

	return v
}

// possibleKeys returns the keys with which an agent without its own keys can finish at a place.
// They include the keys that conditions compare. A single other key represents all keys that
// nothing distinguishes.
func possibleKeys(at ir.Place, compared ...string) []string {
	switch at.Kind {
	case ir.PlaceClosed:
		return at.Keys
	case ir.PlaceOpen:
		known, other := slices.Concat(compared, at.Keys), "other"
		for i := 2; slices.ContainsFunc(known, func(key string) bool { return equalKeys(key, other) }); i++ {
			other = fmt.Sprintf("other-%d", i)
		}
		return append(known, other)
	}

	return append(slices.Clone(compared), ir.DoneKey)
}

// possibleValues returns the JSON of the values of a conversation. If conditions test them, there
// is a text that does not start with done, and one that does, if the schema permits them.
func possibleValues(step *ir.Step, label string, list, judged bool) ([]string, error) {
	schema, text := step.Output(), "text"
	switch {
	case list && step.List().Max == 1:
		return []string{`["an item"]`}, nil
	case list:
		return []string{`["an item"]`, `["an item","another item"]`}, nil
	case schema == nil:
		schema, text = &ir.Schema{Kind: ir.SchemaString}, "An answer of "+label+"."
	}
	var verdicts []string
	for _, done := range []bool{false, true} {
		texts := sample.MakeTexts(schema, "Not yet.", "DONE", "done")
		if i := slices.IndexFunc(texts, func(text string) bool { return rt.SaysDone(text) == done }); i >= 0 && judged {
			verdicts = append(verdicts, words.Quote(texts[i]))
		}
	}
	if len(verdicts) > 0 {
		return verdicts, nil
	}
	value, err := sample.MakeValue(schema, text)
	if err != nil {
		return nil, err
	}

	return []string{value}, nil
}

// encodeCalls encodes the calls before a turn, each tool after the first skill that unlocks it.
func encodeCalls(calls []*toolCall) string {
	var texts []string
	read := map[string]bool{}
	for _, c := range calls {
		if !read[c.skill] {
			read[c.skill] = true
			texts = append(texts, `{"name": "read_skill", "args": {"name": `+words.Quote(c.skill)+`}}`)
		}
		texts = append(texts, `{"name": `+words.Quote(c.tool.Name.Value)+`, "args": `+c.args+`}`)
	}
	if len(texts) == 0 {
		return ""
	}

	return "[" + strings.Join(texts, ", ") + "]"
}
