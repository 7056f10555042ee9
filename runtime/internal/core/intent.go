package core

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/journal"
	"github.com/agentc-dev/agentc/runtime/model"
)

// The kinds of effects, as journals name them.
const (
	kindModel    = "model"
	kindTool     = "tool"
	kindCall     = "call"
	kindGuard    = "guard"
	kindAsk      = "ask"
	kindSleep    = "sleep"
	kindNow      = "now"
	kindParallel = "parallel"
)

// class says what may be done about an effect of which it is unknown whether it has happened.
type class string

const (
	// classFree is an effect that changes nothing outside of the run, or whose repetition only costs.
	classFree       class = ""
	classRead       class = "read"
	classIdempotent class = "idempotent"
	// classOnce is an effect that must not happen twice.
	classOnce class = "once"
)

// intent is an effect that is about to be carried out, as its journal has it.
type intent struct {
	kind string
	// what is the agent, tool, function, guard or question.
	what string
	// shape hashes what the program's shape decides, text what its prompts can change; 0 where there is nothing of that.
	shape, text digest
	// request returns the hash of the whole request to a model; nil of other effects.
	request func() digest
	fields  []journal.Field
	class   class
	// agent, args, output and check are those of a tool or a function: see event.UnknownEffect.
	agent, output string
	args          json.RawMessage
	check         func(json.RawMessage) error
	// onUnknown is what to do about an unknown outcome: retry, fail or ask.
	onUnknown string
	// lazy says that the effect costs nothing to repeat, so that nothing has to be on the disk before it.
	lazy bool
	// ask is the question of an effect that asks a person.
	ask *runtime.Question
	// skip tells scripts of a result that is not asked of them again.
	skip func(*journal.Record)
	// more are fields of the result, whether it is an error or not; nil without any.
	more func() []journal.Field
}

// record is the intent as it is recorded.
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
	if in.request != nil {
		add("request_digest", in.request().String())
	}
	add("what", in.what)
	fields = append(fields, in.fields...)
	add("class", string(in.class))
	add("on_unknown", in.onUnknown)

	return journal.Record{Type: journal.Intent, Address: address, Name: in.kind, Fields: fields}
}

// recordedIntent is an intent as far as its record has it.
func recordedIntent(r *journal.Record) *intent {
	in := &intent{kind: r.Name, what: field(r, "what"), agent: field(r, "agent"), class: class(field(r, "class")), onUnknown: field(r, "on_unknown")}
	var q question
	if in.kind == kindAsk && json.Unmarshal([]byte(field(r, "args")), &q) == nil {
		in.ask = &runtime.Question{ID: q.ID, Agent: q.Agent, Prompt: q.Prompt, Channel: q.Channel, Choices: q.Choices, Schema: q.Schema}
	}

	return in
}

func modelIntent(r *model.Request) *intent {
	text := digestOf(r.Input)
	if n := len(r.Messages); n > 0 {
		// The messages before are those of the turn before, and what was answered to it, which is recorded.
		last := &r.Messages[n-1]
		text = text.number(n).add(string(last.Role)).add(last.Name).add(last.Text)
	}

	return &intent{kind: kindModel, what: r.Agent, shape: digestOf(kindModel, r.Agent).number(r.Turn), text: text}
}

func toolIntent(call *runtime.ToolCall) *intent {
	args := string(call.Args)
	in := &intent{
		kind: kindTool, what: call.Tool.Name, shape: digestOf(kindTool, call.Tool.Name, args),
		fields: []journal.Field{{Name: "agent", Value: call.Agent}, {Name: "args", Value: args}},
		class:  classOnce, onUnknown: call.Tool.OnUnknown,
		agent: call.Agent, args: call.Args, output: call.Tool.Output, check: call.Tool.CheckOutput,
	}
	switch {
	case call.Tool.Effect == runtime.EffectRead:
		in.class = classRead
	case call.Tool.Idempotent, isMemory(call.Tool):
		in.class = classIdempotent
	}

	return in
}

func callIntent(call *runtime.FuncCall) *intent {
	args := string(call.Args)
	in := &intent{
		kind: kindCall, what: call.Name, shape: digestOf(kindCall, call.Name, args),
		fields: []journal.Field{{Name: "args", Value: args}}, class: classOnce, args: call.Args, check: call.Check,
	}
	if call.Repeatable {
		in.class = classIdempotent
	}

	return in
}

func guardIntent(call *runtime.GuardCall) *intent {
	in := &intent{
		kind: kindGuard, what: call.Name, shape: digestOf(kindGuard, call.Machine, call.State, call.Key, call.Name),
	}
	if call.Signals != nil {
		in.lazy = true
		if again := call.Signals.Again; again != nil {
			in.shape = in.shape.add(again.Kind)
		}
	}

	return in
}

// question is a question as it is recorded.
type question struct {
	ID      string   `json:"id"`
	Agent   string   `json:"agent,omitempty"`
	Prompt  string   `json:"prompt"`
	Channel string   `json:"channel,omitempty"`
	Choices []string `json:"choices,omitempty"`
	Schema  string   `json:"schema,omitempty"`
}

func askIntent(q *runtime.Question) *intent {
	text, err := json.Marshal(question{q.ID, q.Agent, q.Prompt, q.Channel, q.Choices, q.Schema})
	if err != nil {
		panic(err) // nothing but texts
	}
	shape := digestOf(kindAsk, q.ID, q.Schema)
	for _, choice := range q.Choices {
		shape = shape.add(choice)
	}

	return &intent{
		kind: kindAsk, what: q.ID, shape: shape, text: digestOf(q.Prompt),
		fields: []journal.Field{{Name: "args", Value: string(text)}},
	}
}

// sleepRecord is what a journal has of a sleep.
type sleepRecord struct {
	For   string    `json:"for"`
	Until time.Time `json:"until"`
}

func sleepIntent(d time.Duration, now time.Time) *intent {
	text, err := json.Marshal(sleepRecord{d.String(), now.Add(d).UTC()})
	if err != nil {
		text = nil // a time beyond the year 9999: then the whole time is slept again
	}

	return &intent{
		kind: kindSleep, what: d.String(), shape: digestOf(kindSleep, d.String()), lazy: d <= 0,
		fields: []journal.Field{{Name: "args", Value: string(text)}},
	}
}

func parallelIntent(n, limit int) *intent {
	return &intent{
		kind: kindParallel, shape: digestOf(kindParallel).number(n), lazy: true,
		fields: []journal.Field{{Name: "n", Value: strconv.Itoa(n)}, {Name: "limit", Value: strconv.Itoa(limit)}},
	}
}

func nowIntent() *intent { return &intent{kind: kindNow, lazy: true} }

// digest is a hash (64-bit FNV-1a) of texts, by which a run that is replayed finds out that it asks for something else than it did.
type digest uint64

const noDigest digest = 14695981039346656037

// add hashes a text, with its length before it so that two texts are not mistaken for one.
func (d digest) add(text string) digest {
	d = d.number(len(text))
	for i := range len(text) {
		d = (d ^ digest(text[i])) * 1099511628211
	}

	return d
}

func (d digest) number(n int) digest {
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
func (d digest) String() string {
	const width = 16
	text := strconv.FormatUint(uint64(d), width)

	return "0000000000000000"[len(text):] + text
}
