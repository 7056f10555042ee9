package walk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/sample"
)

// conversation is a body that asks a model. It takes one turn, with each outcome another one.
type conversation struct {
	turns []Turn
	// gate is what the agent calls before it may finish; nil without a gate.
	gate *passage
	// rows are those of the gate, if it is that of an agent which walks are about.
	rows *gateRows
}

// Turn is what a model answers.
type Turn struct {
	// Key is the key of a finish; empty in a oneshot, which has none.
	Key string
	// Value is the JSON of the value of a finish.
	Value string
	// Say is what a oneshot, or a person, says.
	Say string
	// Calls are the tools that are called before, as JSON; empty if none is.
	Calls string
	// Fails says that the call fails.
	Fails bool
	// Signal comes while the model answers; empty if none does.
	Signal string

	// anyKey says that nobody reads the key.
	anyKey bool
}

// converse makes n a conversation. It tries the keys that its result is compared with, and, if that is judged, values
// that begin with the word done and others.
func (b *builder) converse(n *node, step *ir.Step, asked *result) {
	c := &conversation{}
	n.body = c
	t := texts{step: step, judged: asked.judged, label: n.label}
	react, _ := step.Node.(*ir.React)
	calls := ""
	if react != nil && react.Gate != nil {
		if c.gate = b.passageOf(react); c.gate == nil {
			n.problem = "nothing that its gate allows is known to lead to finish"
			return
		}
		calls = c.gate.json
	}
	for _, key := range b.keysOf(react, n.place, asked.keys) {
		list := react != nil && covers(react.List, key) || react == nil && step.List() != nil
		values, err := t.values(list)
		if err != nil {
			n.problem = err.Error()
			continue
		}
		for _, v := range values {
			turn := Turn{Say: v.said}
			if react != nil {
				turn = Turn{Calls: calls, Key: key, Value: v.json, anyKey: n.place.Kind == ir.PlaceFree && len(react.Keys) == 0}
			}
			n.add(outcome{key: key, turns: 1, done: v.done, list: list, way: way{at: len(c.turns)}})
			c.turns = append(c.turns, turn)
		}
	}
}

// keysOf returns the keys with which a react agent may finish at a place, those that it is compared with included; a
// oneshot, with a nil react, has no choice.
func (b *builder) keysOf(react *ir.React, at ir.Place, compared []string) []string {
	switch {
	case react == nil:
		return []string{ir.DoneKey}
	case len(react.Keys) > 0:
		declared := make([]string, len(react.Keys))
		for i, key := range react.Keys {
			declared[i] = key.Value
		}
		return declared
	}

	if at.Kind == ir.PlaceClosed {
		compared = nil
	}

	return append(compared[:len(compared):len(compared)], b.freeChoice(at)...)
}

// freeChoice returns the keys of an agent that takes whatever is legal at a place. Of the keys that nothing tells
// apart, one stands for all.
func (b *builder) freeChoice(at ir.Place) []string {
	switch at.Kind {
	case ir.PlaceClosed:
		return at.Keys
	case ir.PlaceOpen:
		return append(append(at.Keys[:len(at.Keys):len(at.Keys)], b.extra...), b.other)
	}

	return append([]string{ir.DoneKey}, b.extra...)
}

func covers(rule *ir.ListRule, key string) bool {
	return rule != nil && (rule.Key == "" || ir.FoldKey(rule.Key) == ir.FoldKey(key))
}

// texts makes the values of a conversation.
type texts struct {
	step   *ir.Step
	judged bool
	label  string
}

// value is a value: as JSON, and as a oneshot says it.
type value struct {
	json, said string
	done       bool
}

// doneText accepts where a text is judged by its first word, and otherText does not.
const (
	doneText  = "DONE"
	otherText = "Not yet."
	itemText  = "an item"
)

func (t texts) values(list bool) ([]value, error) {
	output := t.step.Output()
	switch {
	case list:
		text := "[" + sample.Quote(itemText) + "]"
		return []value{{json: text, said: text}}, nil
	case output == nil && t.judged:
		return []value{textValue(otherText), textValue(doneText)}, nil
	case output == nil:
		return []value{textValue("An answer of " + t.label + ".")}, nil
	case t.judged:
		if judged := verdicts(output); len(judged) > 0 {
			return judged, nil
		}
	}
	text, err := sample.Value(output, "text")
	if err != nil {
		return nil, err
	}

	return []value{{json: text, said: text, done: strings.HasPrefix(text, `"`) && saysDone(text)}}, nil
}

func textValue(text string) value {
	return value{json: sample.Quote(text), said: text, done: saysDone(text)}
}

// verdicts returns a text that fits a schema and begins with done, and one that does not, as far as there are any.
func verdicts(output *ir.Schema) []value {
	var done, other []value
	for _, text := range sample.Texts(output, otherText, doneText, "done") {
		v := value{json: sample.Quote(text), said: sample.Quote(text), done: saysDone(text)}
		if v.done {
			done = append(done, v)
		} else {
			other = append(other, v)
		}
	}

	return append(other[:min(len(other), 1)], done[:min(len(done), 1)]...)
}

// saysDone is what the runtime says of a text that judges: whether it begins with the word done.
func saysDone(text string) bool {
	text = strings.TrimLeftFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("*_#`\"'>", r)
	})
	if len(text) < len(ir.DoneKey) || !strings.EqualFold(text[:len(ir.DoneKey)], ir.DoneKey) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(text[len(ir.DoneKey):])

	return !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

func (c *conversation) finish(*node) {}

func (c *conversation) play(r *recorder, b *branch, n *node, w way) {
	c.answer(r, b, n, c.turns[w.at], c.gate)
}

// driver stands for what chooses the keys of a machine that is driven from outside.
func (b *builder) driver(n *node) {
	n.body = &conversation{}
	for _, key := range b.freeChoice(n.place) {
		n.add(outcome{key: key, turns: 1})
	}
}
