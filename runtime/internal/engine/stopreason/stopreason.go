// Package stopreason decides what the reason for the end of a turn means: whether the turn has
// failed, and whether its reply can be used.
package stopreason

import (
	"errors"
	"strconv"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Failure returns the failure of a turn that ended for a reason: of the class Refused after a
// refusal or a filter, and of the class Server after a reason that package model does not have. It
// returns nil after the other reasons, and after "".
func Failure(reason string) *model.Error {
	switch reason {
	case "", model.ReasonStop, model.ReasonLength, model.ReasonCalls, model.ReasonPause:
		return nil
	case model.ReasonRefusal:
		return &model.Error{Class: model.Refused, StopReason: reason, Message: "the model refuses"}
	case model.ReasonFilter:
		return &model.Error{Class: model.Refused, StopReason: reason, Message: "a filter of the provider stopped the reply"}
	}

	return &model.Error{
		Class: model.Server, StopReason: reason,
		Message: "the reply ended for the reason " + strconv.Quote(reason) + ", which is not known to be a good end",
	}
}

// Unreadable is the reason of a turn that failed because the server could not read what the model
// wrote.
const Unreadable = "unreadable"

// UnreadableIn returns the failure of a turn with which err ends, if that failed because the server
// could not read what the model wrote; else nil. Of several models the last one counts.
func UnreadableIn(err error) *model.Error {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		all := several.Unwrap()
		if len(all) == 0 {
			return nil
		}
		err = all[len(all)-1]
	}
	var failed *model.Error
	if !errors.As(err, &failed) || failed.StopReason != Unreadable {
		return nil
	}

	return failed
}

// IsPartial reports whether a turn that ended for a reason is not all of what the model has to say.
// Then neither its text nor its calls count.
func IsPartial(reason string) bool {
	return reason == model.ReasonLength || reason == model.ReasonPause
}

// Fault returns what is wrong with a reply without calls that ended for a reason; "" if nothing is.
func Fault(reason string) string {
	switch reason {
	case model.ReasonLength:
		return "it was cut off where the length of a reply ends"
	case model.ReasonPause:
		return "it was interrupted before its end"
	case model.ReasonCalls:
		return "it ends with a call of a tool, but has no call"
	}

	return ""
}

// Advice returns what a model should do differently after a reply that ended for a reason; "" for
// nothing.
func Advice(reason string) string {
	switch reason {
	case model.ReasonLength:
		return "Be shorter. "
	case model.ReasonCalls:
		return "If you meant to call a tool, call it now. "
	case Unreadable:
		return "Write valid JSON, and call tools only by the interface for tools. "
	}

	return ""
}
