package wasitest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"
)

// TestSmartCritic builds an example twice into one file, and runs it: with a script instead of a model it ends as it does everywhere,
// and a run that would need a lock says what to do instead.
func TestSmartCritic(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the standard library for WASI")
	}
	folder := t.TempDir()
	command := filepath.Join(folder, "agentc")
	output(t, "go", "build", "-o", command, "./cmd/agentc")
	file := filepath.Join(folder, "critic.wasm")
	for range 2 {
		if out := output(t, command, "build", "./examples/smart-critic", "-o", file, "--target", "wasip1/wasm"); !strings.HasSuffix(out, "critic.wasm for wasip1/wasm\n") {
			t.Errorf("agentc build printed %q", out)
		}
	}
	program, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	host := wazero.NewRuntime(ctx)
	defer host.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, host)
	compiled, err := host.CompileModule(ctx, program)
	if err != nil {
		t.Fatal(err)
	}

	for _, c := range []struct {
		args      string
		code      uint32
		out, said string
	}{
		{"run --store none haiku", 0, "Silent compiler / you walk my house in the night / and name the loose hinge\n", "smart-critic: refine --good-enough--> done\n"},
		{"run haiku", 3, "", "unsupported operation (--store DIR records in another folder, --store none nowhere)\n"},
		{"graph", 0, "flowchart TD\n", ""},
	} {
		var out, said bytes.Buffer
		config := wazero.NewModuleConfig().WithName("").WithArgs(append([]string{"critic"}, strings.Fields(c.args)...)...).
			WithStdout(&out).WithStderr(&said).WithSysWalltime().WithSysNanotime().WithRandSource(rand.Reader).
			WithFSConfig(wazero.NewFSConfig().WithDirMount(t.TempDir(), "/"))
		_, err := host.InstantiateModule(ctx, compiled, config)
		exit := &sys.ExitError{}
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if exit.ExitCode() != c.code || !strings.HasPrefix(out.String(), c.out) || !strings.HasSuffix(said.String(), c.said) {
			t.Errorf("%s ended with %v, %q and %q", c.args, err, out.String(), said.String())
		}
	}
}

// output is what a command prints that runs in the root of the repository.
func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	command := exec.Command(name, args...)
	command.Dir = "../../../.."
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}

	return string(out)
}
