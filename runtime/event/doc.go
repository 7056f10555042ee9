// Package event defines the events that an observer of runs receives: an [Event] for everything
// that happens in a run, each of one [Kind], one at a time and in order.
//
// Pass an [Observer] to an engine. [Event.AppendJSON] writes an event as one line of JSON;
// [Kind.Event] builds it again from what [Event.Fields] returned. The README of package runtime has
// a table of the fields of each kind.
package event
