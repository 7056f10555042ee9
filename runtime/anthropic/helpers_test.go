package anthropic_test

import (
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/anthropic"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// secret is the key of the tests.
const secret = "sk-ant-test-0123456789abcdef"

// env is an environment of names and values in turn.
func env(pairs ...string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1], true
			}
		}

		return "", false
	}
}

// open opens model m at a server, with the key of the tests and further variables.
func open(t testing.TB, url string, o anthropic.Options, vars ...string) model.Streamer {
	t.Helper()
	o.Env = env(append([]string{"ANTHROPIC_API_KEY", secret}, vars...)...)
	p, err := o.Open(model.Model{Name: "anthropic:m", Provider: "anthropic", ID: "m", BaseURL: url}, os.LookupEnv)
	if err != nil {
		t.Fatal(err)
	}

	return p.(model.Streamer)
}

// hello is a request of one message.
func hello() model.Request {
	return model.Request{
		Agent: "greeter", System: "Be kind.", Messages: []model.Message{{Role: model.RoleUser, Text: "Hello."}},
	}
}

// called is a request of a conversation in which tools were called, in a turn before the last and in the last.
func called() model.Request {
	r := hello()
	r.Turn = 3
	r.Tools = []model.Tool{{Name: "look", Description: "Looks."}, {Name: "read", Schema: `{"type":"object","properties":{}}`}}
	for _, id := range []string{"old", "new"} {
		r.Messages = append(r.Messages,
			model.Message{Role: model.RoleAssistant, Text: "I look.", Calls: []model.ToolCall{
				{ID: id, Name: "look", Args: `{"at": "<it>"}`}, {ID: id + "2", Name: "read"},
			}},
			model.Message{Role: model.RoleTool, CallID: id, Name: "look", Text: "seen"},
			model.Message{Role: model.RoleTool, CallID: id + "2", Name: "read", Text: "no such page", Failed: true})
	}

	return r
}

// asked is what came of a question.
type asked struct {
	reply  model.Reply
	deltas string
	err    error
}

// ask asks in parts, with a server and a model of its own.
func ask(t testing.TB, r model.Request, o anthropic.Options, answers ...wiretest.Answer) (a asked) {
	t.Helper()
	a.reply, a.err = open(t, wiretest.Serve(t, answers...).URL, o).Stream(t.Context(), r, func(text string) { a.deltas += text })

	return a
}

// modelError is the *model.Error that an error must be.
func modelError(t *testing.T, err error) *model.Error {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T: %v", err, err)
	}

	return e
}

// lastRequest is the request that a server got last, as Anthropic reads it.
func lastRequest(t *testing.T, s *wiretest.Server) *anthropicwire.Request {
	t.Helper()
	all := s.Requests()
	r, err := anthropicwire.Parse(all[len(all)-1].Body)
	if err != nil {
		t.Fatal(err)
	}

	return r
}

// sayHello is a server's plain reply, and hi its events.
var (
	plain    = model.Reply{Text: "Hello to you.", Model: "m", Usage: model.Usage{Input: 7, Output: 3}}
	sayHello = anthropicwire.Reply(plain)
	hi       = anthropicwire.Parts(plain)
)

// whole answers in one piece, whatever it was asked for.
func whole(reply model.Reply) wiretest.Answer {
	return wiretest.JSON(http.StatusOK, anthropicwire.Whole(reply))
}

// until is the text of some events, up to the last of them.
func until(n int) int { return len(anthropicwire.Stream(hi[:n]...)) }

// transport is the transport of the standard library, changed.
func transport(change func(*http.Transport)) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	change(t)

	return t
}

// has reports an error for each text that is not in another.
func has(t *testing.T, text string, wanted ...string) {
	t.Helper()
	for _, w := range wanted {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in %s", w, text)
		}
	}
}
