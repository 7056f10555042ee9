package command

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"
)

// TestReleaseFiles makes the files of a release of this commit, for every system, and uses those
// for this one as a person does: the signature and the checksums are checked, the archive is
// unpacked, and what is in it works.
func TestReleaseFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library for each system")
	}
	if goruntime.GOOS != "linux" {
		t.Skip(".ci/release needs GNU tar and sha256sum")
	}
	folder := t.TempDir()
	key := filepath.Join(folder, "key")
	in := func(dir, name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "AGENTC_SIGNING_KEY="+key)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	in(folder, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
	made := filepath.Join(folder, "made")
	if n := len(strings.Fields(in(root, ".ci/release", made))); n < 6 {
		t.Errorf("%d archives", n)
	}

	in(folder, "sh", "-c", `echo "release $(cut -d' ' -f1,2 key.pub)" >allowed
		ssh-keygen -Y verify -f allowed -I release -n agentc -s made/checksums.txt.sig <made/checksums.txt`)
	if sums := in(made, "sha256sum", "-c", "checksums.txt"); strings.Count(sums, ": OK") != 12 {
		t.Errorf("checksums.txt is not of six archives and six SBOMs:\n%s", sums)
	}

	archive, err := filepath.Glob(made + "/agentc_*_linux_" + goruntime.GOARCH + ".tar.gz")
	if err != nil || len(archive) != 1 {
		t.Fatalf("%q, %v", archive, err)
	}
	name := strings.TrimSuffix(filepath.Base(archive[0]), ".tar.gz")
	in(folder, "tar", "xzf", archive[0])
	program := filepath.Join(folder, name, "agentc")
	if out := in(root, program, "check", "examples/smart-critic"); out != "no problems\n" {
		t.Errorf("agentc check printed %q", out)
	}
	if out := in(folder, program, "version"); !strings.Contains(out, "for linux/"+goruntime.GOARCH) {
		t.Errorf("agentc version printed %q", out)
	}
	for file, part := range map[string]string{
		"completions/agentc.bash": "complete -o default -F _agentc agentc\n",
		"man/man1/agentc.1":       ".SH NAME\nagentc \\- compile agents and state machines to Go\n",
		"man/man1/agentc-check.1": "\n  \\-\\-strict       exit with 1 for warnings too\n",
		"CHANGELOG.md":            "## [Unreleased]",
	} {
		if text := read(t, filepath.Join(folder, name, file)); !strings.Contains(text, part) {
			t.Errorf("%s has no %q", file, part)
		}
	}

	var sbom struct {
		Components []struct{ Name, Version string }
	}
	if err := json.Unmarshal([]byte(read(t, filepath.Join(made, name+".sbom.json"))), &sbom); err != nil || len(sbom.Components) < 8 {
		t.Errorf("the SBOM has %d components, %v", len(sbom.Components), err)
	}
	windows, err := filepath.Glob(made + "/agentc_*_windows_arm64.zip")
	if err != nil || len(windows) != 1 || !bytes.Contains([]byte(read(t, windows[0])), []byte("/agentc.exe")) {
		t.Errorf("no agentc.exe for Windows in %q, %v", windows, err)
	}
}
