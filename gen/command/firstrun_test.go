package command

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/cli"
)

// turn is what a model calls in a turn: names of tools and their arguments.
type turn map[string]string

// modelServer answers calls of models with turns, one after the other, and everything else with a
// page.
func modelServer(t *testing.T, turns ...turn) *httptest.Server {
	t.Helper()
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			fmt.Fprint(w, "A page.")
			return
		}
		var calls []any
		for name, args := range turns[min(asked, len(turns)-1)] {
			args = strings.Replace(args, "ADDRESS", "http://"+r.Host, 1)
			calls = append(calls, map[string]any{
				"id": fmt.Sprint("c", asked), "type": "function", "function": map[string]string{"name": name, "arguments": args},
			})
		}
		asked++
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "x", "object": "chat.completion", "model": "small",
			"choices": []any{map[string]any{
				"index": 0, "finish_reason": "tool_calls", "message": map[string]any{"role": "assistant", "content": nil, "tool_calls": calls},
			}},
			"usage": map[string]int{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
		})
	}))
	t.Cleanup(server.Close)
	t.Setenv("AGENTC_STORE", "")
	for _, name := range []string{"ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL"} {
		t.Setenv(name, "")
	}

	return server
}

// A project in which nothing is configured: one report has all that it lacks, --fix adds what is no
// decision, and with a model, a key and the variable it runs.
func TestFromNothingToARun(t *testing.T) {
	server := modelServer(t, turn{"start": "{}"}, turn{"read_skill": `{"name": "papers"}`}, turn{"http_get": `{"url": "ADDRESS/search?q=go"}`},
		turn{"files_write": `{"path": "summary.md", "content": "Go."}`}, turn{"finish": `{"key": "done", "value": "It is about Go."}`})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/unconfigured")); err != nil {
		t.Fatal(err)
	}
	edit(t, filepath.Join(dir, "skills", "papers", "SKILL.md"), "https://papers.example.org", server.URL)
	address := strings.TrimPrefix(server.URL, "http://")

	r := agentc(dir, "", "preflight")
	r.want(t, cli.Problem, "missing", "4 of 5 missing\n")
	for _, lack := range []string{
		"model role thinker: no model is configured for it\n", "variable PAPERS_KEY: it is not set\n",
		"add to agentc.yaml: http: {allow: [" + address + "]}\n", "add to agentc.yaml: files: {root: ./workspace}\n",
	} {
		if !strings.Contains(r.stdout, lack) {
			t.Errorf("the report lacks %q:\n%s", lack, r.stdout)
		}
	}
	agentc(dir, "", "preflight", "--fix").want(t, cli.Problem, "ok       tool http_get", "2 of 7 missing\n")
	t.Setenv("AGENTC_MODEL_DEFAULT_NAME", "openai:small")
	t.Setenv("AGENTC_PROVIDER_OPENAI_BASE_URL", server.URL+"/v1")
	t.Setenv("OPENAI_API_KEY", "none")
	t.Setenv("PAPERS_KEY", "s3cr3t-of-the-papers")
	agentc(dir, "", "preflight", "--fix").want(t, cli.Done, "ok       host "+address+", from http.allow\n", "added to agentc.yaml: providers: {openai: {}}\n")
	agentc(dir, "", "run", "what is go?").want(t, cli.Done, "It is about Go.\n")
	if got := read(t, filepath.Join(dir, "workspace", "summary.md")); got != "Go." {
		t.Errorf("the summary is %q", got)
	}
}

// The same with a project of the corpus, whose tama.toml --fix converts.
func TestCorpusFromNothingToARun(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a second program that asks models")
	}
	project := filepath.Join(repository(t), "..", "shared", "corpus", "tama", "01-react-search")
	if _, err := os.Stat(project); err != nil {
		t.Skip("corpus: absent")
	}
	server := modelServer(t, turn{"start": "{}"}, turn{"read_skill": `{"name": "search-web"}`},
		turn{"tama_files_write": `{"path": "result.md", "content": "# r"}`}, turn{"finish": `{"key": "done", "value": "It is found."}`})
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(project)); err != nil {
		t.Fatal(err)
	}
	agentc(dir, "", "preflight").want(t, cli.Problem, `missing  key anthropic: ANTHROPIC_API_KEY is not set
           for react-search
           add: export ANTHROPIC_API_KEY=...
missing  tool http_get: the project has not turned it on
           for skill search-web
           add to agentc.yaml: http: {allow: [html.duckduckgo.com]}
           note: skill search-web also opens addresses that results name: they
             are refused; http: {allow: ["*"]} allows them
missing  tool files_write: the project has not turned it on
           for skill search-web
           add to agentc.yaml: files: {root: ./workspace}
`, "3 of 5 missing\n")
	agentc(dir, "", "preflight", "--fix").want(t, cli.Problem, "missing  key anthropic: ANTHROPIC_API_KEY is not set\n", "1 of 7 missing\n")
	t.Setenv("TAMA_MODEL_THINKER_NAME", "openai:small")
	t.Setenv("TAMA_PROVIDER_OPENAI_BASE_URL", server.URL+"/v1")
	t.Setenv("OPENAI_API_KEY", "none")
	r := agentc(dir, "", "preflight", "--fix")
	r.want(t, cli.Done, "ok       model openai:small, from TAMA_MODEL_THINKER_NAME\n", "added to agentc.yaml: providers: {openai: {}}\n")
	if n := strings.Count(r.stderr, "tama.toml is not read"); n != 1 {
		t.Errorf("the warning is printed %d times:\n%s", n, r.stderr)
	}
	agentc(dir, "", "run", "what is go?").want(t, cli.Done, "It is found.\n")
	if got := read(t, filepath.Join(dir, "workspace", "result.md")); got != "# r" {
		t.Errorf("the result is %q", got)
	}
}
