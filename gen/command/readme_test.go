package command

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
)

// TestReadmeIsShort counts the words of README.md, listings and links among them. The rules of
// tables are not words.
func TestReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, word := range strings.Fields(string(text)) {
		if strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			n++
		}
	}
	if n > 1150 {
		t.Errorf("README.md has %d words; at most 1,150 are read in five minutes", n)
	}
}

// TestReadmeWordForWord does what README.md says, in a new folder: each line of its first two
// listings for a shell, and the edit between them, with a model on this machine. Only the address
// of the repository leads to this checkout. The times are printed.
func TestReadmeWordForWord(t *testing.T) {
	if testing.Short() {
		t.Skip("clones and builds the repository")
	}
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		finish := map[string]any{"name": "finish", "arguments": `{"key":"done","value":"To Grace, who found the bug."}`}
		_ = json.NewEncoder(w).Encode(map[string]any{"model": "gpt-5-mini", "choices": []any{map[string]any{
			"finish_reason": "tool_calls",
			"message":       map[string]any{"role": "assistant", "tool_calls": []any{map[string]any{"id": "1", "type": "function", "function": finish}}},
		}}})
	}))
	defer model.Close()
	var commands []string
	config := ""
	for _, l := range listingsOf(t, filepath.Join(root, "README.md")) {
		switch {
		case l.test == "config" && config == "":
			config = l.text
		case l.test == "shell" && len(commands) < 5:
			commands = append(commands, strings.Split(strings.TrimSpace(l.text), "\n")...)
		}
	}
	if len(commands) != 5 || config == "" {
		t.Fatalf("the first listings of README.md are not five commands and a model: %q, %q", commands, config)
	}

	folder := t.TempDir()
	checkout := repository(t)
	env := append(os.Environ(), "OPENAI_API_KEY=sk-test", "OPENAI_BASE_URL="+model.URL+"/v1", "AGENTC_STORE=",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.file://"+checkout+".insteadOf", "GIT_CONFIG_VALUE_0=https://github.com/agentc-dev/agentc")
	dir := folder
	for i, command := range commands {
		if i == 4 {
			file := filepath.Join(folder, "hello", "agentc.yaml")
			before, _, _ := strings.Cut(read(t, file), "models:")
			if err := os.WriteFile(file, []byte(before+config), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		begun := time.Now()
		shell := exec.Command("sh", "-c", command)
		shell.Dir, shell.Env = dir, env
		out, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
		t.Logf("%5.1f s  %s", time.Since(begun).Seconds(), command)
		dir = filepath.Join(folder, "agentc") // where the first command goes
		if want := map[int]string{3: "Ada", 4: "To Grace, who found the bug."}[i]; !strings.Contains(string(out), want) {
			t.Errorf("%s printed no %q:\n%s", command, want, out)
		}
	}
}
