package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agentc-dev/agentc/gen/internal/lockfile"
	"github.com/agentc-dev/agentc/runtime/cli"
)

// served is a project whose server is a script that behaves as DESK_MODE says, and what is pinned
// of that.
func served(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the server is a shell script")
	}
	dir := unpack(t, t.TempDir(), strings.Replace(withServer("sh", "serve.sh"), "tools: [agent_draft]", "env: [DESK_MODE, DESK_TOKEN]", 1), `
-- agentc.yaml --
models: {default: "openrouter:small"}
providers: {openrouter: {base_url: "https://models.example.org/v1"}}
-- serve.sh --
case $DESK_MODE in
hang) sleep 60 ;;
leak) echo "the token $DESK_TOKEN is wrong" >&2; exit 1 ;;
esac
id=1
while read -r line; do
  case $line in
  *notifications/*) continue ;;
  *initialize*) result='"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"desk","version":"1"}' ;;
  *) result='"tools":[{"name":"agent_draft","description":"'"$DESK_MODE"'","inputSchema":{"type":"object"}}]' ;;
  esac
  echo '{"jsonrpc":"2.0","id":'"$id"',"result":{'"$result"'}}'
  id=$((id + 1))
done
`)
	server := &lockfile.Server{Command: []string{"sh", "serve.sh"}, Protocol: "2025-06-18", Tools: []lockfile.Tool{
		{Name: "agent_draft", Description: "good", Input: json.RawMessage(`{"type":"object"}`)},
	}}
	if err := server.Seal(); err != nil {
		t.Fatal(err)
	}
	lock := lockfile.Lock{Format: lockfile.Format, Servers: map[string]*lockfile.Server{"desk": server}}
	text, err := lock.Encode()
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, lockfile.Name), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}

	return dir
}

// Servers are started, and compared with their pins. One that hangs is not waited for, and no
// secret is in what one writes.
func TestPreflightOfServers(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program that asks servers")
	}
	dir := served(t)
	t.Setenv("DESK_TOKEN", "s3cr3t-of-the-desk")
	for mode, want := range map[string]string{
		"good": "ok       server desk, from agentc.lock\n",
		"new":  "missing  server desk: MCP server \"desk\" does not offer what agentc.lock says; look at the changes, and then run agentc mcp pin:\n             agent_draft: its description was \"good\" and is \"new\"\n",
		"leak": "; it wrote:\n             the token [redacted DESK_TOKEN] is wrong\n",
		"hang": "missing  server desk: MCP server \"desk\" (sh serve.sh): it does not answer: context deadline exceeded\n",
	} {
		t.Setenv("DESK_MODE", mode)
		begun := time.Now()
		r := agentc(dir, "", "preflight", "--within", "3s")
		code := cli.Problem
		if mode == "good" {
			code = cli.Done
		}
		r.want(t, code, want)
		if strings.Contains(r.stdout+r.stderr, "s3cr3t") || time.Since(begun) > time.Minute {
			t.Errorf("%s, after %v: %s%s", mode, time.Since(begun), r.stdout, r.stderr)
		}
	}
}

// A server is not started if something that it needs is missing: its script, the right to execute
// it, or a variable.
func TestPreflightOfMissingServers(t *testing.T) {
	dir := served(t)
	t.Setenv("DESK_TOKEN", "")
	agentc(dir, "", "preflight").want(t, cli.Problem, "missing  variable DESK_TOKEN: it is not set\n")
	if err := os.Remove(filepath.Join(dir, "serve.sh")); err != nil {
		t.Fatal(err)
	}
	agentc(dir, "", "preflight").want(t, cli.Problem, "missing  server desk: its command cannot be started: there is no file serve.sh in "+dir+"\n")

	unpack(t, dir, withServer("bin/desk"))
	lock := read(t, filepath.Join(dir, lockfile.Name))
	lock = strings.Replace(lock, "\"sh\",\n        \"serve.sh\"", `"bin/desk"`, 1)
	if err := os.WriteFile(filepath.Join(dir, lockfile.Name), []byte(lock), 0o644); err != nil {
		t.Fatal(err)
	}
	agentc(dir, "", "preflight").want(t, cli.Problem, "missing  server desk: its command cannot be started: there is no file bin/desk in "+dir+"\n")
	unpack(t, dir, "-- bin/desk --\n#!/bin/sh\n")
	agentc(dir, "", "preflight").want(t, cli.Problem, "missing  server desk: its command cannot be started: bin/desk is not executable: chmod +x bin/desk\n")
	agentc(dir, "", "preflight", "--within", "soon").want(t, cli.Usage, "", `--within "soon" is not a time such as 30s`)
}

