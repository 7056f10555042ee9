package serve_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/servers/access"
	"github.com/agentc-dev/agentc/runtime/servers/client"
	"github.com/agentc-dev/agentc/runtime/servers/serve"
	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

const (
	adaToken = "ada-0123456789abcdef"
	bobToken = "bob-0123456789abcdef"
)

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func host(name string) func(*http.Request) {
	return func(r *http.Request) { r.Host = name }
}

// withTokens is a server that knows two people.
func withTokens(t *testing.T, o serve.Options) *visitor {
	t.Helper()
	o.Caller = lookup(t, "ada="+adaToken+" bob="+bobToken)

	return served(t, newDesk(), o)
}

// lookup finds the holders of the tokens of a text.
func lookup(t testing.TB, tokens string) access.Lookup {
	t.Helper()
	known, err := access.Parse("test", tokens)
	if err != nil {
		t.Fatal(err)
	}

	return known.Lookup
}

// Pages of a browser do not get in, not even by a name of theirs for this machine.
func TestBrowsers(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	start := args{"agent": "echo", "input": "x"}
	for name, change := range map[string]func(*http.Request){
		"another origin": header("Origin", "https://example.com"),
		"another site":   header("Sec-Fetch-Site", "cross-site"),
		"another host":   host("example.com"),
		"rebound":        host("127.0.0.1.example.com:8080"),
	} {
		reply := c.want(http.StatusForbidden, "POST", "/runs", start, change)
		if kind := reply["type"]; kind != "OriginError" && kind != "HostError" {
			t.Errorf("%s: %v", name, reply)
		}
		for _, path := range []string{"/runs", "/runs/r/events", "/health"} {
			c.want(http.StatusForbidden, "GET", path, nil, change)
		}
	}
	c.want(http.StatusOK, "GET", "/runs", nil, header("Sec-Fetch-Site", "same-origin"))
	c.want(http.StatusOK, "GET", "/runs", nil, header("Sec-Fetch-Site", "none")) // an address typed by a person
	for _, own := range []string{"localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]:8080", "127.9.9.9"} {
		c.want(http.StatusOK, "GET", "/health", nil, host(own))
	}
	response := c.send("OPTIONS", "/runs", nil, header("Origin", "https://example.com"),
		header("Access-Control-Request-Method", "POST"))
	_ = response.Body.Close()
	if response.StatusCode < 400 || response.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("OPTIONS: status %d, %v", response.StatusCode, response.Header)
	}
}

func TestTokens(t *testing.T) {
	c := withTokens(t, serve.Options{})
	c.want(http.StatusOK, "GET", "/health", nil)
	for _, token := range []string{"", "wrong-0123456789abcdef", adaToken + "x", adaToken[:len(adaToken)-1]} {
		c.token = token
		c.want(http.StatusUnauthorized, "GET", "/runs", nil)
	}
	c.token = ""
	for _, value := range []string{"Basic " + adaToken, adaToken, "Bearer", "Bearer " + adaToken + " " + bobToken} {
		response := c.send("GET", "/agents", nil, header("Authorization", value))
		_ = response.Body.Close()
		if response.StatusCode != http.StatusUnauthorized || response.Header.Get("WWW-Authenticate") != "Bearer" {
			t.Errorf("%q: status %d", value, response.StatusCode)
		}
	}
	c.token = adaToken
	c.want(http.StatusOK, "GET", "/runs", nil)
	c.want(http.StatusOK, "GET", "/runs", nil, host("desk.example.com")) // whoever has a token may call it as they like
	c.want(http.StatusForbidden, "POST", "/runs", args{"input": "x"}, header("Origin", "https://example.com"))
}

