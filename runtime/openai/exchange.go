package openai

import (
	"bufio"
	"bytes"
	"context"
	"net/http"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/remote"
)

// ask is one request and what came of it. Errors: *remote.Refusal, *remote.Broken, or what the network says.
func (m *Model) ask(
	ctx context.Context, r runtime.ModelRequest, without lacking, delta func(string),
) (runtime.ModelReply, error) {
	w := remote.WatchCall(ctx, m.endpoint.Timeout)
	defer w.End()
	body := m.encode(r, without, delta != nil)
	request, err := http.NewRequestWithContext(w.Ctx, http.MethodPost, m.endpoint.Address.URL, bytes.NewReader(body))
	if err != nil {
		return runtime.ModelReply{}, err
	}
	request.Header = m.header.Clone()
	if info, _ := runtime.CallFromContext(w.Ctx); info.Traceparent != "" {
		request.Header.Set("Traceparent", info.Traceparent)
	}
	if delta != nil {
		request.Header.Set("Accept", "text/event-stream")
	}

	response, err := m.endpoint.Do(w, request)
	if err != nil {
		return runtime.ModelReply{}, err
	}
	defer response.Body.Close()
	reader := &reading{
		model: m, request: &r, watch: w, requestID: remote.RequestID(m.endpoint.Key, response.Header), delta: delta,
		veil: remote.Veil{Key: m.endpoint.Key},
	}
	reply, err := reader.read(response)
	if err != nil {
		err = w.Late(err)
	}

	return reply, err
}

// reading is a reply on its way in.
type reading struct {
	model     *Model
	request   *runtime.ModelRequest
	watch     *remote.Watch
	requestID string
	delta     func(string)
	veil      remote.Veil
}

// read reads a reply as what it is.
func (r *reading) read(response *http.Response) (runtime.ModelReply, error) {
	in := bufio.NewReader(response.Body)
	inParts, err := r.model.endpoint.InParts(response, in, "chat completions")
	switch {
	case err != nil:
		return runtime.ModelReply{}, remote.Of(r.requestID, err)
	case inParts:
		return r.parts(in)
	}

	return r.whole(in, response.ContentLength)
}
