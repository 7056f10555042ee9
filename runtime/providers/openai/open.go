package openai

import (
	"bytes"
	"net/http"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
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

	return newClient(endpoint, known, header(&endpoint, o.Env, known)), nil
}

// format is the format of chat completions, as servers of a kind speak it; it implements
// remote.Format.
type format struct {
	endpoint *remote.Endpoint
	kind     kind
	header   http.Header
	// texts are the texts of the last request.
	texts remote.Texts
}

func newClient(endpoint remote.Endpoint, known kind, header http.Header) *remote.Client {
	c := &remote.Client{Endpoint: endpoint, Name: "chat completions"}
	c.Format = &format{endpoint: &c.Endpoint, kind: known, header: header}

	return c
}

// Send implements remote.Format.
func (f *format) Send(w *remote.Watch, body []byte, stream bool) (*http.Response, error) {
	request, err := http.NewRequestWithContext(w.Ctx, http.MethodPost, f.endpoint.Address.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = f.header.Clone()
	if stream {
		request.Header.Set("Accept", "text/event-stream")
	}

	return f.endpoint.Do(w, request)
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
