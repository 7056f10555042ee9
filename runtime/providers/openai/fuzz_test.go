package openai

import (
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime/internal/providers/remote"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
)

// The seeds of the targets lie in testdata/fuzz.

// FuzzReply: whatever a server sends below a status of success, whole or in parts, comes to a reply or an error of this package, and
// a reply has calls with ids that differ, text that is UTF-8, and no key.
func FuzzReply(f *testing.F) {
	f.Fuzz(func(t *testing.T, body []byte) {
		k := remote.Key{Secret: "sk-0123456789", Variable: "K"}
		m := newClient(remote.Endpoint{Name: "p:m", Provider: "p", Key: k}, kind{}, nil)
		streamed := ""
		r := &model.Request{Messages: []model.Message{{Calls: []model.ToolCall{{ID: "old"}, {ID: "call_0_0"}}}}}
		w := remote.WatchCall(context.Background(), time.Hour)
		defer w.End()
		w.Begin(time.Hour)
		response := responseOf(w.Bound(io.NopCloser(bytes.NewReader(body)), 1<<20))
		reply, _, err := m.Read(w, r, response, func(text string) { streamed += text })

		if strings.Contains(streamed, k.Secret) {
			t.Errorf("streamed the key: %q", streamed)
		}
		if err != nil {
			failed := m.Endpoint.Failure(context.Background(), r.Agent, err)
			var e *model.Error
			if !errors.As(failed, &e) || e.Class == "" || strings.Contains(failed.Error(), k.Secret) || len(failed.Error()) > 1000 {
				t.Errorf("%T: %v", failed, failed)
			}
			return
		}
		if streamed != reply.Text && !m.Inside.Load() { // what was streamed before the thoughts had an end cannot be taken back
			t.Errorf("streamed %q of %q", streamed, reply.Text)
		}
		checkReply(t, reply, k)
	})
}

func checkReply(t *testing.T, reply model.Reply, k remote.Key) {
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
		if !utf8.ValidString(text) || strings.Contains(text, k.Secret) {
			t.Errorf("%q", text)
		}
	}
	if u := reply.Usage; u.Input < 0 || u.Output < 0 {
		t.Errorf("%+v", u)
	}
}

// FuzzRepeats: a part that is read after another is what it is alone.
func FuzzRepeats(f *testing.F) {
	f.Add([]byte(`{"choices":[{"delta":{"content":"a"}}],"obfuscation":"pad"}`), []byte(`{"choices":[{"delta":{"content":"\u00e9"}}],"obfuscation":"paddy"}`))
	f.Add([]byte(`{"choices":[{"delta":{"content":"a"}}]}`), []byte(`{"choices":[{"delta":{"content":"b\"}}]}`))
	f.Add([]byte(`{"x":"p","choices":[{"delta":{"content":""}}],"usage":null}`), []byte(`{"x":"p","choices":[{"delta":{"content":"b"}}],"usage":null}`))
	f.Add([]byte(`{"choices":[{"delta":{"content":"a"}}],"obfuscation":"p"}`), []byte(`{"choices":[{"delta":{"content":"b"}}],"obfuscation":"p\n"}`))
	f.Add([]byte(`{"choices":[{"delta":{"content":"a"}}],"n":1 }`), []byte(`{"choices":[{"delta":{"content":"b","content":"c"}}],"n":1   } `))
	f.Add([]byte(`{"choices":[{"message":{"content":"a"}}]}`), []byte(`{"choices":[{"x":"content\"content":"b"}]}`))
	for i, part := range chatwire.Parts(model.Reply{Text: "a b", Calls: []model.ToolCall{{ID: "c", Name: "t", Args: `{"x":1}`}}}) {
		f.Add([]byte(chatwire.Parts(model.Reply{Text: "a b c d e f"})[min(i, 6)]), []byte(part))
	}
	f.Fuzz(func(t *testing.T, first, second []byte) {
		decoder := newDecoder()
		_, _ = decoder.Next(first)
		for _, data := range [][]byte{second, first, second} {
			got, err := decoder.Next(data)
			want, wrong := decodeReply(data)
			if (err != nil) != (wrong != nil) || err == nil && !reflect.DeepEqual(*got, want) {
				t.Errorf("%q after %q:\ngot  %+v, %v\nwant %+v, %v", data, first, *got, err, want, wrong)
			}
		}
	})
}

// TestTheUsualRepeats: the words of a stream are found by what is around them, whatever a server adds at random behind.
func TestTheUsualRepeats(t *testing.T) {
	for _, pad := range []bool{false, true} {
		decoder, decoded := newDecoder(), 0
		decoder.Decode = func(data []byte) (completion, error) {
			decoded++

			return decodeReply(data)
		}
		for i, part := range chatwire.Parts(model.Reply{Text: "one two \"three\" vier"}) {
			if pad {
				part = strings.TrimSuffix(part, "}") + `,"obfuscation":"` + strings.Repeat("x", i) + `"}`
			}
			before := decoded
			_, _ = decoder.Next([]byte(part))
			if repeats := i >= 2 && i <= 4; repeats != (decoded == before) {
				t.Errorf("part %d was decoded: %v", i, decoded > before)
			}
		}
	}
}
