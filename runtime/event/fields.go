package event

import (
	"encoding/json"
	"strconv"
	"time"
)

// Field is a field of an event as it is recorded: what the line of `--json` has, with numbers and
// booleans as text, and tokens, guards and choices as JSON.
type Field struct{ Name, Value string }

// Fields returns the event's data besides its kind, run, number, address and time, in the order of
// its line. Empty, false and zero values are left out.
func (e Event) Fields() []Field {
	fields := make([]Field, 0, 8)
	var buffer [128]byte
	e.visitMembers(&object{fields: &fields, dst: buffer[:0]})

	return fields
}

// Event returns the event of the kind whose [Event.Fields] are read by get, which returns "" for a
// field that does not exist.
func (kind Kind) Event(get func(name string) string) Event {
	e := Event{Kind: kind}
	e.visitMembers(&object{get: get})

	return e
}

// UnmarshalJSON reads the line of an event, as [Event.AppendJSON] writes it. Members that are not
// known are passed over, and a member that cannot be read is not there. Errors: those of
// encoding/json for a line that is not a JSON object.
func (e *Event) UnmarshalJSON(line []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		return err
	}
	get := func(name string) string {
		var text *string
		if json.Unmarshal(members[name], &text) != nil {
			return string(members[name]) // a number, a truth value, a list or an object
		}
		if text == nil {
			return ""
		}

		return *text
	}
	*e = Kind(get("event")).Event(get)
	e.Run, e.Address = get("run"), get("address")
	e.Seq, _ = strconv.Atoi(get("seq"))
	e.Time, _ = time.Parse(time.RFC3339Nano, get("time"))

	return nil
}
