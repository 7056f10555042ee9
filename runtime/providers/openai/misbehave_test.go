package openai_test

import (
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest"
	"github.com/agentc-dev/agentc/runtime/internal/testing/wiretest/chatwire"
	"github.com/agentc-dev/agentc/runtime/model"
	"github.com/agentc-dev/agentc/runtime/providers/openai"
)

// hi is a reply in parts of which there are a few.
var hi = chatwire.Parts(model.Reply{Text: "one two three", Usage: model.Usage{Input: 3, Output: 3}})

// bytesOf are how many bytes events with this data have.
func bytesOf(data []string) int {
	n := 0
	for _, d := range data {
		n += len("data: \n\n") + len(d)
	}

	return n
}

// failing is a server and what comes of asking it.
type failing struct {
	name   string
	answer wiretest.Answer
	class  model.Class
	status int
	says   string
}

// check asks each server whole and in parts, and holds what comes of it, which must be a *model.Error, against the case.
func check(t *testing.T, cases []failing) {
	t.Helper()
	for _, c := range cases {
		o := openai.Options{Timeout: 300 * time.Millisecond, Idle: 100 * time.Millisecond, MaxReply: 1 << 20}
		if !strings.Contains(c.says, "sent nothing") && c.class == model.Timeout {
			o.Idle = time.Minute
		}
		if c.class != model.Timeout && !strings.HasPrefix(c.name, "a slow") {
			o = openai.Options{MaxReply: 1 << 20}
		}
		for way, got := range both(t, hello(), o, c.answer) {
			name := c.name + ", " + way
			if got.err == nil {
				t.Errorf("%s: no error, but %+v", name, got.reply)
				continue
			}
			e := modelError(t, got.err)
			if e.Class != c.class || e.Status != c.status || e.Model != "openai:m" || e.Agent != "greeter" {
				t.Errorf("%s: class %q, status %d: %v", name, e.Class, e.Status, e)
			}
			if text := e.Error(); !strings.Contains(text, c.says) || len(text) > 1000 || strings.ContainsAny(text, "\n\x1b\u202e") {
				t.Errorf("%s: %.2000q does not say %q", name, text, c.says)
			}
		}
	}
}

