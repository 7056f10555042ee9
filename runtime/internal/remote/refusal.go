package remote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/agentc-dev/agentc/runtime/model"
)

// Refusal is what a server says instead of a reply.
type Refusal struct {
	// key is what must not be in it.
	key    Key
	Status int
	Class  model.Class
	// Message is for people, Code, Kind and Param for programs; all may be empty.
	Message, Code, Kind, Param string
	RetryAfter                 time.Duration
	RequestID                  string
}

func (f *Refusal) Error() string { return f.Message }

// maxRefusal bounds what is read of a refusal.
const maxRefusal = 64 << 10

// Refused reads a response that is not a success.
func Refused(k Key, response *http.Response) *Refusal {
	f := &Refusal{key: k, Status: response.StatusCode, RequestID: RequestID(k, response.Header)}
	f.RetryAfter = retryAfter(response.Header, time.Now)
	if f.Status >= 300 && f.Status < 400 {
		f.Class, f.Message = model.BadRequest, redirected(k, response)

		return f
	}

	text, _ := io.ReadAll(io.LimitReader(response.Body, maxRefusal)) // as much as came says more than that it was interrupted
	f.tell(text)
	if f.Message == "" {
		f.Message = http.StatusText(f.Status)
	}
	f.Class = f.classify()

	return f
}

// redirected says where a server would like to be asked.
func redirected(k Key, response *http.Response) string {
	to, err := response.Location()
	if err != nil {
		return "the server redirects, and does not say where to"
	}
	to.User, to.RawQuery, to.Fragment = nil, "", ""

	return "the server redirects to " + k.Clean(to.String(), MaxMessage) + ", which is not followed: the key is for the host of " +
		"base_url; if it is the right address, set base_url to it"
}

// tell reads what the body of a refusal says: an object with error, as most servers write it, a list of one, or what else is
// there.
func (f *Refusal) tell(body []byte) {
	trimmed := bytes.TrimSpace(body)
	var several []json.RawMessage
	if json.Unmarshal(trimmed, &several) == nil && len(several) > 0 {
		trimmed = several[0]
	}
	var said struct {
		Error  json.RawMessage `json:"error"`
		Detail Lenient         `json:"detail"`
	}
	switch {
	case len(trimmed) == 0:
	case json.Unmarshal(trimmed, &said) != nil:
		f.Message = f.key.Clean(page(f.key, trimmed), MaxMessage)
	case f.tellError(said.Error):
	case said.Detail != "":
		f.Message = f.key.Clean(string(said.Detail), MaxMessage)
	case !f.tellError(trimmed):
		f.Message = f.key.Clean(string(trimmed), MaxMessage)
	}
}

// tellError reads the value of error: an object, or text. It reports whether that says anything.
func (f *Refusal) tellError(raw json.RawMessage) bool {
	var e struct {
		Message Lenient `json:"message"`
		Type    Lenient `json:"type"`
		Status  Lenient `json:"status"`
		Param   Lenient `json:"param"`
		Code    Lenient `json:"code"`
		Details []struct {
			RetryDelay Lenient `json:"retryDelay"`
		} `json:"details"`
	}
	if len(raw) == 0 || string(raw) == "null" {
		return false
	}
	if err := json.Unmarshal(raw, &e); err != nil && e.Message == "" {
		var text Lenient
		_ = json.Unmarshal(raw, &text)
		f.Message = f.key.Clean(string(text), MaxMessage)

		return f.Message != ""
	}
	f.Message = f.key.Clean(string(e.Message), MaxMessage)
	f.Code, f.Param = f.key.Clean(string(e.Code), MaxWord), f.key.Clean(string(e.Param), MaxWord)
	f.Kind = f.key.Clean(string(e.Type+e.Status), MaxWord)
	for _, d := range e.Details {
		if wait, err := time.ParseDuration(string(d.RetryDelay)); err == nil {
			f.RetryAfter = max(f.RetryAfter, bounded(wait))
		}
	}

	return f.Message != "" || f.Code != "" || f.Kind != ""
}

// page is what a text that is not JSON says: of a page its title.
func page(k Key, text []byte) string {
	if !bytes.HasPrefix(text, []byte("<")) {
		return string(text)
	}
	if from := indexFold(text, "<title>"); from >= 0 {
		title := text[from+len("<title>"):]
		if to := indexFold(title, "</title>"); to >= 0 {
			return fmt.Sprintf("a page with the title %q", k.Clean(string(title[:to]), MaxWord))
		}
	}

	return "a page, not JSON"
}

// indexFold is where a tag first is in text, in small or capital letters; -1 if nowhere. Package regexp would make each binary 0.2 MB larger.
func indexFold(text []byte, tag string) int {
	for i := range len(text) - len(tag) + 1 {
		if bytes.EqualFold(text[i:i+len(tag)], []byte(tag)) {
			return i
		}
	}

	return -1
}

// RequestID is what a server calls the request.
func RequestID(k Key, h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "Apim-Request-Id", "X-Goog-Request-Id", "Cf-Ray"} {
		if id := h.Get(name); Visible(id) {
			return k.Clean(id, MaxWord)
		}
	}

	return ""
}

// mostWait bounds what a server can ask for: a day. Who wants that one waits longer has said all the same that it is useless now.
const mostWait = 24 * time.Hour

// retryAfter is how long a server asks to wait: in milliseconds where it says that, else in seconds, or until a date. A date is
// measured by the server's own clock, if it says its time.
func retryAfter(h http.Header, now func() time.Time) time.Duration {
	if wait, ok := number(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return wait
	}
	after := h.Get("Retry-After")
	if wait, ok := number(after, time.Second); ok {
		return wait
	}
	until, err := http.ParseTime(after)
	if err != nil {
		return 0
	}
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		at = now()
	}

	return bounded(until.Sub(at))
}

func number(text string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) {
		return 0, false
	}
	if n > float64(mostWait/unit) {
		return mostWait, true
	}

	return bounded(time.Duration(n * float64(unit))), true
}

func bounded(wait time.Duration) time.Duration { return min(max(wait, 0), mostWait) }
