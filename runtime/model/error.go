package model

import (
	"strconv"
	"strings"
	"time"
)

// Class is the kind of failure of a model call.
type Class string

// The classes of model errors.
const (
	RateLimit  Class = "rate-limit"
	Overloaded Class = "overloaded"
	Server     Class = "server"
	Network    Class = "network"
	Timeout    Class = "timeout"
	Auth       Class = "auth"
	Quota      Class = "quota"    // what was paid for is used up
	TooLong    Class = "too-long" // more than the model's context holds
	Refused    Class = "refused"  // by the model, or by a filter of the provider
	BadRequest Class = "bad-request"
	Other      Class = "other"
)

// Error is a failed model call. Engines repeat the calls that [Error.Retryable] reports; an error that the program
// receives is final.
type Error struct {
	Class Class
	// Status is the HTTP status; 0 without one.
	Status int
	// Model is provider:model, and Agent the agent that asked; empty if the provider did not set them.
	Model, Agent string
	Message      string
	// RequestID is the provider's id of the request, for its support; "" if it did not send one.
	RequestID string
	// RetryAfter is how long the provider asks to wait; 0 if it does not.
	RetryAfter time.Duration
	// Attempts is how often such a call is tried at most, including the first time; 0: as often as
	// [Retry] allows.
	Attempts int
	// StopReason is why the turn ended, if the call failed for that reason; else "". It is
	// "unreadable" where the server could not read what the model wrote as a call of a tool, or as
	// JSON. Agents then ask again, which counts as a repair. Written is what the model wrote, if
	// the server reports it.
	StopReason, Written string
	Err                 error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("the model call")
	if e.Agent != "" {
		b.WriteString(" of agent " + strconv.Quote(e.Agent))
	}
	if e.Model != "" {
		b.WriteString(" to " + e.Model)
	}
	b.WriteString(" failed")
	if e.Status != 0 {
		b.WriteString(" with")
	}
	if reason := e.Reason(); reason != "" {
		if e.Status != 0 || e.Class != "" {
			b.WriteByte(' ')
		}
		b.WriteString(reason)
	}

	return b.String()
}

// ErrorType is the code of the error; see ErrorType of package runtime.
func (*Error) ErrorType() string { return "ModelError" }

// Reason returns what went wrong, without who asked whom.
func (e *Error) Reason() string {
	reason := ""
	switch {
	case e.Status != 0:
		reason = "status " + strconv.Itoa(e.Status)
	case e.Class != "":
		reason = "(" + string(e.Class) + ")"
	}
	if text := e.text(); text != "" {
		reason += ": " + text
	}
	if e.RequestID != "" {
		reason += " (request " + e.RequestID + ")"
	}

	return reason
}

func (e *Error) text() string {
	if e.Message == "" && e.Err != nil {
		return e.Err.Error()
	}

	return e.Message
}

func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same call may succeed later: after too many requests, a failure of the server or of
// the network.
func (e *Error) Retryable() bool {
	class := e.Class
	if class == "" {
		class = ClassOfStatus(e.Status)
	}
	switch class {
	case RateLimit, Overloaded, Server, Network, Timeout:
		return true
	}

	return false
}

// ClassOfStatus returns the class of an HTTP status.
func ClassOfStatus(status int) Class {
	switch {
	case status == 429:
		return RateLimit
	case status == 408:
		return Timeout
	case status == 503 || status == 529:
		return Overloaded
	case status >= 500 || status == 409 || status == 423 || status == 425: // it conflicts with another, is locked, or too early
		return Server
	case status == 401 || status == 403:
		return Auth
	case status >= 400:
		return BadRequest
	}

	return Other
}
