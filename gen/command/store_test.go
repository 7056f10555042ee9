package command

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// The runs of a project whose store is a database are in that database, wherever agentc is called,
// and its commands for runs have the binary open it.
func TestStoreInADatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles SQLite")
	}
	t.Setenv("AGENTC_STORE", "")
	dir := unpack(t, t.TempDir(), strings.Replace(payer, "-- p/agentc.yaml --\n", "-- p/agentc.yaml --\nstore: sqlite:data/runs.db\n", 1))
	agentc(dir, "", "run", "p", "first").want(t, cli.Paused, "")
	if found, err := filepath.Glob(filepath.Join(dir, "p", "data", "runs.db")); err != nil || len(found) != 1 {
		t.Fatalf("the database of the project is %q, %v", found, err)
	}
	inside := filepath.Join(dir, "p")
	agentc(inside, "", "runs", "--status", "paused").want(t, cli.Done, ": Pay it?")
	agentc(dir, "", "answer", "--project", "p", "last", "approve", `{"approved": true}`).want(t, cli.Done, `{"approved":true}`)
	agentc(dir, "", "runs", "--project", "p", "--json").want(t, cli.Done, `"status":"done"`)
	agentc(inside, "", "runs", "show", "last", "--html", "-").want(t, cli.Done, "<!DOCTYPE html>")
	agentc(dir, "", "run", "p", "second").want(t, cli.Paused, "")
	agentc(inside, "", "cancel", "last").want(t, cli.Done, "")
	agentc(inside, "", "runs", "--status", "paused").want(t, cli.Done, "")
	agentc(inside, "", "runs", "prune", "--all", "--older", "0s").want(t, cli.Done, "-")
	agentc(inside, "", "runs", "--json").want(t, cli.Done, "")
	if found, err := filepath.Glob(filepath.Join(dir, "p", ".agentc", "runs", "*")); err != nil || len(found) != 0 {
		t.Errorf("there are journals in files, too: %q, %v", found, err)
	}
}

// Where the module of the store is missing, the message says how to add it.
func TestStoreInAModule(t *testing.T) {
	dir := unpack(t, t.TempDir(), critic, "-- agentc.yaml --\nentrypoint: critic\nstore: postgres:${DATABASE_URL}\n", userModule(t))
	agentc(dir, "", "build", "-o", "app.exe").want(t, cli.Problem, "",
		"store: postgres needs the module github.com/agentc-dev/agentc/runtime/postgres, which your go.mod does not require yet. Run in this folder:\n")
}
