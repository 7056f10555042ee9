package bearer_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/internal/servers/bearer"
	"github.com/agentc-dev/agentc/runtime/servers/access"
)

// read calls Read as a command with arguments does, in a folder.
func read(t *testing.T, dir string, args ...string) (tokens *access.Tokens, where string, err error) {
	t.Helper()
	command := &cli.Command{Name: "serve", Flags: []cli.Flag{bearer.Flag}, Run: func(c *cli.Call) error {
		tokens, where, err = bearer.Read(c, "X_TOKENS", nil)
		return nil
	}}
	program := &cli.Program{Name: "app", Commands: []*cli.Command{command}}
	if code := program.Run(&cli.Env{Dir: dir, Stdout: new(strings.Builder), Stderr: new(strings.Builder)}, append([]string{"serve"}, args...)); code != cli.Done {
		t.Fatalf("exit code %d", code)
	}

	return tokens, where, err
}

// The flag counts before the variable, and that before the file that commands write where none is named.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	nameOf := func(args ...string) string {
		t.Helper()
		tokens, where, err := read(t, dir, args...)
		if err != nil || tokens == nil {
			return where
		}
		return where + " " + tokens.Grants()[0].Name
	}
	if got := nameOf(); got != "" {
		t.Errorf("without tokens: %s", got)
	}
	if err := os.Mkdir(filepath.Join(dir, ".agentc"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{access.DefaultFile: "ada=0123456789abcdef", "bob": "bob=0123456789abcdef", "short": "bob=0"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := nameOf(); got != access.DefaultFile+" ada" {
		t.Errorf("the file: %s", got)
	}
	project := filepath.Join(dir, "p")
	if err := os.MkdirAll(filepath.Join(project, ".agentc"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(project, access.DefaultFile), []byte("pam=0123456789abcdef"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(bearer.ProjectVariable, project)
	if got := nameOf(); got != "p/"+access.DefaultFile+" pam" {
		t.Errorf("the file of the project: %s", got)
	}
	t.Setenv("X_TOKENS", "eve=0123456789abcdef")
	if got := nameOf(); got != "X_TOKENS eve" {
		t.Errorf("the variable: %s", got)
	}
	if got := nameOf("--tokens", "bob"); got != "bob bob" {
		t.Errorf("the flag: %s", got)
	}
	if _, _, err := read(t, dir, "--tokens", "short"); err == nil || !strings.Contains(err.Error(), "shorter than 16 bytes") {
		t.Errorf("a short token: %v", err)
	}
	if _, _, err := read(t, dir, "--tokens", "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	t.Setenv("X_TOKENS", " ")
	if _, _, err := read(t, dir); err == nil || !strings.Contains(err.Error(), "X_TOKENS: the variable is set, and empty") {
		t.Errorf("an empty variable: %v", err)
	}
	if got := nameOf("--tokens", "bob"); got != "bob bob" {
		t.Errorf("the flag beside an empty variable: %s", got)
	}
	t.Setenv("X_TOKENS", "eve")
	if _, _, err := read(t, dir); err == nil || !strings.Contains(err.Error(), "X_TOKENS:1: a line is NAME=TOKEN") {
		t.Errorf("a wrong variable: %v", err)
	}
}