// Paths, methods and ids that nobody has are answered like everything else, and lead nowhere.
func TestHostileRequests(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	ids := []string{
		"..", ".", "%2e%2e", "..%2f..%2fetc%2fpasswd", "a%2fb", "a%00b", "%22", "'", "a%0ab", "%F0%9F%98%80", "%ff",
		strings.Repeat("a", 65), strings.Repeat("a", 5000), "a.journal", "none%20", "nul%5c..",
	}
	for _, id := range ids {
		for _, path := range []string{"", "/events", "/page"} {
			if status, reply := c.do("GET", "/runs/"+id+path, nil); status != http.StatusNotFound || reply["type"] == nil {
				t.Errorf("GET /runs/%s%s: status %d, %v", id, path, status, reply)
			}
		}
		for path, body := range map[string]any{"cancel": nil, "resume": args{}, "answers": args{"question": "q", "value": "v"},
			"signals": args{"kind": "k"}, "forks": args{"at": "1"}} {
			if status, reply := c.do("POST", "/runs/"+id+"/"+path, body); status != http.StatusNotFound {
				t.Errorf("POST /runs/%s/%s: status %d, %v", id, path, status, reply)
			}
		}
		if !strings.Contains(id, "%") { // as an id that is wanted it is no id at all
			c.want(http.StatusUnprocessableEntity, "POST", "/runs", args{"input": "", "run": id + "/"})
		}
	}
	for _, path := range []string{
		"/x", "/runs/", "//runs", "/runs//events", "/runs/a/../b", "/Runs", "/runs/a/b/c", "/openapi.yaml",
	} {
		if status, reply := c.do("GET", path, nil); status != http.StatusNotFound || reply["type"] == nil {
			t.Errorf("GET %s: status %d, %v", path, status, reply)
		}
	}
	for method, path := range map[string]string{
		"DELETE": "/runs", "PUT": "/runs/a", "GET": "/runs/a/cancel", "POST": "/health", "TRACE": "/runs",
	} {
		response := c.send(method, path, nil)
		_ = response.Body.Close()
		if response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") == "" {
			t.Errorf("%s %s: status %d, allowed is %q", method, path, response.StatusCode, response.Header.Get("Allow"))
		}
	}
	if list := c.want(http.StatusOK, "GET", "/runs", nil)["runs"].([]any); len(list) > 0 {
		t.Errorf("there are runs: %v", list)
	}
}

// A run whose process died before it was recorded is none: it is neither listed nor shown.
func TestNotBegun(t *testing.T) {
	store := journal.Memory()
	file, err := store.Create(t.Context(), "never")
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	c := served(t, newDesk(), serve.Options{Store: store})
	if list := c.want(http.StatusOK, "GET", "/runs", nil)["runs"].([]any); len(list) > 0 {
		t.Errorf("it is listed: %v", list)
	}
	if reply := c.want(http.StatusNotFound, "GET", "/runs/never", nil); reply["type"] != "NotBegunError" {
		t.Errorf("it is shown as %v", reply)
	}
	c.want(http.StatusNotFound, "POST", "/runs/never/resume", args{})
}

func TestBodies(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	for body, status := range map[string]int{
		``: 400, ` `: 400, `{`: 400, `[]`: 400, `"x"`: 400, `{"input": 1}`: 400, `{"inptu": "x"}`: 400, `{"input": "x"} {}`: 400,
		`{"input": "x", "run": "a b"}`: 422, `{"input": "x", "agent": "nobody"}`: 422, `{"input": "x", "agent": "driven"}`: 422,
		`{"input": "x", "context": {}}`: 422, `{"input": "x", "agent": "letter", "context": {}}`: 422,
		`{"input": "x", "agent": "letter", "context": 7}`: 422, `{"input": "x", "agent": "nobody", "context": {}}`: 422,
	} {
		reply := c.want(status, "POST", "/runs", body)
		if reply["type"] == "" || reply["message"] == "" || reply["type"] == "Error" {
			t.Errorf("%s: %v", body, reply)
		}
	}
	for _, form := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		c.want(http.StatusUnsupportedMediaType, "POST", "/runs", `{"input": "x"}`, header("Content-Type", form))
	}
	c.want(http.StatusCreated, "POST", "/runs", `{"input": "x"}`, header("Content-Type", "application/json; charset=utf-8"))
	large := `{"input": "` + strings.Repeat("x", 17<<20) + `"}`
	c.want(http.StatusRequestEntityTooLarge, "POST", "/runs", large)
}

// Clients that hang in the middle of a request, or do not read what they are sent, keep nobody else from anything.
func TestHangingClients(t *testing.T) {
	c := served(t, newDesk(), serve.Options{})
	run := c.start("many", strings.Repeat("a long line ", 3))
	address := strings.TrimPrefix(c.url, "http://")
	for i := range 60 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		half := "POST /runs HTTP/1.1\r\nHost: " + address + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
		switch i % 3 {
		case 0:
			half += "\r\n{\"input\":"
		case 1:
			half = "GET /runs/" + run + "/events HTTP/1.1\r\nHost: " + address + "\r\n\r\n" // and nobody reads
		}
		if _, err := fmt.Fprint(conn, half); err != nil {
			t.Fatal(err)
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 20 {
			c.wait(c.start("echo", "x"), client.Done)
		}
		c.wait(run, client.Done)
	}()
	select {
	case <-done:
	case <-time.After(30 * time.Second):
		t.Error("nobody gets through")
	}
}
