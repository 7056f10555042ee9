package client_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime"
	"github.com/agentc-dev/agentc/runtime/mcp/client"
)

// older is a server of an older version of the protocol, which knows nothing of server/discover, as programs of several SDKs are.
// It reports whether it is one of a kind.
func older(kind string) bool {
	discovered := func(string) string { return refusal }
	numbered := func(id string) string { return id }
	switch kind {
	case "older, silent": // and hears nothing after that either
		discovered = func(string) string { select {} }
	case "older, exits":
		discovered = func(string) string { fmt.Fprintln(os.Stderr, "unknown method"); os.Exit(1); return "" }
	case "older, ends":
		discovered = func(string) string { os.Exit(0); return "" }
	case "older, marked":
		fmt.Print("\ufeff")
	case "older, text ids":
		numbered = strconv.Quote
	case "newer, slow":
		discovered = func(string) string {
			time.Sleep(300 * time.Millisecond)
			return `"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
		}
	default:
		return false
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		method, id := requestOf(in.Bytes())
		reply := ""
		switch method {
		case "server/discover":
			reply = discovered(id)
		case "initialize":
			reply = `"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"desk","version":"1"}}`
			if kind == "newer, slow" {
				reply = refusal
			}
		case "tools/list":
			reply = `"result":` + oneTool
		case "tools/call":
			reply = `"result":` + good
		}
		if id != "" && reply != "" {
			fmt.Printf("{\"jsonrpc\":\"2.0\",\"id\":%s,%s}\n", numbered(id), reply)
		}
	}

	return true
}

const refusal = `"error":{"code":-32601,"message":"there is no such method"}`

// A server that says nothing at server/discover, or ends, is started again and greeted with initialize. What it speaks is pinned: then
// it is greeted so at once.
func TestOlderServers(t *testing.T) {
	patience := *client.FirstAnswerTime
	t.Cleanup(func() { *client.FirstAnswerTime = patience })
	for kind, protocol := range map[string]string{
		"older, silent": "2024-11-05", "older, exits": "2024-11-05", "older, ends": "2024-11-05",
		"older, marked": "2024-11-05", "older, text ids": "2024-11-05", "newer, slow": "2026-07-28",
	} {
		t.Run(kind, func(t *testing.T) {
			*client.FirstAnswerTime = 200 * time.Millisecond
			s := pinned(t, own(t, kind))
			if s.Protocol != protocol || len(s.Tools) != 1 {
				t.Fatalf("it is pinned as %+v", s)
			}
			*client.FirstAnswerTime = time.Hour
			begun := time.Now()
			if got := use(t, s)("look", "{}"); got.Text != "seen" || time.Since(begun) > time.Minute {
				t.Errorf("%+v, after %v", got, time.Since(begun))
			}
		})
	}
}

// A server that says nothing at all is started twice, and not waited for any longer than one that is greeted once.
func TestSilentServers(t *testing.T) {
	patience := *client.FirstAnswerTime
	t.Cleanup(func() { *client.FirstAnswerTime = patience })
	*client.FirstAnswerTime = 2 * time.Second // time for the first process to name itself
	s, file := unanswering(t, "silent")
	interrupted(t, s, func() {
		first := processOf(t, file)
		for processOf(t, file) == first {
			time.Sleep(time.Millisecond)
		}
	})
	gone(processOf(t, file))
	missing := client.Server{Name: "desk", URL: "http://127.0.0.1:1/mcp"}
	if _, err := client.Ask(t.Context(), missing, os.LookupEnv); runtime.ErrorType(err) != "StartError" {
		t.Errorf("an address where nothing is: %v", err)
	}
}

// An address of an older version answers server/discover with nothing at all: with an empty body, or never.
func TestOlderAddresses(t *testing.T) {
	patience := *client.FirstAnswerTime
	t.Cleanup(func() { *client.FirstAnswerTime = patience })
	*client.FirstAnswerTime = 200 * time.Millisecond
	discovered := map[string]http.HandlerFunc{
		"202":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) },
		"204":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"200":     func(http.ResponseWriter, *http.Request) {},
		"nothing": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	}
	for name, discover := range discovered {
		t.Run(name, func(t *testing.T) {
			c := &crafted{call: func(w http.ResponseWriter, id, _ string) { answer(w, id, good) }}
			web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if method, _ := requestOf(body); method == "server/discover" {
					w.Header().Set("Content-Type", "application/json")
					discover(w, r)
					return
				}
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				c.ServeHTTP(w, r)
			}))
			t.Cleanup(web.Close)
			c.list = oneTool
			s := pinned(t, client.Server{Name: "desk", URL: web.URL})
			if s.Protocol != "2025-06-18" {
				t.Errorf("it is pinned as %+v", s)
			}
			if got := use(t, s)("look", "{}"); got.Text != "seen" {
				t.Errorf("%+v", got)
			}
		})
	}
}
