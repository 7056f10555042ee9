package scriptdoc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/gen/internal/words"
)

// Answer is one answer of a script: a [Turn] of a model, a [Result] or a [Failure] of a function or
// a tool, a [Reply] of a person, or a [Verdict] of a guard.
type Answer interface{ toEntry() entry }

// Turn is an answer of a model. If the call fails, only Error and Signal are set.
type Turn struct {
	// Calls are the tools that the model calls before it finishes.
	Calls []Call
	// Finish ends the conversation. It is nil if the turn does not end it.
	Finish *Finish
	// Say is the text of the model. If the turn has nothing else, it is written even if it is
	// empty.
	Say string
	// Error is why the call fails, or nil.
	Error *ModelError
	// Signal arrives while the model answers; "" means no signal.
	Signal string
}

// Call is a call of a tool. Args are its arguments, as JSON.
type Call struct {
	Name string          `json:"name"`
	Args json.RawMessage `json:"args"`
}

// Finish is how a model ends a conversation.
type Finish struct {
	Key string
	// Value is the value, as JSON.
	Value json.RawMessage
	// Args are the arguments of the call as the model wrote them, as JSON. They are nil if Key and
	// Value are set.
	Args json.RawMessage
}

// ModelError is why a call of a model fails. It has either an HTTP status or a class.
type ModelError struct {
	Status         int
	Class, Message string
}

// Result is the JSON that a function or a tool returns.
type Result struct{ Value json.RawMessage }

// Failure is why a function or a tool fails.
type Failure struct{ Message string }

// Reply is the answer of a person, as JSON.
type Reply struct{ Value json.RawMessage }

// Timeout is the answer with which the time of a question is over.
var Timeout = Reply{json.RawMessage(`{"timeout":true}`)}

// TextReply returns the reply of a person who writes text.
func TextReply(text string) Reply { return Reply{json.RawMessage(words.Quote(text))} }

// Verdict is the answer of a guard. Reason is optional.
type Verdict struct {
	OK     bool
	Reason string
}

// entry is an answer in its written form: a value alone, or fields.
type entry struct {
	value  string
	fields []field
}

// field is a field of an answer, with its value as JSON and as YAML.
type field struct{ name, json, yaml string }

// jsonField returns a field with a JSON value.
func jsonField(name, value string) field { return field{name, value, formatYAMLText(value)} }

// textField returns a field with a text.
func textField(name, text string) field { return jsonField(name, words.Quote(text)) }

// messageField returns a field with the text of a problem. In YAML, a text of plain words has no
// quotes.
func messageField(name, text string) field {
	f := textField(name, text)
	if plainWords.MatchString(text) && !slices.Contains(otherMeanings, text) {
		f.yaml = text
	}

	return f
}

// objectField returns a field with a mapping.
func objectField(name string, fields ...field) field {
	inFlow := ir.Map(fields, func(f field) string { return f.name + ": " + f.yaml })

	return field{name, entry{fields: fields}.formatJSON(), "{" + strings.Join(inFlow, ", ") + "}"}
}

func (e entry) formatJSON() string {
	if e.fields == nil {
		return e.value
	}
	members := ir.Map(e.fields, func(f field) string { return words.Quote(f.name) + ":" + f.json })

	return "{" + strings.Join(members, ",") + "}"
}

// formatYAML returns the entry with a field on each line.
func (e entry) formatYAML() string {
	if e.fields == nil {
		return formatYAMLText(e.value)
	}

	return strings.Join(ir.Map(e.fields, func(f field) string { return f.name + ": " + f.yaml }), "\n")
}

func (t Turn) toEntry() entry {
	var fields []field
	if t.Error != nil {
		fields = append(fields, t.Error.toField())
	}
	if len(t.Calls) > 0 {
		fields = append(fields, callsField(t.Calls))
	}
	if t.Finish != nil {
		fields = append(fields, t.Finish.toField())
	}
	if t.Say != "" || len(fields) == 0 {
		fields = append(fields, textField("say", t.Say))
	}
	if t.Signal != "" {
		fields = append(fields, textField("signal", t.Signal))
	}

	return entry{fields: fields}
}

func callsField(calls []Call) field {
	texts := ir.Map(calls, func(c Call) string {
		return `{"name": ` + words.Quote(c.Name) + `, "args": ` + cmp.Or(string(c.Args), "null") + "}"
	})

	return jsonField("call", "["+strings.Join(texts, ", ")+"]")
}

func (f *Finish) toField() field {
	if f.Args != nil {
		return jsonField("finish", string(f.Args))
	}

	return objectField("finish", textField("key", f.Key), jsonField("value", cmp.Or(string(f.Value), "null")))
}

func (e *ModelError) toField() field {
	first := messageField("class", e.Class)
	if e.Status != 0 {
		first = jsonField("status", strconv.Itoa(e.Status))
	}

	return objectField("error", first, messageField("message", e.Message))
}

func (r Result) toEntry() entry {
	return entry{fields: []field{jsonField("result", cmp.Or(string(r.Value), "null"))}}
}

func (f Failure) toEntry() entry { return entry{fields: []field{messageField("error", f.Message)}} }

func (r Reply) toEntry() entry { return entry{value: string(r.Value)} }

func (v Verdict) toEntry() entry {
	ok := strconv.FormatBool(v.OK)
	if v.Reason == "" {
		return entry{value: ok}
	}

	return entry{fields: []field{jsonField("ok", ok), messageField("reason", v.Reason)}}
}

// nameForm matches names that need no quotes in YAML, and plainWords messages that need none,
// except for otherMeanings.
var (
	nameForm   = regexp.MustCompile(`^[a-z_][a-z0-9_/@-]*$`)
	plainWords = regexp.MustCompile(`^[a-z]+( [a-z]+)*$`)
)

// otherMeanings are words that some YAML parsers do not read as text.
var otherMeanings = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

func formatYAMLName(name string) string {
	if nameForm.MatchString(name) && !slices.Contains(otherMeanings, name) {
		return name
	}

	return words.Quote(name)
}

// formatYAMLText returns JSON on one line, with unprintable characters escaped, so that it is YAML. Only
// strings can contain such characters.
func formatYAMLText(text string) string {
	if strings.ContainsAny(text, "\n\r\t") {
		var line bytes.Buffer
		if json.Compact(&line, []byte(text)) == nil {
			text = line.String()
		}
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}

	return b.String()
}
