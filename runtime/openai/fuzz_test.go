package openai

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/internal/wiretest/chatwire"
)

// The seeds of most targets lie in testdata/fuzz.

// FuzzEvents: events are read as a slower reader reads them that splits the whole text into lines, however the bytes come in.
func FuzzEvents(f *testing.F) {
	for _, seed := range []string{
		"data: a\n\ndata: b\n\n", "data:a\r\n\r\ndata:  b\r\r", "data\n\ndata: x\ndata\ndata: y\n\n",
		": comment\n\nid: 1\nretry: 5\n\n",
		"data: {\"a\":1}", "data: [DONE]", "data: half", "\n\r\n\r", "event: x\ndata: 1\n\ndata",
		"data: \xff\x00\n\n", "datas: x\n\nDATA: y\n\n",
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, slowly bool) {
		var in io.Reader = strings.NewReader(text)
		if slowly {
			in = iotest.OneByteReader(in)
		}
		stream := &events{in: bufio.NewReader(in)}
		var got []string
		var end error
		for end == nil {
			var data []byte
			if data, end = stream.next(); end == nil {
				got = append(got, string(data))
			}
		}
		want, cut := plainEvents(text)
		if !slices.Equal(got, want) || errors.Is(end, io.ErrUnexpectedEOF) != cut {
			t.Errorf("%q:\ngot  %q, %v\nwant %q, %v", text, got, end, want, cut)
		}
	})
}

// plainEvents is what the events of a text are. cut says that the end cuts one off.
func plainEvents(text string) (events []string, cut bool) {
	lines := strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text), "\n")
	var data []string
	for i, line := range lines {
		if field, value, _ := strings.Cut(line, ":"); field == "data" {
			data = append(data, strings.TrimPrefix(value, " "))
		}
		last := i == len(lines)-1
		if data == nil || line != "" && !last {
			continue
		}
		whole := strings.Join(data, "\n")
		if last && !json.Valid([]byte(whole)) && whole != done {
			return events, true
		}
		events, data = append(events, whole), nil
	}

	return events, false
}

// FuzzReply: whatever a server sends below a status of success, whole or in parts, comes to a reply or an error of this package, and
// a reply has calls with ids that differ, text that is UTF-8, and no key.
func FuzzReply(f *testing.F) {
	f.Fuzz(func(t *testing.T, body []byte) {
		k := key{secret: "sk-0123456789", variable: "K"}
		m := &Model{name: "p:m", provider: "p", key: k}
		told := ""
		r := &runtime.ModelRequest{Messages: []runtime.Message{{Calls: []runtime.ModelCall{{ID: "old"}, {ID: "call_0_0"}}}}}
		w := watchCall(context.Background(), time.Hour)
		defer w.end()
		w.begin(time.Hour)
		reading := &reading{model: m, request: r, watch: w, delta: func(text string) { told += text }, veil: veil{key: k}}
		reply, err := reading.read(responseOf(), &limited{r: bytes.NewReader(body), left: 1 << 20, most: 1 << 20})

		if strings.Contains(told, k.secret) {
			t.Errorf("told the key: %q", told)
		}
		if err != nil {
			failed := m.failure(context.Background(), *r, err)
			var e *runtime.ModelError
			if !errors.As(failed, &e) || e.Class == "" || strings.Contains(failed.Error(), k.secret) || len(failed.Error()) > 1000 {
				t.Errorf("%T: %v", failed, failed)
			}
			return
		}
		if told != reply.Text {
			t.Errorf("told %q of %q", told, reply.Text)
		}
		checkReply(t, reply, k)
	})
}

func checkReply(t *testing.T, reply runtime.ModelReply, k key) {
	t.Helper()
	ids := map[string]bool{"old": true, "call_0_0": true}
	texts := []string{reply.Text, reply.Model, reply.StopReason}
	for _, c := range reply.Calls {
		if ids[c.ID] || c.ID == "" {
			t.Errorf("the id %q again", c.ID)
		}
		ids[c.ID] = true
		texts = append(texts, c.ID, c.Name)
	}
	for _, text := range texts {
		if !utf8.ValidString(text) || strings.Contains(text, k.secret) {
			t.Errorf("%q", text)
		}
	}
	if u := reply.Usage; u.Input < 0 || u.Output < 0 {
		t.Errorf("%+v", u)
	}
}

// FuzzScan: what the quick reader of replies reads is what encoding/json reads.
func FuzzScan(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := scanReply(text)
		if !ok {
			return
		}
		var want completion
		if err := json.Unmarshal(text, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\ngot  %+v\nwant %+v, %v", text, got, want, err)
		}
	})
}

// TestScanReadsTheUsual: the quick reader is one for what servers mostly send, or it would be quick for nothing.
func TestScanReadsTheUsual(t *testing.T) {
	reply := runtime.ModelReply{
		Text: "a \"b\" é", Calls: []runtime.ModelCall{{ID: "c", Name: "t", Args: `{"x":1}`}}, Usage: runtime.Usage{Input: 3},
	}
	for _, text := range append(chatwire.Parts(reply), chatwire.Whole(reply)) {
		if _, ok := scanReply([]byte(text)); !ok && text != done {
			t.Errorf("not %s", text)
		}
	}
}

// FuzzRefusal: whatever a server sends with an error, it comes to one short line that has no key.
func FuzzRefusal(f *testing.F) {
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		k := key{secret: "sk-0123456789"}
		response := responseOf()
		response.StatusCode = status
		refusal := refused(k, response, bytes.NewReader(body))
		text := refusal.message + refusal.code + refusal.kind + refusal.param
		if strings.Contains(text, k.secret) || strings.ContainsAny(text, "\x00\x1b\r\n") ||
			len(refusal.message) > maxMessage+3 || !utf8.ValidString(text) {
			t.Errorf("%q", text)
		}
		if refusal.class == "" || refusal.retryAfter < 0 || refusal.retryAfter > mostWait {
			t.Errorf("%+v", refusal)
		}
	})
}

// FuzzArguments: what a model wrote as arguments comes back as an object, unchanged if it is one.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{"{}", "", " {\"a\": 1}", "[1]", "{", "\xff", "{}{}", "\u2028"} {
		f.Add(seed, seed)
	}
	f.Fuzz(func(t *testing.T, args, name string) {
		made := arguments(args)
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(made), &object); err != nil || object == nil {
			t.Errorf("%q became %q: %v", args, made, err)
		}
		var was map[string]json.RawMessage
		if json.Unmarshal([]byte(args), &was) == nil && was != nil && made != args {
			t.Errorf("%q became %q", args, made)
		}
		made = callName(name)
		if made == "" || len(made) > maxName || strings.ContainsFunc(made, func(r rune) bool { return r > 'z' || !nameByte(byte(r)) }) {
			t.Errorf("%q became %q", name, made)
		}
	})
}
