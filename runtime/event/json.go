package event

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/text/jsontext"
	"github.com/agentc-dev/agentc/runtime/model"
)

// object appends members to an open JSON object, or collects them as fields, or reads them. What
// cannot be read is not there.
type object struct {
	dst []byte
	// fields collects what is no object; dst then holds the JSON of a member that is written, and
	// member is its name.
	fields *[]Field
	member string
	// get reads a field.
	get func(name string) string
}

// addField collects a member, unless its value is empty.
func (o *object) addField(name, value string) {
	if value != "" {
		*o.fields = append(*o.fields, Field{name, value})
	}
}

// visitEffect visits the call that a question is about.
func (o *object) visitEffect(name string, of **UnknownEffect) {
	if o.get != nil {
		var read *UnknownEffect // and not into *of, so that no event is moved to the heap; so with others
		_ = json.Unmarshal([]byte(o.get(name)), &read)
		*of = read

		return
	}
	u := *of
	if u == nil {
		return
	}
	o.beginMember(name)
	inner := object{dst: append(o.dst, '{')}
	inner.visitText("kind", &u.Kind)
	inner.visitText("name", &u.Name)
	inner.visitOptional("agent", &u.Agent)
	args := string(u.Args)
	inner.visitJSON("args", &args)
	inner.visitText("address", &u.Address)
	inner.visitText("idempotency_key", &u.Key)
	inner.visitTime("renewed", &u.Renewed)
	o.dst = append(inner.dst, '}')
	o.endMember()
}

// endMember ends a member whose JSON was written. Fields leave out false and zero.
func (o *object) endMember() {
	if o.fields == nil {
		return
	}
	if string(o.dst) != "0" && string(o.dst) != "false" {
		o.addField(o.member, string(o.dst))
	}
	o.dst = o.dst[:0]
}

