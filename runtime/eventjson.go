package runtime

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/model"
)

// MarshalJSON returns the event as one line of `--json`: see [Event.AppendJSON].
func (e Event) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends the event as one JSON object without a line break. Fields of a kind are always there, but for the
// optional ones that the package's README names; fields of other kinds never are. The order is fixed.
func (e Event) AppendJSON(dst []byte) []byte {
	o := object{dst: append(dst, '{')}
	o.text("event", string(e.Kind))
	o.text("run", e.Run)
	o.number("seq", e.Seq)
	o.optional("address", e.Address)
	o.text("time", e.Time.UTC().Format(time.RFC3339Nano))
	o.optional("agent", e.Agent)
	e.appendFields(&o)

	return append(o.dst, '}')
}

func (e Event) appendFields(o *object) {
	switch e.Kind {
	case EventRun:
		o.text("program", e.Name)
		o.text("shape", e.Shape)
		o.text("text", e.Text)
		o.text("input", e.Value)
	case EventEnter:
		o.text("machine", e.Machine)
		o.text("state", e.State)
		o.number("visit", e.Visit)
	case EventTransition:
		e.appendTransition(o)
	case EventModel:
		o.text("role", e.Role)
		o.text("model", e.Name)
		o.usage("tokens", e.Usage)
		o.dollars("cost", e.Cost)
		o.text("finish_reason", e.Reason)
		o.optional("error", e.Problem)
	case EventDelta:
		o.text("text", e.Text)
	case EventTool:
		o.text("name", e.Name)
		o.json("args", e.Args)
		if e.Problem != "" {
			o.text("error", e.Problem)
		} else {
			o.text("result", e.Text)
		}
	case EventStep:
		o.text("name", e.Name)
		o.text("value", e.Value)
		o.boolean("json", e.JSON)
	case EventFinish:
		o.text("key", e.Key)
		o.text("value", e.Value)
		o.boolean("json", e.JSON)
		o.boolean("synthetic", e.Synthetic)
	default:
		e.appendRareFields(o)
	}
}

func (e Event) appendRareFields(o *object) {
	switch e.Kind {
	case EventRepair:
		o.text("problem", e.Problem)
	case EventRetry:
		o.number("attempt", e.Count)
		o.text("error", e.Problem)
		o.text("wait", e.Wait.String())
		o.optional("model", e.Name)
	case EventBudget:
		o.text("limit", e.Name)
		o.text("spent", e.Text)
	case EventPause:
		o.text("question", e.Name)
		o.optional("prompt", e.Text)
		o.optional("channel", e.Channel)
		o.list("choices", e.Choices)
		if e.Schema != "" {
			o.json("schema", e.Schema)
			o.text("example", e.Example)
		}
		o.effect("effect", e.Effect)
	case EventAnswer:
		o.text("question", e.Name)
		o.text("value", e.Value)
	case EventResume:
		o.optional("text", e.Text)
		o.optional("shape", e.Shape)
		o.optional("problem", e.Problem)
	case EventError:
		o.text("type", e.Type)
		o.text("message", e.Problem)
	case EventEnd:
		o.text("status", e.Status)
		o.text("key", e.Key)
		o.text("value", e.Value)
		o.boolean("json", e.JSON)
		if e.Context != "" {
			o.json("context", e.Context)
		}
		o.number("steps", e.Count)
		o.usage("tokens", e.Usage)
	}
}

func (e Event) appendTransition(o *object) {
	o.text("machine", e.Machine)
	o.text("from", e.State)
	o.text("key", e.Key)
	if e.To == "" && o.fields == nil {
		o.raw("to", "null")
	} else {
		o.text("to", e.To)
	}
	o.text("matched", string(e.Matched))
	o.number("visit", e.Visit)
	if len(e.Guards) == 0 {
		return
	}

	o.name("guards")
	for i, g := range e.Guards {
		sep := byte(',')
		if i == 0 {
			sep = '['
		}
		inner := object{dst: append(o.dst, sep, '{')}
		inner.text("guard", g.Name)
		inner.boolean("ok", g.OK)
		inner.optional("reason", g.Reason)
		o.dst = append(inner.dst, '}')
	}
	o.dst = append(o.dst, ']')
	o.done()
}

// object appends members to an open JSON object, or collects them as fields.
type object struct {
	dst []byte
	// fields collects what is no object; dst then holds the JSON of a member that is written, and member is its name.
	fields *[]EventField
	member string
}

// add collects a member, unless it would say nothing.
func (o *object) add(name, value string) {
	if value != "" {
		*o.fields = append(*o.fields, EventField{name, value})
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
	if text := string(o.dst); text != "0" && text != "false" {
		o.add(o.member, text)
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
	o.dst = appendString(o.dst, name)
	o.dst = append(o.dst, ':')
}

func (o *object) text(name, value string) {
	if o.fields != nil {
		o.add(name, value)

		return
	}
	o.name(name)
	o.dst = appendString(o.dst, value)
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
	o.dst = appendCompact(o.dst, value)
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
		o.dst = appendString(append(o.dst, sep), value)
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

// appendCompact appends valid JSON without white space between its tokens, so that an event stays one line.
func appendCompact(dst []byte, value string) []byte {
	quoted := false
	for i := 0; i < len(value); i++ {
		c := value[i]
		switch {
		case quoted && c == '\\':
			dst = append(dst, c)
			i++
			c = value[i]
		case c == '"':
			quoted = !quoted
		case !quoted && (c == ' ' || c == '\n' || c == '\r' || c == '\t'):
			continue
		case strings.HasPrefix(value[i:], "\u2028"), strings.HasPrefix(value[i:], "\u2029"):
			dst = append(dst, `\u202`...)
			i += len("\u2028") - 1
			c = hexDigits[value[i]&0xf]
		}
		dst = append(dst, c)
	}

	return dst
}
