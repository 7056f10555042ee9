package mcp_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/runtime/mcp"
	"github.com/agentc-dev/agentc/runtime/mcp/internal/desk/agents"
)

const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`

// post sends a message to a session, or without one, and returns the status and the session of the answer.
func post(t *testing.T, url, session, message string) (status int, begun string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		t.Fatal(err)
	}

	return response.StatusCode, response.Header.Get("Mcp-Session-Id")
}

// Thousands of sessions that are begun and not used take no more places than there are, and none of one that is in use.
func TestSessionsAreBounded(t *testing.T) {
	const most, flood = 20, 3000
	s := mcp.NewServer(mcp.Options{Program: agents.New().Program(), MaxSessions: most, InitTime: time.Hour})
	url := httpServer(t, s, nil).URL
	used := dialVersion(t, at(url, ""), nil, "2025-06-18")
	used.want("orchestrator_info", args{}, args{"ok": true}) // the reply says that notifications/initialized was read
	var begun []string
	for range flood {
		status, session := post(t, url, "", hello)
		if status != http.StatusOK || session == "" {
			t.Fatalf("status %d, session %q", status, session)
		}
		begun = append(begun, session)
		post(t, url, "", "nonsense") // begins none
	}
	live := 0
	for _, session := range begun {
		if status, _ := post(t, url, session, ping); status == http.StatusOK {
			live++
		}
	}
	if live > most-1 || live < most-2 { // a place may be kept for the last message, which begins none
		t.Errorf("%d sessions are there, want %d", live, most-1)
	}
	used.want("orchestrator_info", args{}, args{"ok": true})
}

// With all places in use a session is refused, until one ends.
func TestSessionsInUse(t *testing.T) {
	s := mcp.NewServer(mcp.Options{Program: agents.New().Program(), MaxSessions: 2})
	url := httpServer(t, s, nil).URL
	first := dialVersion(t, at(url, ""), nil, "2025-06-18")
	second := dialVersion(t, at(url, ""), nil, "2025-06-18")
	for _, c := range []*visitor{first, second} { // a reply says that notifications/initialized was read
		c.want("orchestrator_info", args{}, args{"ok": true})
	}
	if status, _ := post(t, url, "", hello); status != http.StatusServiceUnavailable {
		t.Errorf("one too many: status %d", status)
	}
	dial(t, at(url, ""), nil).want("orchestrator_info", args{}, args{"ok": true}) // the newest version has no sessions
	if err := first.session.Close(); err != nil {
		t.Fatal(err)
	}
	if status, _ := post(t, url, "", hello); status != http.StatusOK {
		t.Errorf("after one has ended: status %d", status)
	}
}

// A session that is begun and not used ends soon.
func TestSessionExpires(t *testing.T) {
	s := mcp.NewServer(mcp.Options{Program: agents.New().Program(), InitTime: time.Millisecond})
	url := httpServer(t, s, nil).URL
	_, session := post(t, url, "", hello)
	for {
		if status, _ := post(t, url, session, ping); status == http.StatusNotFound {
			return
		}
		time.Sleep(time.Millisecond)
	}
}
