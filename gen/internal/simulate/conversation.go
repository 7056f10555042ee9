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

// Turn is what a model, a person, a function, a tool or a guard answers.
type Turn struct {
	// Key is the key of a finish; empty in a oneshot, which has none.
	Key string
	// Value is the JSON of the value of a finish, or of a result.
	Value string
	// Say is what a oneshot, or a person, says.
	Say string
	// Calls are the tools that are called before, as JSON; empty if none is.
	Calls string
	// Fails says that the call fails.
	Fails bool
	// Signal comes while the model answers; empty if none does.
	Signal string

	// anyKey says that nothing reads the key.
	anyKey bool
}

// converse makes n a conversation: one turn, with an outcome for each key that its result is
// compared with and, if that is judged, for values that begin with the word done and for others.
func (b *builder) converse(n *node, a *ir.Agent, step *ir.Step, about *asked) {
	react, isReact := step.Node.(*ir.React)
	keys := []string{ir.DoneKey} // of a oneshot, which has no choice
	if isReact {
		keys = keysAt(n.place, about.keys...)
		if len(react.Keys) > 0 {
			keys = ir.Values(react.Keys)
		}
	}
	var endings []ending
	for _, key := range keys {
		list := step.List() != nil && (!isReact || react.List.Key == "" || sameKey(react.List.Key, key))
		values, err := valuesOf(step, n.label, list, about.judged)
		if err != nil {
			n.problem = err.Error()
		}
		for _, text := range values {
			o := outcome{key: key, value: parsed(text), done: isDone(text)}
			if list {
				o.items = o.value.Len()
			}
			turn := replies(step, n.place, key, o.value)
			endings = append(endings, ending{item{kind: kindReply, name: n.label, turn: turn}, o})
		}
	}
	if isReact && react.Gate != nil {
		n.problem = "nothing that its gate allows is known to lead to finish"
		b.gate(n, a, react, endings)
		return
	}
	for _, end := range endings {
		n.finishes(&edge{items: []item{end.reply}}, end.outcome)
	}
}

// replies returns the turn in which a conversation at a place ends with a key and a value.
func replies(step *ir.Step, at ir.Place, key string, v workflow.Value) Turn {
	react, isReact := step.Node.(*ir.React)
	switch {
	case isReact:
		return Turn{Key: key, Value: v.JSON(), anyKey: at.Kind == ir.PlaceFree && len(react.Keys) == 0}
	case step.Output() == nil:
		return said(v)
	}

	return Turn{Say: v.JSON()}
}

// isDone is what the runtime says of a value that judges: whether it is a text that begins with the
// word done.
func isDone(text string) bool {
	said, isText := parsed(text).AsText()

	return isText && rt.SaysDone(said)
}

func parsed(text string) workflow.Value {
	v, err := workflow.Parse([]byte(text))
	if err != nil {
		return workflow.Text(text)
	}

	return v
}

// keysAt returns the keys with which one may finish who takes whatever is legal at a place, those
// that the key is compared with included. Of the keys that nothing distinguishes, one represents
// all: it is none of those that are known there.
func keysAt(at ir.Place, compared ...string) []string {
	switch at.Kind {
	case ir.PlaceClosed:
		return at.Keys
	case ir.PlaceOpen:
		known, other := slices.Concat(compared, at.Keys), "other"
		for i := 2; slices.ContainsFunc(known, func(key string) bool { return sameKey(key, other) }); i++ {
			other = fmt.Sprintf("other-%d", i)
		}
		return append(known, other)
	}

	return append(slices.Clone(compared), ir.DoneKey)
}

// valuesOf returns the JSON of the values of a conversation: if they are judged, a text that does
// not begin with done, and one that does, as far as there are any.
func valuesOf(step *ir.Step, label string, list, judged bool) ([]string, error) {
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
		texts := sample.Texts(schema, "Not yet.", "DONE", "done")
		if i := slices.IndexFunc(texts, func(text string) bool { return rt.SaysDone(text) == done }); i >= 0 && judged {
			verdicts = append(verdicts, words.Quote(texts[i]))
		}
	}
	if len(verdicts) > 0 {
		return verdicts, nil
	}
	value, err := sample.Value(schema, text)
	if err != nil {
		return nil, err
	}

	return []string{value}, nil
}

// script writes the calls before a turn, each tool behind the first skill that unlocks it.
func script(calls []*call) string {
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
