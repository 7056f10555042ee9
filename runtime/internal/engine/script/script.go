package script

import (
	"encoding/json"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/signals"
)

// Script is a script as it was read.
type Script struct {
	// agents has the lists of turns in source order, without that of anyone.
	agents []*list[turn]
	// anyone is the list under "*"; nil without one.
	anyone *list[turn]
	tools  []*list[toolAnswer]
	funcs  []*list[toolAnswer]
	asks   []*list[string]
	guards []*list[runtime.Verdict]
}

// anyAgent is the name of the list for agents without one of their own.
const anyAgent = "*"

// list is what one name answers, in order.
type list[T any] struct {
	head
	items []T
}

// head is what is known of a list whatever its items are.
type head struct {
	section string
	// name is as written; base and branch are its parts: name@branch. branch is -1 without one.
	name   string
	base   string
	branch int
	// size is the number of items.
	size int
}

// headsOf returns the heads of lists, in their order.
func headsOf[T any](lists []*list[T]) []*head {
	all := make([]*head, len(lists))
	for i, l := range lists {
		all[i] = &l.head
	}

	return all
}

// turn is one reply of a model, or a failed call.
type turn struct {
	say *string
	// calls are already repeated.
	calls  []call
	finish *finish
	failed *failure
	// signals come while the model answers.
	signals []signals.Signal
}

// call is a tool call. Its arguments are sent as they are; {{input}} is replaced in them.
type call struct {
	name string
	args text
}

// finish is the arguments of a finish.
type finish struct {
	args text
	// key and value are its parts where args is an object; nil where that has no such member.
	key, value json.RawMessage
}

// text is what a model wrote: literally, or JSON, in which {{input}} is replaced by the escaped
// input.
type text struct {
	content string
	json    bool
}

// failure is a model call that fails.
type failure struct {
	status     int
	class      model.Class
	message    string
	retryAfter time.Duration
}

// toolAnswer is what a tool or a function answers.
type toolAnswer struct {
	result  string
	json    bool
	problem string
}

// errorAt returns an error in the list as a whole, or in an item. Items are counted from 1; turn 0
// is the whole list.
func (l *head) errorAt(turn int, problem string) *runtime.ScriptError {
	return &runtime.ScriptError{Section: l.section, Name: l.name, Turn: turn, Problem: problem}
}

// Asks reports whether the script answers questions of people.
func (s *Script) Asks() bool { return len(s.asks) > 0 }
