package event

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// object appends members to an open JSON object, or collects them as fields.
type object struct {
	dst []byte
	// fields collects what is no object; dst then holds the JSON of a member that is written, and member is its name.
	fields *[]Field
	member string
}

// add collects a member, unless it would say nothing.
func (o *object) add(name, value string) {
	if value != "" {
		*o.fields = append(*o.fields, Field{name, value})
	}
}

// effect appends the call that a question is about.
func (o *object) effect(name string, of *UnknownEffect) {
	if of == nil {
		return
	}
	o.name(name)
	inner := object{dst: append(o.dst, '{')}
	inner.text("kind", of.Kind)
	inner.text("name", of.Name)
	inner.optional("agent", of.Agent)
	inner.json("args", string(of.Args))
	inner.text("address", of.Address)
	inner.text("idempotency_key", of.Key)
	o.dst = append(inner.dst, '}')
	o.done()
}

// done ends a member whose JSON was written. Fields leave out what says no or zero.
func (o *object) done() {
	if o.fields == nil {
		return
	}
	if string(o.dst) != "0" && string(o.dst) != "false" {
		o.add(o.member, string(o.dst))
	}
	o.dst = o.dst[:0]
}

func (o *object) name(name string) {
	if o.fields != nil {
		o.member = name

		return
	}
	if last := len(o.dst) - 1; o.dst[last] != '{' {
		o.dst = append(o.dst, ',')
	}
	o.dst = jsontext.Append(o.dst, name)
	o.dst = append(o.dst, ':')
}

func (o *object) text(name, value string) {
	if o.fields != nil {
		o.add(name, value)

		return
	}
	o.name(name)
	o.dst = jsontext.Append(o.dst, value)
}

func (o *object) optional(name, value string) {
	if value != "" {
		o.text(name, value)
	}
}

func (o *object) raw(name, json string) {
	o.name(name)
	o.dst = append(o.dst, json...)
	o.done()
}

// json appends what a model wrote: compact JSON as JSON, anything else as text.
func (o *object) json(name, value string) {
	if o.fields != nil || !utf8.ValidString(value) || !json.Valid([]byte(value)) {
		o.text(name, value)

		return
	}
	o.name(name)
	o.dst = jsontext.Compact(o.dst, value)
}

func (o *object) number(name string, value int) {
	o.name(name)
	o.dst = strconv.AppendInt(o.dst, int64(value), 10)
	o.done()
}

func (o *object) boolean(name string, value bool) {
	o.name(name)
	o.dst = strconv.AppendBool(o.dst, value)
	o.done()
}

func (o *object) list(name string, values []string) {
	if len(values) == 0 {
		return
	}
	o.name(name)
	for i, value := range values {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		o.dst = jsontext.Append(append(o.dst, sep), value)
	}
	o.dst = append(o.dst, ']')
	o.done()
}

func (o *object) usage(name string, u model.Usage) {
	if o.fields != nil && u == (model.Usage{}) {
		return
	}
	o.name(name)
	inner := object{dst: append(o.dst, '{')}
	inner.number("input", u.Input)
	inner.number("output", u.Output)
	if u.Cached != 0 {
		inner.number("cached", u.Cached)
	}
	if u.Stored != 0 {
		inner.number("stored", u.Stored)
	}
	o.dst = append(inner.dst, '}')
	o.done()
}

// dollars appends an amount of millionths of a dollar as a number of dollars, unless there is none.
func (o *object) dollars(name string, micro int64) {
	if micro <= 0 {
		return
	}
	o.name(name)
	o.dst = strconv.AppendInt(o.dst, micro/1_000_000, 10)
	if part := micro % 1_000_000; part > 0 {
		o.dst = append(o.dst, '.')
		for digit := int64(100_000); part > 0; digit /= 10 {
			o.dst = append(o.dst, byte('0'+part/digit))
			part %= digit
		}
	}
	o.done()
}
