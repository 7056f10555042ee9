package event

// Field is a field of an event as it is recorded: what the line of `--json` has, with numbers and booleans as text,
// and tokens, guards and choices as JSON.
type Field struct{ Name, Value string }

// Fields returns the event's data besides its kind, run, number, address and time, in the order of its line. Empty,
// false and zero values are left out.
func (e Event) Fields() []Field {
	fields := make([]Field, 0, 8)
	var buffer [128]byte
	e.visit(&object{fields: &fields, dst: buffer[:0]})

	return fields
}

// Event returns the event of the kind whose [Event.Fields] are read by get, which returns "" for a field that does not
// exist.
func (kind Kind) Event(get func(name string) string) Event {
	e := Event{Kind: kind}
	e.visit(&object{get: get})

	return e
}
