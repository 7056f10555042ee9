package openai

import (
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Options are for programs that open models themselves. The zero value has the defaults of the function [Open].
type Options struct {
	// Env looks up environment variables; nil: the engine's function.
	Env func(name string) (value string, ok bool)
	// Transport sends requests; nil: one that all models share, with proxies from the environment.
	Transport http.RoundTripper
	// Timeout limits a call as a whole; 0: the value of AGENTC_PROVIDER_P_TIMEOUT, or else ten minutes.
	Timeout time.Duration
	// Idle limits the wait between two parts of a reply; 0: five minutes.
	Idle time.Duration
	// MaxReply limits a reply, in bytes as sent; 0: the limit of the resolved model, or else 8 MiB.
	MaxReply int64
}

// Open prepares a model; it is a model.Opener. It sends nothing. Errors: *model.CredentialError,
// *runtime.BadSettingError.
func Open(m model.Model, env func(name string) (value string, ok bool)) (model.Provider, error) {
	return Options{}.Open(m, env)
}

// Open prepares a model, as the function Open does.
func (o Options) Open(m model.Model, env func(name string) (value string, ok bool)) (model.Provider, error) {
	if o.Env == nil {
		o.Env = env
	}
	known := kindOf(m.Provider)
	endpoint, err := remote.Options(o).Open(m, env, remote.Known{
		BaseURL: known.baseURL, BaseURLVariable: known.baseURLVariable, Keys: known.keys, Path: known.pathOf,
	})
	if err != nil {
		return nil, err
	}

	return &chatModel{endpoint: endpoint, kind: known, header: header(&endpoint, o.Env, known)}, nil
}

// chatModel is a model that answers over the network. It is safe for concurrent use.
type chatModel struct {
	endpoint remote.Endpoint
	kind     kind
	header   http.Header

	// lacks is what the server was found not to know.
	lacks lacks
	// inside says that the server's texts were seen to begin within thoughts.
	inside atomic.Bool
	// texts are those of the last request.
	texts remote.Texts
}

// header are the headers of every request.
func header(e *remote.Endpoint, env func(string) (string, bool), known kind) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"agentc"}}
	if e.Key.Secret != "" {
		h.Set("Authorization", "Bearer "+e.Key.Secret)
	}
	if e.Address.Own {
		for _, name := range known.headers {
			if value, ok := env(name.variable); ok && remote.Visible(strings.TrimSpace(value)) {
				h.Set(name.header, strings.TrimSpace(value))
			}
		}
	}

	return h
}
