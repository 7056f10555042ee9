package anthropic

import (
	"net/http"
	"strings"
	"time"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// Options are for programs that open models themselves. The zero value has the defaults of the function [Open].
type Options struct {
	// Env looks up environment variables; nil: the function that Open receives.
	Env func(name string) (value string, ok bool)
	// Transport sends requests; nil: one that all models share, with proxies from the environment.
	Transport http.RoundTripper
	// Timeout limits a call as a whole; 0: the value of AGENTC_PROVIDER_ANTHROPIC_TIMEOUT, or else ten minutes.
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
	endpoint, err := remote.Options(o).Open(m, env, remote.Known{
		BaseURL: "https://api.anthropic.com", BaseURLVariable: "ANTHROPIC_BASE_URL", Keys: []string{"ANTHROPIC_API_KEY"}, Path: pathOf,
	})
	if err != nil {
		return nil, err
	}
	thoughts, err := thinkingOf(m, o.Env)
	if err != nil {
		return nil, err
	}

	return newClient(endpoint, thoughts, m.Plain), nil
}

// format is the format of Anthropic's messages; it implements remote.Format.
type format struct {
	endpoint *remote.Endpoint
	client   sdk.Client
	thinking thinking
	// texts are the texts of the last request.
	texts remote.Texts
}

func newClient(endpoint remote.Endpoint, thoughts thinking, plain bool) *remote.Client {
	c := &remote.Client{
		Endpoint: endpoint, Name: "Anthropic's messages", InParts: true, Plain: plain, Reliable: endpoint.Address.Own,
	}
	c.Format = &format{endpoint: &c.Endpoint, client: client(&endpoint), thinking: thoughts}

	return c
}

// client is the SDK's, with nothing that it finds by itself.
func client(e *remote.Endpoint) sdk.Client {
	options := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), option.WithBaseURL(e.Address.URL), option.WithMaxRetries(0),
	}
	if e.Key.Secret != "" {
		options = append(options, option.WithAPIKey(e.Key.Secret))
	}

	return sdk.NewClient(options...)
}

// messages is what is asked for, below the address of an interface.
const messages = "/v1/messages"

// pathOf is where messages are asked for: a base_url may end before /v1, with it, or with all of it.
func pathOf(base string) string {
	base = strings.TrimSuffix(base, messages)

	return strings.TrimSuffix(base, "/v1") + messages
}

// Send implements remote.Format.
func (f *format) Send(w *remote.Watch, body []byte, _ bool) (*http.Response, error) {
	s := &sender{endpoint: f.endpoint, watch: w}
	var response *http.Response
	err := f.client.Post(w.Ctx, f.endpoint.Address.URL, body, &response, option.WithHTTPClient(s))
	if s.failed != nil {
		err = s.failed
	} else if err != nil {
		err = w.Late(err)
	}

	return response, err
}

// sender sends what the SDK has made, within bounds, and lets no response through to it that is not a success: it would read the whole
// of one into memory.
type sender struct {
	endpoint *remote.Endpoint
	watch    *remote.Watch
	// failed is why nothing came; the SDK has its own word for it when the time is up.
	failed error
}

// Do implements option.HTTPClient.
func (s *sender) Do(request *http.Request) (response *http.Response, err error) {
	response, s.failed = s.endpoint.Do(s.watch, request)

	return response, s.failed
}
