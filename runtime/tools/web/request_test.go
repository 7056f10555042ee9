package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/generated/rt"
)

// repeat answers with what it was asked.
func repeat(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	fmt.Fprintf(w, "%s %s\n", r.Method, r.URL)
	for _, name := range []string{"Accept", "Authorization", "Content-Type", "Idempotency-Key", "User-Agent", "X-A", "X-B"} {
		if values := r.Header.Values(name); values != nil {
			fmt.Fprintf(w, "%s: %s\n", name, strings.Join(values, " | "))
		}
	}
	if len(body) > 0 {
		fmt.Fprintf(w, "\n%s", body)
	}
}

func TestRequests(t *testing.T) {
	s := serve(t, repeat)
	set := open(t, Tools{Allow: []string{s.host()}})
	for _, c := range []struct{ args, want string }{
		{
			`{"url":"@/a b?q=1#top"}`,
			"GET /a%20b?q=1\nUser-Agent: agentc\n",
		},
		{
			`{"url":"@","headers":{"accept":"text/plain","User-agent":"me"}}`,
			"GET /\nAccept: text/plain\nUser-Agent: me\n",
		},
		{
			`{"url":"@","headers":[{"X-A":"1"},{"X-B":"2","X-A":"3"}]}`,
			"GET /\nUser-Agent: agentc\nX-A: 1 | 3\nX-B: 2\n",
		},
		{
			`{"url":"@","headers":[{"name":"X-A","value":"1"}]}`,
			"GET /\nUser-Agent: agentc\nX-A: 1\n",
		},
		{
			`{"url":"@","headers":null}`,
			"GET /\nUser-Agent: agentc\n",
		},
		{
			`{"url":"@","headers":{}}`,
			"GET /\nUser-Agent: agentc\n",
		},
		{
			`{"url":"@","body":"{\"a\":1}"}`,
			"POST /\nContent-Type: application/json\nUser-Agent: agentc\n\n{\"a\":1}",
		},
		{
			`{"url":"@","body":"text"}`,
			"POST /\nContent-Type: text/plain; charset=utf-8\nUser-Agent: agentc\n\ntext",
		},
		{
			`{"url":"@","body":"a=1&b=2","headers":{"content-type":"application/x-www-form-urlencoded"}}`,
			"POST /\nContent-Type: application/x-www-form-urlencoded\nUser-Agent: agentc\n\na=1&b=2",
		},
		{
			`{"url":"@","body":""}`,
			"POST /\nContent-Type: text/plain; charset=utf-8\nUser-Agent: agentc\n",
		},
	} {
		tool := "http_get"
		if strings.Contains(c.args, `"body"`) {
			tool = "http_post"
		}
		if got := run(t, set, tool, strings.ReplaceAll(c.args, "@", s.URL)); got.Text != c.want || got.Problem != "" {
			t.Errorf("%s: %q, %q", c.args, got.Text, got.Problem)
		}
	}
}

func TestHeadersAreRefused(t *testing.T) {
	s := serve(t, repeat)
	set := open(t, Tools{Allow: []string{s.host()}})
	many := map[string]string{}
	for i := range mostHeaders + 1 {
		many[fmt.Sprint("X-", i)] = "x"
	}
	manyHeaders, _ := json.Marshal(many)
	for headers, want := range map[string]string{
		`{"Host":"evil.com"}`:                  "the header Host is not yours to set",
		`{"hOST":"evil.com"}`:                  "the header Host is not yours to set",
		`[{"name":"host","value":"evil.com"}]`: "the header Host is not yours to set",
		`{"Content-Length":"1"}`:               "the header Content-Length is not yours to set",
		`{"transfer-encoding":"chunked"}`:      "the header Transfer-Encoding is not yours to set",
		`{"Connection":"upgrade"}`:             "the header Connection is not yours to set",
		`{"Accept-Encoding":"br"}`:             "the header Accept-Encoding is not yours to set",
		`{"X-A":"1\r\nX-Evil: 2"}`:             "the value of header X-A has a line break or another control character",
		`{"X-A":"1\u0000"}`:                    "the value of header X-A has a line break or another control character",
		`{"X-A: 1\r\nX-Evil":"2"}`:             `"X-A: 1\r\nX-Evil" is not the name of a header`,
		`{"Ho st":"x"}`:                        `"Ho st" is not the name of a header`,
		`{"":"x"}`:                             `"" is not the name of a header`,
		`{"X-Ü":"x"}`:                          `"X-Ü" is not the name of a header`,
		`{"X-A":1}`:                            errHeaders.Error(),
		`{"X-A":["1"]}`:                        errHeaders.Error(),
		`"X-A: 1"`:                             errHeaders.Error(),
		`["X-A: 1"]`:                           errHeaders.Error(),
		`7`:                                    errHeaders.Error(),
		string(manyHeaders):                    "a request may have 64 headers",
		`{"X-A":"` + strings.Repeat("x", longestHeaders) + `"}`: "the headers of a request may have 32768 bytes",
	} {
		if got := run(t, set, "http_get", `{"url":"`+s.URL+`","headers":`+headers+`}`); got.Problem != want || got.Text != "" {
			t.Errorf("%.60s: %+v", headers, got)
		}
	}
	if n := s.requests.Load(); n != 0 {
		t.Errorf("%d requests came", n)
	}
}

