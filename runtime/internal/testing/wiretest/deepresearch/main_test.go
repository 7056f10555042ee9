package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const (
	root   = "../../../../.."
	corpus = root + "/../shared/corpus/tama/00-deep-research"
)

// TestDeepResearch builds a project that nobody wrote for this version, with a config as a user would write it, and lets the binary work:
// what the http tools get comes to the model, the report is on the disk, what may not be reached is not, and no key stands anywhere.
func TestDeepResearch(t *testing.T) {
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("no corpus beside the repository")
	}
	var heard requests
	server := httptest.NewUnstartedServer(nil)
	address := "http://" + server.Listener.Addr().String()
	server.Config.Handler = heard.through(newHandler(address))
	server.Start()
	defer server.Close()

	dir := t.TempDir()
	project := filepath.Join(dir, "research")
	if err := os.CopyFS(project, os.DirFS(corpus)); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(project, "agentc.yaml"), fmt.Sprintf(config, address))
	agentc, binary := filepath.Join(dir, "agentc.exe"), filepath.Join(dir, "research.exe")
	command(t, root, nil, "go", "build", "-buildvcs=false", "-o", agentc, "./cmd/agentc")
	built := command(t, project, nil, agentc, "build", "-o", binary)

	env := []string{"OPENAI_API_KEY=" + modelKey, "JINA_API_KEY=" + token}
	out := command(t, project, env, binary, "run", "--json", "How do people cool cities?")
	for _, want := range []string{
		`"status":"done"`, `"from":"reviewer","key":"retry"`, `"from":"reviewer","key":"approved"`,
		"169.254.169.254 at port 80 over http is not among what the project lets the http tools reach",
		"Trees shade a street", "A white roof sends", "[redacted JINA_API_KEY]", `Bearer ${JINA_API_KEY}`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}

	report, err := os.ReadFile(filepath.Join(project, "workspace", "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Trees shade a street", "A white roof sends", "Open water", "/pages/trees", "[redacted JINA_API_KEY]"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if _, err := os.Stat(filepath.Join(project, "report.md")); err == nil {
		t.Error("a report was written outside of the folder")
	}
	all := built + out + heard.bodies() + everything(t, project)
	for _, key := range []string{token, modelKey} {
		if strings.Contains(all, key) {
			t.Errorf("the key %s stands somewhere", key)
		}
	}
	if strings.Count(heard.bodies(), "Trees shade a street") == 0 {
		t.Error("the model was not told what the tools got")
	}
	t.Logf("with agentc.yaml\n%s\nthe report is\n%s", fmt.Sprintf(config, address), report)
}

// requests are the bodies of what was asked.
type requests struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (r *requests) through(to http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		var body bytes.Buffer
		_, _ = body.ReadFrom(request.Body)
		r.mu.Lock()
		r.all.Write(body.Bytes())
		r.mu.Unlock()
		request.Body = http.NoBody
		if body.Len() > 0 {
			request.Body = nopCloser{&body}
		}
		to.ServeHTTP(w, request)
	})
}

func (r *requests) bodies() string {
	r.mu.Lock()
	defer r.mu.Unlock()

	return r.all.String()
}

type nopCloser struct{ *bytes.Buffer }

func (nopCloser) Close() error { return nil }

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// command runs a command in a folder and returns all that it says.
func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", filepath.Base(name), args, err, out)
	}

	return string(out)
}

// everything is the text of all files of a folder.
func everything(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	if err := fs.WalkDir(os.DirFS(dir), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		all.Write(content)

		return err
	}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(all.String(), "read_skill") {
		t.Error("the journal was not searched")
	}

	return all.String()
}
