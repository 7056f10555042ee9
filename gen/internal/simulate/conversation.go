package simulate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
	"github.com/agentc-dev/agentc/runtime/rt"
	"github.com/agentc-dev/agentc/runtime/workflow"
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

// converse makes n a conversation: one turn, with an outcome for each key that its result is compared with and, if that is judged,
// for values that begin with the word done and for others.
func (b *builder) converse(n *node, a *ir.Agent, step *ir.Step, about *asked) {
	react, _ := step.Node.(*ir.React)
	free := n.place.Kind == ir.PlaceFree && react != nil && len(react.Keys) == 0
	finish := func(from int, items ...item) {
		for _, key := range keysOf(react, n.place, about.keys) {
			list := react != nil && covers(react.List, key) || react == nil && step.List() != nil
			values, err := valuesOf(step, n.label, list, about.judged)
			if err != nil {
				n.problem = err.Error()
			}
			for _, text := range values {
				o := outcome{key: key, list: list, value: parsed(text)}
				said, isText := o.value.AsText()
				if !isText || step.Output() != nil {
					said = text
				}
				turn := Turn{Say: said}
				if react != nil {
					turn = Turn{Key: key, Value: text, anyKey: free}
				}
				o.done = isDone(text)
				n.finishes(&edge{from: from, items: append(slices.Clone(items), item{kind: kindReply, name: n.label, turn: turn})}, o)
			}
		}
	}
	if react != nil && react.Gate != nil {
		n.problem = "nothing that its gate allows is known to lead to finish"
		b.gate(n, a, react, finish)
		return
	}
	finish(0)
}

// isDone is what the runtime says of a value that judges: whether it is a text that begins with the word done.
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

// keysOf returns the keys with which a react agent may finish at a place, those that it is compared with included; a oneshot, with
// a nil react, has no choice.
func keysOf(react *ir.React, at ir.Place, compared []string) []string {
	switch {
	case react == nil:
		return []string{ir.DoneKey}
	case len(react.Keys) > 0:
		return ir.Values(react.Keys)
	}

	if at.Kind == ir.PlaceClosed {
		return at.Keys
	}

	return slices.Concat(compared, freeChoice(at, compared...))
}

// freeChoice returns the keys of an agent that takes whatever is legal at a place. Of the keys that nothing distinguishes, one
// represents all: it is none of those that are known there.
func freeChoice(at ir.Place, compared ...string) []string {
	switch at.Kind {
	case ir.PlaceClosed:
		return at.Keys
	case ir.PlaceOpen:
		other := "other"
		for i := 2; slices.ContainsFunc(slices.Concat(at.Keys, compared), func(key string) bool { return sameKey(key, other) }); i++ {
			other = fmt.Sprintf("other-%d", i)
		}
		return append(slices.Clone(at.Keys), other)
	}

	return []string{ir.DoneKey}
}

func covers(rule *ir.ListRule, key string) bool {
	return rule != nil && (rule.Key == "" || sameKey(rule.Key, key))
}

// valuesOf returns the JSON of the values of a conversation.
func valuesOf(step *ir.Step, label string, list, judged bool) ([]string, error) {
	schema := step.Output()
	switch {
	case list:
		return []string{`["an item"]`}, nil
	case schema == nil && judged:
		return []string{`"Not yet."`, `"DONE"`}, nil
	case schema == nil:
		return []string{sample.Quote("An answer of " + label + ".")}, nil
	case judged:
		if verdicts := verdictsOf(schema); len(verdicts) > 0 {
			return verdicts, nil
		}
	}
	text, err := sample.Value(schema, "text")
	if err != nil {
		return nil, err
	}

	return []string{text}, nil
}

// verdictsOf returns a text that fits a schema and does not begin with done, and one that does, as far as there are any.
func verdictsOf(schema *ir.Schema) []string {
	var verdicts []string
	for _, done := range []bool{false, true} {
		for _, text := range sample.Texts(schema, "Not yet.", "DONE", "done") {
			if rt.SaysDone(text) == done {
				verdicts = append(verdicts, sample.Quote(text))
				break
			}
		}
	}

	return verdicts
}

// driver makes n what chooses the keys of a machine that others drive.
func (b *builder) driver(n *node) {
	for _, key := range freeChoice(n.place) {
		n.finishes(&edge{items: []item{{kind: kindReply, turn: Turn{Key: key}}}}, outcome{key: key})
	}
	n.complete()
	b.order = append(b.order, n)
}

// script writes the calls before a turn, each tool behind the first skill that unlocks it.
func script(calls []*call) string {
	var texts []string
	read := map[string]bool{}
	for _, c := range calls {
		if !read[c.skill] {
			read[c.skill] = true
			texts = append(texts, `{"name": "read_skill", "args": {"name": `+sample.Quote(c.skill)+`}}`)
		}
		texts = append(texts, `{"name": `+sample.Quote(c.tool.Name.Value)+`, "args": `+c.args+`}`)
	}
	if len(texts) == 0 {
		return ""
	}

	return "[" + strings.Join(texts, ", ") + "]"
}
