package sqlite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agentc-dev/agentc/runtime/stores/journal"
)

// backup copies a store with the script of the deployment guide, which finds its programs in path.
func backup(t *testing.T, path, store, folder string) (made, problem string) {
	t.Helper()
	cmd := exec.Command("/bin/sh", filepath.Join("..", "..", "templates", "deploy", "backup.sh"), store, folder)
	cmd.Env = append(os.Environ(), "PATH="+path)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if (err == nil) != (stderr.Len() == 0) {
		t.Fatalf("%v: %s", err, &stderr)
	}

	return strings.TrimSpace(string(out)), stderr.String()
}

// The backup of a store that is in use has all that was acknowledged, and is a store.
func TestBackup(t *testing.T) {
	if _, err := exec.LookPath("sqlite3"); err != nil {
		t.Skip("backup.sh copies with the program sqlite3, which is not installed: .ci/sqlite installs it")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "it's here.db")
	w := written(t, open(t, path), "r", 3)
	folder := filepath.Join(dir, "it's kept")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	made, problem := backup(t, os.Getenv("PATH"), "sqlite:"+path+"?lease=5s", folder)
	if problem != "" {
		t.Fatal(problem)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy is %v, %v", info, err)
	}
	if j, err := journal.Read(t.Context(), open(t, made), "r"); err != nil || len(j.Records) != 4 || j.Cut != nil {
		t.Errorf("the copy has %+v, %v", j, err)
	}
}

// What cannot be copied is refused, and nothing is left of the attempt.
func TestBackupIsRefused(t *testing.T) {
	dir := t.TempDir()
	programs, folder := filepath.Join(dir, "bin"), filepath.Join(dir, "backups")
	for _, path := range []string{programs, folder} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"date", "rm"} {
		found, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(found, filepath.Join(programs, name)); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "runs.db")
	if err := written(t, open(t, path), "r", 1).Close(); err != nil {
		t.Fatal(err)
	}
	for store, want := range map[string]string{
		path: "needs the program sqlite3", filepath.Join(dir, "none"): "is no folder and no file", "postgres://db/app": "use pg_dump",
	} {
		if _, problem := backup(t, programs, store, folder); !strings.Contains(problem, want) {
			t.Errorf("%s: %s", store, problem)
		}
	}
	notes := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(notes, []byte(strings.Repeat("These are notes. ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if made, problem := backup(t, os.Getenv("PATH"), notes, folder); problem == "" {
		t.Errorf("a file that is no store becomes %s", made)
	}
	if left, err := os.ReadDir(folder); len(left) > 0 || err != nil {
		t.Errorf("%v is left, %v", left, err)
	}
}
