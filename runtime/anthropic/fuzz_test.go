package anthropic

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/anthropicwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// responseOf is a response with a body.
func responseOf(body io.Reader) *http.Response {
	return &http.Response{
		StatusCode: 200, Header: http.Header{}, ContentLength: -1, Body: io.NopCloser(body),
		Request: &http.Request{URL: &url.URL{Scheme: "http", Host: "localhost"}},
	}
}

// mostRead bounds a reply of the tests, in bytes.
const mostRead = 1 << 20

// read reads what a server sends below a status of success.
func read(body []byte, streamed *strings.Builder) (model.Reply, *remote.Client, error) {
	m := newClient(remote.Endpoint{Name: "p:m", Provider: "p", Key: remote.Key{Secret: "sk-0123456789", Variable: "K"}}, thinking{}, false)
	r := &model.Request{Messages: []model.Message{{Calls: []model.ToolCall{{ID: "old"}, {ID: "call_0_0"}}}}}
	w := remote.WatchCall(context.Background(), time.Hour)
	defer w.End()
	w.Begin(time.Hour)
	response := responseOf(w.Bound(io.NopCloser(bytes.NewReader(body)), mostRead))
	reply, _, err := m.Read(w, r, response, func(text string) { streamed.WriteString(text) })

	return reply, m, err
}

// seeds are replies as servers send them; more lie in testdata/fuzz.
func seeds() (all []string) {
	for _, reply := range []model.Reply{
		{Text: "Hello \"you\" é", Usage: model.Usage{Input: 9, Output: 3, Cached: 4, Stored: 2}},
		{
			Carry: `{"type":"thinking","thinking":"hm","signature":"c2ln"}`, Text: "sk-0123456789", StopReason: "max_tokens",
			Calls: []model.ToolCall{{ID: "old", Name: "t", Args: `{"x":1}`}, {ID: "old", Name: "u", Args: "{}"}},
		},
	} {
		all = append(all, anthropicwire.Whole(reply), anthropicwire.Stream(anthropicwire.Parts(reply)...))
	}

	all = append(all, `{"type":"message","content":[{"type":"`+"\xff"+`"},{"type":"tool_use","id":"a","name":"t","input":{"x":"`+"\xff"+`"}}]}`)

	return append(all, anthropicwire.Failure("overloaded_error", "Overloaded"), "event: error\ndata: "+anthropicwire.Failure("api_error", "x")+"\n\n")
}

// FuzzReply: whatever a server sends below a status of success, whole or in parts, comes to a reply or an error of this package, and
// a reply has calls with ids that differ, text that is UTF-8, no key, and can be sent back.
func FuzzReply(f *testing.F) {
	for _, seed := range seeds() {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var streamed strings.Builder
		reply, m, err := read(body, &streamed)
		key := m.Endpoint.Key.Secret
		if strings.Contains(streamed.String(), key) {
			t.Errorf("streamed the key: %q", streamed.String())
		}
		if err != nil {
			failed := m.Endpoint.Failure(context.Background(), "a", err)
			var e *model.Error
			if !errors.As(failed, &e) || e.Class == "" || strings.Contains(failed.Error(), key) || len(failed.Error()) > 1000 {
				t.Errorf("%T: %v", failed, failed)
			}
			return
		}
		if len(streamed.String()) != len(reply.Text) && !m.Inside.Load() { // before the end of the thoughts they were streamed
			t.Errorf("streamed %q of %q", streamed.String(), reply.Text)
		}
		checkReply(t, reply, key)
		back := m.Format.Encode(&model.Request{Messages: []model.Message{
			{Role: model.RoleAssistant, Text: reply.Text, Calls: reply.Calls, Carry: reply.Carry},
		}}, remote.Lacking{}, true)
		if !json.Valid(back) {
			t.Errorf("%q goes back as %q", body, back)
		}
	})
}

func checkReply(t *testing.T, reply model.Reply, key string) {
	t.Helper()
	ids := map[string]bool{"old": true, "call_0_0": true}
	texts := []string{reply.Text, reply.Model, reply.StopReason, reply.Carry}
	for _, c := range reply.Calls {
		if ids[c.ID] || c.ID == "" {
			t.Errorf("the id %q again", c.ID)
		}
		ids[c.ID] = true
		texts = append(texts, c.ID, c.Name, c.Args)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.Contains(text, key) {
			t.Errorf("%q", text)
		}
	}
	if u := reply.Usage; u.Input < u.Cached+u.Stored || u.Output < 0 || u.Cached < 0 || u.Stored < 0 {
		t.Errorf("%+v", u)
	}
}

// FuzzRepeats: an event that is read after another is what it is alone.
func FuzzRepeats(f *testing.F) {
	for _, data := range anthropicwire.Parts(model.Reply{Text: "a \"b\" \\ é", Calls: []model.ToolCall{{Args: `{"x":"\u00e9"}`}}}) {
		f.Add([]byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}`), []byte(data))
	}
	const thought = `{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"\ud800"} } `
	f.Add([]byte(thought), []byte(strings.Replace(thought, `\ud800`, "x", 1)+" "))
	f.Add([]byte(`{"type":"content_block_start","content_block":{"type":"text","text":""}}`), []byte(`{"type":"ping","text":"a"}`))
	f.Fuzz(func(t *testing.T, first, second []byte) {
		decoder := newDecoder()
		_, _ = decoder.Next(first)
		for _, data := range [][]byte{second, first, second} {
			got, err := decoder.Next(data)
			want, wrong := decodeEvent(data)
			if (err != nil) != (wrong != nil) || err == nil && !reflect.DeepEqual(*got, want) {
				t.Errorf("%q after %q:\ngot  %+v, %v\nwant %+v, %v", data, first, *got, err, want, wrong)
			}
		}
	})
}

// TestTheUsualRepeats: the words of a stream are found by what is around them, whatever white space a server adds at random.
func TestTheUsualRepeats(t *testing.T) {
	decoder, decoded := newDecoder(), 0
	decoder.Decode = func(data []byte) (event, error) {
		decoded++

		return decodeEvent(data)
	}
	for i, space := range []string{"", "  ", "       "} {
		_, err := decoder.Next([]byte(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a` + space + `"}` + space + `}`))
		if err != nil || decoded != 1 {
			t.Errorf("event %d: decoded %d, %v", i, decoded, err)
		}
	}
}

// TestEventsOneByOne: a reader that gets single bytes reads the same.
func TestEventsOneByOne(t *testing.T) {
	for _, seed := range seeds() {
		var streamed strings.Builder
		want, _, _ := read([]byte(seed), &streamed)
		m := newClient(remote.Endpoint{Name: "p:m", Provider: "p", Key: remote.Key{Secret: "sk-0123456789", Variable: "K"}}, thinking{}, false)
		w := remote.WatchCall(context.Background(), time.Hour)
		w.Begin(time.Hour)
		response := responseOf(bufio.NewReaderSize(&single{[]byte(seed)}, 16))
		r := &model.Request{Messages: []model.Message{{Calls: []model.ToolCall{{ID: "old"}, {ID: "call_0_0"}}}}}
		if got, _, _ := m.Read(w, r, response, nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\ngot  %+v\nwant %+v", seed, got, want)
		}
		w.End()
	}
}

type single struct{ rest []byte }

func (s *single) Read(p []byte) (int, error) {
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:1], s.rest)
	s.rest = s.rest[n:]

	return n, nil
}
