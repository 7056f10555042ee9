// Package eventtext writes the words that a row of package eventkind has for an event, and the question about an effect
// that may have happened.
package eventtext

import (
	"github.com/agentc-dev/agentc/runtime/event"
	"github.com/agentc-dev/agentc/runtime/internal/events/eventkind"
	"github.com/agentc-dev/agentc/runtime/internal/text/wording"
)

// Line returns the words with the fields of an event, and waits as people write them.
func Line(words string, e *event.Event) string {
	fields, kind := e.Fields(), eventkind.Of(string(e.Kind))

	return eventkind.Words(words, func(name string) string {
		value := Value(fields, name)
		if isWait(kind, name) {
			return wording.WrittenWait(value)
		}

		return value
	})
}

// Value returns the value of a field; "" if it does not exist.
func Value(fields []event.Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}

	return ""
}

func isWait(kind *eventkind.Kind, name string) bool {
	if kind == nil {
		return false
	}
	f := kind.Field(name)

	return f != nil && f.Of == eventkind.MemberWait
}