func TestBodyIsBounded(t *testing.T) {
	s := serve(t, repeat)
	set := open(t, Tools{Allow: []string{s.host()}, MaxSize: 100})
	got := run(t, set, "http_post", `{"url":"`+s.URL+`","body":"`+strings.Repeat("x", 101)+`"}`)
	if want := "the body is too large: it has 101 bytes, and may have 100"; got.Problem != want || s.requests.Load() != 0 {
		t.Errorf("%+v, %d requests", got, s.requests.Load())
	}
}

func getCall(url string) runtime.ToolCall {
	return runtime.ToolCall{Tool: rt.Builtin("http_get"), Args: json.RawMessage(`{"url":"` + url + `"}`)}
}

func TestIdempotencyKey(t *testing.T) {
	s := serve(t, repeat)
	set := open(t, Tools{Allow: []string{s.host()}})
	info := runtime.CallInfo{Run: "r1", Address: "7.0.1"}
	ctx := runtime.WithCall(context.Background(), func() runtime.CallInfo { return info })
	for args, want := range map[string]string{
		`{"url":"` + s.URL + `","body":"x"}`:                                      "Idempotency-Key: r1/7.0.1\n",
		`{"url":"` + s.URL + `","body":"x","headers":{"idempotency-key":"mine"}}`: "Idempotency-Key: mine\n",
	} {
		got, _, err := set.Run(ctx, runtime.ToolCall{Tool: rt.Builtin("http_post"), Args: json.RawMessage(args)})
		if err != nil || !strings.Contains(got.Text, want) {
			t.Errorf("%+v, %v", got, err)
		}
	}
	got, _, err := set.Run(ctx, getCall(s.URL))
	if err != nil || strings.Contains(got.Text, "Idempotency") {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestTraceparent: a server learns where in a trace it is asked, unless the model says otherwise or nobody traces.
func TestTraceparent(t *testing.T) {
	const here, other = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-1-2-00"
	s := serve(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprintf(w, "%q", r.Header["Traceparent"]) })
	set := open(t, Tools{Allow: []string{s.host()}})
	for _, test := range []struct{ header, args, want string }{
		{here, `{"url":"` + s.URL + `"}`, `["` + here + `"]`},
		{here, `{"url":"` + s.URL + `","headers":{"traceparent":"` + other + `"}}`, `["` + other + `"]`},
		{"", `{"url":"` + s.URL + `"}`, `[]`},
	} {
		info := runtime.CallInfo{Run: "r1", Address: "1", Traceparent: test.header}
		ctx := runtime.WithCall(context.Background(), func() runtime.CallInfo { return info })
		got, _, err := set.Run(ctx, runtime.ToolCall{Tool: rt.Builtin("http_get"), Args: json.RawMessage(test.args)})
		if err != nil || got.Text != test.want {
			t.Errorf("%q: %+v, %v", test.want, got, err)
		}
	}
}

func TestCancel(t *testing.T) {
	asked := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
	})
	set := open(t, Tools{Allow: []string{s.host()}})
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		<-asked
		cancel(stopped)
	}()
	got, ok, err := set.Run(ctx, getCall(s.URL))
	if !ok || !errors.Is(err, stopped) || got != (runtime.ToolResult{}) {
		t.Errorf("%+v, %v, %v", got, ok, err)
	}
}

func TestTimeout(t *testing.T) {
	release := make(chan struct{})
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/drip": // a byte now and then, for as long as somebody reads
			for {
				if _, err := w.Write([]byte("x")); err != nil {
					return
				}
				w.(http.Flusher).Flush()
				select {
				case <-release:
					return
				case <-time.After(time.Millisecond):
				}
			}
		case "/round":
			select {
			case <-release:
			case <-time.After(20 * time.Millisecond):
			}
			http.Redirect(w, r, "/drip", http.StatusFound)
		default:
			<-release
		}
	})
	t.Cleanup(func() { close(release) }) // before the server waits for its requests
	set := open(t, Tools{Allow: []string{s.host()}, Timeout: 100 * time.Millisecond})
	for _, path := range []string{"/", "/drip", "/round"} {
		if got := get(t, set, s.URL+path); got.Problem != "127.0.0.1 has not answered within 100ms" {
			t.Errorf("%s: %+v", path, got)
		}
	}
}

func TestNoProxy(t *testing.T) {
	c := newClient(hosts{}, nil, true)
	if c.Transport.(*http.Transport).Proxy != nil {
		t.Error("a proxy would dial instead of us")
	}
}
