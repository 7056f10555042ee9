package openai

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"

	"github.com/agentc-dev/agentc/runtime"
)

// ask is one request and what came of it. Errors: *refusal, *brokenError, or what the network says.
func (m *Model) ask(
	ctx context.Context, r runtime.ModelRequest, without lacking, delta func(string),
) (runtime.ModelReply, error) {
	w := watchCall(ctx, m.timeout)
	defer w.end()
	body := m.encode(r, without, delta != nil)
	request, err := http.NewRequestWithContext(w.ctx, http.MethodPost, m.address.url, bytes.NewReader(body))
	if err != nil {
		return runtime.ModelReply{}, err
	}
	request.Header = m.header.Clone()
	if delta != nil {
		request.Header.Set("Accept", "text/event-stream")
	}

	response, err := m.client.Do(request)
	if err != nil {
		return runtime.ModelReply{}, w.late(err)
	}
	defer response.Body.Close()
	w.begin(m.idle)
	parts := &limited{r: w.watch(response.Body), left: m.maxReply, most: m.maxReply}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return runtime.ModelReply{}, refused(m.key, response, parts)
	}
	reader := &reading{
		model: m, request: &r, watch: w, requestID: requestID(m.key, response.Header), delta: delta, veil: veil{key: m.key},
	}
	reply, err := reader.read(response, parts)
	if err != nil {
		err = w.late(err)
	}

	return reply, err
}

// reading is a reply on its way in.
type reading struct {
	model     *Model
	request   *runtime.ModelRequest
	watch     *watch
	requestID string
	delta     func(string)
	veil      veil
}

// read reads a reply as what it is, whatever its headers say: servers that were not asked for parts send them, and others do not
// know parts.
func (r *reading) read(response *http.Response, body *limited) (runtime.ModelReply, error) {
	if response.ContentLength > body.most {
		return runtime.ModelReply{}, r.broken(tooLarge(body.most))
	}
	in := bufio.NewReader(body)
	first, err := peek(in)
	if err != nil && !errors.Is(err, io.EOF) {
		return runtime.ModelReply{}, err
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	switch {
	case err != nil:
		return runtime.ModelReply{}, r.broken(broken(runtime.ModelServer, "the reply is empty"))
	case first == '{' || first == '[':
		return r.whole(in)
	case first != '<' && (kind == "text/event-stream" || first == ':' || first == 'd' || first == 'e' || first == 'i'):
		return r.parts(in)
	}
	start, _ := in.Peek(min(in.Buffered(), maxMessage))

	return runtime.ModelReply{}, r.broken(broken(runtime.ModelOther,
		"the reply is no JSON but "+strconv.Quote(kind)+": "+r.model.key.clean(page(r.model.key, bytes.TrimSpace(start)), maxWord)+
			" (does base_url lead to an interface of chat completions?)"))
}

// peek is the first byte that is no white space; it stays unread.
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

// broken adds to an error which request it was.
func (r *reading) broken(err *brokenError) *brokenError {
	err.requestID = r.requestID

	return err
}

// limited reads at most so many bytes; more are an error.
type limited struct {
	r          io.Reader
	left, most int64
}

func (l *limited) Read(p []byte) (int, error) {
	if int64(len(p)) > l.left+1 {
		p = p[:l.left+1]
	}
	n, err := l.r.Read(p)
	if int64(n) > l.left {
		return 0, tooLarge(l.most)
	}
	l.left -= int64(n)

	return n, err
}

func tooLarge(most int64) *brokenError {
	return broken(runtime.ModelOther, "the reply is larger than "+strconv.FormatInt(most, 10)+" bytes")
}
