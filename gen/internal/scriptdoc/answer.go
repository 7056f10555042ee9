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
type Answer interface{ entry() entry }

// Turn is what a model answers. It has nothing but Error and Signal if the call fails.
type Turn struct {
	// Calls are the tools that are called before.
	Calls []Call
	// Finish ends the conversation; nil if the turn does not.
	Finish *Finish
	// Say is what the model says. It is written, even if it is empty, where the turn has nothing else.
	Say string
	// Error is why the call fails; nil if it does not.
	Error *ModelError
	// Signal comes while the model answers; empty if none does.
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
	// Args are the arguments of the call as the model wrote them, as JSON; nil if Key and Value are.
	Args json.RawMessage
}

// ModelError is why a call of a model fails. It has a status of HTTP or else a class.
type ModelError struct {
	Status         int
	Class, Message string
}

// Result is what a function or a tool returns, as JSON.
type Result struct{ Value json.RawMessage }

// Failure is why a function or a tool fails.
type Failure struct{ Message string }

// Reply is what a person answers, as JSON.
type Reply struct{ Value json.RawMessage }

// TextReply returns the reply of a person who writes a text.
func TextReply(text string) Reply { return Reply{json.RawMessage(words.Quote(text))} }

// Verdict is whether a guard holds. Reason is empty if it says none.
type Verdict struct {
	OK     bool
	Reason string
}

// entry is an answer as it is written: a value alone, or fields.
type entry struct {
	value  string
	fields []field
}

// field is a field of an answer, with its value as JSON and as YAML.
type field struct{ name, json, yaml string }

// jsonField returns a field whose value is JSON.
func jsonField(name, value string) field { return field{name, value, yamlJSON(value)} }

// textField returns a field whose value is a text.
func textField(name, text string) field { return jsonField(name, words.Quote(text)) }

// messageField returns a field whose value is the text of a problem, which YAML has without quotes if
// it is of plain words.
func messageField(name, text string) field {
	f := textField(name, text)
	if plainWords.MatchString(text) && !slices.Contains(otherMeanings, text) {
		f.yaml = text
	}

	return f
}

// objectField returns a field whose value is a mapping.
func objectField(name string, fields ...field) field {
	inFlow := ir.Map(fields, func(f field) string { return f.name + ": " + f.yaml })

	return field{name, entry{fields: fields}.json(), "{" + strings.Join(inFlow, ", ") + "}"}
}

func (e entry) json() string {
	if e.fields == nil {
		return e.value
	}
	members := ir.Map(e.fields, func(f field) string { return words.Quote(f.name) + ":" + f.json })

	return "{" + strings.Join(members, ",") + "}"
}

// yaml returns the entry with a field on each line.
func (e entry) yaml() string {
	if e.fields == nil {
		return yamlJSON(e.value)
	}

	return strings.Join(ir.Map(e.fields, func(f field) string { return f.name + ": " + f.yaml }), "\n")
}

func (t Turn) entry() entry {
	var fields []field
	if t.Error != nil {
		fields = append(fields, t.Error.field())
	}
	if len(t.Calls) > 0 {
		fields = append(fields, callsField(t.Calls))
	}
	if t.Finish != nil {
		fields = append(fields, t.Finish.field())
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

func (f *Finish) field() field {
	if f.Args != nil {
		return jsonField("finish", string(f.Args))
	}

	return objectField("finish", textField("key", f.Key), jsonField("value", cmp.Or(string(f.Value), "null")))
}

func (e *ModelError) field() field {
	first := messageField("class", e.Class)
	if e.Status != 0 {
		first = jsonField("status", strconv.Itoa(e.Status))
	}

	return objectField("error", first, messageField("message", e.Message))
}

func (r Result) entry() entry {
	return entry{fields: []field{jsonField("result", cmp.Or(string(r.Value), "null"))}}
}

func (f Failure) entry() entry { return entry{fields: []field{messageField("error", f.Message)}} }

func (r Reply) entry() entry { return entry{value: string(r.Value)} }

func (v Verdict) entry() entry {
	ok := strconv.FormatBool(v.OK)
	if v.Reason == "" {
		return entry{value: ok}
	}

	return entry{fields: []field{jsonField("ok", ok), messageField("reason", v.Reason)}}
}

// nameForm is that of names that need no quotes, and plainWords that of problems, unless they mean
// something else in YAML.
var (
	nameForm   = regexp.MustCompile(`^[a-z_][a-z0-9_/@-]*$`)
	plainWords = regexp.MustCompile(`^[a-z]+( [a-z]+)*$`)
)

// otherMeanings are words that some reader of YAML takes for no text.
var otherMeanings = []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}

func yamlName(name string) string {
	if nameForm.MatchString(name) && !slices.Contains(otherMeanings, name) {
		return name
	}

	return words.Quote(name)
}

// yamlJSON writes JSON on one line, so that it is YAML, which has no characters that cannot be
// printed. They can only be in strings.
func yamlJSON(text string) string {
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
