package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/agentc-dev/agentc/examples/approval/agents"
	"github.com/agentc-dev/agentc/gen/internal/ir"
	"github.com/agentc-dev/agentc/runtime/cli"
	"github.com/agentc-dev/agentc/runtime/cli/app"
)

const deploy = root + "/templates/deploy"

// What the page about deploying shows of an image is what build writes.
func TestDeployedImage(t *testing.T) {
	want := string(image{binary: "approval", program: &ir.Program{}}.renderFiles()[0].Content)
	if got := read(t, filepath.Join(deploy, "Dockerfile")); got != want {
		t.Errorf("templates/deploy/Dockerfile is\n%s\nbuild writes\n%s", got, want)
	}
}

// Each flag of a command line that the files start exists.
func TestDeployedFlags(t *testing.T) {
	help := map[string]string{}
	for _, command := range []string{"run", "serve", "runs", "resume"} {
		var out strings.Builder
		if code := (app.Options{}).Run(agents.New(nil), []string{command, "--help"}, strings.NewReader(""), &out, &out); code != cli.Done {
			t.Fatalf("there is no command %s: %s", command, out.String())
		}
		help[command] = out.String()
	}
	found := 0
	for _, name := range []string{"approval.service", "nightly.service", "once.sh"} {
		for line := range strings.Lines(read(t, filepath.Join(deploy, name))) {
			words := strings.Fields(line)
			for i, command := range words {
				if help[command] == "" {
					continue
				}
				for _, word := range words[i:] {
					if !strings.HasPrefix(word, "--") {
						continue
					}
					found++
					if !strings.Contains(help[command], word+" ") {
						t.Errorf("%s: %s has no flag %s", name, command, word)
					}
				}
				break
			}
		}
	}
	if found < 6 {
		t.Errorf("only %d flags were found: the test saw nothing", found)
	}
}

// What probes ask for is served, and the files are YAML.
func TestDeployedProbes(t *testing.T) {
	found, served := 0, read(t, filepath.Join(root, "runtime", "servers", "serve", "openapi.json"))
	for _, name := range []string{"kubernetes.yaml", "compose.yaml"} {
		text := read(t, filepath.Join(deploy, name))
		var content map[string]any
		if err := yaml.Unmarshal([]byte(text), &content); err != nil || len(content) == 0 {
			t.Errorf("%s: %v", name, err)
		}
		for _, part := range strings.Split(text, "httpGet: {path: ")[1:] {
			found++
			if path, _, _ := strings.Cut(part, ","); !strings.Contains(served, `"`+path+`": {`) {
				t.Errorf("%s: nothing is served at %s", name, path)
			}
		}
	}
	if found != 2 {
		t.Errorf("%d probes were found", found)
	}
}

func TestDeployedUnits(t *testing.T) {
	verify, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd here")
	}
	dir := t.TempDir()
	args := []string{"verify", "--man=no"}
	for _, name := range []string{"approval.service", "nightly.service", "nightly.timer"} {
		// The program has to be there, or that is all that is found.
		text := strings.ReplaceAll(read(t, filepath.Join(deploy, name)), "/usr/local/bin/approval", "/bin/true")
		text = strings.ReplaceAll(text, "/usr/local/bin/support", "/bin/true")
		args = append(args, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(verify, args...).CombinedOutput(); err != nil || strings.Contains(string(out), dir) {
		t.Errorf("%v\n%s", err, out)
	}
}

// The scripts run a binary, one run at a time, and its store can be copied and is one there too.
func TestDeployedScripts(t *testing.T) {
	for _, tool := range []string{"sh", "flock", "tar", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("no %s here", tool)
		}
	}
	dir := unpack(t, t.TempDir(), critic, `
-- agentc.yaml --
entrypoint: critic
models: {default: "script:answers.yaml"}
-- answers.yaml --
draft: [{finish: {key: good, value: "{{input}}!"}}]
`)
	agentc(dir, "", "build", "-o", "app").want(t, cli.Done, "")
	sh := func(script string, args ...string) (string, error) {
		path, err := filepath.Abs(filepath.Join(deploy, script))
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("sh", append([]string{path}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "APP="+filepath.Join(dir, "app"), "AGENTC_STORE="+filepath.Join(dir, "runs"))
		out, err := cmd.Output()
		return string(out), err
	}

	if out, err := sh("once.sh", "x"); err != nil || out != "x!\n" {
		t.Errorf("%q, %v", out, err)
	}
	held := exec.Command("flock", filepath.Join(dir, "runs.lock"), "sh", "-c", "echo held; read -r end")
	stdin, err := held.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := held.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := held.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = stdout.Read(make([]byte, 8)) // it has the lock
	if out, err := sh("once.sh", "y"); err == nil || out != "" {
		t.Errorf("a second run at the same time: %q, %v", out, err)
	}
	_ = stdin.Close()
	_ = held.Wait()

	out, err := sh("backup.sh", filepath.Join(dir, "runs"), dir)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	restored := filepath.Join(dir, "restored")
	if err := os.Mkdir(restored, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("tar", "-C", restored, "-xzf", strings.TrimSpace(out)).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	listed, err := exec.Command(filepath.Join(dir, "app"), "runs", "--store", restored, "--status", "done", "--json").Output()
	if err != nil || strings.Count(string(listed), "\n") != 1 {
		t.Errorf("%v: %s", err, listed)
	}
}
