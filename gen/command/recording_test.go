package command

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// poet is a project whose model is one of a server, at the address ADDRESS.
const poet = `
-- agentc.yaml --
entrypoint: poet
models: {default: {name: "openai:small", base_url: "ADDRESS"}, worker: {name: "openai:small", base_url: "ADDRESS"}}
-- agents/poet/AGENT.md --
---
name: poet
description: Writes.
version: "1"
pattern: oneshot
---

Write a poem.
`

// A run with a real server is recorded: without its key, and so that it can be played when the
// server is gone, by --replay and as a model.
func TestRecordedServer(t *testing.T) {
	const key = "sk-a-very-secret-key-0123456789"
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		if r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model": "small-1", "usage": map[string]int{"prompt_tokens": 7, "completion_tokens": 3},
			"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": "Roses, " + key}}},
		})
	}))
	defer server.Close()
	dir := t.TempDir()
	unpack(t, dir, strings.ReplaceAll(poet, "ADDRESS", server.URL+"/v1"))
	t.Setenv("OPENAI_API_KEY", key)
	t.Setenv("AGENTC_STORE", "")

	agentc(dir, "", "run", "--record", "run.jsonl", "of love").want(t, cli.Done, "Roses, ")
	recorded, err := os.ReadFile(filepath.Join(dir, "run.jsonl"))
	if err != nil || strings.Contains(string(recorded), key) || !strings.Contains(string(recorded), `"reply":{"text":"Roses, `) ||
		!strings.Contains(string(recorded), `"model":"openai:small"`) {
		t.Fatalf("%v %s", err, recorded)
	}
	if calls.Load() != 1 {
		t.Errorf("the server was asked %d times", calls.Load())
	}

	server.Close()
	t.Setenv("OPENAI_API_KEY", "")
	const played = "Roses, "
	agentc(dir, "", "run", "--replay", "run.jsonl", "of love").want(t, cli.Done, played)
	t.Setenv("AGENTC_MODEL_WORKER_NAME", "replay:run.jsonl")
	t.Setenv("AGENTC_MODEL_DEFAULT_NAME", "replay:run.jsonl")
	agentc(dir, "", "run", "of love").want(t, cli.Done, played)
	agentc(dir, "", "runs", "export", "last", "-o", "again.jsonl").want(t, cli.Done, "", "is recorded in again.jsonl")
	agentc(dir, "", "run", "--replay", "again.jsonl", "of love").want(t, cli.Done, played)
	agentc(dir, "", "run", "of war").want(t, cli.Problem, "", "run.jsonl has no reply to what agent \"poet\" asks", "-of love\n+of war")
}
