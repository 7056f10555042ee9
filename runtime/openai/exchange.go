package openai

import (
	"bufio"
	"bytes"
	"context"
	"net/http"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// ask is one request and what came of it; silent says that the reply has neither text nor calls nor thoughts, and nothing that says why.
// Errors: *remote.Refusal, *remote.Broken, or what the network says.
func (m *chatModel) ask(
	ctx context.Context, r model.Request, without lacking, delta func(string),
) (reply model.Reply, silent bool, err error) {
	stream := delta != nil && !without.stream
	w := remote.WatchCall(ctx, m.endpoint.Timeout)
	defer w.End()
	body := m.encode(r, without, stream)
	request, err := http.NewRequestWithContext(w.Ctx, http.MethodPost, m.endpoint.Address.URL, bytes.NewReader(body))
	if err != nil {
		return reply, false, err
	}
	request.Header = m.header.Clone()
	if info, _ := runtime.CallFromContext(w.Ctx); info.Traceparent != "" {
		request.Header.Set("Traceparent", info.Traceparent)
	}
	if stream {
		request.Header.Set("Accept", "text/event-stream")
	}

	response, err := m.endpoint.Do(w, request)
	if err != nil {
		return reply, false, err
	}
	defer response.Body.Close()
	reader := &reading{
		model: m, request: &r, watch: w, requestID: remote.RequestID(m.endpoint.Key, response.Header), delta: delta,
		veil: remote.Veil{Key: m.endpoint.Key}, thoughts: remote.Thoughts{Inside: m.inside.Load()},
	}
	reply, err = reader.read(response)
	if err != nil {
		err = w.Late(err)
	}

	return reply, reader.silent, err
}

// reading is a reply on its way in.
type reading struct {
	model     *chatModel
	request   *model.Request
	watch     *remote.Watch
	requestID string
	// silent says that nothing came that a model could have meant.
	silent   bool
	delta    func(string)
	thoughts remote.Thoughts
	veil     remote.Veil
}

// read reads a reply as what it is.
func (r *reading) read(response *http.Response) (model.Reply, error) {
	in := bufio.NewReader(response.Body)
	inParts, err := r.model.endpoint.InParts(response, in, "chat completions")
	switch {
	case err != nil:
		return model.Reply{}, remote.Of(r.requestID, err)
	case inParts:
		return r.parts(in)
	}

	return r.whole(in, response.ContentLength)
}
