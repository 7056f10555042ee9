package core

import (
	"encoding/json"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/replay"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// intent is an effect that is about to be carried out, as its journal has it.
type intent struct {
	kind string
	// what is the agent, tool, function, guard or question.
	what string
	// shape hashes what the program's shape decides, text what its prompts can change; 0 where
	// there is nothing of that.
	shape, text digest
	// turn is the turn of a model; nil for other effects.
	turn   *modelTurn
	fields []journal.Field
	class  replay.Class
	// agent, args, output and check describe a tool or a function: see event.UnknownEffect.
	agent, output string
	args          json.RawMessage
	check         func(json.RawMessage) error
	// onUnknown is what to do about an unknown outcome: retry, fail or ask.
	onUnknown string
	// lazy reports whether the effect costs nothing to repeat, so that nothing has to be on the
	// disk before it.
	lazy bool
	// ask is the question of an effect that asks a person.
	ask *runtime.Question
}

// record returns the record of the intent.
func (in *intent) record(address string) journal.Record {
	fields := make([]journal.Field, 0, 7)
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, journal.Field{Name: name, Value: value})
		}
	}
	add("digest", in.shape.String())
	if in.text != 0 {
		add("text_digest", in.text.String())
	}
	if in.turn != nil {
		add("request_digest", in.turn.requestDigest(in.text).String())
	}
	add("what", in.what)
	if in.turn != nil {
		add("model", modelName(&in.turn.request))
	}
	fields = append(fields, in.fields...)
	add("class", string(in.class))
	add("on_unknown", in.onUnknown)

	return journal.Record{Type: journal.Intent, Address: address, Name: in.kind, Fields: fields}
}

// recordedIntent returns an intent as far as its record has it.
func recordedIntent(r *journal.Record) *intent {
	in := &intent{kind: r.Name, what: r.Value("what"), agent: r.Value("agent"), class: replay.Class(r.Value("class")), onUnknown: r.Value("on_unknown")}
	var q recordedQuestion
	if in.kind == replay.KindAsk && json.Unmarshal([]byte(r.Value("args")), &q) == nil {
		in.ask = &runtime.Question{
			ID: q.ID, Agent: q.Agent, Prompt: q.Prompt, Channel: q.Channel, Choices: q.Choices, Schema: q.Schema, Due: q.Due, IsTimer: q.Timer,
		}
	}

	return in
}

func parallelIntent(n, limit int) *intent {
	return &intent{
		kind: replay.KindParallel, shape: digestOf(replay.KindParallel).addNumber(n), lazy: true,
		fields: []journal.Field{{Name: "n", Value: strconv.Itoa(n)}, {Name: "limit", Value: strconv.Itoa(limit)}},
	}
}

// digest is a hash (64-bit FNV-1a) of texts, which shows a replayed run that it asks for
// something else.
type digest uint64

const noDigest digest = 14695981039346656037

// add hashes a text and its length, so that two texts are not mistaken for one.
func (d digest) add(text string) digest {
	d = d.addNumber(len(text))
	for i := range len(text) {
		d = (d ^ digest(text[i])) * 1099511628211
	}

	return d
}

func (d digest) addNumber(n int) digest {
	for range 8 {
		d = (d ^ digest(n&0xff)) * 1099511628211
		n >>= 8
	}

	return d
}

// digestOf hashes several texts.
func digestOf(texts ...string) digest {
	d := noDigest
	for _, text := range texts {
		d = d.add(text)
	}

	return d
}

// String is the digest as it is recorded: 16 hexadecimal digits.
func (d digest) String() string { return string(d.appendTo(nil)) }

// equals reports whether a text is the recorded digest.
func (d digest) equals(text string) bool {
	var digits [16]byte

	return text == string(d.appendTo(digits[:0]))
}

func (d digest) appendTo(dst []byte) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[d>>shift&0xf])
	}

	return dst
}
