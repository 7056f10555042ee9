package runtime_test

import (
	"fmt"
	"testing"

	"github.com/agentc-dev/agentc/runtime"
)

// TestKeyError: it says which variable to set, and its type is known through wrapping.
func TestKeyError(t *testing.T) {
	for want, err := range map[string]*runtime.KeyError{
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
	for class, want := range map[runtime.ModelErrorClass]bool{
		runtime.ModelRateLimit: true, runtime.ModelOverloaded: true, runtime.ModelServer: true, runtime.ModelNetwork: true,
		runtime.ModelTimeout: true, runtime.ModelAuth: false, runtime.ModelQuota: false, runtime.ModelTooLong: false,
		runtime.ModelRefused: false, runtime.ModelBadRequest: false, runtime.ModelOther: false,
	} {
		err := &runtime.ModelError{Class: class, Message: "m", RequestID: "r1"}
		if err.Retryable() != want {
			t.Errorf("%s: retryable is %v", class, !want)
		}
		if text := fmt.Sprintf("the model call failed (%s): m (request r1)", class); err.Error() != text {
			t.Errorf("got %s, want %s", err, text)
		}
	}
	for status, want := range map[int]runtime.ModelErrorClass{
		429: runtime.ModelRateLimit, 503: runtime.ModelOverloaded, 529: runtime.ModelOverloaded, 500: runtime.ModelServer,
		401: runtime.ModelAuth, 404: runtime.ModelBadRequest, 302: runtime.ModelOther,
	} {
		if got := runtime.ClassOfStatus(status); got != want {
			t.Errorf("%d is %s, not %s", status, got, want)
		}
	}
}