// beginMember begins a member. Its name is a word of ours, in which nothing has to be escaped. It
// is not inlined, because each type of members would have a copy, which makes every program larger.
//
//go:noinline
func (o *object) beginMember(name string) {
	if o.fields != nil {
		o.member = name

		return
	}
	if last := len(o.dst) - 1; o.dst[last] != '{' {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(append(append(o.dst, '"'), name...), '"', ':')
}

// writeString writes a text.
func (o *object) writeString(name, value string) {
	if o.fields != nil {
		o.addField(name, value)

		return
	}
	o.beginMember(name)
	o.dst = jsontext.Append(o.dst, value)
}

func (o *object) visitText(name string, value *string) {
	if o.get != nil {
		*value = o.get(name)

		return
	}
	o.writeString(name, *value)
}

func (o *object) visitOptional(name string, value *string) {
	if o.get != nil || *value != "" {
		o.visitText(name, value)
	}
}

// visitFormed visits a text in its form.
func (o *object) visitFormed(name string, value *string, form eventkind.Form) {
	switch form {
	case eventkind.Optional:
		o.visitOptional(name, value)
	case eventkind.OrNull:
		o.visitOrNull(name, value)
	case eventkind.AsJSON:
		o.visitJSON(name, value)
	case eventkind.Optional | eventkind.AsJSON:
		o.visitOptionalJSON(name, value)
	default:
		o.visitText(name, value)
	}
}

// visitOrNull writes null in the place of an empty text.
func (o *object) visitOrNull(name string, value *string) {
	if *value != "" || o.fields != nil || o.get != nil {
		o.visitText(name, value)

		return
	}
	o.beginMember(name)
	o.dst = append(o.dst, "null"...)
}

// visitJSON appends what a model wrote: compact JSON as JSON, anything else as text.
func (o *object) visitJSON(name string, value *string) {
	if o.fields != nil || o.get != nil || !utf8.ValidString(*value) || !json.Valid([]byte(*value)) {
		o.visitText(name, value)

		return
	}
	o.beginMember(name)
	o.dst = jsontext.Compact(o.dst, *value)
}

func (o *object) visitOptionalJSON(name string, value *string) {
	if o.get != nil || *value != "" {
		o.visitJSON(name, value)
	}
}

func (o *object) visitNumber(name string, value *int) {
	if o.get != nil {
		*value, _ = strconv.Atoi(o.get(name))

		return
	}
	o.beginMember(name)
	o.dst = strconv.AppendInt(o.dst, int64(*value), 10)
	o.endMember()
}

func (o *object) visitBool(name string, value *bool) {
	if o.get != nil {
		*value = o.get(name) == "true"

		return
	}
	o.beginMember(name)
	o.dst = strconv.AppendBool(o.dst, *value)
	o.endMember()
}

func (o *object) visitDuration(name string, value *time.Duration) {
	text := value.String()
	o.visitText(name, &text)
	if o.get != nil {
		*value, _ = time.ParseDuration(text)
	}
}

// visitTime visits a time, unless there is none.
func (o *object) visitTime(name string, value *time.Time) {
	if o.get != nil {
		*value, _ = time.Parse(time.RFC3339Nano, o.get(name))

		return
	}
	if !value.IsZero() {
		o.writeString(name, value.UTC().Format(time.RFC3339Nano))
	}
}

func (o *object) visitList(name string, values *[]string) {
	if o.get != nil {
		var read []string
		_ = json.Unmarshal([]byte(o.get(name)), &read)
		*values = read

		return
	}
	if len(*values) == 0 {
		return
	}
	o.beginMember(name)
	for i, value := range *values {
		o.dst = jsontext.Append(append(o.dst, separatorBefore(i)), value)
	}
	o.dst = append(o.dst, ']')
	o.endMember()
}

// separatorBefore returns what is written before an element of a list.
func separatorBefore(i int) byte {
	if i == 0 {
		return '['
	}

	return ','
}

func (o *object) visitGuards(name string, guards *[]Guard) {
	if o.get != nil {
		*guards = guardsOf(o.get(name))

		return
	}
	if len(*guards) == 0 {
		return
	}
	o.beginMember(name)
	for i, g := range *guards {
		inner := object{dst: append(o.dst, separatorBefore(i), '{')}
		inner.visitText("guard", &g.Name)
		inner.visitBool("ok", &g.OK)
		inner.visitOptional("reason", &g.Reason)
		o.dst = append(inner.dst, '}')
	}
	o.dst = append(o.dst, ']')
	o.endMember()
}

func guardsOf(text string) []Guard {
	var read []struct {
		Guard  string
		OK     bool
		Reason string
	}
	if json.Unmarshal([]byte(text), &read) != nil {
		return nil
	}
	guards := make([]Guard, len(read))
	for i, g := range read {
		guards[i] = Guard{Name: g.Guard, OK: g.OK, Reason: g.Reason}
	}

	return guards
}

func (o *object) visitUsage(name string, u *model.Usage) {
	if o.get != nil {
		var read model.Usage
		_ = json.Unmarshal([]byte(o.get(name)), &read)
		*u = read

		return
	}
	if o.fields != nil && *u == (model.Usage{}) {
		return
	}
	o.beginMember(name)
	inner := object{dst: append(o.dst, '{')}
	inner.visitNumber("input", &u.Input)
	inner.visitNumber("output", &u.Output)
	if u.Cached != 0 {
		inner.visitNumber("cached", &u.Cached)
	}
	if u.Stored != 0 {
		inner.visitNumber("stored", &u.Stored)
	}
	if u.Estimated {
		inner.visitBool("estimated", &u.Estimated)
	}
	o.dst = append(inner.dst, '}')
	o.endMember()
}

// visitDollars appends an amount of millionths of a dollar as a number of dollars, unless there is
// none.
func (o *object) visitDollars(name string, amount *int64) {
	if o.get != nil {
		*amount = microOf(o.get(name))

		return
	}
	micro := *amount
	if micro <= 0 {
		return
	}
	o.beginMember(name)
	o.dst = strconv.AppendInt(o.dst, micro/1_000_000, 10)
	if part := micro % 1_000_000; part > 0 {
		o.dst = append(o.dst, '.')
		for digit := int64(100_000); part > 0; digit /= 10 {
			o.dst = append(o.dst, byte('0'+part/digit))
			part %= digit
		}
	}
	o.endMember()
}

// microOf reads a number of dollars as millionths of one.
func microOf(text string) int64 {
	whole, part, _ := strings.Cut(text, ".")
	micro, err := strconv.ParseInt(whole+(part + "000000")[:6], 10, 64)
	if err != nil {
		return 0
	}

	return micro
}