// TestConnectionsThatBreak: a connection that breaks, or leads nowhere, is a failure of the network.
func TestConnectionsThatBreak(t *testing.T) {
	check(t, []failing{
		{"closes at once", wiretest.Cut(sayHello, 0), model.Network, 0, ""},
		{"no HTTP", wiretest.Raw("SSH-2.0-OpenSSH_9.6\r\n"), model.Network, 0, "malformed HTTP"},
		{"nothing", wiretest.Raw(""), model.Network, 0, "the connection was closed"},
		{"half a header", wiretest.Raw("HTTP/1.1 200 OK\r\nContent-Ty"), model.Network, 0, ""},
		{
			"a header without end", wiretest.Raw("HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 1<<20)), model.Network, 0,
			"",
		},
		{"mute", wiretest.Mute(), model.Timeout, 0, "the call took longer than 300ms"},
	})
}

// TestRepliesThatAreCutOff: a reply whose end is missing is a failure of the network, and never a shorter reply.
func TestRepliesThatAreCutOff(t *testing.T) {
	whole := chatwire.Whole(model.Reply{Text: "Hello to you."})
	check(t, []failing{
		{"half a reply", wiretest.Cut(wiretest.JSON(200, whole), len(whole)/2), model.Network, 0, "cut off"},
		{"half JSON", wiretest.JSON(200, whole[:len(whole)/2]), model.Network, 0, "cut off"},
		{"less than it says", wiretest.Lying("application/json", whole, len(whole)+9), model.Network, 0, "cut off"},
		{"a stream that breaks", wiretest.Cut(wiretest.Events(hi...), bytesOf(hi[:2])), model.Network, 0, "cut off"},
		{
			"a stream that breaks in an event", wiretest.Cut(wiretest.Events(hi...), bytesOf(hi[:2])+40), model.Network,
			0, "cut off",
		},
		{"a stream that ends early", wiretest.Events(hi[:3]...), model.Network, 0, "cut off"},
		{
			"a stream that ends in an event", wiretest.Tail(wiretest.Events(hi[:3]...), `data: {"choices":[{"del`),
			model.Network, 0, "cut off",
		},
	})
}

// TestRepliesThatAreNone: what is no reply is said to be none.
func TestRepliesThatAreNone(t *testing.T) {
	whole := chatwire.Whole(model.Reply{Text: "Hello to you."})
	check(t, []failing{
		{"empty", wiretest.JSON(200, ""), model.Server, 0, "the reply is empty"},
		{"only white space", wiretest.JSON(200, " \r\n\t "), model.Server, 0, "the reply is empty"},
		{"a page", wiretest.Page(200, "Welcome\nto nginx"), model.Server, 0, `a page with the title "Welcome to nginx"`},
		{"plain text", wiretest.Body(200, "text/plain", "OK"), model.Server, 0, `"text/plain": OK`},
		{"a picture", wiretest.Body(200, "image/png", "\x89PNG\r\n\x1a\n\x00\x1b[2J"), model.Server, 0, "image/png"},
		{"no choices", wiretest.JSON(200, `{"id":"x","choices":[]}`), model.Server, 0, "no choices"},
		{"choices that are null", wiretest.JSON(200, `{"id":"x","choices":null}`), model.Server, 0, "no choices"},
		{"an empty object", wiretest.JSON(200, `{}`), model.Server, 0, "no choices"},
		{"no choices in parts", wiretest.Events(`{"choices":[]}`, "[DONE]"), model.Server, 0, "no choices"},
		{"done at once", wiretest.Events("[DONE]"), model.Server, 0, "no choices"},
		{"an empty list", wiretest.JSON(200, `[]`), model.Server, 0, "cannot be read"},
		{
			"broken JSON", wiretest.JSON(200, `{"choices":[{"message":{"content":"x"},}]}`), model.Server, 0,
			"cannot be read",
		},
		{"JSON of another form", wiretest.JSON(200, `{"choices":"none"}`), model.Server, 0, "cannot be read"},
		{
			"calls of another form", wiretest.JSON(200, `{"choices":[{"message":{"tool_calls":{"id":"x"}}}]}`),
			model.Server, 0, "cannot be read",
		},
		{"JSON without end", wiretest.JSON(200, strings.Repeat(`{"choices":[`, 20000)), model.Server, 0, "cannot be read"},
		{"broken JSON in a part", wiretest.Events(hi[0], `{"choices":[}`, "[DONE]"), model.Server, 0, "cannot be read"},
		{"two replies", wiretest.JSON(200, whole+whole), model.Server, 0, "cannot be read"},
	})
}

// TestRepliesThatAreTooLarge: a reply that is larger than the limit is an error, and is not asked for again.
func TestRepliesThatAreTooLarge(t *testing.T) {
	whole := chatwire.Whole(model.Reply{Text: "Hello to you."})
	check(t, []failing{
		{
			"more than the limit", wiretest.Flood(200, "application/json", `{"pad":"`, `"}`, 2<<20), model.Other, 0,
			"larger than 1048576 bytes",
		},
		{
			"says more than the limit", wiretest.Lying("application/json", whole, 100<<20), model.Other, 0,
			"larger than 1048576 bytes",
		},
		{
			"an event without end", wiretest.Flood(200, "text/event-stream", `data: {"pad":"`, ``, 2<<20), model.Other, 0,
			"larger than",
		},
		{
			"comments without end", wiretest.Body(200, "text/event-stream", strings.Repeat(": wait\n\n", 1<<18)),
			model.Other, 0, "larger than",
		},
		{
			"calls without end",
			wiretest.JSON(200, `{"choices":[{"message":{"tool_calls":[`+strings.Repeat(`{"id":"a"},`, 1001)+`{}]}}]}`),
			model.Other, 0, "more than 1000 tools",
		},
	})
}

// TestRepliesThatTakeTooLong: a call ends after its time, and a reply after a silence.
func TestRepliesThatTakeTooLong(t *testing.T) {
	whole := chatwire.Whole(model.Reply{Text: "Hello to you."})
	check(t, []failing{
		{"silence in a reply", wiretest.Stall(wiretest.JSON(200, whole), 30), model.Timeout, 0, "sent nothing for 100ms"},
		{
			"silence in a stream", wiretest.Stall(wiretest.Events(hi...), bytesOf(hi[:2])), model.Timeout, 0,
			"sent nothing for 100ms",
		},
		{
			"a slow drip", wiretest.Drip(wiretest.JSON(200, whole), 1, 20*time.Millisecond), model.Timeout, 0,
			"took longer than 300ms",
		},
		{
			"a slow stream", wiretest.Drip(wiretest.Events(hi...), 3, 20*time.Millisecond), model.Timeout, 0,
			"took longer than 300ms",
		},
		{
			"a slow error", wiretest.Drip(wiretest.JSON(500, strings.Repeat(" ", 9000)), 1, 20*time.Millisecond),
			model.Server, 500, "",
		},
	})
}

// TestPartsKeepACallAlive: a reply may take longer than the longest silence, as long as some of it comes.
func TestPartsKeepACallAlive(t *testing.T) {
	const idle, every = time.Second, 100 * time.Millisecond
	size := bytesOf(hi) * int(every) / int(idle+idle/2) // so that it takes half as long again as a silence may
	s := wiretest.Serve(t, wiretest.Drip(wiretest.Events(hi...), size, every))
	reply, err := open(t, s, openai.Options{Idle: idle}).Chat(t.Context(), hello())
	if err != nil || reply.Text != "one two three" {
		t.Errorf("%+v, %v", reply, err)
	}
}

// TestHundredMegabytes: a reply of 100 MB is an error with the limits that everybody has, and so is one whose length is said.
func TestHundredMegabytes(t *testing.T) {
	const size = 100 << 20
	for name, answer := range map[string]wiretest.Answer{
		"whole":    wiretest.Flood(200, "application/json", `{"choices":[{"message":{"content":"`, `"}}]}`, size),
		"a stream": wiretest.Flood(200, "text/event-stream", "data: {}\n\n:", "\n\ndata: [DONE]\n\n", size),
	} {
		_, err := open(t, wiretest.Serve(t, answer), openai.Options{}).Chat(t.Context(), hello())
		if e := modelError(t, err); e.Class != model.Other || e.Retryable() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNobodyAnswers: a server that is not there is said to be not there.
func TestNobodyAnswers(t *testing.T) {
	s := wiretest.Serve(t, sayHello)
	s.Close()
	_, err := open(t, s, openai.Options{}).Chat(t.Context(), hello())
	if e := modelError(t, err); e.Class != model.Network {
		t.Error(e.Class)
	}
	has(t, err.Error(), "no server answers at "+s.URL+"/v1/chat/completions", "is the server running?")

	_, err = openAs(t, "openai", "m", "http://no-such-host.invalid/v1?token=hidden", openai.Options{}).Chat(t.Context(), hello())
	if e := modelError(t, err); e.Class != model.Network || strings.Contains(e.Error(), "hidden") {
		t.Error(e.Class, e)
	}
	has(t, err.Error(), "no-such-host.invalid")
}

// TestMemoryOfAReply: a reply without an end is refused at its bound, and takes not much more memory than that on its way.
func TestMemoryOfAReply(t *testing.T) {
	const bound = 8 << 20
	word := strings.Repeat("x", 4000)
	part := `{"choices":[{"index":0,"delta":{"content":"` + word + `"}}]}`
	call := `{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"t","arguments":"` + word + `"}}]}}]}`
	for name, answer := range map[string]wiretest.Answer{
		"text":  wiretest.Events(slices.Repeat([]string{part}, 2*bound/len(part))...),
		"calls": wiretest.Events(slices.Repeat([]string{call}, 2*bound/len(call))...),
		"whole": wiretest.JSON(200, `{"choices":[{"message":{"content":"`+strings.Repeat(word, 2*bound/len(word))+`"}}]}`),
	} {
		m := open(t, wiretest.Serve(t, answer), openai.Options{})
		most := watchHeap(func() {
			_, err := m.Stream(t.Context(), hello(), func(string) {})
			has(t, modelError(t, err).Message, "larger than 8388608 bytes")
		})
		if most > 2*bound {
			t.Errorf("%s: %d bytes at most", name, most)
		}
	}
}

// watchHeap returns by how much what is in use of the heap grows at most while f runs. Garbage is collected at once.
func watchHeap(f func()) int {
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	done := make(chan struct{})
	var before, now goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&before)
	go func() {
		defer close(done)
		f()
	}()
	most := uint64(0)
	for {
		select {
		case <-done:
			return int(most)
		default:
			goruntime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc-min(now.HeapAlloc, before.HeapAlloc))
			time.Sleep(time.Millisecond)
		}
	}
}
