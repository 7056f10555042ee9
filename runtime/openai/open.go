package openai

import (
	"cmp"
	"net/http"
	"strings"
	"time"

	"github.com/agentc-dev/agentc/runtime/local"
)

// Options are what a program may set that opens models itself. The zero value is what Open works with.
type Options struct {
	// Env looks variables up; nil: what the engine looks them up with.
	Env func(name string) (value string, ok bool)
	// Transport sends requests; nil: one that all models share, with proxies from the environment.
	Transport http.RoundTripper
	// Timeout bounds a call as a whole; 0: what AGENTC_PROVIDER_P_TIMEOUT says, else ten minutes.
	Timeout time.Duration
	// Idle bounds the wait between two parts of a reply that has begun; 0: five minutes.
	Idle time.Duration
	// MaxReply bounds a reply, in bytes as they are sent; 0: 64 MiB.
	MaxReply int64
}

const (
	defaultTimeout  = 10 * time.Minute
	defaultIdle     = 5 * time.Minute
	defaultMaxReply = 64 << 20
)

// Open makes a model ready; it is a local.Opener. It sends nothing. Errors: *runtime.KeyError, *runtime.BadSettingError.
func Open(m local.Model, env func(name string) (value string, ok bool)) (local.Provider, error) {
	return Options{}.Open(m, env)
}

// Open makes a model ready, as the function Open does.
func (o Options) Open(m local.Model, env func(name string) (value string, ok bool)) (local.Provider, error) {
	if o.Env == nil {
		o.Env = env
	}
	known := kindOf(m.Provider)
	address, err := parseAddress(m, known)
	if err != nil {
		return nil, err
	}
	key, err := findKey(m, known, o.Env, address.remote())
	if err != nil {
		return nil, err
	}
	if o.Timeout == 0 {
		if o.Timeout, err = timeoutOf(m, o.Env); err != nil {
			return nil, err
		}
	}

	return &Model{
		id: m.ID, name: m.Name, provider: m.Provider, kind: known, address: address, key: key,
		header: header(key, o.Env, known, address), client: client(o.Transport),
		timeout: o.Timeout, idle: cmp.Or(o.Idle, defaultIdle), maxReply: cmp.Or(o.MaxReply, defaultMaxReply),
	}, nil
}

// Model is a model that answers over the network. It is safe for concurrent use.
type Model struct {
	// id is what the server calls the model, name is provider:model.
	id, name, provider string
	kind               kind
	address            address
	key                key
	header             http.Header
	client             *http.Client
	timeout, idle      time.Duration
	maxReply           int64

	// lacks is what the server was found not to know.
	lacks lacks
	// carried is what comes with calls and has to go back with them.
	carried carried
}

// header are the headers of every request.
func header(k key, env func(string) (string, bool), known kind, at address) http.Header {
	h := http.Header{"Content-Type": {"application/json"}, "User-Agent": {"agentc"}}
	if k.secret != "" {
		h.Set("Authorization", "Bearer "+k.secret)
	}
	if at.own {
		for _, name := range known.headers {
			if value, ok := env(name.variable); ok && visible(strings.TrimSpace(value)) {
				h.Set(name.header, strings.TrimSpace(value))
			}
		}
	}

	return h
}
