package serve_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// mostPage is how many bytes the page may add to a binary that serves runs.
const mostPage = 400_000

// TestSizeOfThePage: a binary with include: [serve] is hardly larger than the same one without the page.
func TestSizeOfThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("links two binaries")
	}
	dir := t.TempDir()
	replaced := map[string]string{}
	for name, text := range map[string]string{
		"page.go": "package serve\n\nimport \"net/http\"\n\nfunc (s *Server) servePage(http.ResponseWriter, *http.Request) {}\n" +
			"func (s *Server) showPage(http.ResponseWriter, *http.Request) error { return nil }\n",
		"part.go": "package serve\n\nimport (\n\t\"github.com/agentc-dev/agentc/runtime/cli\"\n\t\"github.com/agentc-dev/agentc/runtime/generated/compiled\"\n)\n\n" +
			"type Part struct{}\n\nfunc (Part) Part() string { return \"serve\" }\n" +
			"func (Part) Commands(p *compiled.Program) []*cli.Command { return []*cli.Command{newCommand(p)} }\n",
	} {
		path, err := filepath.Abs(name)
		if err == nil {
			replaced[path] = filepath.Join(dir, name)
			err = os.WriteFile(replaced[path], []byte(text), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	size := func(name string, flags ...string) int64 {
		t.Helper()
		binary := filepath.Join(dir, name)
		args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", binary}, flags...)
		cmd := exec.Command("go", append(args, "./examples/approval")...)
		cmd.Dir = filepath.Join("..", "..", "..")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		info, err := os.Stat(binary)
		if err != nil {
			t.Fatal(err)
		}

		return info.Size()
	}
	added := size("with.exe") - size("without.exe", "-overlay", filepath.Join(dir, "overlay.json"))
	t.Logf("the page adds %d bytes", added)
	if added <= 40_000 || added > mostPage { // its script alone has more than 40,000
		t.Errorf("the page adds %d bytes, and may add %d", added, mostPage)
	}
}
