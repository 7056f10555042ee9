package anthropic_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// minds refuses requests that have one of the texts, in the words that follow it, and answers others.
func minds(pairs ...string) wiretest.Answer {
	return func(w http.ResponseWriter, r *wiretest.Request) {
		for i := 0; i < len(pairs); i += 2 {
			if strings.Contains(string(r.Body), pairs[i]) {
				anthropicwire.Refuse(400, "invalid_request_error", pairs[i+1])(w, r)
				return
			}
		}
		sayHello(w, r)
	}
}

// TestWhatAServerDoesNotKnow: it is asked once without what it says that it does not know, and never with it again; a bound that is too
// large becomes the one that it allows.
func TestWhatAServerDoesNotKnow(t *testing.T) {
	for name, c := range map[string]struct {
		answer   wiretest.Answer
		gone     string
		requests int // of two calls
		says     string
	}{
		"temperature": {minds(`"temperature"`, "`temperature` is deprecated for this model."), `"temperature"`, 3, `"output_config"`},
		"marks":       {minds("cache_control", "system.0.cache_control: Extra inputs are not permitted"), "cache_control", 3, `"temperature"`},
		"forms":       {minds("output_config", "output_config: Extra inputs are not permitted"), "output_config", 3, "Answer with JSON alone"},
		"a schema":    {minds("output_config", "output_config.format.schema: too complex"), "output_config", 3, "Answer with JSON alone"},
		"a bound": {
			minds(`"max_tokens":32000`, "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m"), "32000", 3,
			`"max_tokens":8192`,
		},
		"no room": { // for this conversation only
			minds(`"max_tokens":32000`, "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000, decrease it"), "32000", 4,
			`"max_tokens":10000`,
		},
		"all": {
			minds(`"temperature"`, "temperature: Extra inputs are not permitted", "cache_control", "cache_control: Extra inputs are not permitted",
				"output_config", "structured outputs: not supported", `"max_tokens":32000`, "max_tokens: 32000 > 4096, which is the maximum"),
			"cache_control", 6, `"max_tokens":4096`,
		},
	} {
		s := wiretest.Serve(t, c.answer)
		m := open(t, s.URL, anthropic.Options{})
		r := everything()
		r.Model.MaxTokens = nil
		for range 2 {
			if reply, err := m.Chat(t.Context(), r); err != nil || reply.Text != plain.Text {
				t.Errorf("%s: %+v, %v", name, reply, err)
			}
		}
		all := s.Requests()
		if last := string(lastRequest(t, s).Raw); len(all) != c.requests || strings.Contains(last, c.gone) || !strings.Contains(last, c.says) {
			t.Errorf("%s: %d requests, the last is %s", name, len(all), last)
		}
	}
}

// TestRefusedForAnotherReason: a server that has another reason is not asked again and again, and its reason is told.
func TestRefusedForAnotherReason(t *testing.T) {
	for says, requests := range map[string]int{
		"messages.0: Extra inputs are not permitted":  1,
		"max_tokens: 100 > 100, which is the maximum": 1,
		"max_tokens: Input should be a number":        1,
		"output_config: no":                           2,
	} {
		s := wiretest.Serve(t, anthropicwire.Refuse(400, "invalid_request_error", says))
		_, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), everything())
		if e := modelError(t, err); e.Class != model.BadRequest || len(s.Requests()) != requests || !strings.Contains(e.Message, says) {
			t.Errorf("%s: %d requests, %v", says, len(s.Requests()), err)
		}
	}

	left := 1000
	s := wiretest.Serve(t, func(w http.ResponseWriter, r *wiretest.Request) { // one that is never content
		left--
		anthropicwire.Refuse(400, "invalid_request_error", "max_tokens: 9 > "+strings.Repeat("9", left%4+1))(w, r)
	})
	if _, err := open(t, s.URL, anthropic.Options{}).Chat(t.Context(), hello()); err == nil || len(s.Requests()) > 8 {
		t.Errorf("%d requests, %v", len(s.Requests()), err)
	}
}
