package remote

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/agentc-dev/agentc/runtime/model"
)

// boundedBody is the body of a response, bounded in size and in the time between its parts.
type boundedBody struct {
	io.ReadCloser
	watch      *Watch
	left, most int64
}

// Bound lets at most so many bytes of a body through; more are a *Broken. Each part starts the pause of the watch again.
func (w *Watch) Bound(body io.ReadCloser, most int64) io.ReadCloser {
	return &boundedBody{body, w, most, most}
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if n > 0 {
		b.watch.idle.Reset(b.watch.pause)
	}
	if int64(n) > b.left {
		return 0, tooLarge(b.most)
	}
	b.left -= int64(n)

	return n, err
}

func tooLarge(most int64) *Broken {
	return NewBroken(model.Other, "the reply is larger than "+strconv.FormatInt(most, 10)+" bytes")
}

// mostTrusted is how much of a length that a server says is believed before it has come.
const mostTrusted = 64 << 10

// ReadAll is io.ReadAll of a reader with an announced length; -1 if there is none.
func ReadAll(in io.Reader, length int64) ([]byte, error) {
	part := make([]byte, bytes.MinRead+min(max(length, bytes.MinRead), mostTrusted))
	var full [][]byte
	for filled := 0; ; {
		n, err := in.Read(part[filled:])
		filled += n
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil, err
		case err != nil && len(full) == 0:
			return part[:filled], nil
		case err != nil:
			return bytes.Join(append(full, part[:filled]), nil), nil
		case filled == len(part): // a text that was copied to grow would take several times its size
			full, part, filled = append(full, part), make([]byte, min(2*len(part), mostTrusted)), 0
		}
	}
}

// InParts reports whether a reply comes as events, whatever its headers say: servers that were not
// asked for parts send them, and others do not know parts. format is what the server should speak.
// Errors: *Broken for nothing, *Refusal for what is neither, else what reading says.
func (e *Endpoint) InParts(response *http.Response, in *bufio.Reader, format string) (bool, error) {
	first, err := peek(in)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	kind, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	isStream := strings.EqualFold(strings.TrimSpace(kind), "text/event-stream")
	switch {
	case err != nil:
		return false, NewBroken(model.Server, "the reply is empty")
	case first == '{' || first == '[':
		return false, nil
	case first != '<' && (isStream || beginsEvents(in)):
		return true, nil
	}
	start, _ := in.Peek(min(in.Buffered(), MaxMessage))
	f := InReply(e.Key, start, RequestID(e.Key, response.Header))
	if isPage(start) {
		f.Class = model.Server // a page does not come from the interface, whatever its title is
	}
	f.attempts = onceMore
	f.Message = "the reply is no JSON object but " + strconv.Quote(e.Key.Clean(kind, MaxWord)) + ": " + e.Key.Clean(f.Message, MaxWord) +
		" (does base_url lead to an interface of " + format + "?)"

	return false, f
}

// beginsEvents reports whether a body begins as events do: with a comment or with one of their
// fields.
func beginsEvents(in *bufio.Reader) bool {
	for _, field := range []string{":", "data", "event", "error:", "id:", "retry:"} {
		if start, _ := in.Peek(len(field)); string(start) == field {
			return true
		}
	}

	return false
}

// peek is the first byte that is not white space; it stays unread.
func peek(in *bufio.Reader) (byte, error) {
	for {
		next, err := in.Peek(1)
		if err != nil {
			return 0, err
		}
		switch next[0] {
		case ' ', '\t', '\r', '\n':
			_, _ = in.Discard(1)
		case '\xef': // a byte order mark, which some put before what they send
			if mark, _ := in.Peek(3); string(mark) != "\ufeff" {
				return next[0], nil
			}
			_, _ = in.Discard(3)
		default:
			return next[0], nil
		}
	}
}
