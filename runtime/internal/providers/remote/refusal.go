package remote

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
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
	// worded reports whether the server has a message for people, explicit whether what it sent can
	// be nothing but a refusal.
	worded, explicit bool
	// attempts is how often such a request is made at most; 0: as often as any that may succeed
	// later.
	attempts int
	// written is what the model wrote, where the server could not read it and returned it.
	written string
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
	f.heedMessage()
	if f.Status == http.StatusForbidden && isPage(text) { // interfaces answer with JSON
		f.Class, f.attempts = model.Network, onceMore
		f.Message = "a proxy or a firewall before the server refuses with " + f.Message
	}

	return f
}

// onceMore is how often a request is made at most whose answer is not the interface's: it may be a
// page of a gateway under maintenance, and more often the address is wrong.
const onceMore = 2

// isPage reports whether a body is a page for people.
func isPage(body []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) }

// redirected returns where a server would like to be asked.
func redirected(k Key, response *http.Response) string {
	to, err := response.Location()
	if err != nil {
		return "the server redirects without an address"
	}
	to.User, to.RawQuery, to.Fragment = nil, "", ""

	return "the server redirects to " + k.Clean(to.String(), MaxMessage) + ", which is not followed: the key is for the host of " +
		"base_url; if it is the right address, set base_url to it"
}

// tell reads what the body of a refusal says: an object with error or errors, as most servers write
// it, or with a message, a list of one, or what else is there.
func (f *Refusal) tell(body []byte) {
	trimmed := bytes.TrimSpace(body)
	var several []json.RawMessage
	if json.Unmarshal(trimmed, &several) == nil && len(several) > 0 {
		trimmed = several[0]
	}
	var said struct {
		Failure
		Detail Lenient `json:"detail"`
		Code   Lenient `json:"code"`
	}
	var text string
	switch {
	case len(trimmed) == 0:
	case trimmed[0] == '"' && json.Unmarshal(trimmed, &text) == nil:
		f.say(text)
	case json.Unmarshal(trimmed, &said) != nil:
		f.Message = f.key.Clean(page(f.key, trimmed), MaxMessage)
	case f.tellError(said.Error), f.tellFirst(said.Errors):
		f.explicit = true
		if f.Code == "" {
			f.Code = f.key.Clean(string(said.Code), MaxWord)
		}
	case said.Detail != "":
		f.say(string(said.Detail))
		f.explicit = true
	case !f.tellError(trimmed):
		f.Message = f.key.Clean(string(trimmed), MaxMessage)
	default:
		f.explicit = said.IsSaid() || f.worded && (f.Code != "" || strings.Contains(strings.ToLower(f.Kind), "error"))
	}
}

// say takes over a message for people.
func (f *Refusal) say(message string) {
	f.Message = f.key.Clean(message, MaxMessage)
	f.worded = f.Message != ""
}

// tellFirst reads a list of errors. It reports whether the first says anything.
func (f *Refusal) tellFirst(raw json.RawMessage) bool {
	var several []json.RawMessage
	if json.Unmarshal(raw, &several) != nil || len(several) == 0 {
		return f.tellError(raw)
	}

	return f.tellError(several[0])
}

// messageNames are how servers call the member with a message for people.
var messageNames = []string{
	"message", "msg", "detail", "error_message", "errorMessage", "error_msg", "status_msg", "error_description", "description", "title", "reason",
}

// codeNames are how servers call the member with a code, and statusNames that with an HTTP status.
var (
	codeNames   = []string{"code", "error_code", "errorCode"}
	statusNames = []string{"statusCode", "status_code", "http_code"}
)

// tellError reads the value of error: an object, or text. It reports whether that says anything.
func (f *Refusal) tellError(raw json.RawMessage) bool {
	if IsEmpty(raw) {
		return false
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		var text Lenient
		_ = json.Unmarshal(raw, &text)
		f.say(string(text))

		return f.worded
	}
	word := func(names ...string) string { return f.key.Clean(firstOf(members, names), MaxWord) }
	f.say(firstOf(members, messageNames))
	f.Code, f.Param = word(append(codeNames, statusNames...)...), word("param")
	f.Kind = f.key.Clean(firstOf(members, []string{"type"})+firstOf(members, []string{"status"}), MaxWord)
	f.heedDetails(members["details"])
	f.written = f.key.Hide(firstOf(members, []string{"failed_generation"}))

	return f.worded || f.Code != "" || f.Kind != ""
}

// firstOf is the first of members that is there and not empty, as text.
func firstOf(members map[string]json.RawMessage, names []string) string {
	for _, name := range names {
		var text Lenient
		if raw := members[name]; !IsEmpty(raw) && json.Unmarshal(raw, &text) == nil {
			return string(text)
		}
	}

	return ""
}

