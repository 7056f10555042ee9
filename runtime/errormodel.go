package runtime

import (
	"strconv"
	"strings"
	"time"
)

// ModelErrorClass says what kind of failure a model call met.
type ModelErrorClass string

// The classes of model errors.
const (
	ModelRateLimit  ModelErrorClass = "rate-limit"
	ModelOverloaded ModelErrorClass = "overloaded"
	ModelServer     ModelErrorClass = "server"
	ModelNetwork    ModelErrorClass = "network"
	ModelTimeout    ModelErrorClass = "timeout"
	ModelAuth       ModelErrorClass = "auth"
	ModelQuota      ModelErrorClass = "quota"    // what was paid for is used up
	ModelTooLong    ModelErrorClass = "too-long" // more than the model's context holds
	ModelRefused    ModelErrorClass = "refused"  // by the model, or by a filter of the provider
	ModelBadRequest ModelErrorClass = "bad-request"
	ModelOther      ModelErrorClass = "other"
)

// ModelError is a model call that failed. Engines repeat those that [ModelError.Retryable] names; what reaches the
// program has been given up.
type ModelError struct {
	Class ModelErrorClass
	// Status is the HTTP status; 0 without one.
	Status int
	// Model is provider:model, Agent who asked; empty where the provider did not say.
	Model, Agent string
	Message      string
	// RequestID is what the provider calls the request, for its support; "" where it did not say.
	RequestID string
	// RetryAfter is how long the provider asked to wait; 0 if it did not.
	RetryAfter time.Duration
	Err        error
}

func (e *ModelError) Error() string {
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
	if reason := e.reason(); reason != "" {
		if e.Status != 0 || e.Class != "" {
			b.WriteByte(' ')
		}
		b.WriteString(reason)
	}

	return b.String()
}

// ErrorType is the code of the error; see [ErrorType].
func (*ModelError) ErrorType() string { return "ModelError" }

// reason is what went wrong, without who asked whom.
func (e *ModelError) reason() string {
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

func (e *ModelError) text() string {
	if e.Message == "" && e.Err != nil {
		return e.Err.Error()
	}

	return e.Message
}

func (e *ModelError) Unwrap() error { return e.Err }

// Retryable reports whether the same call may succeed later: too many requests, a failure of the server, of the network.
func (e *ModelError) Retryable() bool {
	switch e.Class {
	case ModelRateLimit, ModelOverloaded, ModelServer, ModelNetwork, ModelTimeout:
		return true
	case "":
		return e.Status == 408 || e.Status == 429 || e.Status >= 500
	}

	return false
}

// ClassOfStatus is the class of an HTTP status.
func ClassOfStatus(status int) ModelErrorClass {
	switch {
	case status == 429:
		return ModelRateLimit
	case status == 408:
		return ModelTimeout
	case status == 503 || status == 529:
		return ModelOverloaded
	case status >= 500:
		return ModelServer
	case status == 401 || status == 403:
		return ModelAuth
	case status >= 400:
		return ModelBadRequest
	}

	return ModelOther
}
