package main

import (
	"bufio"
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const token = "0123456789abcdef-lead"

// bearer sends the token with every request.
type bearer struct{}

func (bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+token)

	return http.DefaultTransport.RoundTrip(r)
}

// Over HTTP who calls is who has the token.
func TestHTTP(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(tokens, []byte("# the office\nlead="+token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := served(t, t.TempDir(), "--http", "127.0.0.1:0", "--tokens", tokens)
	cmd.Stderr = nil
	told, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(told).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(line), " at ")
	c := dial(t, &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer{}}})
	if got := c.fire("lead", "delivery", "check"); got != "checking" {
		t.Errorf("check leads to %s", got)
	}
	if got := c.fire("scout", "delivery", "accept"); got != "IdentityError" {
		t.Errorf("accept by somebody else leads to %s", got)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("after an interrupt the server says %v", err)
	}
}

// Without a credential the server does not listen where other machines reach it.
func TestOpenDoor(t *testing.T) {
	cmd := served(t, "none", "--http", ":0")
	var told bytes.Buffer
	cmd.Stderr = &told
	if err := cmd.Run(); err == nil || !strings.Contains(told.String(), "can be reached from other machines: name who may call with --tokens") {
		t.Errorf("it says %s, and ends with %v", &told, err)
	}
}
