package anthropic

import (
	"net/http"

	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/agentc-dev/agentc/runtime/internal/remote"
)

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
