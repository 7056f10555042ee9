// Package event has what an observer of runs receives: an [Event] for everything that happens in a run, of one [Kind] each, one at a time
// and in order.
//
// An [Observer] is given to an engine. An event is written as one line of JSON by [Event.AppendJSON]; [Of] reads back what
// [Event.Fields] has. The fields of each kind are a table in the README of package runtime.
package event
