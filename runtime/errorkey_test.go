package runtime_test

import (
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/model"
)

// TestKeyError: it says which variable to set, and its type is known through wrapping.
func TestKeyError(t *testing.T) {
	for want, err := range map[string]*model.CredentialError{
		`provider "p" needs a key: set P_API_KEY or Q_API_KEY, or run with --script FILE`: {
			Provider: "p", Variables: []string{"P_API_KEY", "Q_API_KEY"},
		},
		`provider "p" needs a key (wanted by agents "a", "b"): set P_API_KEY, or run with --script FILE`: {
			Provider: "p", Variables: []string{"P_API_KEY"}, Agents: []string{"a", "b"},
		},
		`the key of provider "p" in P_API_KEY cannot be one: it has a line break`: {
			Provider: "p", Variables: []string{"P_API_KEY"}, Problem: "it has a line break",
		},
	} {
		if got := err.Error(); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
		if kind := runtime.ErrorType(fmt.Errorf("wrapped: %w", err)); kind != "KeyError" {
			t.Errorf("it is a %s", kind)
		}
	}
}

// TestModelErrorClasses: what may succeed later is repeated, what will not is not, and the request is named.
func TestModelErrorClasses(t *testing.T) {
	for class, want := range map[model.Class]bool{
		model.RateLimit: true, model.Overloaded: true, model.Server: true, model.Network: true,
		model.Timeout: true, model.Auth: false, model.Quota: false, model.TooLong: false,
		model.Refused: false, model.BadRequest: false, model.Other: false,
	} {
		err := &model.Error{Class: class, Message: "m", RequestID: "r1"}
		if err.Retryable() != want {
			t.Errorf("%s: retryable is %v", class, !want)
		}
		if text := fmt.Sprintf("the model call failed (%s): m (request r1)", class); err.Error() != text {
			t.Errorf("got %s, want %s", err, text)
		}
	}
	for status, want := range map[int]model.Class{
		429: model.RateLimit, 503: model.Overloaded, 529: model.Overloaded, 500: model.Server,
		401: model.Auth, 404: model.BadRequest, 302: model.Other,
	} {
		if got := model.ClassOfStatus(status); got != want {
			t.Errorf("%d is %s, not %s", status, got, want)
		}
	}
}