// The store of runs can be written, or the report says why not.
func TestPreflightOfStores(t *testing.T) {
	t.Setenv("AGENTC_STORE", "")
	dir := unpack(t, t.TempDir(), critic, "-- agentc.yaml --\nentrypoint: critic\nmodels: {default: \"openrouter:small\"}\nproviders: {openrouter: {base_url: \"https://models.example.org\"}}\n")
	agentc(dir, "", "preflight").want(t, cli.Done, "ok       store .agentc/runs, from the default\n")
	unpack(t, dir, "-- taken --\nA file.\n")
	t.Setenv("AGENTC_STORE", "taken")
	agentc(dir, "", "preflight").want(t, cli.Problem, "missing  store taken: it is not a folder\n")
	t.Setenv("AGENTC_STORE", "sqlite:taken/runs.db")
	agentc(dir, "", "preflight").want(t, cli.Problem, "missing  store sqlite:taken/runs.db: it is not a folder\n")
	t.Setenv("AGENTC_STORE", "sqlite:new/runs.db")
	agentc(dir, "", "preflight").want(t, cli.Done, "ok       store sqlite:new/runs.db, from AGENTC_STORE\n")
	t.Setenv("AGENTC_STORE", "none")
	if r := agentc(dir, "", "preflight"); strings.Contains(r.stdout, "store") || fileExists(filepath.Join(dir, "new")) {
		t.Errorf("without a store: %s", r.stdout)
	}
}

// A database is opened, and its password is not shown.
func TestPreflightOfADatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the drivers of PostgreSQL and SQLite")
	}
	dir := unpack(t, t.TempDir(), critic, "-- agentc.yaml --\nentrypoint: critic\nmodels: {default: \"openrouter:small\"}\nproviders: {openrouter: {base_url: \"https://models.example.org\"}}\nstore: postgres:${DATABASE_URL}\n")
	t.Setenv("AGENTC_STORE", "")
	t.Setenv("DATABASE_URL", "postgres://ada:s3cr3t-word@127.0.0.1:1/runs?connect_timeout=2")
	r := agentc(dir, "", "preflight", "--within", "10s")
	r.want(t, cli.Problem, "missing  store postgres:${DATABASE_URL}: it cannot be used: ")
	if strings.Contains(r.stdout+r.stderr, "s3cr3t") {
		t.Errorf("the password is shown: %s%s", r.stdout, r.stderr)
	}
	t.Setenv("AGENTC_STORE", "sqlite:runs.db")
	unpack(t, dir, "-- runs.db --\nThis is no database, and has more bytes than the header of one.\n")
	agentc(dir, "", "preflight").want(t, cli.Problem, "missing  store sqlite:runs.db: it cannot be used: ", "")
}

// A typed tool is not there because a skill names it: without a module, a script or nothing
// answers, and in one go build finds out.
func TestPreflightOfMethods(t *testing.T) {
	const missing = "missing  method find_order: no Go implements the tool \"find_order\", and no script answers for it\n"
	dir := unpack(t, t.TempDir(), clerk)
	agentc(dir, "", "preflight").want(t, cli.Problem, missing)
	dir = unpack(t, t.TempDir(), userModule(t), clerk)
	agentc(dir, "", "preflight").want(t, cli.Problem, "unknown  method find_order: not checked: go build does\n")
}

// What --fix would change is left alone if it is read-only.
func TestPreflightFixOfAReadOnlyConfig(t *testing.T) {
	const config = "entrypoint: critic\n"
	dir := unpack(t, t.TempDir(), critic, "-- agentc.yaml --\n"+config+"models: {default: \"openai:small\"}\nproviders: {}\n")
	file := filepath.Join(dir, "agentc.yaml")
	if err := os.Chmod(file, 0o400); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AGENTC_MODEL_DEFAULT_NAME", "ollama:small")
	before := read(t, file)
	agentc(dir, "", "preflight", "--fix").want(t, cli.Problem, "", "agentc.yaml is read-only\n", "nothing was fixed\n")
	if read(t, file) != before {
		t.Error("it was changed")
	}
}
