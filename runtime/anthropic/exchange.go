package anthropic

import (
	"bufio"
	"context"
	"net/http"

	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/remote"
	"github.com/agentc-dev/agentc/runtime/model"
)

// ask is one request and what came of it; silent says that the reply has neither text nor calls nor thoughts, and nothing that says why.
// Errors: *remote.Refusal, *remote.Broken, or what the network says.
func (m *messagesModel) ask(
	ctx context.Context, r *model.Request, without lacking, delta func(string),
) (reply model.Reply, silent bool, err error) {
	w := remote.WatchCall(ctx, m.endpoint.Timeout)
	defer w.End()
	s := &sender{model: m, watch: w}
	var response *http.Response
	err = m.client.Post(w.Ctx, m.endpoint.Address.URL, m.encode(r, without), &response, option.WithHTTPClient(s))
	switch {
	case s.failed != nil:
		return reply, false, s.failed
	case err != nil:
		return reply, false, w.Late(err)
	}
	defer response.Body.Close()

	reading := m.reading(r, w, response, delta)
	reply, err = reading.read(response)
	if err != nil {
		err = w.Late(err)
	}

	return reply, reading.silent, err
}

// sender sends what the SDK has made, within bounds, and lets no response through to it that is not a success: it would read the whole
// of one into memory.
type sender struct {
	model *messagesModel
	watch *remote.Watch
	// failed is why nothing came; the SDK has its own word for it when the time is up.
	failed error
}

// Do implements option.HTTPClient.
func (s *sender) Do(request *http.Request) (response *http.Response, err error) {
	if info, _ := runtime.CallFromContext(s.watch.Ctx); info.Traceparent != "" {
		request.Header.Set("Traceparent", info.Traceparent)
	}
	response, s.failed = s.model.endpoint.Do(s.watch, request)

	return response, s.failed
}

// reading is a reply on its way in.
type reading struct {
	model     *messagesModel
	request   *model.Request
	watch     *remote.Watch
	requestID string
	// silent says that nothing came that a model could have meant.
	silent   bool
	delta    func(string)
	thoughts remote.Thoughts
	veil     remote.Veil
}

func (m *messagesModel) reading(r *model.Request, w *remote.Watch, response *http.Response, delta func(string)) *reading {
	return &reading{
		model: m, request: r, watch: w, requestID: remote.RequestID(m.endpoint.Key, response.Header), delta: delta,
		veil: remote.Veil{Key: m.endpoint.Key}, thoughts: remote.Thoughts{Inside: m.inside.Load()},
	}
}

// read reads a reply as what it is: some gateways answer in one piece, whatever they are asked.
func (r *reading) read(response *http.Response) (model.Reply, error) {
	in := bufio.NewReader(response.Body)
	inParts, err := r.model.endpoint.InParts(response, in, "Anthropic's messages")
	switch {
	case err != nil:
		return model.Reply{}, remote.Of(r.requestID, err)
	case inParts:
		return r.parts(in)
	}

	return r.whole(in, response.ContentLength)
}

// showPart reports what may be seen of one more part of the text.
func (r *reading) showPart(text string) {
	if text != "" {
		r.show(r.veil.Part(r.thoughts.Part(text)))
	}
}

// showRest reports what may be seen and was held.
func (r *reading) showRest() {
	r.show(r.veil.Part(r.thoughts.Rest()))
	r.show(r.veil.Rest())
}

// show reports what may be seen.
func (r *reading) show(text string) {
	if r.delta != nil && text != "" {
		r.delta(text)
	}
}
