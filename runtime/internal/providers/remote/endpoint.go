package remote

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/engine/stopreason"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Options are what a program may set that opens models itself; those of a provider convert to them.
type Options struct {
	Env       func(name string) (value string, ok bool)
	Transport http.RoundTripper
	Timeout   time.Duration
	Idle      time.Duration
	MaxReply  int64
}

const (
	defaultTimeout  = 10 * time.Minute
	defaultIdle     = 5 * time.Minute
	defaultMaxReply = 8 << 20
)

// Known is what is known of a provider.
type Known struct {
	// BaseURL is its address unless another is configured; "" if one has to be.
	BaseURL string
	// BaseURLVariable is the variable from which the provider's own libraries read an address; "" if there is none. It counts where
	// neither a variable of agentc nor the configuration has an address.
	BaseURLVariable string
	// Keys are the variables of its key, besides those that every provider has; nil: NAME_API_KEY.
	Keys []string
	// Path makes the path at which a reply is asked for of that of a base_url.
	Path func(base string) string
}

// Endpoint is a model that is asked over the network, whatever format its server speaks. It is safe for concurrent use.
type Endpoint struct {
	// ID is what the server calls the model, Name is provider:model.
	ID, Name, Provider string
	Address            Address
	Key                Key
	// Transport sends requests. An http.Client around it would make each binary 0.05 MB larger; no redirect is followed, because the key and
	// the conversation are for the host that was named.
	Transport http.RoundTripper
	// Timeout bounds a call as a whole, Idle the wait between two parts of a reply that has begun.
	Timeout, Idle time.Duration
	// MaxReply bounds a reply, in bytes as they are sent.
	MaxReply int64
	// EndsWithoutReason reports whether a complete reply may give no reason for its end.
	EndsWithoutReason bool
}

// Open makes an endpoint ready; it sends nothing. env looks variables up where the options do not. Errors: *model.CredentialError,
// *runtime.BadSettingError.
func (o Options) Open(m model.Model, env func(name string) (value string, ok bool), known Known) (Endpoint, error) {
	if o.Env == nil {
		o.Env = env
	}
	address, err := parseAddress(m, known, o.Env)
	if err != nil {
		return Endpoint{}, err
	}
	key, err := findKey(m, known.Keys, o.Env, address.Remote())
	if err != nil {
		return Endpoint{}, err
	}
	if o.Transport == nil {
		o.Transport = shared()
	}
	if o.Timeout == 0 {
		o.Timeout, err = timeoutOf(m, o.Env)
		if err != nil {
			return Endpoint{}, err
		}
	}

	return Endpoint{
		ID: m.ID, Name: m.Name, Provider: m.Provider, Address: address, Key: key, Transport: o.Transport,
		Timeout: o.Timeout, Idle: cmp.Or(o.Idle, defaultIdle), MaxReply: cmp.Or(o.MaxReply, m.MaxReply, defaultMaxReply),
		EndsWithoutReason: m.EndsWithoutReason,
	}, nil
}

// Do sends a request in the time of its watch. The body of the response is bounded in size and in the time between its parts. Errors:
// *Refusal for a response that is not a success, *Broken, or what the network says.
func (e *Endpoint) Do(w *Watch, request *http.Request) (*http.Response, error) {
	if info, _ := runtime.CallFromContext(w.Ctx); info.Traceparent != "" {
		request.Header.Set("Traceparent", info.Traceparent)
	}
	response, err := e.Transport.RoundTrip(request)
	if err != nil {
		return nil, w.Late(err)
	}
	w.Begin(e.Idle)
	response.Body = w.Bound(response.Body, e.MaxReply)
	switch {
	case response.StatusCode < 200 || response.StatusCode > 299:
		defer response.Body.Close()

		return nil, Refused(e.Key, response)
	case response.ContentLength > e.MaxReply:
		defer response.Body.Close()
		large := tooLarge(e.MaxReply)
		large.RequestID = RequestID(e.Key, response.Header)

		return nil, large
	}

	return response, nil
}

// Failure is an error of a call as the engine gets it: the cause of ctx when that is done, else *model.Error.
func (e *Endpoint) Failure(ctx context.Context, agent string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}

	var failed model.Error
	var refused *Refusal
	var broken *Broken
	if errors.As(err, &refused) {
		failed = model.Error{
			Class: refused.Class, Status: refused.Status, Message: refused.Message, RetryAfter: refused.RetryAfter, RequestID: refused.RequestID,
			Attempts: refused.attempts,
		}
		if refused.isModelMistake() {
			failed.Class, failed.StopReason, failed.Written = model.BadRequest, stopreason.Unreadable, refused.written
		}
	} else {
		if !errors.As(err, &broken) {
			broken = e.network(err)
		}
		failed = *broken
		failed.Message = e.Key.Clean(failed.Message, MaxMessage)
	}
	failed.Model, failed.Agent = e.Name, agent
	if failed.Err != nil && e.Key.Hide(failed.Err.Error()) != failed.Err.Error() {
		failed.Err = nil
	}
	// What is wrong is often the address, or the key. A refusal or a mistake of the model itself is
	// about neither.
	aboutModel := failed.Class == model.Refused || failed.StopReason == stopreason.Unreadable
	if !aboutModel && e.Address.Shown != "" && !strings.Contains(failed.Message, e.Address.Shown) {
		failed.Message += " (" + e.Key.Hide(e.Address.Shown) + ", " + e.Key.sent() + ")"
	}

	return &failed
}