// heedDetails takes over the wait that Google's details of an error ask for.
func (f *Refusal) heedDetails(raw json.RawMessage) {
	var details []struct {
		RetryDelay Lenient `json:"retryDelay"`
	}
	_ = json.Unmarshal(raw, &details)
	for _, d := range details {
		if wait, err := time.ParseDuration(string(d.RetryDelay)); err == nil {
			f.RetryAfter = max(f.RetryAfter, bounded(wait))
		}
	}
}

// Failure are the members with which servers report, within what should be a reply, that there is
// none.
type Failure struct {
	Error   json.RawMessage `json:"error"`
	Errors  json.RawMessage `json:"errors"`
	Success json.RawMessage `json:"success"`
}

// IsSaid reports whether a server reports that it has failed.
func (f *Failure) IsSaid() bool {
	return !IsEmpty(f.Error) || !IsEmpty(f.Errors) || string(f.Success) == "false"
}

// Aside are the members with which servers report an error beside what should be a reply. Some
// servers have them in good replies too, with nothing in them, or with a code of success.
type Aside struct {
	Detail  json.RawMessage `json:"detail"`
	Message json.RawMessage `json:"message"`
	Code    json.RawMessage `json:"code"`
}

// IsError reports whether a server reports an error so: in a detail that is text, or in a message
// that is text, with a code of an error.
func (a *Aside) IsError() bool {
	return hasText(a.Detail) || hasText(a.Message) && isErrorCode(a.Code)
}

// hasText reports whether a JSON value is a text that is not empty.
func hasText(raw json.RawMessage) bool { return !IsEmpty(raw) && raw[0] == '"' }

// successCodes are the words that servers write as the code of a success, in lower case.
var successCodes = map[string]bool{"ok": true, "success": true, "succeeded": true, "successful": true, "none": true, "null": true}

// isErrorCode reports whether a code denotes an error: a status of HTTP that is one, or a word that
// means no success. Other numbers are codes of the server's own, which may mean a success.
func isErrorCode(raw json.RawMessage) bool {
	var code Lenient
	if IsEmpty(raw) || json.Unmarshal(raw, &code) != nil {
		return false
	}
	word := strings.ToLower(strings.TrimSpace(string(code)))
	if number, err := strconv.ParseFloat(word, 64); err == nil {
		return number >= 400 && number < 600
	}

	return raw[0] == '"' && word != "" && !successCodes[word]
}

// IsEmpty reports whether a JSON value says nothing: it is absent, null, false, or an empty text,
// list or object.
func IsEmpty(raw json.RawMessage) bool {
	switch string(raw) {
	case "", "null", "false", `""`, "[]", "{}":
		return true
	}

	return false
}

// page is what a text that is not JSON says: of a page its title.
func page(k Key, text []byte) string {
	if !isPage(text) {
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

// heedMessage takes over the wait that the message of a rate limit asks for, where nothing else
// says one.
func (f *Refusal) heedMessage() {
	if f.RetryAfter == 0 && f.Class == model.RateLimit {
		f.RetryAfter = waitIn(f.Message)
	}
}

// waitWords are what servers write before how long to wait, where no header has it.
var waitWords = []string{"try again in ", "retry in ", "try again after ", "retry after "}

// waitIn returns how long a message asks to wait, such as "Please try again in 1.2s" or "in 20
// seconds"; 0 if it does not.
func waitIn(message string) time.Duration {
	message = strings.ToLower(message)
	for _, words := range waitWords {
		_, rest, _ := strings.Cut(message, words)
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		if wait, err := time.ParseDuration(strings.TrimRight(fields[0], ".,;)")); err == nil {
			return bounded(wait)
		}
		if len(fields) > 1 {
			wait, _ := number(fields[0], unitOf(fields[1]))

			return wait
		}
	}

	return 0
}

// unitOf is the unit that a word begins with; 0 if it is none.
func unitOf(word string) time.Duration {
	for _, unit := range []struct {
		name string
		unit time.Duration
	}{{"millisecond", time.Millisecond}, {"second", time.Second}, {"minute", time.Minute}, {"hour", time.Hour}} {
		if strings.HasPrefix(word, unit.name) {
			return unit.unit
		}
	}

	return 0
}

// mostWait bounds what a server can ask for: a day. A server that wants a longer wait has said in
// fact that it is useless now.
const mostWait = 24 * time.Hour

// retryAfter is how long a server asks to wait: in milliseconds, in seconds, or until a date. A
// date is measured by the server's own clock, if it says its time.
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
	if unit == 0 {
		return 0, false
	}
	if n > float64(mostWait/unit) {
		return mostWait, true
	}

	return bounded(time.Duration(n * float64(unit))), true
}

func bounded(wait time.Duration) time.Duration { return min(max(wait, 0), mostWait) }
