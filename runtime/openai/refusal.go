package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/agentc-dev/agentc/runtime"
)

// refusal is what a server says instead of a reply.
type refusal struct {
	// key is what must not stand in it.
	key    key
	status int
	class  runtime.ModelErrorClass
	// message is for people, code, kind and param for programs; all may be empty.
	message, code, kind, param string
	retryAfter                 time.Duration
	requestID                  string
}

func (f *refusal) Error() string { return f.message }

// maxRefusal bounds what is read of a refusal.
const maxRefusal = 64 << 10

// refused reads a response that is no success.
func refused(k key, response *http.Response, body io.Reader) *refusal {
	f := &refusal{key: k, status: response.StatusCode, requestID: requestID(k, response.Header)}
	f.retryAfter = retryAfter(response.Header, time.Now)
	if f.status >= 300 && f.status < 400 {
		f.class, f.message = runtime.ModelBadRequest, redirected(k, response)

		return f
	}

	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal)) // as much as came says more than that it broke off
	f.tell(text)
	if f.message == "" {
		f.message = http.StatusText(f.status)
	}
	f.class = f.classify()

	return f
}

// redirected says where a server would like to be asked.
func redirected(k key, response *http.Response) string {
	to, err := response.Location()
	if err != nil {
		return "the server redirects, and does not say where to"
	}
	to.User, to.RawQuery, to.Fragment = nil, "", ""

	return "the server redirects to " + k.clean(to.String(), maxMessage) + ", which is not followed: the key is for the host of " +
		"base_url; if it is the right address, set base_url to it"
}

// tell reads what the body of a refusal says: an object with error, as most servers write it, a list of one, or what else is
// there.
func (f *refusal) tell(body []byte) {
	trimmed := bytes.TrimSpace(body)
	var several []json.RawMessage
	if json.Unmarshal(trimmed, &several) == nil && len(several) > 0 {
		trimmed = several[0]
	}
	var said struct {
		Error  json.RawMessage `json:"error"`
		Detail json.RawMessage `json:"detail"`
	}
	switch {
	case len(trimmed) == 0:
	case json.Unmarshal(trimmed, &said) != nil:
		f.message = f.key.clean(page(f.key, trimmed), maxMessage)
	case f.tellError(said.Error):
	case len(said.Detail) > 0:
		f.message = f.key.clean(plain(said.Detail), maxMessage)
	case !f.tellError(trimmed):
		f.message = f.key.clean(string(trimmed), maxMessage)
	}
}

// tellError reads the value of error: an object, or text. It reports whether that says anything.
func (f *refusal) tellError(raw json.RawMessage) bool {
	var e struct {
		Message lenient `json:"message"`
		Type    lenient `json:"type"`
		Status  lenient `json:"status"`
		Param   lenient `json:"param"`
		Code    lenient `json:"code"`
		Details []struct {
			RetryDelay lenient `json:"retryDelay"`
		} `json:"details"`
	}
	if len(raw) == 0 || string(raw) == "null" {
		return false
	}
	if err := json.Unmarshal(raw, &e); err != nil && e.Message == "" {
		var text lenient
		_ = json.Unmarshal(raw, &text)
		f.message = f.key.clean(string(text), maxMessage)

		return f.message != ""
	}
	f.message = f.key.clean(string(e.Message), maxMessage)
	f.code, f.param = f.key.clean(string(e.Code), maxWord), f.key.clean(string(e.Param), maxWord)
	f.kind = f.key.clean(string(e.Type+e.Status), maxWord)
	for _, d := range e.Details {
		if wait, err := time.ParseDuration(string(d.RetryDelay)); err == nil {
			f.retryAfter = max(f.retryAfter, bounded(wait))
		}
	}

	return f.message != "" || f.code != "" || f.kind != ""
}

// plain is JSON as text: a string without its quotes.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}

	return string(raw)
}

// page is what a text that is no JSON says: of a page its title.
func page(k key, text []byte) string {
	if !bytes.HasPrefix(text, []byte("<")) {
		return string(text)
	}
	lower := bytes.ToLower(text)
	if _, after, ok := bytes.Cut(lower, []byte("<title>")); ok {
		from := len(lower) - len(after)
		if to := bytes.Index(after, []byte("</title>")); to >= 0 {
			return fmt.Sprintf("a page with the title %q", k.clean(string(text[from:from+to]), maxWord))
		}
	}

	return "a page, and no JSON"
}

// requestID is what a server calls the request.
func requestID(k key, h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "Apim-Request-Id", "X-Goog-Request-Id", "Cf-Ray"} {
		if id := h.Get(name); visible(id) {
			return k.clean(id, maxWord)
		}
	}

	return ""
}
